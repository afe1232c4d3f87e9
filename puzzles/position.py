"""A position: a validated state of a game that can be played on, and what is asked of it."""

from __future__ import annotations

from ..grammar.classes import frozen
from ..grammar.scenarios import Puzzle
from ..rules.engine import Engine
from ..rules.layout import State
from ..rules.questions import Question


@frozen
class Position:
    """What a puzzle stands for. `question` is None when it asks nothing."""

    puzzle: Puzzle
    engine: Engine
    state: State
    question: Question | None = None

    @property
    def asked(self) -> Engine:
        """The engine on which play ends where the question's horizon does."""
        if self.question is None or self.question.horizon is None:
            return self.engine
        return self.engine.with_horizon(self.question.horizon)
