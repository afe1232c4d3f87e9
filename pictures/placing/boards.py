"""Places the boards of a stage."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import assert_never

from rulewright.base.records import frozen
from rulewright.pictures.text_sizes import CAPTION, PIECE
from rulewright.rules.spaces.drawing import letter_of, number_of

from ..boards.cell_shapes import ACROSS, DOWN, ROW, UP, Point
from ..stage.vocabulary import Beside, Board, Face, Lying, Mark, Piece, Plan, Rule, Seen, Values
from .placement import Block, Placement, Reader, sees
from .routes import Drafting, Route

MARGIN = 0.6
"""The margin around a board, which holds coordinates, in widths of a cell."""

BEYOND = 0.8
"""How far beyond the middle of the last cell its number is, in widths of a cell."""

LEVEL_GAP = 0.6
"""The gap between adjacent levels of a cube grid, in widths of a cell."""

LONE, SIDE = 1.5, 0.7
"""How much larger a single piece on a cell is, and how much smaller one at a port."""

CROWD = 4
"""Drawn smaller: the pieces of a cell that holds at least as many."""

CORNERS: Sequence[Point] = ((0.28, 0.28), (-0.28, -0.28), (0.28, -0.28), (-0.28, 0.28))
"""Where several pieces stand on a cell."""


@frozen
class Standing:
    """A mark on a cell in a state; at a `spot`, that of a port or edge, or as the sprite of a bar."""

    mark: Mark
    sprite: int
    title: str
    label: str
    spot: Point | None = None
    is_bar: bool = False


@frozen
class Contents:
    """The tile and the marks of each cell that has any."""

    tiles: Mapping[int, int]
    marks: Mapping[int, Sequence[Standing]]

    @property
    def used(self) -> Set[int]:
        return {*self.tiles, *self.marks}


def contents_of(board: Board, reader: Reader) -> Contents:
    """What stands on the cells of a board."""
    size, tiles, marks = board.grid.size, dict[int, int](), dict[int, list[Standing]]()
    if board.tiles is not None and board.tiles.column >= 0:
        tiles = {cell: tile for cell, tile in enumerate(reader.column(board.tiles.column)[:size]) if tile}
    for lying in (rule for rule in board.rules if isinstance(rule, Lying)):
        for cell, kind, owner in _lying(lying, reader):
            if not owner:
                tiles.setdefault(cell, kind)
    on_cells = (_standing(rule, size, reader, tiles) for rule in board.rules)
    at_sides = (_at_side(beside, board, reader) for beside in board.beside)
    for cell, standing in chain.from_iterable(chain(on_cells, at_sides)):
        marks.setdefault(cell, []).append(standing)
    return Contents(tiles, marks)


def _standing(rule: Rule, size: int, reader: Reader, tiles: Mapping[int, int]) -> Iterator[tuple[int, Standing]]:
    match rule:
        case Values():
            for cell, value in enumerate(reader.column(rule.column)[:size]):
                if value not in rule.silent:
                    yield cell, _value(rule, value)
        case Piece():
            cell = reader.column(rule.column)
            if cell < size and sees(rule.owner, reader):
                forms = [form.sprites[reader.column(form.column)] for form in rule.forms]
                sprite = next((sprite for sprite in forms if sprite >= 0), rule.mark.sprite)
                yield cell, Standing(rule.mark, sprite, rule.mark.title, rule.mark.label)
        case Lying():
            for cell, kind, owner in _lying(rule, reader):
                if tiles.get(cell) != kind:
                    mark = rule.marks[kind][owner]
                    yield cell, Standing(mark, mark.sprite, mark.title, mark.label)
        case other:
            assert_never(other)


def _value(rule: Values, value: int) -> Standing:
    if rule.words is None:
        mark = rule.marks[value - rule.low]
        return Standing(mark, mark.sprite, mark.title, mark.label)
    mark, word = rule.marks[0], rule.words.tell(value)
    return Standing(mark, mark.sprite, mark.title + word, word[: rule.letters] if rule.letters else word)


def place(board: Board, cell: int) -> str:
    """The name of a cell, or its coordinates."""
    return board.grid.names[cell] if board.grid.names else ",".join(map(str, board.grid.coordinates[cell]))


def _lying(rule: Lying, reader: Reader) -> Iterator[tuple[int, int, int]]:
    """The cells that pieces cover, with the kind and the owner."""
    owners = reader.column(rule.owners) if rule.owners >= 0 else ()
    for cell, number in enumerate(reader.column(rule.column)[:-1]):
        if number < len(rule.kinds):
            yield cell, rule.kinds[number], owners[rule.starts[number]] if owners else 0


def _at_side(beside: Beside, board: Board, reader: Reader) -> Iterator[tuple[int, Standing]]:
    """What stands at ports and on edges: the cell it belongs to, and its place seen from there."""
    count = len(beside.spots)
    size = len(beside.cells) or count * board.grid.size
    for rule in beside.rules:
        for number, found in _standing(rule, size, reader, {}):
            cell = beside.cells[number] if beside.cells else number // count
            way = beside.ways[number] if beside.ways else number % count
            is_bar = bool(found.mark.bars)
            sprite = found.mark.bars[way] if is_bar else found.sprite
            yield cell, Standing(found.mark, sprite, found.title, found.label, beside.spots[way], is_bar)


# Which cells, and where -------------------------------------------------------------------------------------------------


def cells_of(board: Board, contents: Contents) -> Sequence[int]:
    """The cells that are drawn, in order."""
    grid, used = board.grid, {*contents.used, *board.also}
    if board.grows:
        used |= {near for cell in used for near in grid.around(cell)}
    match board.seen:
        case Seen.USED:
            return sorted(used)
        case Seen.ALL:
            return range(grid.size)
        case Seen.NEAR | Seen.BOX | Seen.LEVELS if not used:
            return range(grid.size)
    around = used | {near for cell in used for near in grid.around(cell)}
    match board.seen:
        case Seen.NEAR:
            return sorted(around)
        case Seen.BOX:
            ends = [(min(axis), max(axis)) for axis in zip(*(grid.coordinates[cell] for cell in around), strict=True)]
            return [cell for cell, spot in enumerate(grid.coordinates) if _is_inside(spot, ends)]
        case Seen.LEVELS:
            highest = max(grid.coordinates[cell][2] for cell in around)
            return [cell for cell, spot in enumerate(grid.coordinates) if spot[2] <= highest]


def _is_inside(spot: Sequence[int], ends: Sequence[tuple[int, int]]) -> bool:
    return all(low <= at <= high for at, (low, high) in zip(spot, ends, strict=True))


Captions = Sequence[tuple[Point, str]]


def middles_of(board: Board, cells: Sequence[int], used: Set[int]) -> tuple[Mapping[int, Point], Captions]:
    """The middles of the cells, in the order in which they are drawn, and captions at places."""
    grid = board.grid
    if not cells:
        return {}, ()
    spots = [grid.coordinates[cell] for cell in cells]
    match grid.plan:
        case Plan.SPOTS:
            middles = {cell: grid.spots[cell] for cell in cells}
            return middles, () if grid.names else [(_outside(middle), str(cell)) for cell, middle in middles.items()]
        case Plan.SQUARE | Plan.HEX:
            names = [grid.names[cell] for cell in cells] if grid.names else []
            return {cell: grid.middle(cell) for cell in cells}, _numbers(spots, grid.plan is Plan.HEX, names)
        case Plan.LEVELS:
            return _levels(cells, spots)
        case Plan.ISOMETRIC:
            return _isometric(cells, spots, used), _edges(spots)
        case other:
            assert_never(other)


def _numbers(spots: Sequence[Sequence[int]], is_hex: bool, names: Sequence[str] = ()) -> Captions:
    """The number of each column above the board, and of each row to its left; of named cells, what those of a row share, and
    the letters of the first row."""
    across, down = ({spot[axis]: str(spot[axis]) for spot in spots} for axis in (0, 1))
    if names:
        named = [*zip(spots, names, strict=True)]
        across = {spot[0]: letter_of(name) for spot, name in named if spot[1] == min(down)}
        down = {spot[1]: number_of(name) for spot, name in named}
    apart, indent = (ROW, 0.25) if is_hex else (1.0, 0.0)
    west, north = min(across), min(down)
    columns = [((column + indent, north * apart - BEYOND), across[column]) for column in sorted(across)]
    return columns + [((west - BEYOND, row * apart), down[row]) for row in sorted(down)]


def _outside(spot: Point) -> Point:
    """The place of the number of a cell of a ring."""
    scale = 1 + BEYOND / math.sqrt(spot[0] * spot[0] + spot[1] * spot[1])
    return spot[0] * scale, spot[1] * scale


def _levels(cells: Sequence[int], spots: Sequence[Sequence[int]]) -> tuple[Mapping[int, Point], Captions]:
    """Levels side by side, the lowest on the left, each under its number and those of its columns."""
    west, east = min(spot[0] for spot in spots), max(spot[0] for spot in spots)
    north, lowest = min(spot[1] for spot in spots), min(spot[2] for spot in spots)
    step = east - west + 1 + LEVEL_GAP
    middles = {cell: (spot[0] + (spot[2] - lowest) * step, float(spot[1])) for cell, spot in zip(cells, spots, strict=True)}
    levels, numbers = sorted({spot[2] for spot in spots}), _numbers(spots, False)
    captions = [(((west + east) / 2 + (level - lowest) * step, north - 2 * BEYOND), f"level {level}") for level in levels]
    columns = [((x + (level - lowest) * step, y), said) for level in levels[1:] for (x, y), said in numbers if y < north]
    return middles, [*captions, *numbers, *columns]


def _isometric(cells: Sequence[int], spots: Sequence[Sequence[int]], used: Set[int]) -> Mapping[int, Point]:
    """The middle of the upper face of each cell on the lowest level or with something on it, back to front and upwards."""
    lowest = min(spot[2] for spot in spots)
    shown = [(spot, cell) for cell, spot in zip(cells, spots, strict=True) if spot[2] == lowest or cell in used]
    shown.sort(key=lambda one: (one[0][1] - one[0][0], one[0][2], one[1]))
    return {cell: _on(x, y, level + 1) for (x, y, level), cell in shown}


def _edges(spots: Sequence[Sequence[int]]) -> Captions:
    """The number of each column along the southern edge of the floor, and of each row along the western one."""
    across, down, floor = (sorted({spot[axis] for spot in spots}) for axis in range(3))
    columns = [(_on(column, down[-1] + BEYOND, floor[0]), str(column)) for column in across]
    return columns + [(_on(across[0] - BEYOND, row, floor[0]), str(row)) for row in down]


def _on(column: float, row: float, height: int) -> Point:
    """A place in isometric view, so many cubes above level 0."""
    return ACROSS * (column + row), DOWN * (row - column) - UP * height


# Placements -------------------------------------------------------------------------------------------------------------


@frozen
class PlacedBoard:
    """A board of a state: its block, the number of tiles on it, and where its upper left corner is, seen from its origin."""

    block: Block
    tiles: int
    corner: Point


def place_board(
    board: Board, reader: Reader, before: Reader | None, things: bool, routes: Sequence[Route] = ()
) -> PlacedBoard | None:
    """A board in a state, with changes since another one marked, and routes on it; None if there is nothing to show."""
    now = contents_of(board, reader)
    cells = cells_of(board, now)
    middles, captions = middles_of(board, cells, now.used)
    if not middles or not (now.used or board.always):
        return None
    changed = _changed(now, contents_of(board, before)) if before is not None else frozenset()
    shown = captions if board.captions >= 0 else ()
    spots = [*middles.values(), *(spot for spot, _ in shown), *board.margins]
    below = UP if board.grid.is_isometric else 0.0
    drawing = _Drawing(board, reader, now, changed, things)
    west, north = drawing.at((min(x for x, _ in spots) - MARGIN, min(y for _, y in spots) - MARGIN))
    east, south = drawing.at((max(x for x, _ in spots) + MARGIN, max(y for _, y in spots) + MARGIN + below))
    parts = [Placement(sprite=board.under)] if board.under >= 0 else []
    parts += [drawing.cell(cell, middle) for cell, middle in middles.items()]
    parts += drawing.at_sides(middles)
    parts += drawing.targets(middles)
    parts += [Placement(drawing.at(spot), board.captions, said, (1.0, CAPTION * board.size)) for spot, said in shown]
    parts += [Placement(sprite=board.over)] if board.over >= 0 else []
    if board.pen is not None:
        parts += Drafting(board, board.pen, middles, now.used).placements(routes)
    ring = None if board.ring is None else place_board(board.ring, reader, before, things)
    if ring is not None and board.ring_at is not None:
        (x, y), (left, up), (wide, high) = drawing.at(board.ring_at), ring.corner, ring.block.size
        x, y = x + left, y + up
        west, north, east, south = min(west, x), min(north, y), max(east, x + wide), max(south, y + high)
        parts.insert(0, Placement((x, y), parts=ring.block.parts))  # towers stand before it
    whole = Placement((-west, -north), parts=parts, title=board.title)
    return PlacedBoard(Block((east - west, south - north), [whole]), len(now.tiles), (west, north))


def _changed(now: Contents, then: Contents) -> frozenset[int]:
    """The cells whose tiles or pieces differ."""
    used = {*now.used, *then.used}
    return frozenset(
        cell for cell in used if now.tiles.get(cell) != then.tiles.get(cell) or now.marks.get(cell) != then.marks.get(cell)
    )


@frozen
class _Drawing:
    board: Board
    reader: Reader
    contents: Contents
    changed: frozenset[int]
    things: bool

    def at(self, spot: Point) -> Point:
        return spot[0] * self.board.size, spot[1] * self.board.size

    def cell(self, cell: int, middle: Point) -> Placement:
        board, tile, marks = self.board, self.contents.tiles.get(cell, 0), self.contents.marks.get(cell, ())
        face = board.tiles.faces[tile] if board.tiles is not None and tile else None
        holds = [one for one in board.holds if self.reader.holds(one.definition, cell)]
        sprites = [*self._ground(cell, face is not None), *self._tile(cell, face)]
        if cell in self.changed:
            sprites.append((board.changed, 0.0))
        sprites += [(one.mark.sprite, 0.0) for one in holds if one.is_frame]
        parts = [Placement(sprite=sprite, turn=turn) for sprite, turn in sprites]
        standing = [one for one in marks if one.spot is None]
        standing += [Standing(one.mark, one.mark.sprite, one.mark.title, one.mark.label) for one in holds if not one.is_frame]
        ways_out = board.ways_out or (0.0,) * board.grid.size
        parts += [Placement(sprite=one.sprite, turn=ways_out[cell]) for one in standing if one.mark.is_ground]
        parts += self._pieces([one for one in standing if not one.mark.is_ground], face is not None)
        if cell in board.badges:
            parts.append(Placement(sprite=board.badges[cell]))
        titles = [*([face.name] if face is not None else []), *(one.title for one in marks), *(one.mark.title for one in holds)]
        title = f"({place(board, cell)})" + (f" {', '.join(titles)}" if titles else "")
        return Placement(self.at(middle), parts=parts, title=title, thing=f"{board.space} {cell}" if self.things else "")

    def _ground(self, cell: int, is_covered: bool) -> Iterator[tuple[int, float]]:
        """The ground of a cell: in isometric view the floor, on unbounded boards only under something."""
        board = self.board
        number = board.lay[cell] if board.lay else sum(board.grid.coordinates[cell]) % len(board.grounds)
        if board.grid.is_isometric:
            if not is_covered and board.grid.step(cell, board.sides[3]) == board.grid.size:
                yield board.grounds[number], 0.0
        elif not board.floats or cell in self.contents.used:
            yield board.grounds[number], 0.0
        elif board.target >= 0:
            yield board.target, 0.0  # Invisible, but a target for the pointer.

    def _tile(self, cell: int, face: Face | None) -> Iterator[tuple[int, float]]:
        """The tile on a cell: joined to its like, or as a cube without the faces that others hide."""
        if face is None:
            return
        board, turns = self.board, self.board.tiles.turns if self.board.tiles is not None else -1
        sprite = face.sprites[self.reader.column(turns)[cell] if turns >= 0 else 0]
        if face.sides is not None:
            south, west, above = (board.grid.step(cell, way) in self.contents.tiles for way in board.sides[:3])
            yield from ((side, 0.0) for side, hides in zip(face.sides, (south, west), strict=True) if not hides)
            if not above:
                yield sprite, 0.0
            return
        yield sprite, 0.0
        if face.joints is not None:
            count, tile = len(board.sides), self.contents.tiles[cell]
            joined = [way >= 0 and self.contents.tiles.get(board.grid.step(cell, way)) == tile for way in board.sides]
            for at, is_joined in enumerate(joined):
                if is_joined:
                    yield face.joints[0], 360 * at / count
                if is_joined and joined[at - 1]:
                    yield face.joints[1], 360 * at / count

    def _pieces(self, standing: Sequence[Standing], on_tile: bool) -> Iterator[Placement]:
        """A single piece in the middle; several around it, and on a tile in its corners."""
        if len(standing) == 1 and not on_tile:
            yield self._mark(standing[0], (0.0, 0.0), LONE)
            return
        scale = (0.95 if on_tile else 1.0) * (1.0 if len(standing) < CROWD else 0.7)
        for one, spot in zip(standing, CORNERS, strict=False):
            yield self._mark(one, self.at(spot), scale)

    def _mark(self, one: Standing, at: Point, scale: float) -> Placement:
        parts = [Placement(sprite=one.sprite, scale=(scale, scale), turn=one.mark.turn)]
        if one.label:
            half = scale * PIECE * self.board.size
            height = min(1.3 * half, 2.4 * half / len(one.label))
            parts.append(Placement(sprite=one.mark.ink, text=one.label, scale=(1.0, height)))
        return Placement(at, parts=parts, title=one.title)

    def at_sides(self, middles: Mapping[int, Point]) -> Iterator[Placement]:
        """The marks at ports and on edges, above all cells."""
        for cell, marks in self.contents.marks.items():
            for one in marks:
                if one.spot is not None and cell in middles:
                    (x, y), (right, down) = middles[cell], one.spot
                    if one.is_bar:
                        yield Placement(self.at((x, y)), parts=[Placement(sprite=one.sprite)], title=one.title)
                    else:
                        yield self._mark(one, self.at((x + right, y + down)), SIDE)

    def targets(self, middles: Mapping[int, Point]) -> Iterator[Placement]:
        """Each edge as a target for the pointer, with its label."""
        for beside in self.board.beside:
            for edge, cell in enumerate(beside.cells):
                if cell in middles and (self.things or edge in beside.badges):
                    way = beside.ways[edge]
                    parts = [Placement(sprite=beside.targets[way])]
                    if edge in beside.badges:
                        parts.append(Placement(self.at(beside.spots[way]), beside.badges[edge]))
                    thing = f"{beside.space} {edge}" if self.things else ""
                    yield Placement(self.at(middles[cell]), parts=parts, title=beside.names[edge], thing=thing)
