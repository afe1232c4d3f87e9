"""The job of a worker process: a question about a position, which model of it to solve, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from attrs import field

from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.circuit import MOST_VARIABLES

MEMORY_MIB = 4096


class ModelKind(Enum):
    """`UNROLLED` models whole plays; `FINAL_BOARD` the last board alone, which only bounds."""

    UNROLLED = auto()
    FINAL_BOARD = auto()


@frozen
class Job:
    """A model to maximise within so many seconds; values count so that more is better.

    With `floor`, it is only asked whether that value can be reached. `ceiling` is an upper bound proved before. `niceness`
    lowers the priority of the process, from 0 to 19. `parameters` are those of OR-Tools.
    """

    kind: ModelKind
    engine: Engine
    root: State
    question: Question
    seconds: float
    floor: int | None = None
    ceiling: int | None = None
    workers: int = 1
    seed: int = 1
    parameters: Mapping[str, Any] = field(factory=dict)
    memory_mib: int = MEMORY_MIB
    most_variables: int = MOST_VARIABLES
    niceness: int = 0
