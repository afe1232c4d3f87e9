"""Resolved looks: a colour, and a shape, an outline, a glyph or initials."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import field, frozen
from rulewright.grammar.tree.looks import Appearance, Colour, Drawing, RegionStyle, SpaceSize, SpaceStyle
from rulewright.pictures.shapes import DRAWINGS
from rulewright.rules.model.game import Game

from .palette import by_hash, by_number


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


@frozen
class SpaceLook:
    """The colour of empty cells, None for the palette's; the style of the space; and its size relative to others."""

    ground: Colour | None = None
    style: SpaceStyle | None = None
    size: float = 1.0


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
        return SpaceLook(said.colour, said.space, SIZES[said.size] if said.size else 1.0)

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
        )


TERRAINS = (Colour.GRASS, Colour.SAND, Colour.STONE, Colour.WOOD, Colour.ORANGE, Colour.PURPLE)
"""Default colours of terrains other than the ground."""


def initials(name: str) -> str:
    """A name as one or two letters: the initials of its words."""
    words = [word for word in name.split("_") if word]
    return "".join(word[0] for word in words[:2]) if len(words) > 1 else name[:2]
