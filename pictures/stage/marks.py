"""Marks: what stands on a cell besides its tile, by rule."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree.looks import Colour, Drawing, Standing
from rulewright.grammar.tree.modules import Visibility
from rulewright.pictures.boards.cell_shapes import Point, bearing, cell_shape
from rulewright.pictures.boards.tile_picture import TileArtist
from rulewright.pictures.look import Look, Looks, Palette
from rulewright.pictures.shapes import DRAWINGS, scaled
from rulewright.pictures.svg import Element, Paint, group, path, points, skewed
from rulewright.pictures.text_sizes import PIECE
from rulewright.rules.model import types
from rulewright.rules.model.game import TileKind, Variable, owner_name
from rulewright.rules.model.state import Column, value_range
from rulewright.rules.play.cell_contents import shown_on, silent_value
from rulewright.rules.play.engine import Engine, describe_value
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.look_checks import drawn_definitions

from .sprites import Sprites
from .vocabulary import Form, Holds, Lying, Mark, Piece, Rule, Values, Words

BAR = 0.1
"""The width of the bar for a true value of an edge, in widths of a cell."""


@frozen
class MarkMaker:
    """Makes the marks of the cells of a space that are `size` pixels wide. `bars` are the ways in which edges lie."""

    engine: Engine
    viewer: Viewer
    looks: Looks
    sprites: Sprites
    window: Window
    size: float
    bars: tuple[tuple[Point, Point], ...] = ()

    def rules(self, space: str) -> Iterator[Rule]:
        """What stands on the cells of a space, in the order of the text."""
        for column in shown_on(self.engine, self.viewer, space):
            if column.variable.is_layer:
                yield self._lying(column)
            elif column.over_cells:
                yield self._values(column)
            else:
                yield from self._pieces(column)

    def holds(self, space: str, is_flat: bool) -> Iterator[Holds]:
        """The definitions that are drawn where they hold: on a flat board as a frame, without a drawing for it."""
        for number, definition in enumerate(drawn_definitions(self.engine.game)):
            if definition.parameters[0][1] == types.Cell(space):
                look, draws = self.looks.definition(definition.name), self.looks.draws(definition.name)
                framed, title = is_flat and not draws, self._called(definition.name)
                yield Holds(number, self._frame(look, title) if framed else self._mark(look, title), framed)

    def _called(self, name: str) -> str:
        return self.engine.game.called(name)

    def _mark(self, look: Look, title: str, label: str = "", turn: float = 0.0, bars: tuple[int, ...] = ()) -> Mark:
        if look.is_exit:
            return Mark(self._exit(look), title, is_ground=True)
        if look.is_large and look.data:
            return Mark(self._filling(look), title, is_ground=True)
        label = label or look.glyph
        return Mark(self._drawn(look), title, label, self._ink(look) if label else 0, turn, bars)

    def _ink(self, look: Look) -> int:
        return self.sprites.text(
            lambda palette: palette.ink if look.is_bare else palette.on(palette.of(look.colour)), bold=True
        )

    def _frame(self, look: Look, title: str) -> Mark:
        game, shape = self.engine.game, cell_shape(self.window.shape)
        frame = self.sprites.add(lambda palette: TileArtist(game, self.looks, palette, shape, self.size).frame(look))
        return Mark(frame, title)

    def _exit(self, look: Look) -> int:
        """A gap in the first side of a cell, and an arrow through it."""
        shape = cell_shape(self.window.shape)
        (start, end), (x, y) = shape.side(0), shape.middle_of_side(0)
        across, down = end[0] - start[0], end[1] - start[1]

        def line(*ends: tuple[float, float]) -> str:
            return "M" + "L".join(points(self._at((out * x + aside * across, out * y + aside * down))) for out, aside in ends)

        gap, arrow, width = line((1, -0.44), (1, 0.44)), line((0.7, -0.15), (0.95, 0), (0.7, 0.15)), 0.06 * self.size

        def draw(palette: Palette) -> Element:
            cut = path(gap, Paint("", palette.paper, 2 * width))
            return group((cut, path(arrow, Paint("", palette.of(look.colour), width))))

        return self.sprites.add(draw)

    def _filling(self, look: Look) -> int:
        """A drawing as wide and as high as a cell."""
        high = 2 * max(y for _, y in cell_shape(self.window.shape).corners)
        data = scaled(look.data, 0.5 * self.size)
        return self.sprites.add(lambda palette: skewed(path(data, Paint(palette.of(look.colour))), (1.0, 0.0, 0.0, high)))

    def _drawn(self, look: Look) -> int:
        if look.is_bare:
            return self.sprites.add(lambda _: group(()))
        data, width = scaled(look.data or DRAWINGS[Drawing.DISC], PIECE * self.size), max(0.5, 0.01 * self.size)
        return self.sprites.add(lambda palette: path(data, Paint(palette.of(look.colour), palette.ink, width)))

    # Values -----------------------------------------------------------------------------------

    def _values(self, column: Column) -> Values:
        variable, unsaid = column.variable, silent_value(self.engine, column)
        silent = () if unsaid is None else (unsaid,)
        look, name = self.looks.variable(variable.name), self._called(variable.name)
        match variable.type:
            case types.Truth():
                bars = tuple(self._bar(look, *ends) for ends in self.bars)
                return Values(column.start, (self._mark(look, name, bars=bars),), 1, silent)
            case types.Enumeration(members):
                named = enumerate(self.engine.game.enumerations[members])
                marks = tuple(self._mark(self.looks.member(value, member), self._called(member)) for value, member in named)
                return Values(column.start, marks, 0, silent)
            case types.Player() as players:
                marks = tuple(
                    self._mark(Look(self.looks.player(n).colour, DRAWINGS[Drawing.DISC]), f"{name} {n}", str(n))
                    for n in self.engine.instance.domain(players)
                )
                return Values(column.start, marks, self.engine.instance.domain(players).start, silent)
            case types.Number() if self.looks.standing(variable.name) is Standing.STOREYS:
                marks = tuple(
                    Mark(self._storeys(look, number, variable.high), f"{name} {number}", is_ground=True)
                    for number in range(variable.high + 1)
                )
                return Values(column.start, marks, 0, silent)
            case types.Number():
                plain = Look(look.colour, look.data)
                only = evolve(self._mark(plain, f"{name} "), ink=self._ink(plain))
                return Values(column.start, (only,), 0, silent, words_of(self.engine, variable))
            case types.Direction():
                words = words_of(self.engine, variable)
                marks = tuple(self._pointing(variable, words.low + at, told) for at, told in enumerate(words.words))
                return Values(column.start, marks, words.low, silent)
            case _:
                only = Mark(self._drawn(look), "", "", self._ink(look))
                return Values(column.start, (only,), 0, silent, words_of(self.engine, variable), 3)

    def _storeys(self, look: Look, number: int, high: int) -> int:
        """A building from above, so many storeys high; the highest is a dome."""

        def draw(palette: Palette) -> Element:
            colour = palette.of(look.colour)
            paint = Paint(colour, palette.on(colour), 0.02 * self.size)
            floors = [0.46 - 0.4 * floor / high for floor in range(min(number, high - 1))]
            found = [path(scaled(DRAWINGS[Drawing.BLOCK], half * self.size), paint) for half in floors]
            dome = path(scaled(DRAWINGS[Drawing.DISC], 0.26 * self.size), evolve(paint, fill=palette.of(Colour.BLUE)))
            return group([*found, dome] if number == high else found)

        return self.sprites.add(draw)

    def _pointing(self, variable: Variable, value: int, told: str) -> Mark:
        """A direction as an arrow, or as the turned drawing of its look; one without a bearing as a word."""
        directions, look = self.window.directions, self.looks.variable(variable.name)
        turn = bearing(self.window.shape, directions[value]) if 0 <= value < len(directions) else None
        if turn is None:
            return self._mark(look, told, told[:3])
        drawing = look.data if look.data and self.looks.draws(variable.name) else DRAWINGS[Drawing.ARROW]
        return self._mark(Look(look.colour, drawing), f"{self._called(variable.name)} {told}", turn=turn)

    def _bar(self, look: Look, start: Point, end: Point) -> int:
        ends = f"M{points(self._at(start))}L{points(self._at(end))}"
        width = BAR * self.size

        def draw(palette: Palette) -> Element:
            casing = path(ends, Paint("", palette.ink, width + 1.5))
            return group((casing, path(ends, Paint("", palette.of(look.colour), width))))

        return self.sprites.add(draw)

    def _at(self, spot: Point) -> Point:
        return spot[0] * self.size, spot[1] * self.size

    # Pieces -----------------------------------------------------------------------------------

    def _pieces(self, column: Column) -> Iterator[Piece]:
        """The pieces at the places that a variable gives, for those who may see them."""
        variable = column.variable
        for at in range(column.count):
            index = None if variable.index is None else column.offset + at
            owner = self.viewer.audience(self.engine.instance, variable, index)
            if owner is not None:
                mark = self._piece_mark(variable, index)
                yield Piece(column.start + at, mark, owner, tuple(self._forms(variable, index)))

    def _piece_mark(self, variable: Variable, index: int | None) -> Mark:
        """A piece at the place its variable gives, in the colour and drawing of its player or member, if any."""
        look, name = self.looks.variable(variable.name), self._called(variable.name)
        if variable.index is None or index is None:
            return self._mark(look, name)
        if isinstance(variable.index, types.Player):
            shape = look.data if self.looks.draws(variable.name) else self.looks.player(index).data
            label = str(index) if self.engine.instance.players > 1 else ""
            return self._mark(Look(self._colour(look, index), shape), f"{name} of {index}", label)
        whose = describe_value(self.engine, variable.index, index)
        if isinstance(variable.index, types.Enumeration):
            look = self._look_of_member(variable, self.looks.member(index, whose), whose)
            return self._mark(look, f"{name} of {self._called(whose)}", "" if whose in self.looks.said else whose[:2])
        return self._mark(look, f"{name} of {self._called(whose)}", whose[:2])

    def _colour(self, look: Look, player: int) -> Colour:
        return self.looks.player(player).colour if self.engine.instance.players > 1 else look.colour

    def _forms(self, variable: Variable, player: int | None) -> Iterator[Form]:
        """The drawings set for publicly visible enum values of a player: a captain's kind of ship, say."""
        if not isinstance(variable.index, types.Player) or player is None:
            return
        colour = self._colour(self.looks.variable(variable.name), player)
        for column in self.engine.layout.columns.values():
            other = column.variable
            is_of_players = other.index == types.Player() and other.visibility is Visibility.OPEN
            if is_of_players and isinstance(other.type, types.Enumeration):
                members = enumerate(self.engine.game.enumerations[other.type.name])
                drawn = [self.looks.member(n, name).data if self.looks.draws(name) else "" for n, name in members]
                if any(drawn):
                    sprites = tuple(self._drawn(Look(colour, data)) if data else -1 for data in drawn)
                    yield Form(column.start + player - column.offset, sprites)

    def _look_of_member(self, variable: Variable, member: Look, name: str) -> Look:
        """The drawing of the variable in the colour of the member; if only one has a look, that look."""
        said = self.looks.variable(variable.name)
        colour = said.colour if variable.name in self.looks.said and name not in self.looks.said else member.colour
        return Look(colour, said.data if self.looks.draws(variable.name) else member.data)

    def _lying(self, column: Column) -> Lying:
        pieces = self.engine.game.patterns[column.variable.pieces]
        owners = self.engine.layout.columns.get(owner_name(pieces.name))
        players = range(self.engine.instance.players + 1 if owners is not None else 1)
        kinds = {kind: self.engine.game.tiles[kind - 1] for kind in sorted({*pieces.kinds})}
        marks = {number: tuple(self._lying_mark(kind, owner) for owner in players) for number, kind in kinds.items()}
        starts = () if owners is None else tuple(place.cell for place in pieces.places)
        return Lying(column.start, pieces.kinds, starts, -1 if owners is None else owners.start, marks)

    def _lying_mark(self, kind: TileKind, owner: int) -> Mark:
        """A cell of a piece on the board, in the colour of its owner, if any."""
        look = self.looks.tile(kind.name, kind.group)
        name = self._called(kind.name)
        label = "" if self.looks.draws(kind.name) or self.looks.draws(kind.group) else name[:3]
        if not owner:
            return self._mark(look, name, label)
        return self._mark(Look(self.looks.player(owner).colour, look.data), f"{name} of {owner}", label)


def words_of(engine: Engine, variable: Variable) -> Words:
    """The words of the values of a variable."""
    match variable.type:
        case types.Number() | types.Player() | types.SetOf():
            return Words()
        case types.Enumeration() as enumeration:
            return Words(tuple(map(engine.game.called, engine.game.members(enumeration))))
        case other:
            values = value_range(engine.instance, variable)
            if isinstance(other, types.Direction):
                values = range(-1, values.stop)
            elif isinstance(other, types.Truth):
                values = range(2)
            return Words(tuple(spaced(describe_value(engine, other, value)) for value in values), values.start)
