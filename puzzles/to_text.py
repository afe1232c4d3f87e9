"""Positions as text: any state at any choice, as a puzzle that reads back to an equal state.

What has its value after set-up and is not worth mention is left out. Equal means: but for what a horizon has counted,
and for the state of chance where chance is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import field

from ..grammar import scenarios as p
from ..grammar.classes import define
from ..grammar.diagnostics import Sink
from ..grammar.limits import Limits
from ..grammar.printer import print_puzzle
from ..grammar.spans import NOWHERE_IN_TEXT
from ..rules import types
from ..rules.analysis import Analysis
from ..rules.engine import Engine
from ..rules.game import Variable
from ..rules.layout import OVER, State
from .checks import is_possible
from .draft import SEED_BASE, SEED_SETTING
from .ready import ready_engine, ready_sheet
from .sheet import Coordinate, Key, Sheet, Value, initial, sheet_of
from .starts import chooser, write_start
from .to_drawings import draw, fits, piece_of
from .values import Vocabulary, is_zone


def write_position(
    engine: Engine,
    state: State,
    name: str,
    rules: Sequence[str],
    *,
    text: str = "",
    ask: p.Ask | None = None,
    answer: int | None = None,
    plans: Sequence[p.PlanLine] = (),
) -> str:
    """The text of a puzzle that stands for a state; `rules` are the modules it names."""
    return print_puzzle(position_tree(engine, state, name, rules, text=text, ask=ask, answer=answer, plans=plans))


def position_tree(
    engine: Engine,
    state: State,
    name: str,
    rules: Sequence[str],
    *,
    text: str = "",
    ask: p.Ask | None = None,
    answer: int | None = None,
    plans: Sequence[p.PlanLine] = (),
) -> p.Puzzle:
    """The tree of that puzzle."""
    writer = _Writer(engine, sheet_of(engine, state))
    drawings = tuple(writer.drawings())
    return p.Puzzle(
        name,
        text,
        tuple((module, NOWHERE_IN_TEXT) for module in rules),
        engine.ground.players,
        drawings,
        tuple(writer.settings()),
        write_start(engine, writer.sheet.point, writer.sheet.values),
        ask,
        answer,
        tuple(plans),
        allow_impossible=not is_possible(engine, writer.sheet, state),
    )


@define
class _Writer:
    """`usual` is what a reader will take each thing to be of which nothing is said, `blank` what it is before set-up."""

    engine: Engine
    sheet: Sheet
    usual: Sheet = field(init=False)
    blank: Sheet = field(init=False)
    vocabulary: Vocabulary = field(init=False)
    said: set[Key] = field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        ready = ready_engine(self.engine.game, self.engine.ground.players)
        self.usual = ready_sheet(self.engine.game, self.engine.ground.players)
        self.blank = sheet_of(ready, ready.unset)
        self.vocabulary = Vocabulary(self.engine, Sink())

    def drawings(self) -> Iterator[p.Drawing]:
        """Every board of tiles that can be drawn, with the players' pieces on it. To be called before `settings`."""
        game = self.engine.game
        for space in game.spaces.values():
            if not space.of_tiles:
                continue
            piece = piece_of(game, space.name)
            players = range(1, self.engine.ground.players + 1) if piece is not None else ()
            pieces = {n: at for n in players if piece and isinstance(at := self.sheet.values[piece, n], tuple) and at}
            tiles = self.sheet.fields[space.name]
            if not fits(self.engine, space.name, [*tiles, *pieces.values()], Limits().side):
                continue
            if piece is not None:
                self.said |= {(piece, n) for n in pieces}
            self.usual.zones = dict.fromkeys(self.usual.zones, ())
            self.usual.fields[space.name] = tiles
            yield from draw(self.engine, space.name, tiles, pieces)

    def settings(self) -> Iterator[p.Setting]:
        """Every variable that the drawings and the start leave unsaid, in the order of the rules."""
        choice = None if self.sheet.point == OVER else self.engine.choices[self.sheet.point]
        if (mover := chooser(self.engine, choice)) is not None:
            self.said.add((mover, None))
        for variable in self.engine.game.variables.values():
            match variable.index:
                case types.Cell(space):
                    yield from self._field(variable, space)
                case _:
                    keys = [key for key in (*self.sheet.values, *self.sheet.zones) if key[0] == variable.name]
                    yield from (setting for key in keys for setting in self._one(variable, key))
        if self.sheet.seed and Analysis(self.engine, ()).uses_chance:
            yield p.Setting(SEED_SETTING, None, tuple(map(p.Amount, _groups(self.sheet.seed))))

    def _one(self, variable: Variable, key: Key) -> Iterator[p.Setting]:
        if key in self.said:
            return
        index = self._index(variable, key[1])
        if is_zone(variable):
            zone = self.sheet.zones[key]
            if zone or zone != self.usual.zones[key]:
                yield p.Setting(variable.name, index, tuple(self._pieces(zone)))
            return
        value = self.sheet.values[key]
        if value != self.usual.values[key] or value != self.blank.values[key]:
            yield p.Setting(variable.name, index, self.vocabulary.write(variable.type, value))

    def _index(self, variable: Variable, index: int | None) -> p.Word | p.Amount | None:
        match variable.index:
            case types.Enumeration(name) if index is not None:
                return p.Word(self.engine.game.enumerations[name][index])
            case _:
                return None if index is None else p.Amount(index)

    def _pieces(self, zone: tuple[int, ...]) -> Iterator[p.Piece]:
        for tile, copies in groupby(zone):
            yield p.Piece(self.engine.game.tiles[tile - 1].name, len(list(copies)))

    def _field(self, variable: Variable, space: str) -> Iterator[p.Setting]:
        here, usual = self.sheet.fields[variable.name], self.usual.fields[variable.name]
        if here == usual:
            return
        fill = initial(self.engine, variable.name)
        if variable.type == types.Truth() and not fill:
            yield p.Setting(variable.name, None, tuple(self._cell(space, at) for at in sorted(here, key=_by_rows)))
            return
        for at in sorted({*here, *usual}, key=_by_rows):
            value: Value = here.get(at, fill)
            if value != usual.get(at, fill):
                yield p.Setting(variable.name, _as_index(self._cell(space, at)), self.vocabulary.write(variable.type, value))

    def _cell(self, space: str, coordinate: Coordinate) -> p.Coordinate | p.Piece | p.Amount:
        return self.vocabulary.write_cell(space, coordinate)


def _by_rows(coordinate: Coordinate) -> tuple[int, ...]:
    """By level, row, column."""
    return coordinate[::-1]


def _as_index(node: p.Coordinate | p.Piece | p.Amount) -> p.Coordinate | p.Word | p.Amount:
    return p.Word(node.tile) if isinstance(node, p.Piece) else node


def _groups(seed: int) -> list[int]:
    """A number in groups of digits, the greatest first."""
    groups = [seed % SEED_BASE]
    while seed := seed // SEED_BASE:
        groups.append(seed % SEED_BASE)
    return groups[::-1]
