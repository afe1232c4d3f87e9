"""Writes positions as text: any state at any choice becomes a puzzle that reads back to an equal state.

Values equal to those after set-up are omitted. States are equal up to the count of a horizon and, if no random draw is left, up
to the random state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rulewright.base.diagnostics import Sink
from rulewright.base.limits import Limits
from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree import puzzles
from rulewright.rules.model import types
from rulewright.rules.model.game import Pattern, Variable, laid_name, layer_name, owner_name, turned_name
from rulewright.rules.model.state import OVER, State
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, Key, Value, initial_value, to_coordinates
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis

from .checks import is_possible
from .from_tree import turn_variable, write_start
from .notation.drawings import draw, fits_drawing, player_piece, tile_cells
from .notation.lying_pieces import lay_out, lying_pieces, piece_sets, written
from .notation.value_notation import IndexNotation, ValueNotation, as_index
from .position_builder import SEED_BASE, SEED_SETTING
from .set_ups import cached_engine, cached_setup


def write_position(
    engine: Engine,
    state: State,
    name: str,
    rules: Sequence[str],
    *,
    text: str = "",
    ask: puzzles.Ask | None = None,
    answer: int | None = None,
    plans: Sequence[puzzles.PlanLine] = (),
) -> str:
    """The text of a puzzle that denotes a state; `rules` are the names of its modules."""
    writer = _PositionWriter(engine, to_coordinates(engine, state))
    drawings = tuple(writer.drawings())
    puzzle = puzzles.Puzzle(
        name,
        text,
        tuple((module, NO_SPAN) for module in rules),
        engine.instance.players,
        drawings,
        tuple(writer.settings()),
        write_start(engine, writer.coordinates.point, writer.coordinates.values),
        ask,
        answer,
        tuple(plans),
        allow_impossible=not is_possible(engine, writer.coordinates, state),
    )
    return print_puzzle(puzzle)


@define
class _PositionWriter:
    """Writes a state as drawings and settings.

    `default` is the state that a puzzle without settings denotes, `blank` the state before set-up; variables in `said` or
    `unsaid` need no setting.
    """

    engine: Engine
    coordinates: CoordinateState
    default: CoordinateState = field(init=False)
    blank: CoordinateState = field(init=False)
    notation: ValueNotation = field(init=False)
    said: set[Key] = field(factory=set, init=False)
    unsaid: set[str] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        ready = cached_engine(self.engine.game, self.engine.instance.players)
        self.default = cached_setup(self.engine.game, self.engine.instance.players)
        self.blank = to_coordinates(ready, ready.unset)
        self.notation = ValueNotation(self.engine, Sink())
        for pieces in piece_sets(self.engine.game):  # these variables are derived from the pieces
            self.unsaid |= {layer_name(pieces.name), laid_name(pieces.name), owner_name(pieces.name)}

    def drawings(self) -> Iterator[puzzles.Drawing]:
        """Draw every board of tiles that fits, with the players' pieces, and each variable over cells whose drawing is shorter
        than a list. Call it before `settings`."""
        game = self.engine.game
        for space in game.spaces.values():
            if not space.of_tiles:
                continue
            piece = player_piece(game, space.name)
            players = range(1, self.engine.instance.players + 1) if piece is not None else ()
            pieces = {n: at for n in players if piece and isinstance(at := self.coordinates.values[piece, n], tuple) and at}
            tiles = self.coordinates.fields[space.name]
            if not fits_drawing(self.engine, space.name, [*tiles, *pieces.values()], Limits().side):
                continue
            if piece is not None:
                self.said |= {(piece, n) for n in pieces}
            self.default.zones = dict.fromkeys(self.default.zones, ())
            self.default.fields[space.name] = tiles
            turns = self.coordinates.fields.get(turned_name(space.name), {}) if space.turned else {}
            if space.turned:
                self.default.fields[turned_name(space.name)] = {at: turn for at, turn in turns.items() if at in tiles}
            yield from draw(space.name, space.name, self.engine, tile_cells(self.engine, tiles, pieces, turns))
        for variable in game.variables.values():
            if isinstance(variable.index, types.Cell) and not variable.is_turn and variable.name not in self.unsaid:
                yield from self._drawn_field(variable, variable.index.space)

    def _drawn_field(self, variable: Variable, space: str) -> Iterator[puzzles.Drawing]:
        """The drawings of a variable over cells; none where its differences from the default take as many lines or fewer."""
        if not isinstance(variable.type, types.Enumeration | types.Number):
            return
        here, default = self.coordinates.fields[variable.name], self.default.fields[variable.name]
        words = {at: value_text(self.notation.write(variable.type, value)[0]) for at, value in here.items()}
        fits = fits_drawing(self.engine, space, {*here, *default}, Limits().side)
        if not fits or not all(word.isidentifier() or word.isdigit() for word in words.values()):
            return
        cells = {at: puzzles.DrawnCell(words.get(at, "")) for at in {*here, *default}}
        found = tuple(draw(variable.name, space, self.engine, cells))
        if len(self._differences(variable)) > sum(len(drawing.rows) + 1 for drawing in found):
            self.unsaid.add(variable.name)
            yield from found

    def _differences(self, variable: Variable) -> list[tuple[Coordinate, Value]]:
        """The cells of a variable with another value than by default, by row, and the values."""
        here, default = self.coordinates.fields[variable.name], self.default.fields[variable.name]
        fill = initial_value(self.engine, variable.name)
        cells = sorted({*here, *default}, key=_by_rows)
        return [(at, here.get(at, fill)) for at in cells if here.get(at, fill) != default.get(at, fill)]

    def settings(self) -> Iterator[puzzles.Setting]:
        """Every variable that neither the drawings nor the start determine, in the order of the rules."""
        choice = None if self.coordinates.point == OVER else self.engine.choices[self.coordinates.point]
        if (mover := turn_variable(self.engine, choice)) is not None:
            self.said.add((mover, None))
        for pieces in piece_sets(self.engine.game):
            yield from self._pieces(pieces)
        for variable in self.engine.game.variables.values():
            if variable.name in self.unsaid:
                continue
            match variable.index:
                case types.Cell(space):
                    yield from self._field(variable, space)
                case _:
                    keys = [key for key in (*self.coordinates.values, *self.coordinates.zones) if key[0] == variable.name]
                    yield from (setting for key in keys for setting in self._one(variable, key))
        if self.coordinates.seed and DataflowAnalysis(self.engine, ()).uses_chance:
            yield puzzles.Setting(SEED_SETTING, (), tuple(map(puzzles.Amount, _groups(self.coordinates.seed))))

    def _pieces(self, pieces: Pattern) -> Iterator[puzzles.Setting]:
        """The pieces of a set on the board."""
        here, default = (lying_pieces(self.engine, state, pieces) for state in (self.coordinates, self.default))
        if here != default:
            lay_out(self.engine, self.default, pieces, here)
            yield puzzles.Setting(pieces.name, (), tuple(written(self.engine, pieces, piece) for piece in here))

    def _one(self, variable: Variable, key: Key) -> Iterator[puzzles.Setting]:
        if key in self.said:
            return
        of = IndexNotation(self.notation).write(variable, key[1])
        if variable.is_zone:
            zone = self.coordinates.zones[key]
            if zone or zone != self.default.zones[key]:
                tiles = self.engine.game.tiles
                pieces = (puzzles.Piece(tiles[tile - 1].name, len(list(copies))) for tile, copies in groupby(zone))
                yield puzzles.Setting(variable.name, of, tuple(pieces))
            return
        value = self.coordinates.values[key]
        if value != self.default.values[key] or value != self.blank.values[key]:
            yield puzzles.Setting(variable.name, of, self.notation.write(variable.type, value))

    def _field(self, variable: Variable, space: str) -> Iterator[puzzles.Setting]:
        here, default = self.coordinates.fields[variable.name], self.default.fields[variable.name]
        if here == default:
            return
        fill = initial_value(self.engine, variable.name)
        if variable.type == types.Truth() and not fill:
            yield puzzles.Setting(
                variable.name, (), tuple(self.notation.write_cell(space, at) for at in sorted(here, key=_by_rows))
            )
            return
        for at, value in self._differences(variable):
            index = as_index(self.notation.write_cell(space, at))
            yield puzzles.Setting(variable.name, (index,), self.notation.write(variable.type, value))


def _by_rows(coordinate: Coordinate) -> tuple[int, ...]:
    """The sort key of a coordinate: level, row, column."""
    return coordinate[::-1]


def _groups(seed: int) -> list[int]:
    """The digits of a number in base `SEED_BASE`, most significant first."""
    groups = [seed % SEED_BASE]
    while seed := seed // SEED_BASE:
        groups.append(seed % SEED_BASE)
    return groups[::-1]
