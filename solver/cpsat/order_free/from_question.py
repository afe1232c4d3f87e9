"""The order-free model of a question: plans whose actions may be played in any order, as sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.records import define, field
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import COUNTED, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.cpsat.model.circuit import MOST_VARIABLES, Circuit, LinearExpression, Lit, Refused
from rulewright.solver.cpsat.model.from_question import ConstraintModel, value_of

from .accesses import FreeState
from .action_set import ActionSet
from .ordering import Ordering
from .play_loop import PlayLoop


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
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    encoder = actions.encoder
    if question.goal is not Goal.LEAST or question.values:
        evaluator = actions.evaluator()
        return encoder.add((sign, value_of(evaluator, term)) for term in question.values)
    if question.counts_turns and actions.root[COUNTED]:
        raise Refused("a position in which turns have been taken already")
    return encoder.add([(sign, actions.number_of_actions())])
