"""The LALR(1) parsers of single lines, by Lark; loaded from the shipped tables when the first line is parsed."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

from lark import Lark, Token, Tree, UnexpectedInput
from lark.lexer import TerminalDef

from . import lalr_tables
from .line_kinds import FileKind, LineKind


@cache
def parser(file: FileKind) -> Lark:
    """The parser of every kind of line in a kind of file."""
    grammar = lalr_tables.grammar_text()
    return lalr_tables.load(grammar, file) or lalr_tables.build(grammar, file)


def terminals() -> dict[str, TerminalDef]:
    """The terminals of all parsers by name."""
    return {terminal.name: terminal for file in FileKind for terminal in parser(file).terminals}


def parse(text: str, kind: LineKind) -> Tree[Token]:
    """The parse tree of one logical line. Raises `lark.UnexpectedInput`."""
    return parser(kind.file).parse(text, start=kind.rule)


def accepted_terminals(text: str, kind: LineKind, at: int = 0) -> set[str]:
    """The names of the terminals that the grammar accepts at an offset of a line that can be parsed up to there."""
    state = parser(kind.file).parse_interactive(text, start=kind.rule)
    with suppress(UnexpectedInput):
        for token in state.lexer_thread.lex(state.parser_state):  # type: ignore[no-untyped-call]
            if token.start_pos is None or token.start_pos >= at:
                break
            state.feed_token(token)
    return set(state.accepts())  # type: ignore[no-untyped-call]
