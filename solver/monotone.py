"""What a value may still come to from a state on: the cautious reading, with what the rules only ever raise or lower known.

A counter that is only added to is at least what it is now; a light that is only ever put out stays out; what nothing changes
is what it is. A board that only grows keeps what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from attrs import field

from ..grammar.classes import define, frozen
from ..grammar.expressions import Operator
from ..grammar.statements import Assignment
from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis, reads
from ..rules.compile import occupied
from ..rules.engine import Engine, State
from ..rules.evaluator import Evaluator
from ..rules.flowgraph import Execute
from ..rules.game import Definition, Storage
from ..rules.layout import values
from ..rules.possible import HUGE, Cautious, Possible, PossibleSet, exactly
from .candidates import Reading
from .looks import Noting, Remembered
from .relaxation import MOST_CELLS, FixedBound

MOST_KEPT = 200_000


@frozen
class Trends:
    """Variables that never fall, and that never rise; those that never change are among both."""

    rising: frozenset[str]
    falling: frozenset[str]


def trends(engine: Engine, analysis: Analysis) -> Trends:
    """What the effects that may still happen can do to each variable."""
    names = {v.name for v in engine.game.variables.values() if v.storage is Storage.VALUE and not v.is_board and not v.is_loop}
    rising, falling = set(names), set(names)
    reading = Evaluator(engine.ground, Cautious(engine.ground, engine.layout, {}, frozenset()))
    for effect, env in _effects(engine, analysis, reading):
        if not isinstance(effect, e.Assign) or effect.target.variable not in names:
            continue
        name = effect.target.variable
        if name not in rising | falling:
            continue
        value = reading.value(effect.value, env)
        allowed = values(engine.ground, engine.game.variables[name])
        match effect.assignment:
            case Assignment.ADD:
                up, down = value.high > 0, value.low < 0
            case Assignment.SUBTRACT:
                up, down = value.low < 0, value.high > 0
            case Assignment.SET:
                up, down = value.high > allowed.start, value.low < allowed.stop - 1
        if up:
            falling.discard(name)
        if down:
            rising.discard(name)
    return Trends(frozenset(rising), frozenset(falling))


_Reading = Evaluator[Possible, PossibleSet]
_Effect = tuple[e.Effect, Mapping[str, Possible]]


def _effects(engine: Engine, analysis: Analysis, reading: _Reading) -> Iterable[_Effect]:
    """Every effect that may still happen, with what its names may stand for."""
    for name in dict.fromkeys(name for choice in engine.choices for name in choice.actions):
        action = engine.game.actions[name]
        env: dict[str, Possible] = {}
        for parameter in action.parameters:
            env[parameter.name] = element(reading.set(parameter.domain, env))
        yield from _flat(action.effects, env, reading)
    for at in analysis.reachable:
        instruction = engine.flow[at]
        if isinstance(instruction, Execute):
            yield from _flat(engine.game.procedures[instruction.procedure], {}, reading)


def _flat(body: Iterable[e.Clause], env: Mapping[str, Possible], reading: _Reading) -> Iterable[_Effect]:
    for clause in body:
        yield clause.effect, env
        match clause.effect:
            case e.ForEach(bound, inner):
                yield from _flat(inner, {**env, bound.name: element(reading.set(bound.domain, env))}, reading)
            case e.When(_, then, otherwise):
                yield from _flat((*then, *otherwise), env, reading)
            case _:
                pass


def element(domain: PossibleSet) -> Possible:
    """What an element of a set may be."""
    if domain.items is None:
        return domain.element
    lows, highs = [i.low for i, _ in domain.items], [i.high for i, _ in domain.items]
    return Possible(min(lows), max(highs)) if lows else exactly(0)


@define
class FromHere(Cautious):
    """What is possible in all states reached from one state."""

    state: State = field(kw_only=True)
    trends: Trends = field(kw_only=True)
    steady: dict[str, Possible | None] = field(factory=dict, kw_only=True)
    """What definitions come to that read nothing by which these states differ, where known; they have no parameters."""

    def invoke(
        self, definition: Definition, arguments: Sequence[Possible], body: Callable[[Sequence[Possible]], Possible]
    ) -> Possible:
        if definition.name not in self.steady:
            return body(arguments)
        found = self.steady[definition.name]
        if found is None:
            found = self.steady[definition.name] = body(arguments)
        return found

    def read(self, variable: str, index: Possible | None) -> Possible:
        rises, falls = variable in self.trends.rising, variable in self.trends.falling
        if not (rises or falls) or (index is not None and index.low != index.high):
            return super().read(variable, index)
        here = self._here(variable, None if index is None else index.low)
        allowed = self.anything(variable)
        return Possible(here if rises else allowed.low, here if falls else allowed.high)

    def _here(self, variable: str, index: int | None) -> int:
        column = self.layout.columns[variable]
        found: int = self.state[self.layout.position(variable, index)]
        if column.over_cells:
            assert index is not None
            found = self.state[column.start][index]
        return found


@define
class OverTiles:
    """The span of a sum over the cells of a board that only grows, where only cells that hold a tile count.

    What a cell may come to count depends on the cells that the rules look at for it, so it is remembered by those. Only the
    least is known: a vacant cell counts nothing for certain.
    """

    engine: Engine
    sum: t.Sum
    board: str
    coming: frozenset[int]
    _cells: dict[int, Remembered[int]] = field(factory=dict)

    def least(self, state: State) -> int:
        board = state[self.engine.layout.columns[self.board].start]
        total = 0
        for cell in occupied(board):
            tree = self._cells.get(cell)
            if tree is None:
                tree = self._cells[cell] = Remembered()
            known = tree.find(board)
            total += self._learn(board, cell, tree) if known is None else known
        return total

    def _learn(self, board: bytes, cell: int, tree: Remembered[int]) -> int:
        noting = Noting(board)
        ground, bound = self.engine.ground, self.sum.bound
        reading = Evaluator(ground, Cautious(ground, self.engine.layout, {self.board: noting}, self.coming))
        env = {bound.name: exactly(cell)}
        assert bound.where is not None
        counts = reading.value(bound.where, env)
        low = 0 if counts.never else reading.value(self.sum.value, env).low
        answer = low if counts.always else min(0, low)
        tree.keep(noting.looked, answer)
        return answer


@define
class Outlook:
    """The span of a sum of values over all states reached from a state; kept for states in which they read the same.

    `over_tiles` are those of the values of which only the least is asked for, cell by cell.
    """

    engine: Engine
    others: tuple[t.Term, ...]
    over_tiles: tuple[OverTiles, ...]
    trends: Trends
    growing: frozenset[str]
    coming: frozenset[int]
    _read: Callable[[State], Any]
    _steady: dict[str, Possible | None]
    _known: dict[Any, tuple[int, int]] = field(factory=dict)

    @classmethod
    def of(cls, engine: Engine, analysis: Analysis, objective: tuple[t.Term, ...], root: State, least: bool) -> Outlook:
        """For the states reached from the root; `least` says that the most is not asked for."""
        coming = Reading(engine, analysis, root).coming
        growing = frozenset(name for name in analysis.grows_only if engine.layout.columns[name].as_bytes)
        terms = [part for value in objective for part in _addends(value)]
        counted = [_over_tiles(engine, term, growing, coming) if least else None for term in terms]
        over_tiles = tuple(found for found in counted if found is not None)
        others = tuple(term for term, found in zip(terms, counted, strict=True) if found is None)
        going = trends(engine, analysis)
        telling = reads(engine.game, others) & (going.rising | going.falling | growing)
        definitions = [d for d in engine.game.definitions.values() if not d.parameters]
        changing = (going.rising ^ going.falling) | growing
        steady: dict[str, Possible | None] = {d.name: None for d in definitions if not reads(engine.game, d) & changing}
        places = [engine.layout.columns[name] for name in sorted(telling)]
        columns = [at for place in places for at in range(place.start, place.start + place.count)]
        read = itemgetter(*columns) if columns else _nothing
        return cls(engine, others, over_tiles, going, growing, coming, read, steady)

    def span(self, state: State) -> tuple[int, int]:
        """The least and the most that the sum may come to."""
        key = self._read(state)
        known = self._known.get(key)
        if known is None:
            known = self._span(state)
            if len(self._known) < MOST_KEPT:
                self._known[key] = known
        low, high = known
        return (low + sum(part.least(state) for part in self.over_tiles), high) if self.over_tiles else known

    def _span(self, state: State) -> tuple[int, int]:
        ground, layout = self.engine.ground, self.engine.layout
        boards = {name: state[layout.columns[name].start] for name in self.growing}
        here = FromHere(ground, layout, boards, self.coming, state=state, trends=self.trends, steady=self._steady)
        reading = Evaluator(ground, here)
        found = [reading.value(value, {}) for value in self.others]
        return sum(possible.low for possible in found), sum(possible.high for possible in found)


def _addends(value: t.Term) -> tuple[t.Term, ...]:
    """The parts of a sum that is written with `+`."""
    match value:
        case t.Arithmetic(first, rest) if all(operator is Operator.PLUS for operator, _ in rest):
            return tuple(part for term in (first, *(term for _, term in rest)) for part in _addends(term))
        case _:
            return (value,)


def _over_tiles(engine: Engine, term: t.Term, growing: frozenset[str], coming: frozenset[int]) -> OverTiles | None:
    """The reading cell by cell, where it can be made and a tile to come can take nothing away."""
    if not isinstance(term, t.Sum) or not isinstance(term.bound.domain, t.Cells) or term.bound.where is None:
        return None
    board = term.bound.domain.space
    reading = Evaluator(engine.ground, Cautious(engine.ground, engine.layout, {}, coming))
    if board not in growing or reads(engine.game, term) != {board} or not reading.only_occupied(term.bound):
        return None
    anywhere = Possible(0, engine.ground.windows[board].size - 1)
    return OverTiles(engine, term, board, coming) if reading.value(term.value, {term.bound.name: anywhere}).low >= 0 else None


@frozen
class OutlookBound:
    """The span as a bound: the most of what is asked for, or minus the least when the least is asked for."""

    outlook: Outlook
    sign: int

    def bound(self, state: State) -> int:
        low, high = self.outlook.span(state)
        return high if self.sign > 0 else -low

    def may_exceed(self, state: State, goal: int) -> bool:
        return self.bound(state) > goal

    @property
    def hangs_on(self) -> frozenset[str]:
        """The variables by which the bounds of two states reached from one differ."""
        outlook = self.outlook
        one_way = (outlook.trends.rising ^ outlook.trends.falling) | outlook.growing
        return frozenset(one_way & reads(outlook.engine.game, outlook.others)) | {part.board for part in outlook.over_tiles}


def outlook_bound(
    engine: Engine, analysis: Analysis, objective: tuple[t.Term, ...], root: State, sign: int
) -> FixedBound | OutlookBound | None:
    """The bound from what the rules only raise or lower, for the states reached from a root.

    None when the rules give none; the same for all states when nothing that the values read only goes one way.
    """
    outlook = Outlook.of(engine, analysis, objective, root, least=sign < 0)
    if any(engine.ground.windows[board].size > MOST_CELLS for board in outlook.growing & reads(engine.game, outlook.others)):
        return None
    bound = OutlookBound(outlook, sign)
    here = bound.bound(root)
    if here >= HUGE // 2:
        return None
    return bound if bound.hangs_on else FixedBound(lambda state: here)


def _nothing(state: State) -> tuple[()]:
    return ()
