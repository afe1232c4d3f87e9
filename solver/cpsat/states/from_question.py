"""The state model of a question: a play is a unit of flow from the root to an end, through the graph of all states."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.circuit import MOST_VARIABLES, TRUE, Circuit, LinearExpression, Lit, holds
from rulewright.solver.cpsat.model.from_question import ConstraintModel

from .state_graph import StateGraph


@frozen
class StateFlow:
    """A literal for each step of a graph. Those that hold are a path from the root to an end, and perhaps cycles."""

    graph: StateGraph
    lits: list[Lit]

    def post(self, circuit: Circuit) -> list[list[Lit]]:
        """Post that the flow leaves the root once, and each other state as often as it enters, except at ends; gives the
        literals of the steps into each state."""
        into: list[list[Lit]] = [[] for _ in self.graph.states]
        out: list[list[Lit]] = [[] for _ in self.graph.states]
        for step, lit in zip(self.graph.steps, self.lits, strict=True):
            into[step.target].append(lit)
            out[step.source].append(lit)
        ends = set(self.graph.ends)
        for state, (entering, leaving) in enumerate(zip(into, out, strict=True)):
            if state not in ends:
                surplus = int(state == 0)
                circuit.add_linear([*((1, lit) for lit in leaving), *((-1, lit) for lit in entering)], surplus, surplus)
        return into

    def plan(self, solution: Sequence[int]) -> tuple[Move, ...]:
        """The moves along steps that hold, each taken once: such a walk from the root stops at an end only."""
        left: dict[int, list[tuple[int, Move]]] = {}
        for step, lit in zip(self.graph.steps, self.lits, strict=True):
            if holds(lit, solution):
                left.setdefault(step.source, []).append((step.target, step.move))
        state, plan = 0, list[Move]()
        while left.get(state):
            state, move = left[state].pop()
            plan.append(move)
        return tuple(plan)


def states_model(engine: Engine, root: State, question: Question, most_variables: int = MOST_VARIABLES) -> ConstraintModel:
    """All plays from a root as paths through the graph of states; of those to the fewest moves, all that are shortest.

    Cycles beside the path change no value at its end. So a value can be reached by a flow if and only if it can be reached by
    play. Where moves are counted there are no cycles. Turns are not counted.

    Raises `Unsupported` if there are too many states, `ModelTooLarge`.
    """
    assert not question.counts_turns, "turns are not counted"
    circuit = Circuit(most_variables)
    is_end = engine.over if question.until is None else engine.compile_value(question.until)
    graph = StateGraph.of(engine, root, lambda state: bool(is_end(state)), question.counts_moves)
    flow = StateFlow(graph, [circuit.new_literal() for _ in graph.steps])
    into = flow.post(circuit)
    arriving = {end: into[end] if end else [TRUE] for end in graph.ends}
    if question.counts_moves:
        circuit.add_domain([lit for lits in arriving.values() for lit in lits])
        return ConstraintModel(circuit, LinearExpression.of(dict.fromkeys(flow.lits, -1), 0), flow)
    sign = -1 if question.goal in (Goal.MINIMISE, Goal.LEAST) else 1
    terms = [engine.compile_value(value) for value in question.values]
    by_value: dict[int, list[Lit]] = {}
    for end, lits in arriving.items():
        value = sum(term(graph.states[end]) for term in terms)
        by_value.setdefault(sign * value, []).extend(lits)
    ending = {circuit.sum_of(lits): value for value, lits in by_value.items()}
    circuit.add_domain(list(ending))
    return ConstraintModel(circuit, LinearExpression.of(ending, 0), flow)
