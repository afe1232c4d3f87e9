"""Colours by name, each in a light and a dark palette; their contrast; one drawing for both, as the reader's system chooses."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Colour

from .svg import Attribute, Element

DISTINCT = (Colour.BLUE, Colour.ORANGE, Colour.GREEN, Colour.PINK, Colour.SKY, Colour.RED, Colour.PURPLE, Colour.YELLOW)
"""Colours distinguishable without red-green vision (Okabe and Ito 2008, and a purple)."""


@frozen
class Palette:
    """The colours of a picture, as `#rrggbb`. `ink` is for lines and texts on `paper`."""

    dark: bool
    paper: str
    ink: str
    faint: str
    """The colour of coordinates and the lines between cells."""
    warning: str
    """The colour of obstacles to an action."""
    ground: str
    """The colour of an empty cell."""

    def shaded(self, colour: str, share: float) -> str:
        """A colour, darker by a share of it."""
        channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return "#" + "".join(f"{round(channel * (1 - share)):02x}" for channel in channels)

    def of(self, colour: Colour) -> str:
        return colour.dark if self.dark else colour.light

    def on(self, background: str) -> str:
        """The colour of text on a background: black or white, whichever has more contrast."""
        return max(("#000000", "#ffffff"), key=lambda candidate: contrast(candidate, background))


LIGHT = Palette(False, "#fbfaf7", "#20242b", "#666c75", "#b3261e", "#efece4")
DARK = Palette(True, "#14181f", "#e6e8ec", "#9aa1ac", "#ff9a8a", "#262c36")


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


# In both palettes -----------------------------------------------------------------------------------------------------

_LETTERS = {Attribute.FILL: "f", Attribute.STROKE: "s"}
"""The first letter of the class that recolours an attribute; the rest is the dark colour."""


def dark_rules(drawn: Iterable[Element]) -> str:
    """The style rules for the classes of what is drawn; "" if they have none. Paper stays light."""
    names = sorted({name for element in drawn for name in _classes(element)})
    if not names:
        return ""
    words = {letter: attribute.value for attribute, letter in _LETTERS.items()}
    rules = "".join(f".{name}{{{words[name[0]]}:#{name[1:]}}}" for name in names)
    return f"@media screen and (prefers-color-scheme:dark){{{rules}}}"


def in_both(light: Element, dark: Element) -> Element:
    """The light drawing, with a class wherever the dark one has another colour; both have the same elements."""
    names = [
        letter + dark.attributes[attribute].removeprefix("#")
        for attribute, letter in _LETTERS.items()
        if light.attributes.get(attribute) != dark.attributes.get(attribute)
    ]
    named = {Attribute.CLASS: " ".join(names)} if names else {}
    children = tuple(in_both(*pair) for pair in zip(light.children, dark.children, strict=True))
    return evolve(light, attributes={**light.attributes, **named}, children=children)


def _classes(element: Element) -> Iterator[str]:
    yield from element.attributes.get(Attribute.CLASS, "").split()
    for child in element.children:
        yield from _classes(child)
