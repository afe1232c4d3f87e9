"""The abstract state graph: all plays when boards and places are forgotten.

Hands, piles, counters and whose turn it is take few values and change by known amounts, so they are explored explicitly and
not encoded. The graph shows that play ends, after how many moves at most, and what can hold at each move (relaxed
reachability). As a network its flow polytope is integral, so the linear relaxation of the model is exact on it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError
from itertools import count
from types import MappingProxyType
from typing import Any, TypeVar, assert_never

from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN, Span
from rulewright.rules.analysis.tile_domains import unknown_parameters
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.state import COUNTED, OVER, POINT, SEED, STOP, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.abstract_store import (
    AbstractStore,
    CannotTrack,
    Decision,
    LocatedExecutor,
    StopsPlay,
    TrackingAlgebra,
)
from rulewright.rules.symbolic.circuit import Refused, refusing_at
from rulewright.rules.symbolic.move_grounding import SKIP, AbstractMove, AbstractStateGraph, Branch, Edge, Run, Trail, levels_of

MOST_NODES = 20_000
MOST_EDGES = 150_000
MOST_OUTCOMES = 4_096
"""The most outcomes of one move, by what is decided of the board in its effects and in the flow after it."""

MOST_STEPS = 1_000
"""The most instructions of the flow between two choices."""

Found = TypeVar("Found")

AbstractEvaluator = Evaluator[AbstractValue, AbstractSet]

Candidate = tuple[AbstractMove, dict[str, AbstractValue], bool]
"""The arguments of a move, the values of its parameters, and whether it is certainly legal."""


class _Endless(Exception):
    """A cycle of the graph, through a choice at `place`."""

    def __init__(self, place: Span) -> None:
        super().__init__(place)
        self.place = place


@define
class Exploration:
    """The abstract states met so far; `counts` are the extra columns for the number of tiles on each board."""

    engine: Engine
    analysis: DataflowAnalysis
    tracked: frozenset[str]
    counts: dict[str, int]
    root: State
    numbers: dict[tuple[Any, ...], int] = field(factory=dict)
    nodes: list[tuple[Any, ...]] = field(factory=list)
    edges: list[Edge] = field(factory=list)
    columns: list[int] = field(factory=list)
    _from: dict[int, tuple[Edge, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Find the columns that make up an abstract state, and number the root."""
        self.columns = [POINT, COUNTED] + ([SEED] if self.analysis.uses_chance else [])
        for name in self.tracked:
            column = self.engine.layout.columns[name]
            self.columns += range(column.start, column.start + column.count)
        self.columns += self.counts.values()
        boards = (self.root[self.engine.layout.columns[name].start] for name in self.counts)
        self.number_of([*self.root, *(sum(1 for tile in board if tile) for board in boards)])

    def explore(self) -> None:
        """Find all states."""
        number = 0
        while number < len(self.nodes):
            self.edges_from(number)
            number += 1

    def edges_from(self, number: int) -> tuple[Edge, ...]:
        """The moves from a state, found when first asked for."""
        if number not in self._from:
            first = len(self.edges)
            with refusing_at(self.place(number)):
                for edge in self._edges_from(number):
                    self.edges.append(edge)
                    if len(self.edges) > MOST_EDGES:
                        raise Refused(f"more than {MOST_EDGES:,} moves even without the board")
            self._from[number] = tuple(self.edges[first:])
        return self._from[number]

    def value(self, term: terms.Term, number: int) -> AbstractValue:
        """The value of a term in a state, as far as is known."""
        evaluator, _ = self._semantics(list(self.nodes[number]))
        return evaluator.value(term, {})

    def place(self, node: int) -> Span:
        """The place in the rules of the choice at a node."""
        point = self.nodes[node][POINT]
        return NO_SPAN if point == OVER else self.engine.choices[point].span

    def number_of(self, columns: Sequence[Any]) -> int:
        """The number of an abstract state, new or met before."""
        tracked: list[Any] = [None] * len(columns)
        for at in self.columns:
            tracked[at] = columns[at]
        node = tuple(tracked)
        found = self.numbers.get(node)
        if found is None:
            found = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
            if found >= MOST_NODES:
                raise Refused(f"more than {MOST_NODES:,} states even without the board")
        return found

    def _edges_from(self, source: int) -> Iterator[Edge]:
        node = self.nodes[source]
        if node[POINT] == OVER:
            return
        choice = self.engine.choices[node[POINT]]
        certain = False
        for name in choice.actions:
            action = self.engine.game.actions[name]
            for arguments, env, legal in self._candidates(action, list(node)):
                certain = certain or legal
                move = (self.engine.action_numbers[name], *arguments)
                yield from self._outcomes(source, move, action.effects, env, choice.resume)
        if choice.stop:
            yield from self._outcomes(source, STOP, (), {}, choice.leave)
        elif not certain:
            yield from self._outcomes(source, SKIP, (), {}, choice.leave)

    def _candidates(self, action: Action, columns: list[Any]) -> list[Candidate]:
        """The moves of an action that are not certainly illegal."""
        evaluator, _ = self._semantics(columns)
        candidates: list[Candidate] = [((), {}, True)]
        unknown = unknown_parameters(self.engine, action)
        for parameter in action.parameters:
            candidates = [
                extended
                for candidate in candidates
                for extended in _with_argument(candidate, parameter, evaluator, unknown[parameter.name])
            ]
        conditions = [requirement.condition for requirement in action.requirements]
        return [found for candidate in candidates if (found := _if_possible(candidate, conditions, evaluator)) is not None]

    def _semantics(self, columns: list[Any], given: tuple[bool, ...] = ()) -> tuple[AbstractEvaluator, AbstractStore]:
        instance, layout = self.engine.instance, self.engine.layout
        algebra = TrackingAlgebra(instance, layout, {}, frozenset(), columns=columns, tracked=self.tracked)
        store = AbstractStore(instance, layout, columns, algebra, self.analysis.live_variables, self.counts, given)
        return Evaluator(instance, algebra), store

    def _outcomes(
        self, source: int, move: AbstractMove, effects: tuple[ef.EffectClause, ...], env: dict[str, Any], resume: int
    ) -> Iterator[Edge]:
        """An edge for each sequence of decisions after a move; the flow goes on at `resume` unless an effect says `stop`."""
        pending = deque[tuple[bool, ...]]([()])
        for past in count():
            if not pending:
                return
            if past + len(pending) > MOST_OUTCOMES:
                raise Refused(f"a move with more than {MOST_OUTCOMES:,} outcomes without the board")
            given = pending.popleft()  # breadth first, so that too many are known soon
            columns = list(self.nodes[source])
            evaluator, store = self._semantics(columns, given)
            trail: Trail | None = ()
            decisions: tuple[Decision, ...] = ()
            try:
                LocatedExecutor(evaluator, store, frozenset(env)).run(effects, env)
                decisions = tuple(store.decisions)
                if not store.finished:
                    leave = self.engine.choices[columns[POINT]].leave
                    trail = self._follow_flow(columns, evaluator, store, leave if store.stopped else resume)
            except StopsPlay:
                trail = None
            pending += [(*store.taken[:length], False) for length in range(len(given), len(store.taken))]
            if trail is not None:
                if store.finished:
                    columns[POINT] = OVER
                yield Edge(source, self.number_of(columns), move, decisions, trail)

    def _follow_flow(self, columns: list[Any], evaluator: AbstractEvaluator, store: AbstractStore, at: int) -> Trail:
        """Run the flow from an instruction to the next choice."""
        engine, trail = self.engine, list[Branch | Run]()
        for _ in range(MOST_STEPS):
            instruction = engine.flow[at]
            at += 1
            match instruction:
                case flow_graph.RunProcedure(procedure):
                    before = tuple(columns)
                    store.begin()
                    LocatedExecutor(evaluator, store, frozenset()).run(engine.game.procedures[procedure], {})
                    if store.touched or store.decisions:
                        trail.append(Run(procedure, before, tuple(store.decisions)))
                    if store.finished:
                        return tuple(trail)
                case flow_graph.Jump(target):
                    at = target
                case flow_graph.JumpIfFalse(condition, otherwise):
                    holds = evaluator.value(condition, {})
                    yes = holds.always
                    if not yes and not holds.never:
                        yes = store.decide()
                        trail.append(Branch(at - 1, tuple(columns), yes))
                    at = at if yes else otherwise
                case flow_graph.LoopStart(variable, values, start):
                    columns[engine.layout.position(variable, None)] = _first(evaluator, values, start)
                case flow_graph.LoopNext(variable, values, start, again):
                    place = engine.layout.position(variable, None)
                    columns[place] = values[(values.index(columns[place]) + 1) % len(values)]
                    at = at if columns[place] == _first(evaluator, values, start) else again
                case flow_graph.LeavePoint(point):
                    horizon = engine.horizon
                    if horizon is not None and horizon.point == point:
                        columns[COUNTED] += 1
                        if columns[COUNTED] >= horizon.times:
                            columns[POINT] = OVER
                            return tuple(trail)
                case flow_graph.ChoicePoint(number):
                    columns[POINT] = number
                    return tuple(trail)
                case flow_graph.Halt():
                    columns[POINT] = OVER
                    return tuple(trail)
                case _:
                    assert_never(instruction)
        raise Refused("a flow that runs on without a choice")


def _with_argument(
    candidate: Candidate, parameter: Parameter, evaluator: AbstractEvaluator, unknown: AbstractValue
) -> Iterator[Candidate]:
    """A candidate with each value that the next parameter may have, None for an unknown one."""
    arguments, env, legal = candidate
    domain = evaluator.set(parameter.domain, env)
    values: list[tuple[int | None, AbstractValue, bool]] = [(None, unknown, False)]
    if not isinstance(parameter.type, types.Cell) and _is_known(domain):
        items = domain.items or ()
        certain = {item.low for item, guard in items if guard.always}
        possible = dict.fromkeys(item.low for item, guard in items if not guard.never)
        values = [(value, exactly(value), value in certain) for value in possible]
    conditions = [] if parameter.where is None else [parameter.where]
    for argument, value, inside in values:
        extended = (*arguments, argument), {**env, parameter.name: value}, legal and inside
        if (found := _if_possible(extended, conditions, evaluator)) is not None:
            yield found


def _is_known(domain: AbstractSet) -> bool:
    """Whether each element that a set may have is known."""
    return domain.items is not None and all(item.low == item.high for item, _ in domain.items)


def _if_possible(candidate: Candidate, conditions: Sequence[terms.Term], evaluator: AbstractEvaluator) -> Candidate | None:
    """A candidate that is legal only if some conditions hold; None if one of them cannot."""
    arguments, env, legal = candidate
    for condition in conditions:
        holds = evaluator.value(condition, env)
        if holds.never:
            return None
        legal = legal and holds.always
    return arguments, env, legal


def _first(evaluator: AbstractEvaluator, values: tuple[int, ...], start: terms.Term | None) -> int:
    """The value that a loop of the flow begins with."""
    if start is None:
        return values[0]
    found = evaluator.value(start, {})
    if found.low != found.high:
        raise Refused("a loop over elements that depend on the board")
    return found.low


def explored(
    engine: Engine,
    analysis: DataflowAnalysis,
    root: State,
    find: Callable[[Exploration], Found],
    counts: Mapping[str, int] = MappingProxyType({}),
) -> Found:
    """What is found by exploring, begun anew as long as a variable proves to depend on untracked ones.

    All live variables are tracked that are neither boards nor places.
    """
    tracked = {
        name
        for name, column in engine.layout.columns.items()
        if name in analysis.live_variables
        and not column.variable.is_board
        and not column.over_cells
        and not isinstance(column.variable.type, types.Cell)
    }
    while True:
        try:
            return find(Exploration(engine, analysis, frozenset(tracked), dict(counts), root))
        except CannotTrack as error:
            tracked.discard(error.variable)


def abstract_graph_of(engine: Engine, analysis: DataflowAnalysis, root: State) -> AbstractStateGraph:
    """The acyclic graph of all plays.

    If the graph has a cycle, the number of tiles on each board is tracked too. Raises `Refused` if even that does not
    show that play ends, or if the graph grows too large.
    """
    boards = [name for name, column in engine.layout.columns.items() if column.variable.is_board]
    try:
        return explored(engine, analysis, root, _whole_graph)
    except _Endless as endless:
        try:
            if boards:
                counts = {name: engine.layout.width + place for place, name in enumerate(boards)}
                return explored(engine, analysis, root, _whole_graph, counts)
        except _Endless:
            pass
        raise Refused("play that only the board ends: give the question a horizon", endless.place) from None


def _whole_graph(exploration: Exploration) -> AbstractStateGraph:
    exploration.explore()
    try:
        levels = levels_of(exploration.nodes, exploration.edges)
    except CycleError as error:
        raise _Endless(exploration.place(error.args[1][0])) from None
    return AbstractStateGraph(exploration.nodes, exploration.edges, levels, exploration.tracked)
