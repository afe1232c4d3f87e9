"""A tile as a picture: its regions along the sides they reach, and the markers on them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree.looks import Colour, Drawing, RegionStyle
from rulewright.pictures.shapes import CHARACTERS, DRAWINGS, scaled
from rulewright.rules.model.game import Game, TileKind, TileRegion

from ..look import Look, Looks, Palette
from ..svg import Attribute, Element, Paint, group, path, points, polygon_data, text
from ..text_sizes import LETTER
from .cell_shapes import SQUARE, CellShape, Point, cell_shape

BEND, CAPE = 0.55, 0.85
"""How far a coast bends towards the middle of the tile: between several sides, and around a single one."""

WAVES = 0.12
"""The amplitude of a coast's waves around its bend."""

ISLAND = 0.3
"""The radius of a region that reaches no side."""

STRIP, LINK = 0.2, 0.06
"""The width of a strip from side to side, and of one from port to port."""

BEACH = 0.09
"""The width of the beach along a coast; half of it is on land."""

MARK = 0.15
"""Half the size of a marker, in widths of a tile."""

MOST_MARKS = 6
"""The maximum number of equal markers drawn in one place; more are drawn as one with a count."""

CARD_WIDTH, FILLED = 0.36, 0.9
"""Half the width of a card, in heights of it, and the share of it that texts may fill."""

EDGE = 0.05
"""The gap between a joined tile and the border on its other sides, in widths of a tile."""

OVER = -0.015
"""How far what joins two tiles, or a tile's own outline, goes over the side between them, against inwards: it hides the line
there."""

FRAME = 0.88
"""The size of a frame in a cell, as a share of the cell's."""

INSET = 0.3
"""The distance of a marker from its side, as a share of the way to the middle."""


def shape_of_tiles(game: Game) -> CellShape:
    """The shape of tiles that lie on no board: that of the cells of the first space for them, or of the first space."""
    spaces = sorted(game.spaces.values(), key=lambda space: not space.of_tiles)
    return cell_shape(spaces[0].shape) if spaces else SQUARE


@frozen
class TileArtist:
    """Draws a game's kinds of tile in cells of a given shape and size in pixels."""

    game: Game
    looks: Looks
    palette: Palette
    shape: CellShape
    size: float

    def tile(self, kind: TileKind) -> Element:
        """The picture of a tile around (0, 0); of one that joins its like, what there is of it alone."""
        if len(self.game.enumerations.get("terrain", ())) > 1:
            return group((*self._land(kind), *self._standing(kind)))
        if kind.regions and kind.regions[0].markers:
            ground = self.looks.ground(kind.name, kind.group)
            fill = self.palette.ground if ground is None else self.palette.of(ground)
            return group((self.outline(fill, self.palette.faint, 0.5), *self._standing(kind)))
        look = self.looks.tile(kind.name, kind.group)
        if self.looks.is_card(kind.name, kind.group):
            return self._card(kind, look)
        if self.looks.joins(kind.name, kind.group):
            return self._patch(look, self._alone)
        return group((self._face(look), *self._label(look)))

    def owned(self, kind: TileKind, owner: int) -> Element:
        """The picture of a piece around (0, 0), in the colour of its owner."""
        look = evolve(self.looks.tile(kind.name, kind.group), colour=self.looks.player(owner).colour)
        return group((self._face(look), *self._label(look)))

    def bridge(self, kind: TileKind) -> Element:
        """What joins a tile to one of its like on the first side."""
        alone, count = self._alone, len(self.shape.corners)
        ends = [self._meeting(0, -1, OVER, EDGE), self._meeting(0, 1, OVER, EDGE)]
        return self._patch(self.looks.tile(kind.name, kind.group), [*ends, alone[1 % count], (0.0, 0.0), alone[0]])

    def corner(self, kind: TileKind) -> Element:
        """What joins a tile to its like on both sides of the first corner."""
        around = [self._meeting(-1, 0, OVER, other) for other in (EDGE, OVER)]
        spots = [*around, self._meeting(0, -1, OVER, EDGE), (0.0, 0.0)]
        return self._patch(self.looks.tile(kind.name, kind.group), spots)

    def body(self, kind: TileKind) -> str:
        """The main colour of a tile."""
        names = self.game.enumerations.get("terrain", ())
        if len(names) > 1 and kind.regions:
            ground = kind.regions[0].terrain
            return self.palette.of(self.looks.terrain(ground, names[ground]).colour)
        return self.palette.of(self.looks.tile(kind.name, kind.group).colour)

    def outline(self, fill: str, stroke: str, width: float = 1.0, dashes: str = "") -> Element:
        """The cell itself."""
        return path(
            polygon_data([self._at(corner) for corner in self.shape.corners]), Paint(fill, stroke, width, dashes=dashes)
        )

    def frame(self, look: Look) -> Element:
        """A frame just inside the cell."""
        corners = [self._at((FRAME * x, FRAME * y)) for x, y in self.shape.corners]
        wide, data = 0.05 * self.size, polygon_data(corners)
        casing = path(data, Paint("", self.palette.ink, 1.5 * wide))
        return group((casing, path(data, Paint("", self.palette.of(look.colour), wide))))

    def badge(self, label: str) -> Element:
        """The label by which the caption refers to a cell or tile."""
        height, colour = max(9.0, 0.24 * self.size), self.palette.warning
        width = max(1.3, 0.55 * len(label) + 0.5) * height
        corners = [(0, 0), (width, 0), (width, 1.3 * height), (0, 1.3 * height)]
        plate = path(polygon_data(corners), Paint(colour, self.palette.paper, 1.0))
        written = text((width / 2, 0.65 * height), label, height, self.palette.on(colour), bold=True)
        ring = self.outline("", colour, max(2.0, 0.06 * self.size))
        return group((ring, group((plate, written), self._at(self.shape.corners[0]))))

    def _at(self, spot: Point) -> Point:
        return spot[0] * self.size, spot[1] * self.size

    # Regions --------------------------------------------------------------------------------

    def _land(self, kind: TileKind) -> list[Element]:
        names = self.game.enumerations["terrain"]
        ground = kind.regions[0].terrain if kind.regions else 0
        found = [self.outline(self.palette.of(self.looks.terrain(ground, names[ground]).colour), self.palette.faint, 0.5)]
        for region in kind.regions[1:]:
            look = self.looks.terrain(region.terrain, names[region.terrain])
            colour = self.palette.of(look.colour)
            ports = [spot for side in region.sides if (spot := self.shape.port(side, self._per_side))]
            if ports:
                found.append(path(self._links(ports), Paint("", colour, LINK * self.size)))
                continue
            match look.region:
                case RegionStyle.COAST:
                    land, shore = self._coast(region)
                    beach = path(shore, Paint("", self.palette.of(Colour.SAND), BEACH * self.size))
                    found += [path(land, Paint(colour)), beach, path(shore, Paint("", self.palette.ink, 0.02 * self.size))]
                case RegionStyle.STRIP:
                    strips = path(self._strips(region), Paint("", colour, STRIP * self.size))
                    found.append(evolve(strips, attributes={**strips.attributes, Attribute.LINE_CAP: "butt"}))
        return found

    def _arcs(self, region: TileRegion) -> list[list[int]]:
        """The sides of a region, in runs of neighbours, clockwise."""
        sides = [at for at, name in enumerate(self.shape.sides) if name in region.sides]
        runs: list[list[int]] = []
        for at in sides:
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            else:
                runs.append([at])
        if len(runs) > 1 and runs[0][0] == 0 and runs[-1][-1] == len(self.shape.sides) - 1:
            runs[0] = runs.pop() + runs[0]
        return runs

    def _coast(self, region: TileRegion) -> tuple[str, str]:
        """The outline of a region, and its shore: the bends from each run of sides to the next."""
        if len(region.sides) == len(self.shape.sides):
            return polygon_data([self._at(corner) for corner in self.shape.corners]), "M0 0"
        runs = self._arcs(region)
        if not runs:
            island = scaled(DRAWINGS[Drawing.DISC], ISLAND / 0.8 * self.size)
            return island, island
        land, shores = [f"M{points(self._at(self.shape.side(runs[0][0])[0]))}"], []
        for run, following in zip(runs, (*runs[1:], runs[0]), strict=True):
            land += [f"L{points(self._at(self.shape.side(at)[1]))}" for at in run]
            end, start = self.shape.side(run[-1])[1], self.shape.side(following[0])[0]
            bend = self._bend(end, start, CAPE if len(region.sides) == 1 else BEND)
            land.append(bend)
            shores.append(f"M{points(self._at(end))}{bend}")
        return "".join(land) + "Z", "".join(shores)

    def _bend(self, start: Point, end: Point, share: float, waves: float = WAVES) -> str:
        """A curve between two corners, drawn towards the middle with slight waves."""
        across, down = (end[0] - start[0]) * waves, (end[1] - start[1]) * waves
        first = start[0] * (1 - share) - down, start[1] * (1 - share) + across
        second = end[0] * (1 - share) + down, end[1] * (1 - share) - across
        return f"C{points(self._at(first), self._at(second), self._at(end))}"

    @property
    def _per_side(self) -> int:
        """The number of ports on a side."""
        return max((space.per_side for space in self.game.spaces.values()), default=0)

    def _links(self, ports: Sequence[Point]) -> str:
        """Bends from each port of a region to the next, towards the middle."""
        return "".join(f"M{points(self._at(one))}{self._bend(one, other, BEND, 0.0)}" for one, other in pairwise(ports))

    def _strips(self, region: TileRegion) -> str:
        """Strips from the middle of each side of a region to the middle of the tile; between two sides, one bend."""
        ends = [self._at(self.shape.middle_of_side(at)) for at, name in enumerate(self.shape.sides) if name in region.sides]
        if len(ends) == 2:
            return f"M{points(ends[0])}Q0 0 {points(ends[1])}"
        return "".join(f"M{points(end)}L0 0" for end in ends) or scaled(DRAWINGS[Drawing.DISC], ISLAND * self.size)

    # Markers --------------------------------------------------------------------------------

    def _standing(self, kind: TileKind) -> list[Element]:
        found: list[Element] = []
        for number, region in enumerate(kind.regions):
            marks = [mark for marker, count in region.markers for mark in _each(marker, count)]
            found += self._in_a_row(marks, self._spot(kind, number), along_coast=number > 0)
        return found

    def _spot(self, kind: TileKind, number: int) -> Point:
        """The place of a region's markers: on the region, away from other regions."""
        region = kind.regions[number]
        runs = self._arcs(region) if number else []
        if not number or not runs or len(runs) > 1 or len(region.sides) == len(self.shape.sides):
            taken = [at for other in kind.regions[1:] for at, name in enumerate(self.shape.sides) if name in other.sides]
            middles = [self.shape.middle_of_side(at) for at in taken]
            lone = not number and len(taken) < len(self.shape.sides)
            return (-0.3 * sum(x for x, _ in middles), -0.3 * sum(y for _, y in middles)) if lone else (0.0, 0.0)
        middles = [self.shape.middle_of_side(at) for at in runs[0]]
        share = (1 - INSET) / len(middles)
        return share * sum(x for x, _ in middles), share * sum(y for _, y in middles)

    def _in_a_row(self, markers: Sequence[tuple[int, str]], middle: Point, along_coast: bool) -> list[Element]:
        names = self.game.enumerations.get("marker", ())
        x, y = self._at(middle)
        reach = math.hypot(x, y)
        apart = min(2.2 * MARK, 0.9 / max(1, len(markers))) * self.size
        found = []
        for at, (marker, label) in enumerate(markers):
            shift = (at - (len(markers) - 1) / 2) * apart
            place = (x - shift * y / reach, y + shift * x / reach) if along_coast and reach else (x + shift, y)
            found.append(
                self.mark(self.looks.marker(marker, names[marker]), place, MARK, self.game.called(names[marker]), label)
            )
        return found

    def mark(self, look: Look, place: Point, size: float, title: str, label: str = "") -> Element:
        """A small drawing at a place; with the label on it."""
        colour = self.palette.of(look.colour)
        data = look.data or DRAWINGS[Drawing.DISC]
        drawn = path(scaled(data, size * self.size), Paint(colour, self.palette.ink, max(0.6, 0.012 * self.size)))
        content = label or look.glyph
        if not content:
            return group((drawn,), place, title)
        height = min(1.3 * size * self.size, 2.4 * size * self.size / max(1, len(content)))
        return group((drawn, self._written(content, height, self.palette.on(colour), bold=True)), place, title)

    # Tiles without regions -------------------------------------------------------------------

    def _face(self, look: Look) -> Element:
        colour = self.palette.of(look.colour)
        if look.data == DRAWINGS[Drawing.BLOCK]:
            return self.outline(colour, self.palette.ink, 0.8)
        if look.is_outline:
            return path(scaled(look.data, (0.5 - OVER) * self.size), Paint(colour))
        return path(scaled(look.data or DRAWINGS[Drawing.DISC], 0.42 * self.size), Paint(colour, self.palette.ink, 1.0))

    @property
    def _alone(self) -> list[Point]:
        """The corners of a tile that stays away from the border on all sides."""
        return [self._meeting(at - 1, at, EDGE, EDGE) for at in range(len(self.shape.corners))]

    def _patch(self, look: Look, spots: Sequence[Point]) -> Element:
        return path(polygon_data([self._at(spot) for spot in spots]), Paint(self.palette.of(look.colour)))

    def _meeting(self, one: int, other: int, inwards: float, other_inwards: float) -> Point:
        """Where two sides meet, moved inwards."""
        count = len(self.shape.corners)
        return _crossing(self._side_line(one % count, inwards), self._side_line(other % count, other_inwards))

    def _side_line(self, at: int, inwards: float) -> tuple[float, float, float]:
        """A side moved inwards, as a and b of length 1 and c, where a x + b y = c."""
        x, y = self.shape.middle_of_side(at)
        apart = math.hypot(x, y)
        return x / apart, y / apart, apart - inwards

    def _card(self, kind: TileKind, look: Look) -> Element:
        """A card: its glyph, or its drawing above its name in lines that fit; without a drawing, the name alone."""
        white, colour = self.palette.of(Colour.WHITE), look.colour.light  # cards are white in the dark
        wide, high = CARD_WIDTH * self.size, 0.5 * self.size
        corners = [(-wide, -high), (wide, -high), (wide, high), (-wide, high)]
        found = [path(polygon_data(corners), Paint(white, self.palette.ink, 1.0))]
        if look.glyph and look.glyph != kind.name:
            height = min(0.5 * self.size, 2 * wide * FILLED / (1.5 * LETTER * len(look.glyph)))
            return group((*found, text((0, 0), look.glyph, height, colour, bold=True)))
        lines = spaced(self.game.called(kind.name)).split()
        height = min(
            0.2 * self.size, 2 * wide * FILLED / (1.1 * LETTER * max(map(len, lines))), self.size * FILLED / len(lines) / 2
        )
        is_drawn = bool(look.data) and look.data != DRAWINGS[Drawing.BLOCK]
        if is_drawn:
            mark = path(scaled(look.data, 0.2 * self.size), Paint(colour, self.palette.ink, 0.8))
            found.append(group((mark,), (0.0, -0.2 * self.size)))
        else:
            found.append(path(polygon_data([*corners[:2], (wide, -0.8 * high), (-wide, -0.8 * high)]), Paint(colour)))
        first = (0.22 * self.size if is_drawn else 0.05 * self.size) - (len(lines) - 1) * 0.6 * height
        ink = self.palette.on(white)
        return group((*found, *(text((0, first + at * 1.2 * height), line, height, ink) for at, line in enumerate(lines))))

    def _label(self, look: Look) -> list[Element]:
        if not look.glyph:
            return []
        height = min(0.4 * self.size, 1.45 * self.size / len(look.glyph))
        return [self._written(look.glyph, height, self.palette.on(self.palette.of(look.colour)))]

    def _written(self, content: str, height: float, ink: str, bold: bool = False) -> Element:
        if content in CHARACTERS:
            return path(scaled(CHARACTERS[content], 0.55 * height), Paint(ink))
        return text((0, 0), content, height, ink, bold=bold)


def _each(marker: int, count: int) -> list[tuple[int, str]]:
    """A marker repeated `count` times, without a label; if there are too many, once with the count."""
    return [(marker, "")] * count if count <= MOST_MARKS else [(marker, str(count))]


def _crossing(one: tuple[float, float, float], other: tuple[float, float, float]) -> Point:
    """The intersection of two lines."""
    a, b, c = one
    d, e, f = other
    return (c * e - b * f) / (a * e - b * d), (a * f - c * d) / (a * e - b * d)
