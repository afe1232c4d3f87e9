"""Grounding of moves: every way to fill in the open arguments of an abstract move, with the literals that make it legal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from graphlib import TopologicalSorter
from typing import Any

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import OVER, POINT
from rulewright.rules.model.traversal import free_names, locals_in
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import reads

from .abstract_store import Decision
from .circuit import FALSE, TRUE, Lit, Refused, refusing_at
from .guarded_values import Set, Value, constant
from .symbolic_algebra import SymbolicAlgebra
from .symbolic_state import SymbolicState

Grounding = tuple[tuple[int, ...], dict[str, Any], list[Lit]]
"""The arguments filled in, the values of all parameters, and the literals that make the move legal."""

SymbolicEvaluator = Evaluator[Value, Set]


def check_no_afterwards(actions: Iterable[Action]) -> None:
    """Raise `Refused` for a requirement on the state after the effects."""
    for requirement in (one for action in actions for one in action.afterwards):
        raise Refused("a requirement `after` the effects", requirement.span, requirement.name)


@define
class MoveGrounder:
    """Grounds moves in one symbolic state, which does not change between calls.

    `decided` is shared by all states: whether the abstract state graph has already evaluated a term, given the known names.
    Without a graph nothing is decided.
    """

    engine: Engine
    state: SymbolicState
    decided: dict[tuple[terms.Term, frozenset[str]], bool]
    has_graph: bool = True
    _evaluators: dict[frozenset[tuple[int, frozenset[int]]], SymbolicEvaluator] = field(factory=dict)

    def legal(self, actions: Sequence[str]) -> Iterator[Lit]:
        """For each move of some actions, the literal that it is legal."""
        for name in actions:
            action = self.engine.game.actions[name]
            move = (self.engine.action_numbers[name], *(None for _ in action.parameters))
            for _, _, needs in self.groundings(action, move):
                yield self.state.encoder.circuit.all_of(needs)

    def groundings(self, action: Action, move: AbstractMove) -> Iterator[Grounding]:
        """The groundings of an abstract move, by depth-first search over the open arguments.

        A requirement is evaluated as soon as its names are bound, and assumed in all later evaluations. Raises `Refused` if the
        action has requirements on what follows it.
        """
        check_no_afterwards((action,))
        arguments = zip(action.parameters, move[1:], strict=True)
        known = frozenset(parameter.name for parameter, argument in arguments if argument is not None)

        def extend(
            place: int, env: dict[str, Any], filled: tuple[int, ...], needs: list[Lit], conditions: list[terms.Term]
        ) -> Iterator[Grounding]:
            unbound = {parameter.name for parameter in action.parameters[place:]}
            ready = [condition for condition in conditions if not locals_in(condition) & unbound]
            needs = list(needs)
            evaluator = self.assuming(needs)
            for condition in ready:
                for part in condition.parts if isinstance(condition, terms.And) else (condition,):
                    needs.append(_holds(evaluator, part, env))
                    if needs[-1] == FALSE:
                        return
            if place == len(action.parameters):
                yield filled, env, needs
                return
            later = [condition for condition in conditions if condition not in ready]
            parameter, argument = action.parameters[place], move[place + 1]
            for value, guard in self._elements(parameter.domain, argument, env, known, evaluator):
                inner = {**env, parameter.name: constant(value)}
                more = [*needs, guard]
                if parameter.where is not None and not self._is_decided(parameter.where, known):
                    more.append(_holds(evaluator, parameter.where, inner))
                    if more[-1] == FALSE:
                        continue
                yield from extend(place + 1, inner, filled if argument is not None else (*filled, value), more, later)

        requirements = [requirement.condition for requirement in action.requirements]
        return extend(0, {}, (), [], [condition for condition in requirements if not self._is_decided(condition, known)])

    def assuming(self, needs: list[Lit]) -> SymbolicEvaluator:
        """The evaluator under a path condition, shared by equal conditions so that definitions are encoded once."""
        encoder = self.state.encoder.assuming(needs)
        assumed = frozenset(encoder.assumed.items())
        if assumed not in self._evaluators:
            self._evaluators[assumed] = Evaluator(self.engine.instance, SymbolicAlgebra(encoder, self.state))
        return self._evaluators[assumed]

    def _elements(
        self,
        domain: terms.Term,
        argument: int | None,
        env: dict[str, Any],
        known: frozenset[str],
        evaluator: SymbolicEvaluator,
    ) -> Iterator[tuple[int, Lit]]:
        """The elements of a domain (only the argument, if it is known), each with the literal that it is one."""
        if argument is not None and self._is_decided(domain, known):
            yield argument, TRUE
            return
        algebra, encoder = evaluator.algebra, self.state.encoder
        assert isinstance(algebra, SymbolicAlgebra)
        guards: dict[int, list[Lit]] = {}
        for item, guard in algebra.elements(evaluator.set(domain, env)).items:
            for value, lit in encoder.cases(item).numbers():
                guards.setdefault(value, []).append(encoder.circuit.all_of((guard, lit)))
        for value, lits in guards.items():
            if argument is None or value == argument:
                found = encoder.circuit.any_of(lits)
                if found != FALSE:
                    yield value, found

    def _is_decided(self, term: terms.Term, known: frozenset[str]) -> bool:
        """Whether a term reads only tracked variables and known names."""
        if not self.has_graph:
            return False
        key = term, known
        if key not in self.decided:
            self.decided[key] = free_names(term).keys() <= known and reads(self.engine.game, term) <= self.state.tracked
        return self.decided[key]


def _holds(evaluator: SymbolicEvaluator, condition: terms.Term, env: dict[str, Any]) -> Lit:
    assert isinstance(evaluator.algebra, SymbolicAlgebra)
    with refusing_at(condition.span):
        return evaluator.algebra.encoder.yes(evaluator.value(condition, env))


AbstractMove = tuple[int | None, ...]
"""The number of an action and its arguments, None for an unknown argument."""

SKIP: AbstractMove = (-2,)
"""The move at a choice where no action is possible."""

ENDING: AbstractMove = (-3,)
"""No move: a plan ends at a choice."""


@frozen
class Branch:
    """A jump of the flow on an unknown condition: at an instruction, with the tracked columns, and whether it held."""

    instruction: int
    columns: tuple[Any, ...]
    holds: bool


@frozen
class Run:
    """A procedure that writes untracked variables or branches on them; the columns before it, and the decisions in it."""

    procedure: str
    columns: tuple[Any, ...]
    decisions: tuple[Decision, ...]


Trail = tuple[Branch | Run, ...]
"""The branches and procedures between a move and the next choice that concern untracked variables."""


@frozen
class Edge:
    """A move and its trail to the next choice, with the decisions in the effects of the move."""

    source: int
    target: int
    move: AbstractMove
    decisions: tuple[Decision, ...]
    trail: Trail


@frozen
class AbstractStateGraph:
    """A graph of plays. `nodes` are the columns of states, None where untracked; node 0 is the root.

    `levels` are the lengths of the longest paths to the nodes; nodes where play is over are all at the last level.
    """

    nodes: list[tuple[Any, ...]]
    edges: list[Edge]
    levels: list[int]
    tracked: frozenset[str]

    @property
    def depth(self) -> int:
        """The greatest number of moves in a play."""
        return max(self.levels)


def levels_of(nodes: Sequence[tuple[Any, ...]], edges: Sequence[Edge]) -> list[int]:
    """The length of the longest path to each node; the last level for those where play is over. Raises `CycleError`."""
    sources: dict[int, set[int]] = {node: set() for node in range(len(nodes))}
    for edge in edges:
        sources[edge.target].add(edge.source)
    longest = [0] * len(nodes)
    for node in TopologicalSorter(sources).static_order():
        longest[node] = max((longest[source] + 1 for source in sources[node]), default=0)
    last = max(longest)
    return [last if node[POINT] == OVER else level for node, level in zip(nodes, longest, strict=True)]
