"""All that can happen when boards and places are forgotten: a graph of what is left of a state, without circles.

Hands, piles, counters and whose turn it is take few values, and change by known amounts: so they are not encoded but walked
through beforehand. What comes of it is (1) proof that play ends, and after how many moves at most; (2) for every move, what
may be so by then (relaxed reachability); (3) a flow through a graph, which a linear relaxation sees through.

Nodes stand at the level of the longest way to them: moves of one level happen at once, and a way may skip levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model import types
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
)
from rulewright.rules.static.abstract_algebra import HUGE, AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis

from .abstract_store import AbstractStore, Decision, Forget, Impossible, Kept, LocatedExecutor, possible_elements
from .symbolic_algebra import Unsupported

MOST_NODES = 20_000
MOST_EDGES = 150_000
MOST_STEPS = 1_000
"""Instructions between one choice and the next."""

Abstract = tuple[int | None, ...]
"""A move as far as it is known: the number of an action and its arguments, None for one that is not known."""

SKIP: Abstract = (-2,)
"""What happens at a choice where nothing can be chosen."""


@frozen
class Tested:
    """The flow asked something that is forgotten: at an instruction, with what was kept then, and the answer."""

    instruction: int
    kept: tuple[Any, ...]
    holds: bool


@frozen
class Ran:
    """A procedure that changes what is forgotten, with what was kept when it began and how its conditions were decided."""

    procedure: str
    kept: tuple[Any, ...]
    decisions: tuple[Decision, ...]


Trail = tuple[Tested | Ran, ...]


@frozen
class Edge:
    """A move and all that follows it, to the next choice. `decisions` are those of the move's own effects."""

    source: int
    target: int
    move: Abstract
    decisions: tuple[Decision, ...]
    trail: Trail


@define
class Skeleton:
    """Node 0 is the root. `nodes` are columns (what is forgotten is None), `levels` how late a node comes at most."""

    nodes: list[tuple[Any, ...]]
    edges: list[Edge]
    levels: list[int]
    kept: frozenset[str]

    @property
    def depth(self) -> int:
        """How many moves there are at most."""
        return max(self.levels)


class _Circle(Exception):
    """The graph comes back to where it was: nothing kept shows that play ends."""


@define
class _Walker:
    engine: Engine
    analysis: DataflowAnalysis
    kept: frozenset[str]
    counts: dict[str, int]
    numbers: dict[tuple[Any, ...], int] = field(factory=dict)
    nodes: list[tuple[Any, ...]] = field(factory=list)
    edges: list[Edge] = field(factory=list)
    fixed: list[int] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        """Which columns are kept."""
        layout = self.engine.layout
        self.fixed = [POINT, COUNTED] + ([SEED] if self.analysis.uses_chance else [])
        for name in self.kept:
            column = layout.columns[name]
            self.fixed += range(column.start, column.start + column.count)
        self.fixed += self.counts.values()

    def walk(self, root: State) -> None:
        columns = list(root) + [sum(1 for tile in root[self._board(name)] if tile) for name in self.counts]
        self._node(columns)
        at = 0
        while at < len(self.nodes):
            for edge in self._edges_from(at):
                self.edges.append(edge)
                if len(self.edges) > MOST_EDGES:
                    raise Unsupported(f"more than {MOST_EDGES:,} moves even when the board is forgotten")
            at += 1

    def _board(self, name: str) -> int:
        return self.engine.layout.columns[name].start

    def _node(self, columns: Sequence[Any]) -> int:
        kept: list[Any] = [None] * len(columns)
        for at in self.fixed:
            kept[at] = columns[at]
        node = tuple(kept)
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            if found >= MOST_NODES:
                raise Unsupported(f"more than {MOST_NODES:,} states even when the board is forgotten")
        return found

    def _edges_from(self, at: int) -> Iterator[Edge]:
        node = self.nodes[at]
        if node[POINT] == OVER:
            return
        choice = self.engine.choices[node[POINT]]
        sure = False
        game = self.engine.game
        for name in choice.actions:
            action = game.actions[name]
            number = self.engine.action_numbers[name]
            for arguments, env, always in self._moves(action, list(node)):
                sure = sure or always
                move = (number, *arguments)
                yield from self._happens(at, move, action.effects, env, choice)
        if choice.stop:
            yield from self._happens(at, (-1,), (), {}, choice)
        elif not sure:
            yield from self._happens(at, SKIP, (), {}, choice)

    def _moves(self, action: Action, columns: list[Any]) -> Iterator[tuple[Abstract, dict[str, Any], bool]]:
        """The moves that cannot be ruled out: arguments, bound names, and whether it is legal for certain."""
        evaluator, _ = self._reading(columns)

        def bind(
            n: int, env: dict[str, Any], arguments: Abstract, sure: bool
        ) -> Iterator[tuple[Abstract, dict[str, Any], bool]]:
            if n == len(action.parameters):
                for requirement in action.requirements:
                    holds = evaluator.value(requirement.condition, env)
                    if holds.never:
                        return
                    sure = sure and holds.always
                yield arguments, env, sure
                return
            parameter = action.parameters[n]
            domain: AbstractSet = evaluator.set(parameter.domain, env)
            elements = None if isinstance(parameter.type, types.Cell) else possible_elements(domain)
            if elements is None:
                choices = [(None, self._anything(parameter.type), False)]
            else:
                safe = {item.low for item, guard in domain.items or () if guard.always}
                choices = [(value, exactly(value), value in safe) for value in elements]  # type: ignore[misc]
            for argument, value, certain in choices:
                inner = {**env, parameter.name: value}
                good = certain
                if parameter.where is not None:
                    inside = evaluator.value(parameter.where, inner)
                    if inside.never:
                        continue
                    good = good and inside.always
                yield from bind(n + 1, inner, (*arguments, argument), sure and good)

        yield from bind(0, {}, (), True)

    def _anything(self, type: types.Type) -> AbstractValue:
        domain = self.engine.instance.domain(type)
        return AbstractValue(domain.start, domain.stop) if domain else AbstractValue(-HUGE, HUGE)

    def _reading(
        self, columns: list[Any], given: tuple[bool, ...] = ()
    ) -> tuple[Evaluator[AbstractValue, AbstractSet], AbstractStore]:
        instance, layout = self.engine.instance, self.engine.layout
        algebra = Kept(instance, layout, {}, frozenset(), columns=columns, kept=self.kept)
        store = AbstractStore(instance, layout, columns, algebra, self.analysis.live_variables, self.counts, given)
        return Evaluator(instance, algebra), store

    def _happens(
        self, at: int, move: Abstract, effects: tuple[ef.EffectClause, ...], env: dict[str, Any], choice: ChoicePoint
    ) -> Iterator[Edge]:
        """Every way on after a move, one for each series of decisions."""
        pending: list[tuple[bool, ...]] = [()]
        while pending:
            given = pending.pop()
            columns = list(self.nodes[at])
            evaluator, store = self._reading(columns, given)
            try:
                LocatedExecutor(evaluator, store, frozenset(env)).run(effects, env)
                decisions = tuple(store.decisions)
                leaves = store.stopped or move in ((-1,), SKIP)
                trail = (
                    () if store.finished else self._flow(columns, evaluator, store, choice.leave if leaves else choice.resume)
                )
            except Impossible:
                trail = None
            pending += [(*store.taken[:n], False) for n in range(len(given), len(store.taken))]
            if trail is None:
                continue
            if store.finished:
                columns[POINT] = OVER
            yield Edge(at, self._node(columns), move, decisions, trail)

    def _flow(
        self, columns: list[Any], evaluator: Evaluator[AbstractValue, AbstractSet], store: AbstractStore, at: int
    ) -> Trail:
        """Follow the flow to the next choice."""
        engine, trail = self.engine, list[Tested | Ran]()
        for _ in range(MOST_STEPS):
            instruction = engine.flow[at]
            match instruction:
                case RunProcedure(procedure):
                    before = tuple(columns)
                    store.touched, store.decisions = False, []
                    LocatedExecutor(evaluator, store, frozenset()).run(engine.game.procedures[procedure], {})
                    if store.touched:
                        trail.append(Ran(procedure, before, tuple(store.decisions)))
                    if store.finished:
                        return tuple(trail)
                    at += 1
                case Jump(target):
                    at = target
                case JumpIfFalse(condition, otherwise):
                    holds = evaluator.value(condition, {})
                    yes = holds.always
                    if not holds.never and not holds.always:
                        yes = store.decide()
                        trail.append(Tested(at, tuple(columns), yes))
                    at = at + 1 if yes else otherwise
                case LoopStart(variable, values, start):
                    columns[self.engine.layout.position(variable, None)] = self._first(evaluator, values, start)
                    at += 1
                case LoopNext(variable, values, start, again):
                    place = self.engine.layout.position(variable, None)
                    after = dict(zip(values, (*values[1:], values[0]), strict=True))
                    columns[place] = after[columns[place]]
                    at = at + 1 if columns[place] == self._first(evaluator, values, start) else again
                case LeavePoint(point):
                    horizon = engine.horizon
                    if horizon is not None and horizon.point == point:
                        columns[COUNTED] += 1
                        if columns[COUNTED] >= horizon.times:
                            columns[POINT] = OVER
                            return tuple(trail)
                    at += 1
                case ChoicePoint(number):
                    columns[POINT] = number
                    return tuple(trail)
                case Halt():
                    columns[POINT] = OVER
                    return tuple(trail)
        raise Unsupported("a flow that goes on without a choice")

    def _first(self, evaluator: Evaluator[AbstractValue, AbstractSet], values: tuple[int, ...], start: Any) -> int:
        if start is None:
            return values[0]
        found = evaluator.value(start, {})
        if found.low != found.high:
            raise Unsupported("a loop that starts at what is forgotten")
        return found.low

    def levels(self) -> list[int]:
        """The longest way to each node; those at the end of play all come last. Raises `_Circle`."""
        ways = [0] * len(self.nodes)
        out: list[list[int]] = [[] for _ in self.nodes]
        for edge in self.edges:
            ways[edge.target] += 1
            out[edge.source].append(edge.target)
        found = [0] * len(self.nodes)
        ready = [n for n, count in enumerate(ways) if not count]
        done = 0
        while ready:
            node = ready.pop()
            done += 1
            for target in out[node]:
                found[target] = max(found[target], found[node] + 1)
                ways[target] -= 1
                if not ways[target]:
                    ready.append(target)
        if done < len(self.nodes):
            raise _Circle
        last = max(found)
        return [last if node[POINT] == OVER else level for node, level in zip(self.nodes, found, strict=True)]


def skeleton_of(engine: Engine, analysis: DataflowAnalysis, root: State) -> Skeleton:
    """Walk through what is left when boards and places are forgotten, and as much more as must be.

    Raises `Unsupported` where nothing kept shows that play ends, or where there is too much.
    """
    kept = {
        name
        for name, column in engine.layout.columns.items()
        if name in analysis.live_variables
        and not column.variable.is_board
        and not column.over_cells
        and not isinstance(column.variable.type, types.Cell)
    }
    counts: dict[str, int] = {}
    while True:
        walker = _Walker(engine, analysis, frozenset(kept), counts)
        try:
            walker.walk(root)
            return Skeleton(walker.nodes, walker.edges, walker.levels(), frozenset(kept))
        except Forget as error:
            kept.discard(error.variable)
        except _Circle:
            boards = [name for name, column in engine.layout.columns.items() if column.variable.is_board]
            if counts or not boards:
                raise Unsupported("nothing but the board shows that play ends: give the question a horizon") from None
            counts = {name: engine.layout.width + n for n, name in enumerate(boards)}
