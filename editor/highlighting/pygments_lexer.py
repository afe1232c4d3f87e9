"""The patterns as a lexer of Pygments, which finds it by an entry point: for documentation and for `pygmentize`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import Punctuation, Whitespace, _TokenType, string_to_tokentype

from .token_patterns import tokens_of


class RulewrightLexer(Lexer):  # type: ignore[misc]  # pygments has no types
    """Rules and puzzles of Rulewright."""

    name = "Rulewright"
    aliases: ClassVar[list[str]] = ["rulewright", "rules", "puzzle"]
    filenames: ClassVar[list[str]] = ["*.rules", "*.puzzle"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Offset, type and text of everything in a text."""
        at = 0
        for start, token, kind in tokens_of(text):
            yield from _between(text, at, start)
            yield start, string_to_tokentype(kind.pygments), token
            at = start + len(token)
        yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[tuple[int, _TokenType, str]]:
    if start < end:
        yield start, Punctuation if text[start:end].strip() else Whitespace, text[start:end]
