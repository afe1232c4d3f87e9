"""The whole CP-SAT reading of a question: skeleton, layers, objective; and what a solution says."""

from __future__ import annotations

from contextlib import suppress

from ...grammar.classes import frozen
from ...grammar.scenarios import Goal
from ...rules.analysis import Analysis
from ...rules.engine import Engine, Move, State
from ...rules.questions import Question
from .algebra import Unsupported
from .circuit import Circuit, Linear
from .guarded import Guards
from .master import strengthen
from .skeleton import Skeleton, skeleton_of
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
    analysis = Analysis(engine, question.values)
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
