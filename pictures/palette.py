"""Colours by name, each in a light and a dark palette, and their contrast."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Colour

_HUES: Mapping[Colour, tuple[str, str]] = {
    Colour.RED: ("#d55e00", "#e8743b"),
    Colour.ORANGE: ("#e69f00", "#e8ab2e"),
    Colour.YELLOW: ("#f0e442", "#e3d84a"),
    Colour.GREEN: ("#009e73", "#2fb58e"),
    Colour.BLUE: ("#0072b2", "#3d94cc"),
    Colour.SKY: ("#56b4e9", "#63b8e6"),
    Colour.PINK: ("#cc79a7", "#d48ab3"),
    Colour.PURPLE: ("#7b5ea7", "#a188cc"),
    Colour.BROWN: ("#8c5a2b", "#b07d4b"),
    Colour.GREY: ("#8a8f98", "#8f959e"),
    Colour.WHITE: ("#ffffff", "#eceff4"),
    Colour.BLACK: ("#1f2329", "#0b0d10"),
    Colour.WATER: ("#a9d3ec", "#23506b"),
    Colour.SAND: ("#e8d5a3", "#8f7a48"),
    Colour.GRASS: ("#8dbb6a", "#4f7a3a"),
    Colour.STONE: ("#a6a29a", "#6b6861"),
    Colour.WOOD: ("#b98a57", "#7d5a35"),
    Colour.NIGHT: ("#37415c", "#1c2233"),
}
"""Each colour in the light and in the dark palette."""

DISTINCT = (Colour.BLUE, Colour.ORANGE, Colour.GREEN, Colour.PINK, Colour.SKY, Colour.RED, Colour.PURPLE, Colour.YELLOW)
"""Colours distinguishable without red-green vision (Okabe and Ito 2008, and a purple)."""


@frozen
class Palette:
    """The colours of a picture, as `#rrggbb`. `ink` is for lines and texts on `paper`."""

    dark: bool

    @property
    def paper(self) -> str:
        return "#14181f" if self.dark else "#fbfaf7"

    @property
    def ink(self) -> str:
        return "#e6e8ec" if self.dark else "#20242b"

    @property
    def faint(self) -> str:
        """The colour of coordinates and the lines between cells."""
        return "#9aa1ac" if self.dark else "#666c75"

    @property
    def warning(self) -> str:
        """The colour of obstacles to an action."""
        return "#ff9a8a" if self.dark else "#b3261e"

    @property
    def ground(self) -> str:
        """The colour of an empty cell."""
        return "#262c36" if self.dark else "#efece4"

    def shaded(self, colour: str, share: float) -> str:
        """A colour, darker by a share of it."""
        channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return "#" + "".join(f"{round(channel * (1 - share)):02x}" for channel in channels)

    def of(self, colour: Colour) -> str:
        return _HUES[colour][self.dark]

    def on(self, background: str) -> str:
        """The colour of text on a background: black or white, whichever has more contrast."""
        return max(("#000000", "#ffffff"), key=lambda candidate: contrast(candidate, background))


LIGHT, DARK = Palette(False), Palette(True)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.1)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def by_hash(name: str) -> Colour:
    """The default colour of a name, always the same."""
    return DISTINCT[hashlib.sha256(name.encode()).digest()[0] % len(DISTINCT)]


def by_number(number: int) -> Colour:
    """The colour of the first, second, … of several; from 0."""
    return DISTINCT[number % len(DISTINCT)]
