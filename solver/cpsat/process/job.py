"""The job of a worker process: a question about a position, which model of it to solve, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from attrs import evolve, field

from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.circuit import MOST_VARIABLES

MEMORY_MIB = 4096

ANY_PLAN = -(10**9)
"""A value that each plan exceeds; costs count as negative."""

REFUTING = {"linearization_level": 1, "subsolvers": ["default_lp", "quick_restart"], "num_workers": 2}
"""Parameters unlike those of the first proof, for an independent second one."""

SECOND_SEED = 77


class ModelKind(Enum):
    """`ORDER_FREE` models plans as sets of actions, `ROUNDS` as what is laid in each round, `UNROLLED` whole plays.

    `FINAL_BOARD` is the last board alone, which only bounds. They are tried in this order.
    """

    ORDER_FREE = auto()
    ROUNDS = auto()
    FINAL_BOARD = auto()
    UNROLLED = auto()


@frozen
class Job:
    """A model to maximise within so many seconds; values count so that more is better.

    `best` is the value of a plan known before, `ceiling` an upper bound proved before. With `floor`, it is only asked whether
    that value can be reached. One that `counts` tells by how many sets of actions that value, or the best one, is reached, and
    so many of them as are to be `told`. One that `proves_twice` refutes what is beyond its bound in a second run. `niceness`
    lowers the priority of the process, from 0 to 19. `parameters` are those of OR-Tools.
    """

    kind: ModelKind
    engine: Engine
    root: State
    question: Question
    seconds: float
    best: int | None = None
    floor: int | None = None
    ceiling: int | None = None
    workers: int = 1
    seed: int = 1
    parameters: Mapping[str, Any] = field(factory=dict)
    memory_mib: int = MEMORY_MIB
    most_variables: int = MOST_VARIABLES
    niceness: int = 0
    counts: bool = False
    told: int = 0
    proves_twice: bool = False


def refutation(job: Job, floor: int) -> Job:
    """The job of proving once more that a value cannot be reached, in another way."""
    return evolve(job, floor=floor, seed=SECOND_SEED, parameters=REFUTING, proves_twice=False)
