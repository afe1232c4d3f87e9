"""The order-free model of a question: plans whose actions may be played in any order, as sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.base.records import define, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.analysis.accesses import FreeState
from rulewright.rules.analysis.commuting_loop import PlayLoop
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import COUNTED, STOP, Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import MOST_VARIABLES, Circuit, GivenUp, LinearExpression, Lit, Refused
from rulewright.solver.cpsat.model.from_question import ConstraintModel, objective_of

from .action_set import ActionSet


@define
class SetPlans:
    """Reads plans off the solutions of an order-free model."""

    actions: ActionSet
    ordering: Ordering
    _plans: dict[tuple[Lit, ...], tuple[Move, ...] | None] = field(factory=dict)

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...] | None:
        """A plan with the actions of a solution; None if they cannot be played in any order. Raises `GivenUp`."""
        key = self.actions.excluding(solution)
        if key not in self._plans:
            self._plans[key] = next(self.plans(solution), None)
        return self._plans[key]

    def plans(self, solution: Sequence[int]) -> Iterator[tuple[Move, ...]]:
        """The plans with the actions of a solution, one for each playable order. Raises `GivenUp`."""
        return self.ordering.plans(self.actions.root, self.actions.chosen(solution))


def check_first_moves(engine: Engine, root: State, question: Question) -> None:
    """Judge by the flow and the first move of each action whether their order may be free.

    The check is cheap, while building the model may take a second. Raises `Refused`.
    """
    choice = PlayLoop.of(engine, root).choice
    free = FreeState.of(engine, DataflowAnalysis(engine, question.terms, root), root)
    for name in choice.actions:
        next(free.actions((name,)), None)


def may_be_sets(engine: Engine, root: State, question: Question) -> bool:
    """Whether `check_first_moves` raises nothing."""
    try:
        check_first_moves(engine, root, question)
    except Refused:
        return False
    return True


def order_free_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """All plans from a root as sets of actions.

    Raises `Refused` if the order of actions is not shown to be free, `Refused`, `ModelTooLarge`.
    """
    circuit = Circuit(most_variables)
    actions = ActionSet.of(engine, DataflowAnalysis(engine, question.terms, root), root, circuit)
    if question.until is None:
        actions.require_an_end()
    else:
        circuit.add_clause(actions.holds_in_the_end(question.until))
    reader = SetPlans(actions, Ordering(engine, question))
    return ConstraintModel(
        circuit,
        _objective(question, actions),
        reader,
        exclude=lambda solution: circuit.add_clause(*actions.excluding(solution)),
        decisions=tuple(uses.any for uses in actions.uses),
    )


def _objective(question: Question, actions: ActionSet) -> LinearExpression:
    """The value to maximise."""
    if question.goal is not Goal.LEAST or question.values:
        return objective_of(question, actions.evaluator(), actions.encoder)
    if question.counts_turns and actions.root[COUNTED]:
        raise Refused("a position in which turns have been taken already")
    return actions.encoder.add([(question.sign, actions.number_of_actions())])


MOST_STATES = 20_000
"""The number of states visited before a set is given up."""


@define
class Ordering:
    """A search for an order of actions in which each is legal and play is not over before the last."""

    engine: Engine
    question: Question
    _states: int = 0
    _failed: set[frozenset[tuple[Move, int]]] = field(factory=set)

    def plans(self, root: State, actions: Counter[Move]) -> Iterator[tuple[Move, ...]]:
        """The plans, one for each order, with a final `stop` if needed. Raises `GivenUp`."""
        self._states = 0
        self._failed.clear()
        return self._from(root, dict(actions))

    def _from(self, state: State, left: dict[Move, int]) -> Iterator[tuple[Move, ...]]:
        """The ways to finish from a state, as moves."""
        if not left:
            yield from self._end(state)
            return
        key = frozenset(left.items())
        if key in self._failed or self.engine.over(state):
            return
        self._states += 1
        if self._states > MOST_STATES:
            raise GivenUp
        fails = True
        for move in self.engine.legal(state):
            if move in left:
                after = {other: number - (other == move) for other, number in left.items() if other != move or number > 1}
                for found in self._from(self.engine.apply(state, move), after):
                    fails = False
                    yield (move, *found)
        if fails:
            self._failed.add(key)

    def _end(self, state: State) -> Iterator[tuple[Move, ...]]:
        if self.question.until is not None:
            if self.engine.value(self.question.until, state):
                yield ()
        elif self.engine.over(state):
            yield ()
        elif STOP in self.engine.legal(state) and self.engine.over(self.engine.apply(state, STOP)):
            yield (STOP,)
