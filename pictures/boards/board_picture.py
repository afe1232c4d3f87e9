"""The board of a space as a picture: its cells, the tiles on them, and the values of cells in the state."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from attrs import evolve

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.looks import SpaceStyle
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.linking.functions.derived_spaces import edges_of
from rulewright.rules.model import types
from rulewright.rules.model.drawn_definitions import drawn_definitions
from rulewright.rules.model.game import TileKind
from rulewright.rules.play.cell_contents import (
    LyingPiece,
    ValueOfCell,
    cells_worth_seeing,
    contents,
    holding,
)
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.turned_kind import turned_kind, turns_on
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.spaces.window import Window

from ..look import Looks, SpaceLook
from ..options import PictureOptions
from ..palette import Palette
from ..svg import Element, Paint, group, path, points, polygon_data, text
from ..things import thing_name, thing_of
from .cell_shapes import Point, cell_shape
from .isometric import UP, cube, floor, hidden_faces, isometric_layout
from .layout import Layout, layout
from .marks import Mark, MarkMaker
from .tile_picture import TileArtist

MARGIN = 0.6
"""The margin around a board, which holds coordinates, in widths of a cell."""

PIECE = 0.2
"""Half the size of a single piece on a cell, in widths of a cell."""

SIDE_PIECE = 0.7 * PIECE
"""Half the size of a piece at a port or on an edge, in widths of a cell."""

CHEQUER = 0.2
"""How much darker every other cell of a chequered space is."""

CAPTION = 0.26
"""The height of a caption, in widths of a cell. Lines between nodes are interrupted behind it."""

BAR = 0.1
"""The width of the bar for a true value of an edge, in widths of a cell."""

CROWD = 4
"""From this many pieces on a cell on, they are drawn at half size."""


@frozen
class Box:
    """The part of a plane that a picture covers, in widths of a cell."""

    low: Point
    high: Point

    @property
    def size(self) -> Point:
        return self.high[0] - self.low[0], self.high[1] - self.low[1]


@define(eq=False)
class BoardPicture:
    """One space of one state. Changes since the state `before` are marked; cells that `others` use are drawn too."""

    engine: Engine
    state: State
    viewer: Viewer
    looks: Looks
    palette: Palette
    space: str
    options: PictureOptions
    before: State | None = None
    others: Sequence[State] = ()
    marked: Mapping[str, str] = field(factory=dict)

    @cached_property
    def window(self) -> Window:
        return self.engine.instance.windows[self.space]

    @cached_property
    def space_look(self) -> SpaceLook:
        return self.looks.space(self.space)

    @property
    def is_isometric(self) -> bool:
        return self.window.shape is Shape.CUBE and self.space_look.style is SpaceStyle.ISOMETRIC

    @property
    def cell_size(self) -> float:
        return self.options.cell * self.space_look.size

    @cached_property
    def artist(self) -> TileArtist:
        return TileArtist(self.engine.game, self.looks, self.palette, cell_shape(self.window.shape), self.cell_size)

    @cached_property
    def mark_maker(self) -> MarkMaker:
        return MarkMaker(self.engine, self.looks, self.window)

    @cached_property
    def tiles(self) -> Mapping[int, int]:
        """The tile on each cell that has one."""
        return self._tiles(self.state)

    @cached_property
    def marks(self) -> Mapping[int, Sequence[Mark]]:
        """The values of cells in the state's variables, and the pieces on the cells."""
        return self._marks(self.state)

    @cached_property
    def holds(self) -> Mapping[int, Sequence[Mark]]:
        """The definitions with a look that hold for the drawn cells."""
        found: dict[int, list[Mark]] = {}
        for definition in drawn_definitions(self.engine.game):
            if definition.parameters[0][1] == types.Cell(self.space):
                mark = self.mark_maker.of_definition(definition, not self.is_isometric)
                for cell in holding(self.engine, self.state, definition, self.plan.middles):
                    found.setdefault(cell, []).append(mark)
        return found

    @cached_property
    def turns(self) -> Mapping[int, int]:
        return turns_on(self.engine, self.state, self.space)

    @cached_property
    def changed(self) -> frozenset[int]:
        """The cells whose tiles or pieces differ from before."""
        if self.before is None:
            return frozenset()
        tiles, marks = self._tiles(self.before), self._marks(self.before)
        used = {*tiles, *marks, *self.tiles, *self.marks}
        return frozenset(
            cell for cell in used if tiles.get(cell) != self.tiles.get(cell) or marks.get(cell) != self.marks.get(cell)
        )

    def _tiles(self, state: State) -> dict[int, int]:
        """The tiles, and on cells without one, the unowned pieces."""
        column, found = self.engine.layout.columns.get(self.space), dict[int, int]()
        if column is not None and column.variable.is_board:
            found = {cell: tile for cell, tile in enumerate(state[column.start][: self.window.size]) if tile}
        for cell, content in contents(self.engine, state, self.viewer, self.space):
            if isinstance(content, LyingPiece) and not content.owner:
                found.setdefault(cell, content.kind)
        return found

    def _marks(self, state: State) -> dict[int, list[Mark]]:
        found: dict[int, list[Mark]] = {}
        tiles = self._tiles(state)
        for cell, content in contents(self.engine, state, self.viewer, self.space):
            if not (isinstance(content, LyingPiece) and tiles.get(cell) == content.kind):
                found.setdefault(cell, []).append(self.mark_maker.of_content(content, state))
        for cell, mark in (*self._at_ports(state), *self._at_edges(state)):
            found.setdefault(cell, []).append(mark)
        return found

    @cached_property
    def plan(self) -> Layout:
        if self.is_isometric:
            levels = [self.window.coordinates[cell][2] for cell in self._cells()]
            used = {*self.tiles, *self.marks}
            seen = (cell for cell in self._cells() if cell in used or self.window.coordinates[cell][2] == min(levels))
            return isometric_layout(self.window, seen)
        found = layout(self.window, self._cells())
        return found if self.options.coordinates or self.window.names else evolve(found, captions=())

    @cached_property
    def box(self) -> Box:
        """The box covered by the picture; empty if there is nothing to show."""
        spots = [*self.plan.middles.values(), *(spot for spot, _ in self.plan.captions)]
        if not spots:
            return Box((0.0, 0.0), (0.0, 0.0))
        low = min(x for x, _ in spots) - MARGIN, min(y for _, y in spots) - MARGIN
        below = MARGIN + (UP if self.is_isometric else 0.0)
        return Box(low, (max(x for x, _ in spots) + MARGIN, max(y for _, y in spots) + below))

    @property
    def size(self) -> Point:
        """Width and height in pixels."""
        across, down = self.box.size
        return across * self.cell_size, down * self.cell_size

    def drawn(self) -> Element:
        """The board, its upper left corner at (0, 0)."""
        west, north = self.box.low
        elements = [group([*self._lines()]), *(self._cell(cell) for cell in self.plan.middles)]
        elements += [*self._beside_cells(), *self._edge_things(), group([*self._captions()])]
        return group(elements, (-west * self.cell_size, -north * self.cell_size), self.space)

    # Cells ----------------------------------------------------------------------------------

    def _cells(self) -> Iterable[int]:
        used = {*self.tiles, *self.marks}
        for state in self.others:
            used |= {*self._tiles(state), *self._marks(state)}
        used |= {cell for name in self.marked for type, cell in [thing_of(name)] if type == types.Cell(self.space)}
        if self.window.unbounded and self.options.things:
            used |= {step[cell] for cell in used for step in self.window.steps} - {self.window.nowhere}
        return cells_worth_seeing(self.engine, self.space, used)

    def _cell(self, cell: int) -> Element:
        marks, tile = [*self.marks.get(cell, ()), *self.holds.get(cell, ())], self.tiles.get(cell, 0)
        kind = self.engine.game.tiles[tile - 1] if tile else None
        elements = []
        if self.is_isometric:
            elements += self._cube(cell, kind)
        elif self._has_ground(cell):
            elements.append(self.artist.outline(self._ground(cell), self.palette.faint, 0.5))
        elif self.options.things:
            elements.append(self.artist.outline("", ""))  # Invisible, but a target for the pointer.
        turn = self.turns.get(cell, 0)
        if kind is not None and not self.is_isometric:
            lies = turned_kind(kind, self.window, turn) if turn else kind
            elements.append(self.artist.tile(lies, self._joined(cell, kind)))
        if cell in self.changed:
            elements.append(self.artist.outline("", self.palette.ink, 0.06 * self.cell_size, "6 4"))
        elements += [self.artist.frame(mark.look) for mark in marks if mark.is_frame]
        elements += self._standing(marks, kind is not None)
        elements += self.artist.badge(self.marked.get(thing_name(types.Cell(self.space), cell), ""))
        where = self.window.names[cell] if self.window.names else ",".join(map(str, self.window.coordinates[cell]))
        what = ", ".join([*([kind.name] if kind else []), *(mark.title for mark in marks)])
        title, thing = f"({where}) {what}" if what else f"({where})", ""
        if self.options.things:
            elements, thing = [group(elements)], thing_name(types.Cell(self.space), cell)
        return group(elements, self._at(self.plan.middles[cell]), title, thing)

    def _cube(self, cell: int, kind: TileKind | None) -> list[Element]:
        """A cell in isometric view: the tile on it as a cube, or on the lowest level the floor."""
        if kind is None:
            on_floor = self.window.steps[self.window.directions.index("D")][cell] == self.window.nowhere
            return [floor(self._ground(cell), self.cell_size, self.palette)] if on_floor else []
        turn = self.turns.get(cell, 0)
        face = self.artist.tile(turned_kind(kind, self.window, turn) if turn else kind)
        hidden = hidden_faces(self.window, cell, self.tiles)
        return cube(face, self.artist.body(kind), hidden, self.cell_size, self.palette)

    def _ground(self, cell: int) -> str:
        """The colour of an empty cell; on a chequered space, every other one is darker."""
        look = self.space_look
        colour = self.palette.ground if look.ground is None else self.palette.of(look.ground)
        dark = look.style is SpaceStyle.CHEQUERED and sum(self.window.coordinates[cell]) % 2
        return self.palette.shaded(colour, CHEQUER) if dark else colour

    def _joined(self, cell: int, kind: TileKind) -> tuple[int, ...]:
        """The numbers of the sides with a neighbour of the same kind, if such tiles are joined."""
        if not self.looks.joins(kind.name, kind.group) or self.window.names:
            return ()
        around = {self.window.directions[way]: self.window.steps[way][cell] for way in self.window.around}
        tile = self.tiles[cell]
        return tuple(at for at, side in enumerate(self.artist.shape.sides) if self.tiles.get(around.get(side, -1)) == tile)

    def _has_ground(self, cell: int) -> bool:
        """Whether an empty cell is drawn: not around the tiles of an unbounded space."""
        return not self.window.unbounded or cell in self.tiles or cell in self.marks

    def _standing(self, marks: Sequence[Mark], on_tile: bool) -> Iterator[Element]:
        """A single piece in the middle; several around it, and on a tile in its corners."""
        marks = [mark for mark in marks if mark.spot is None and not mark.is_frame]
        spots: Sequence[Point] = ((0.28, 0.28), (-0.28, -0.28), (0.28, -0.28), (-0.28, 0.28))
        if len(marks) == 1 and not on_tile:
            yield self.artist.mark(marks[0].look, (0.0, 0.0), 1.5 * PIECE, marks[0].title, marks[0].label)
            return
        size = PIECE * (0.95 if on_tile else 1.0) * (1.0 if len(marks) < CROWD else 0.7)
        for number, mark in enumerate(marks[:CROWD]):
            yield self.artist.mark(mark.look, self._at(spots[number]), size, mark.title, mark.label)

    def _at(self, spot: Point) -> Point:
        return spot[0] * self.cell_size, spot[1] * self.cell_size

    # Beside the cells -------------------------------------------------------------------------

    def _lines(self) -> Iterator[Element]:
        for start, end in self.plan.lines:
            yield path(f"M{points(self._at(start))}L{points(self._at(end))}", Paint("", self.palette.faint, 2.0))

    def _captions(self) -> Iterator[Element]:
        for spot, caption in self.plan.captions:
            size = CAPTION * self.cell_size
            if self.plan.lines:
                half = (0.3 * len(caption) + 0.2) * CAPTION, 0.6 * CAPTION
                corners = [(spot[0] + x * half[0], spot[1] + y * half[1]) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
                yield path(polygon_data([self._at(corner) for corner in corners]), Paint(self.palette.paper))
            yield text(self._at(spot), caption, size, self.palette.faint)

    # Marks ------------------------------------------------------------------------------------

    def _at_ports(self, state: State) -> Iterator[tuple[int, Mark]]:
        """Pieces at the ports of this space: the cell of the port, and its place on the cell."""
        around = len(self.window.around)
        for space, declared in self.engine.game.spaces.items():
            if declared.base == self.space and declared.per_side:
                names = self.engine.instance.windows[space].names
                for port, content in contents(self.engine, state, self.viewer, space):
                    spot = self.artist.shape.port(names[port].rpartition("-")[2], declared.per_side)
                    yield port // (around * declared.per_side), evolve(self.mark_maker.of_content(content, state), spot=spot)

    def _at_edges(self, state: State) -> Iterator[tuple[int, Mark]]:
        """The values of the edges between cells: the first cell of each, and the place relative to its middle."""
        for space in self.edges:
            pairs = edges_of(self.window)
            for edge, content in contents(self.engine, state, self.viewer, space):
                ends = self._ends(*pairs[edge])
                mark = self.mark_maker.of_content(content, state)
                bar = ends if isinstance(content, ValueOfCell) and content.variable.type == types.Truth() else None
                middle = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
                yield pairs[edge][0], evolve(mark, spot=middle, bar=bar)

    @property
    def edges(self) -> Sequence[str]:
        """The edge spaces of this space drawn on it: those whose edges all join cells that are drawn side by side."""
        is_flat = self.window.shape in (Shape.SQUARE, Shape.HEX) and not self.engine.game.spaces[self.space].wrapped
        spaces = self.engine.game.spaces.values() if is_flat or self.window.shape in (Shape.GRAPH, Shape.RING) else ()
        return [space.name for space in spaces if space.base == self.space and not space.per_side]

    def _ends(self, one: int, other: int) -> tuple[Point, Point]:
        """The ends of an edge relative to the middle of its first cell: on a grid, the side between the cells, else the
        line."""
        middles = self.plan_of_all.middles
        (x, y), (other_x, other_y) = middles[one], middles[other]
        across, down = other_x - x, other_y - y
        if self.window.shape in (Shape.GRAPH, Shape.RING):
            return (0.25 * across, 0.25 * down), (0.75 * across, 0.75 * down)
        half = 0.5 if self.window.shape is Shape.SQUARE else 0.5 / math.sqrt(3)
        return (across / 2 - half * down, down / 2 + half * across), (across / 2 + half * down, down / 2 - half * across)

    @cached_property
    def plan_of_all(self) -> Layout:
        """The places of all cells, including those not drawn."""
        return layout(self.window, range(self.window.size))

    def _beside_cells(self) -> Iterator[Element]:
        """The marks at ports and on edges, above all cells."""
        for cell, marks in self.marks.items():
            for mark in marks:
                if mark.spot is not None and cell in self.plan.middles:
                    yield group((self._placed(mark),), self._at(self.plan.middles[cell]))

    def _placed(self, mark: Mark) -> Element:
        if mark.bar is None or mark.spot is None:
            return self.artist.mark(mark.look, self._at(mark.spot or (0.0, 0.0)), SIDE_PIECE, mark.title, mark.label)
        data = f"M{points(self._at(mark.bar[0]))}L{points(self._at(mark.bar[1]))}"
        colour, width = self.palette.of(mark.look.colour), BAR * self.cell_size
        lines = [path(data, Paint("", self.palette.ink, width + 1.5)), path(data, Paint("", colour, width))]
        return group(lines, title=mark.title)

    def _edge_things(self) -> Iterator[Element]:
        """Each edge as a target for the pointer, with its label."""
        for space in self.edges:
            names = self.engine.instance.windows[space].names
            for edge, (one, other) in enumerate(edges_of(self.window)):
                name = thing_name(types.Cell(space), edge)
                if one not in self.plan.middles or not (self.options.things or name in self.marked):
                    continue
                (x, y), (end_x, end_y) = self._ends(one, other)
                line = path(
                    f"M{points(self._at((x, y)))}L{points(self._at((end_x, end_y)))}", Paint("", "", 3 * BAR * self.cell_size)
                )
                badge = group(self.artist.badge(self.marked.get(name, "")), self._at(((x + end_x) / 2, (y + end_y) / 2)))
                thing = name if self.options.things else ""
                yield group((line, badge), self._at(self.plan.middles[one]), names[edge], thing)
