"""Styled text for a terminal, with control characters escaped and widths as a terminal shows them."""

from __future__ import annotations

import unicodedata
from enum import Enum
from pathlib import Path

from .input_files import display_path
from .records import frozen


class Style(Enum):
    """Styles of text; the value holds the SGR parameters of a terminal."""

    PLAIN = ""
    STRONG = "1"
    FAINT = "2"
    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    GOOD = "1;32"
    PIECE = "1;7"
    BLUE = "34"
    GREEN = "32"
    YELLOW = "33"
    MAGENTA = "35"
    CYAN = "36"
    RED = "31"


@frozen
class Styled:
    """A piece of text in one style."""

    text: str
    style: Style = Style.PLAIN

    def coloured(self) -> str:
        """The text with terminal control codes."""
        return f"\x1b[{self.style.value}m{self.text}\x1b[0m" if self.style.value else self.text


Line = tuple[Styled, ...]
"""One line of output, without its end."""

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_PICTURES: dict[int, int] = {**{code: 0x2400 + code for code in range(0x20)}, 0x7F: 0x2421}
"""Control characters that have a Unicode control picture."""


def escape(text: str) -> str:
    """Text with control characters, bidirectional marks, line ends and surrogates replaced; the length is unchanged."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_harmless, text.translate(_PICTURES)))


def _harmless(letter: str) -> str:
    """A character, or a replacement for one that controls, directs or ends a line (Unicode: Cc, Cf, Cs, Zl and Zp)."""
    return _REPLACEMENT if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp") else letter


def escaped_path(path: str | Path) -> str:
    """`display_path` with control characters made visible, for a terminal."""
    return escape(display_path(path))


def width(text: str) -> int:
    """The columns that escaped text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def line(*parts: str | Styled) -> Line:
    """A line of plain and styled parts."""
    return tuple(part if isinstance(part, Styled) else Styled(part) for part in parts)


def plain(parts: Line) -> str:
    """A line without its styles."""
    return "".join(part.text for part in parts)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 game`, `2 games`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def spaced(name: str) -> str:
    """A name as words: `turn of play` for `turn_of_play`."""
    return name.replace("_", " ")


def columns(texts: list[str], width: int = 100) -> list[str]:
    """Texts in as many columns of equal width as fit, read down each column."""
    if not texts:
        return []
    pitch = max(map(len, texts)) + 3
    rows = -(-len(texts) // max(1, width // pitch))
    return ["".join(text.ljust(pitch) for text in texts[row::rows]).rstrip() for row in range(rows)]
