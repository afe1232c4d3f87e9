"""The whole CP-SAT reading of a question: skeleton, layers, objective; and what a solution says."""

from __future__ import annotations

from contextlib import suppress

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.dataflow import DataflowAnalysis

from .abstract_graph import Skeleton, skeleton_of
from .circuit import Circuit, Linear
from .final_board import strengthen
from .guarded_values import Guards
from .symbolic_algebra import Unsupported
from .unrolling import Unrolling


@frozen
class Reading:
    """More is better: a question for the least is turned round."""

    unrolling: Unrolling
    objective: Linear
    sign: int

    @property
    def circuit(self) -> Circuit:
        return self.unrolling.circuit

    def plan(self, solution: tuple[int, ...]) -> tuple[Move, ...]:
        return self.unrolling.plan(solution)


def read(
    engine: Engine, root: State, question: Question, most_variables: int = 500_000, skeleton: Skeleton | None = None
) -> Reading:
    """The model of a question. Raises `Unsupported`, `TooWide` and `ModelTooLarge`."""
    analysis = DataflowAnalysis(engine, question.values)
    skeleton = skeleton or skeleton_of(engine, analysis, root)
    circuit = Circuit(most_variables)
    unrolling = Unrolling(engine, analysis, root, skeleton, circuit)
    unrolling.unroll()
    with suppress(Unsupported):
        strengthen(engine, analysis, question, root, circuit, unrolling.slots)
    guards, final = Guards(circuit), unrolling.final()
    sign = -1 if question.goal is Goal.MINIMISE else 1
    objective = guards.add((sign, final.value(value, {})) for value in question.values)
    return Reading(unrolling, objective, sign)
