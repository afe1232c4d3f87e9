"""Converts styled lines to Rich."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from rulewright.base.styled_text import Line, Style

RICH: dict[Style, str] = {
    Style.PLAIN: "",
    Style.STRONG: "bold",
    Style.FAINT: "dim",
    Style.ERROR: "bold red",
    Style.WARNING: "bold yellow",
    Style.NOTE: "bold cyan",
    Style.GOOD: "bold green",
    Style.PIECE: "bold reverse",
    Style.BLUE: "blue",
    Style.GREEN: "green",
    Style.YELLOW: "yellow",
    Style.MAGENTA: "magenta",
    Style.CYAN: "cyan",
    Style.RED: "red",
}


def rich_line(parts: Line) -> Text:
    """A line; none of it is interpreted as markup."""
    return Text.assemble(*((part.text, RICH[part.style]) for part in parts), no_wrap=True, end="")


def rich_lines(lines: Iterable[Line], wraps: bool = False) -> Text:
    """Lines joined by line breaks; with `wraps`, long ones continue below."""
    text = Text("\n").join(map(rich_line, lines))
    text.no_wrap = not wraps
    return text
