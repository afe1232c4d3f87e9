"""CP-SAT beside a search: children started and listened to while the search goes on, and what they have shown so far."""

from __future__ import annotations

import time
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from attrs import field

from rulewright.base.records import define
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.budget import Limits

from .job import Model, task

if TYPE_CHECKING:
    from .client import Child, Ended

LONELY = 1.0
"""Seconds that the search is given before a child is started: most questions are settled by then."""

LONG = 15.0
"""The same when the search is in machine code: it can use all processors itself."""

NICENESS = {Model.MASTER: 10, Model.READING: 5}
"""Beside such a search: of processors that both want, the one gets about a tenth, the other a quarter."""

BOUNDING = {"subsolvers": ["max_lp", "core"], "num_workers": 2}
"""Measured: these two bound a last board well under a second where the usual crew takes ten."""

REFUTING = {"linearization_level": 1, "subsolvers": ["default_lp", "quick_restart"], "num_workers": 2}

SECOND_SEED = 77


class Disagreement(Exception):
    """Two engines contradict each other: one of them is wrong, and so is this program."""


class Stage(Enum):
    """What the child of the moment does."""

    WAITING = auto()
    BOUNDING = auto()
    READING = auto()
    REFUTING = auto()
    DONE = auto()


@define
class Company:
    """Use it as a context. Values are as the question counts them turned round so that more is better."""

    engine: Engine
    root: State
    question: Question
    limits: Limits
    sign: int
    began: float = field(factory=time.monotonic)
    patience: float = LONELY
    stage: Stage = Stage.WAITING
    bound: int | None = None
    best: int | None = None
    plan: tuple[Move, ...] | None = None
    refuted: int | None = None
    remarks: list[str] = field(factory=list)
    _model: Model = Model.MASTER
    _asked: int = 0
    _child: Child | None = None

    def __enter__(self) -> Company:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def settled(self, best: int | None) -> bool:
        """Listen, and say whether nothing can be better than what has been found, here or there."""
        if self.best is None or (best is not None and best > self.best):
            self.best = best if best is not None else self.best
        if not self.limits.company_mib:
            return False
        if self.stage is Stage.WAITING:
            if time.monotonic() - self.began < self.patience:
                return False
            self._start_first()
        self._listen()
        goal = self._wanted()
        if goal is not None and self.refuted is not None and self.refuted <= goal:
            return True
        if (
            goal is not None
            and self.bound is not None
            and self.bound < goal
            and self.stage in (Stage.BOUNDING, Stage.READING, Stage.DONE)
        ):
            self._start(Stage.REFUTING, self._model, floor=goal, seed=SECOND_SEED, parameters=REFUTING)
            self._asked = goal
        return False

    def _listen(self) -> None:
        from .client import Bounded, Built, Ended, Found

        while self._child is not None and (news := self._child.news()) is not None:
            match news:
                case Found(value, plan):
                    self._found(value, plan)
                case Bounded(bound):
                    if self.stage is not Stage.REFUTING:
                        self.bound = bound if self.bound is None else min(self.bound, bound)
                case Built():
                    pass
                case Ended() as end:
                    self._ended(end)

    def wait_longer(self) -> None:
        """The search uses all processors itself."""
        self.patience = LONG

    def _wanted(self) -> int | None:
        """The value that would have to be reached to change the answer."""
        if self.question.goal is Goal.REACH:
            reached = self.best is not None and self.best >= self.question.threshold
            return None if reached else self.question.threshold
        return None if self.best is None else self.best + 1

    def _left(self) -> float:
        return self.limits.seconds - (time.monotonic() - self.began)

    def _start_first(self) -> None:
        if self.sign > 0:
            self._start(Stage.BOUNDING, Model.MASTER, parameters=BOUNDING)
        else:
            self._start(Stage.READING, Model.READING)

    def _start(self, stage: Stage, model: Model, **more: Any) -> None:
        from .client import Child

        self._end()
        if self._left() <= 0:
            self.stage = Stage.DONE
            return
        self.stage, self._model = stage, model
        more |= {"memory_mib": self.limits.company_mib, "niceness": NICENESS[model] if self.patience == LONG else 0}
        asked = task(model, self.engine, self.root, self.question, self._left(), **more)
        self._child = Child(asked).__enter__()

    def _end(self) -> None:
        if self._child is not None:
            self._child.__exit__()
            self._child = None

    def _found(self, value: int, plan: tuple[Move, ...] | None) -> None:
        if self.stage is Stage.REFUTING and plan is None:
            self.remarks.append(f"CP-SAT bounds by less than {self._asked} and finds {value} when asked again")
            raise Disagreement(self.remarks[-1])
        if plan is not None and (self.best is None or value > self.best):
            self.best, self.plan = value, plan

    def _ended(self, end: Ended) -> None:
        self._end()
        match self.stage, end.status:
            case Stage.REFUTING, "infeasible":
                self.refuted = self._asked
                self.stage = Stage.DONE
            case Stage.BOUNDING, "unsupported":
                self._start(Stage.READING, Model.READING)
            case _, "unsupported" | "too large" | "memory" | "died":
                self.remarks.append(f"CP-SAT: {end.status}{': ' if end.message else ''}{end.message}")
                self.stage = Stage.DONE
            case _:
                self.stage = Stage.DONE
