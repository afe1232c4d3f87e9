"""Resolved looks: a colour, and a shape, an outline, a glyph or initials."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from rulewright.base.records import evolve, field, frozen
from rulewright.grammar.tree.looks import Appearance, Colour, Drawing, RegionStyle, SpaceSize, SpaceStyle, Standing
from rulewright.rules.model.game import Game

from .shapes import DRAWINGS
from .svg import Attribute, Element, parts_of

# Colours by name ------------------------------------------------------------------------------------------------------
# Each in a light and a dark palette; their contrast; one drawing for both, as the reader's system chooses.


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
    names = sorted({name for part in parts_of(drawn) for name in part.attributes.get(Attribute.CLASS, "").split()})
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


# Resolved looks: a colour, and a shape, an outline, a glyph or initials -----------------------------------------------


@frozen
class Look:
    """`data` is the path of a drawing or, with `is_outline`, one given by the rules, "" for none; `glyph` is a short text."""

    colour: Colour
    data: str = ""
    glyph: str = ""
    region: RegionStyle = RegionStyle.COAST
    is_outline: bool = False
    is_bare: bool = False
    """A glyph in no colour of its own: it stands on no disc."""
    is_exit: bool = False
    """A gap in the side of its cell that leads out."""
    is_large: bool = False
    """Drawn to the edges of its cell, below what stands there."""


@frozen
class SpaceLook:
    """The colour of empty cells, None for the palette's; the style of the space; its size relative to others; lines on it."""

    ground: Colour | None = None
    style: SpaceStyle | None = None
    size: float = 1.0
    lines: str = ""


SIZES = {SpaceSize.SMALL: 0.65, SpaceSize.LARGE: 1.5}


@frozen
class Looks:
    """The looks of a game: those its rules set, by name, and defaults for the rest."""

    said: Mapping[str, Appearance] = field(factory=dict)

    @classmethod
    def of(cls, game: Game) -> Looks:
        return cls({name: look.appearance for name, look in game.looks.items()})

    def terrain(self, number: int, name: str) -> Look:
        """The look of a terrain. The first is the ground; others differ in colour."""
        return self._look(name, Look(Colour.WATER if number == 0 else TERRAINS[(number - 1) % len(TERRAINS)]))

    def marker(self, number: int, name: str) -> Look:
        return self._look(name, Look(by_number(number + 1), glyph=initials(name)))

    def tile(self, name: str, group: str) -> Look:
        """The look of a kind of tile, or of its set."""
        of_set = self._look(group, Look(by_hash(name), DRAWINGS[Drawing.BLOCK], name))
        return self._look(name, of_set)

    def joins(self, name: str, group: str) -> bool:
        """Whether tiles of a kind, or of its set, are joined to neighbours of the same kind."""
        return any(said.region is RegionStyle.JOINED for key in (name, group) if (said := self.said.get(key)))

    def ground(self, name: str, group: str) -> Colour | None:
        """The colour set for a kind of tile, or for its set; None if there is none."""
        found = [said.colour for key in (name, group) if (said := self.said.get(key)) and said.colour]
        return found[0] if found else None

    def variable(self, name: str) -> Look:
        return self._look(name, Look(by_hash(name), DRAWINGS[Drawing.DISC], initials(name)))

    def definition(self, name: str) -> Look:
        """The look of a definition over cells: its colour and drawing; without a drawing, the cell gets a frame."""
        return self._look(name, Look(by_hash(name)))

    def member(self, number: int, name: str) -> Look:
        return self._look(name, Look(by_number(number), DRAWINGS[Drawing.DISC], initials(name)))

    def player(self, number: int) -> Look:
        return self._look(f"player {number}", Look(by_number(number - 1), DRAWINGS[Drawing.PAWN]))

    def space(self, name: str) -> SpaceLook:
        said = self.said.get(name, Appearance())
        return SpaceLook(said.colour, said.space, SIZES[said.size] if said.size else 1.0, said.outline)

    def standing(self, name: str) -> Standing | None:
        """Where the rules say that a thing stands."""
        return self.said.get(name, Appearance()).standing

    def is_card(self, name: str, group: str) -> bool:
        """Whether a kind of tile, or its set, is drawn as a card."""
        return Standing.CARD in (self.standing(name), self.standing(group))

    def around(self, name: str) -> str:
        """The space round which a ring lies; "" if the rules do not say."""
        return self.said.get(name, Appearance()).around

    def draws(self, name: str) -> bool:
        """Whether the rules set a drawing for a name, not only its colour."""
        return name in self.said and self.said[name].draws

    def _look(self, name: str, default: Look) -> Look:
        said = self.said.get(name)
        if said is None:
            return default
        data = DRAWINGS[said.drawing] if said.drawing else said.outline
        plain = Look(default.colour) if said.draws else default
        return Look(
            said.colour or default.colour,
            data or plain.data,
            said.glyph or plain.glyph,
            said.region or default.region,
            bool(said.outline),
            bool(said.glyph) and said.colour is None,
            said.standing is Standing.EXIT,
            said.size is SpaceSize.LARGE,
        )


TERRAINS = (Colour.GRASS, Colour.SAND, Colour.STONE, Colour.WOOD, Colour.ORANGE, Colour.PURPLE)
"""Default colours of terrains other than the ground."""


def initials(name: str) -> str:
    """A name as one or two letters: the initials of its words."""
    words = [word for word in name.split("_") if word]
    return "".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]
