"""What a child process is asked to do: the rules and the position as data, which model, and how far to go."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from attrs import field

from rulewright.base.records import frozen
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.moves import Horizon
from rulewright.rules.model.state import StateLayout
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.flow_graph import Instruction

MEMORY_MIB = 4096
MOST_VARIABLES = 500_000


class Model(Enum):
    """`READING` is all of play; `MASTER` forgets all but the last board, and can only bound."""

    READING = "reading"
    MASTER = "master"


@frozen
class Task:
    """A model to solve. With `floor`, only whether that value can be reached (as the question counts: more is better).
    `ceiling`: there is no more, as has been shown already. `niceness`: how far it lets others go first, from 0 to 19."""

    model: Model
    game: Game
    instance: Instance
    layout: StateLayout
    flow: tuple[Instruction, ...]
    horizon: Horizon | None
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

    def engine(self) -> Engine:
        """An engine to read from."""
        return Engine(self.game, self.instance, self.layout, self.flow, self.horizon)


def task(model: Model, engine: Engine, root: State, question: Question, seconds: float, **more: Any) -> Task:
    """The same with what it takes from an engine."""
    return Task(
        model, engine.game, engine.instance, engine.layout, engine.flow, engine.horizon, root, question, seconds, **more
    )
