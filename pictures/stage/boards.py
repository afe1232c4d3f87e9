"""The boards of a stage: for each space its cells, its tiles, and the rules for what stands on them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.looks import Colour, Drawing, SpaceStyle, Standing
from rulewright.grammar.tree.modules import Shape
from rulewright.pictures.text_sizes import CAPTION
from rulewright.rules.linking.functions.derived_spaces import edges_of
from rulewright.rules.model import types
from rulewright.rules.model.game import TileKind, turned_name
from rulewright.rules.play.cell_contents import turned_kind
from rulewright.rules.spaces.window import Window

from ..boards.cell_shapes import ACROSS, DOWN, CellShape, Point, cell_shape, floor, south_of_cube, top_of_cube, west_of_cube
from ..boards.tile_picture import TileArtist
from ..look import Looks, Palette, SpaceLook
from ..scene import Scene, thing_name
from ..shapes import DRAWINGS, scaled
from ..svg import Element, Paint, group, path, points, polygon_data, skewed, text
from .grids import grid_of, seen_of, spots_around
from .marks import BAR, MarkMaker
from .sprites import Sprites
from .vocabulary import Beside, Board, Face, Grid, Lying, Pen, Plan, Rule, Seen, Tiles

CHEQUER = 0.2
"""How much darker every other cell of a chequered space is."""

HEAVY = 0.05
"""The width of a heavy line, in widths of a cell."""

APART = {False: 1.1, True: 1.7}
"""How far a ring lies from the edge of the board that it is around, by whether that is isometric."""

Sides = tuple[bool, ...]
"""For each side of a cell, whether there is something."""

Drawn = Callable[[TileArtist, Sides], Element]
"""Draws a cell with something at some sides."""

BELOW = 0.72
"""How far below a node its name is, in widths of a cell."""


def boards_of(scene: Scene, looks: Looks, sprites: Sprites) -> tuple[Board, ...]:
    """The boards of a game. Ports are drawn on their tiles, edges between the cells."""
    spaces = [space for space, declared in scene.engine.game.spaces.items() if not declared.per_side]
    makers = [BoardMaker(scene, looks, sprites, space) for space in spaces]
    upon = {space for maker in makers for space in maker.edges}
    rings = {other.space: maker for maker in makers for other in makers if maker.is_around(other)}
    shown = [maker for maker in makers if maker.space not in upon and maker not in rings.values()]
    shown = [maker for maker in shown if maker.shows_something] or shown
    return tuple(maker.board(len(shown) > 1, rings.get(maker.space)) for maker in shown)


@frozen(eq=False)
class BoardMaker:
    """Makes the board of one space."""

    scene: Scene
    looks: Looks
    sprites: Sprites
    space: str

    @cached_property
    def window(self) -> Window:
        return self.scene.engine.instance.windows[self.space]

    @cached_property
    def look(self) -> SpaceLook:
        return self.looks.space(self.space)

    @property
    def is_isometric(self) -> bool:
        return self.window.shape is Shape.CUBE and self.look.style is SpaceStyle.ISOMETRIC

    @property
    def size(self) -> float:
        """The width of a cell in pixels."""
        return self.scene.options.cell * self.look.size

    @property
    def shape(self) -> CellShape:
        return cell_shape(self.window.shape)

    @cached_property
    def grid(self) -> Grid:
        return grid_of(self.window, self.is_isometric)

    @property
    def edges(self) -> Sequence[str]:
        """The edge spaces of this space drawn on it: those whose edges all join cells that are drawn side by side."""
        is_flat = self.window.shape in (Shape.SQUARE, Shape.HEX) and not self.scene.engine.game.spaces[self.space].wrapped
        spaces = self.scene.engine.game.spaces.values()
        drawn = spaces if is_flat or self.window.shape in (Shape.GRAPH, Shape.RING) else ()
        return [space.name for space in drawn if space.base == self.space and not space.per_side]

    @property
    def shows_something(self) -> bool:
        """Whether anything can ever stand on the board."""
        marks, is_laid = self._marks(self.space), self.scene.engine.game.spaces[self.space].of_tiles
        return is_laid or bool(self.edges) or any(marks.rules(self.space)) or any(marks.holds(self.space, True))

    def is_around(self, other: BoardMaker) -> bool:
        """Whether this space is a ring that is to lie around another."""
        is_flat = other.window.shape is Shape.SQUARE or other.is_isometric
        is_meant = self.looks.around(self.space) == other.space and self.window.shape is Shape.RING
        return is_meant and is_flat and not other.window.unbounded

    def board(self, is_titled: bool, ring: BoardMaker | None = None) -> Board:
        game, options, seen = self.scene.engine.game, self.scene.options, seen_of(self.window)
        if ring is not None:
            seen = Seen.LEVELS if self.is_isometric else Seen.ALL
        marks = self._marks(self.space)
        rules, holds = tuple(marks.rules(self.space)), tuple(marks.holds(self.space, not self.is_isometric))
        is_graph = self.window.shape is Shape.GRAPH
        grounds, lay = self._grounds()
        faint = self.sprites.text(lambda palette: palette.faint)
        return Board(
            space=self.space,
            title=game.called(self.space),
            size=self.size,
            grid=self.grid,
            seen=seen,
            tiles=self._tiles(rules),
            rules=rules,
            holds=holds,
            beside=(*self._ports(), *self._edges()),
            grounds=grounds,
            lay=lay,
            sides=self._sides(),
            changed=self._of_artist(lambda artist: artist.outline("", artist.palette.ink, 0.06 * self.size, "6 4")),
            floats=self.window.unbounded,
            target=self._of_artist(lambda artist: artist.outline("", "")) if options.things else -1,
            under=self._below,
            over=self.sprites.add(self._names) if is_graph else -1,
            margins=tuple((x, y + BELOW) for x, y in self.grid.spots) if is_graph else (),
            captions=faint if options.coordinates and not is_graph else -1,
            is_titled=is_titled,
            always=game.spaces[self.space].of_tiles or bool(self.edges) or not is_titled,
            also=tuple(sorted(self._marked(self.space))),
            grows=self.window.unbounded and options.things,
            badges=self._marked(self.space),
            ways_out=self._exits(),
            ring=None if ring is None else self._around(ring),
            ring_at=None if ring is None else self._on_floor(*self._middle),
            pen=self._pen() if options.routes else None,
        )

    def _pen(self) -> Pen:
        size, colour = self.size, Colour.PURPLE

        def filled(data: str) -> int:
            return self.sprites.add(lambda palette: path(data, Paint(palette.of(colour), palette.paper, 0.03 * size)))

        half, length = 0.04 * size, 0.26 * size
        return Pen(
            self.sprites.add(lambda palette: path(f"M0 {-half:g}H1V{half:g}H0Z", Paint(palette.of(colour)))),
            filled(polygon_data([(0, 0), (-length, -0.12 * size), (-length, 0.12 * size)])),
            filled(scaled(DRAWINGS[Drawing.DISC], 0.2 * size)),
            self.sprites.text(lambda palette: palette.on(palette.of(colour)), bold=True),
        )

    def _around(self, ring: BoardMaker) -> Board:
        """The board of a ring around this one."""
        (west, north, *_), (east, south, *_) = self.grid.low, self.grid.high
        seen = spots_around(ring.window.size, east - west + 1, south - north + 1, APART[self.is_isometric])
        share = self.size / ring.size
        spots = [(share * x, share * y) for x, y in (self._on_floor(*spot) for spot in seen)]
        return evolve(ring.board(False), grid=evolve(ring.grid, spots=tuple(map(_near, spots))))

    @property
    def _middle(self) -> Point:
        (west, north, *_), (east, south, *_) = self.grid.low, self.grid.high
        return (west + east) / 2, (north + south) / 2

    def _on_floor(self, column: float, row: float) -> Point:
        """Where a place of the plane is in the picture."""
        return (ACROSS * (column + row), DOWN * (row - column)) if self.is_isometric else (column, row)

    def _exits(self) -> tuple[float, ...]:
        """How far an exit is turned on each cell: to its first side from which no step leads; () without exits."""
        has_exits = any(look.standing is Standing.EXIT for look in self.looks.said.values())
        if not has_exits or self.window.shape not in (Shape.SQUARE, Shape.HEX) or self.window.unbounded:
            return ()
        return tuple(360 * sides.index(False) / len(sides) if False in sides else 0.0 for sides in self._ways_out)

    def _marks(self, space: str) -> MarkMaker:
        engine = self.scene.engine
        bars = self._ways[0] if space in self.edges else ()
        return MarkMaker(
            engine, self.scene.viewer, self.looks, self.sprites, engine.instance.windows[space], self.size, tuple(bars)
        )

    def _of_artist(self, draw: Callable[[TileArtist], Element]) -> int:
        return self.sprites.add(
            lambda palette: draw(TileArtist(self.scene.engine.game, self.looks, palette, self.shape, self.size))
        )

    def _marked(self, space: str) -> Mapping[int, int]:
        """The sprites of the badges of marked cells."""
        cells = self.scene.engine.instance.windows[space].size if self.scene.marked else 0
        labels = {cell: self.scene.marked.get(thing_name(types.Cell(space), cell)) for cell in range(cells)}
        return {cell: self._badge(label) for cell, label in labels.items() if label is not None}

    def _badge(self, label: str) -> int:
        return self._of_artist(lambda artist: artist.badge(label))

    # Cells ------------------------------------------------------------------------------------

    def _grounds(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sprites of an empty cell and, if they do not alternate, the number of that of each cell."""
        match self.look.style:
            case None if self.look.lines and self._is_ruled:
                return (self._of_artist(lambda artist: artist.outline("", "")),), ()
            case SpaceStyle.POINTS if self._is_ruled:
                return self._by_sides(self._ways_out, self._crossing)
            case SpaceStyle.THIRDS if self._is_ruled:
                return self._by_sides([self._heavy(*spot) for spot in self.window.coordinates], self._ruled)
            case SpaceStyle.FRAMED if self._is_ruled:
                return self._by_sides([tuple(not leads for leads in sides) for sides in self._ways_out], self._ruled)
            case SpaceStyle.CHEQUERED:
                return (self._ground(0.0), self._ground(CHEQUER)), ()
            case _:
                return (self._ground(0.0),), ()

    @property
    def _below(self) -> int:
        if self.window.shape is Shape.GRAPH:
            return self.sprites.add(self._lines)
        return self.sprites.add(self._drawn_on) if self.look.lines and self._is_ruled else -1

    def _drawn_on(self, palette: Palette) -> Element:
        """The ground of the whole board, with the lines of its look."""
        (west, north), (east, south), (x, y) = self.grid.low, self.grid.high, self._at(self._middle)
        half, high = (east - west + 1) * self.size / 2, (south - north + 1) * self.size / 2
        plate = path(polygon_data([(-half, -high), (half, -high), (half, high), (-half, high)]), Paint(self._colour(palette)))
        lines = path(scaled(self.look.lines, half), Paint("", palette.ink, max(1.0, 0.02 * self.size)))
        return group((plate, skewed(lines, (1.0, 0.0, 0.0, high / half))), (x, y))

    @property
    def _is_ruled(self) -> bool:
        return self.window.shape is Shape.SQUARE and not self.window.unbounded

    def _by_sides(self, cells: Sequence[Sides], draw: Drawn) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """A ground for cells with lines at some of their sides."""
        kinds = {sides: number for number, sides in enumerate(dict.fromkeys(cells))}
        sprites = tuple(self._of_sides(sides, draw) for sides in kinds)
        return sprites, tuple(kinds[sides] for sides in cells)

    def _of_sides(self, sides: Sides, draw: Drawn) -> int:
        return self._of_artist(lambda artist: draw(artist, sides))

    @cached_property
    def _ways_out(self) -> Sequence[Sides]:
        """For each cell the sides beyond which there is another."""
        steps = [self.window.steps[self.window.directions.index(side)] for side in self.shape.sides]
        return [tuple(step[cell] != self.window.nowhere for step in steps) for cell in range(self.window.size)]

    def _heavy(self, column: int, row: int) -> Sides:
        """The sides at which a heavy line is drawn: before every third column and row, and around the board."""
        (east, south) = self.grid.high
        return row % 3 == 0, column == east, row == south, column % 3 == 0

    def _crossing(self, artist: TileArtist, sides: Sides) -> Element:
        """Lines from the middle of a cell to some of its sides."""
        colour, ends = self._colour(artist.palette), [self.shape.middle_of_side(at) for at, leads in enumerate(sides) if leads]
        lines = "".join(f"M0 0L{points(self._at(end))}" for end in ends)
        plate = artist.outline("" if self.look.lines else colour, colour, 1.0)  # the edge hides the seam between two plates
        ink = artist.palette.faint if self.edges else artist.palette.ink  # edges that count are drawn on it
        return group((plate, path(lines, Paint("", ink, max(1.0, 0.02 * self.size)))))

    def _ruled(self, artist: TileArtist, sides: Sides) -> Element:
        """A cell with heavy lines at some of its sides."""
        ends = [self.shape.side(at) for at, is_heavy in enumerate(sides) if is_heavy]
        lines = "".join(f"M{points(self._at(start))}L{points(self._at(end))}" for start, end in ends)
        plate = artist.outline(self._colour(artist.palette), artist.palette.faint, 0.5)
        return group((plate, path(lines or "M0 0", Paint("", artist.palette.ink, HEAVY * self.size))))

    def _colour(self, palette: Palette) -> str:
        return palette.ground if self.look.ground is None else palette.of(self.look.ground)

    def _ground(self, shade: float) -> int:
        def draw(artist: TileArtist) -> Element:
            colour = artist.palette.shaded(self._colour(artist.palette), shade)
            if self.is_isometric:
                return floor(colour, self.size, artist.palette)
            return artist.outline(colour, artist.palette.faint, 0.5)

        return self._of_artist(draw)

    def _sides(self) -> tuple[int, ...]:
        names = ("S", "W", "U", "D") if self.is_isometric else self.shape.sides
        ways = {self.window.directions[way]: way for way in self.window.around}
        return () if self.window.shape is Shape.GRAPH else tuple(ways.get(name, -1) for name in names)

    # Tiles ------------------------------------------------------------------------------------

    def _tiles(self, rules: Sequence[Rule]) -> Tiles | None:
        """The kinds that may lie here."""
        engine = self.scene.engine
        column, turned = engine.layout.columns.get(self.space), engine.layout.columns.get(turned_name(self.space))
        is_board = column is not None and column.variable.is_board
        kinds = {kind for rule in rules if isinstance(rule, Lying) for kind in rule.kinds}
        kinds |= {*range(1, len(engine.game.tiles) + 1)} if is_board else set()
        if not kinds:
            return None
        is_turned = turned is not None and turned.variable.is_turn
        turns = turned.variable.high + 1 if turned is not None and is_turned else 1
        faces = {kind: self._face(engine.game.tiles[kind - 1], turns) for kind in sorted(kinds)}
        start = column.start if column is not None and is_board else -1
        return Tiles(start, turned.start if turned is not None and is_turned else -1, faces)

    def _face(self, kind: TileKind, turns: int) -> Face:
        name = self.scene.engine.game.called(kind.name)
        lying = [turned_kind(kind, self.window, turn) if turn else kind for turn in range(turns)]
        if self.is_isometric:
            tops = tuple(map(self._top, lying))
            south = self._of_artist(lambda artist: south_of_cube(artist.body(kind), self.size, artist.palette))
            west = self._of_artist(lambda artist: west_of_cube(artist.body(kind), self.size, artist.palette))
            return Face(name, tops, sides=(south, west))
        sprites = tuple(map(self._flat, lying))
        if not self.looks.joins(kind.name, kind.group) or self.window.shape in (Shape.GRAPH, Shape.RING):
            return Face(name, sprites)
        joints = self._of_artist(lambda artist: artist.bridge(kind)), self._of_artist(lambda artist: artist.corner(kind))
        return Face(name, sprites, joints)

    def _flat(self, kind: TileKind) -> int:
        return self._of_artist(lambda artist: artist.tile(kind))

    def _top(self, kind: TileKind) -> int:
        return self._of_artist(lambda artist: top_of_cube(artist.tile(kind), artist.body(kind), self.size, artist.palette))

    # Ports and edges --------------------------------------------------------------------------

    def _ports(self) -> Iterator[Beside]:
        """What stands at the ports of this space."""
        around = len(self.window.around)
        for space, declared in self.scene.engine.game.spaces.items():
            if declared.base == self.space and declared.per_side:
                names = self.scene.engine.instance.windows[space].names[: around * declared.per_side]
                spots = [self.shape.port(name.rpartition("-")[2], declared.per_side) for name in names]
                yield Beside(space, tuple(self._marks(space).rules(space)), tuple(spot or (0.0, 0.0) for spot in spots))

    def _edges(self) -> Iterator[Beside]:
        """What stands on the edges of this space, and each edge as a target for the pointer, with its label."""
        ways, numbers = self._ways if self.edges else ([], ())
        for space in self.edges:
            cells = tuple(one for one, _ in edges_of(self.window))
            spots = tuple(((x + end_x) / 2, (y + end_y) / 2) for (x, y), (end_x, end_y) in ways)
            rules = tuple(self._marks(space).rules(space))
            targets = tuple(self._target(*ends) for ends in ways)
            names, badges = self.scene.engine.instance.windows[space].names, self._marked(space)
            yield Beside(space, rules, spots, cells, numbers, targets, names, badges)

    @cached_property
    def _ways(self) -> tuple[list[tuple[Point, Point]], tuple[int, ...]]:
        """The ways in which edges lie, seen from the middles of their first cells, and the way of each edge."""
        ways: dict[tuple[Point, Point], int] = {}
        numbers = tuple(ways.setdefault(self._ends(*pair), len(ways)) for pair in edges_of(self.window))
        return [*ways], numbers

    def _ends(self, one: int, other: int) -> tuple[Point, Point]:
        """The ends of an edge: on a grid the side between the cells, on one of points and elsewhere the line between."""
        (x, y), (other_x, other_y) = self.grid.middle(one), self.grid.middle(other)
        across, down = other_x - x, other_y - y
        if self.look.style is SpaceStyle.POINTS:
            return (0.0, 0.0), _near((across, down))
        if self.grid.plan is Plan.SPOTS:
            return _near((0.25 * across, 0.25 * down)), _near((0.75 * across, 0.75 * down))
        half = 0.5 if self.window.shape is Shape.SQUARE else 0.5 / math.sqrt(3)
        start = across / 2 - half * down, down / 2 + half * across
        return _near(start), _near((across / 2 + half * down, down / 2 - half * across))

    def _target(self, start: Point, end: Point) -> int:
        ends = f"M{points(self._at(start))}L{points(self._at(end))}"
        return self.sprites.add(lambda _: path(ends, Paint("", "", 3 * BAR * self.size)))

    # Graphs -----------------------------------------------------------------------------------

    def _lines(self, palette: Palette) -> Element:
        """The lines between the nodes of a graph."""
        steps = (enumerate(step[:-1]) for step in self.window.steps)
        joined = {(min(pair), max(pair)) for step in steps for pair in step if pair[1] != self.window.nowhere}
        spots = [self._at(spot) for spot in self.grid.spots]
        return group(
            [path(f"M{points(spots[a])}L{points(spots[b])}", Paint("", palette.faint, 2.0)) for a, b in sorted(joined)]
        )

    def _names(self, palette: Palette) -> Element:
        """The names of nodes below them, which interrupt lines."""
        return group([self._name(palette, *pair) for pair in zip(self.grid.spots, self.window.names, strict=True)])

    def _name(self, palette: Palette, spot: Point, name: str) -> Element:
        (x, y), half = (spot[0], spot[1] + BELOW), ((0.3 * len(name) + 0.2) * CAPTION, 0.6 * CAPTION)
        corners = [(x + right * half[0], y + down * half[1]) for right, down in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        plate = path(polygon_data([self._at(corner) for corner in corners]), Paint(palette.paper))
        return group((plate, text(self._at((x, y)), name, CAPTION * self.size, palette.faint)))

    def _at(self, spot: Point) -> Point:
        return spot[0] * self.size, spot[1] * self.size


def _near(spot: Point) -> Point:
    return round(spot[0], 4), round(spot[1], 4)
