"""Rule text as HTML, its words by their classes."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.editor.highlighting.token_patterns import TokenClass, tokens_of
from rulewright.pictures.pages.frame import text_of

PLAIN = (TokenClass.NAME, TokenClass.OPERATOR)


def highlighted(text: str, targets: Mapping[str, str] | None = None) -> str:
    """The text, with its lines; a name that has a target is a link to it."""
    found, end = [], 0
    for start, word, kind in tokens_of(text):
        found.append(_lines_of(text[end:start]))
        shown = _lines_of(word)
        if targets and kind is TokenClass.NAME and word in targets:
            shown = f'<a href="#{targets[word]}">{shown}</a>'
        found.append(shown if kind in PLAIN else f'<span class="{kind.value}">{shown}</span>')
        end = start + len(word)
    return "".join([*found, _lines_of(text[end:])])


def _lines_of(text: str) -> str:
    """Escaped text that keeps its lines."""
    return "\n".join(map(text_of, text.split("\n")))
