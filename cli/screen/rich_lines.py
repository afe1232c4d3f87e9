"""Converts styled lines to Rich."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve
from rich.text import Text

from rulewright.base.styled_text import Line, escape


def rich_line(parts: Line) -> Text:
    """A line; none of it is interpreted as markup."""
    safe = (evolve(part, text=escape(part.text)).coloured() for part in parts)
    return Text.from_ansi("".join(safe), no_wrap=True, end="")


def rich_lines(lines: Iterable[Line], wraps: bool = False) -> Text:
    """Lines joined by line breaks; with `wraps`, long ones continue below."""
    text = Text("\n").join(map(rich_line, lines))
    text.no_wrap = not wraps
    return text
