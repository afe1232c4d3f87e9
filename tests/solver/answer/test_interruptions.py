"""A search that is interrupted anywhere says nothing false, and spoils nothing for the next one."""

from __future__ import annotations

import sys
from contextlib import suppress
from types import FrameType

import pytest

from rulewright.base.deadline import TimeUp, deadline
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from rulewright.studies.verified_plan import verified_steps
from tests import paths

SMALL = ("pig_turn", "lights_row")
MORE = ("slide_six", "peg_plus", "sokoban_corner", "noughts_draw", "doubling_three")
"""Of the fewest moves, in expectation, for a score, and for a win."""

UNPROVED = (Status.UNKNOWN, Status.FEASIBLE)


class Interruption:
    """Raises `TimeUp` at the call of a function, the one of that number among those at which it may come."""

    def __init__(self, at: int) -> None:
        self.at, self.calls, self.block = at, 0, deadline(1000.0)

    def __enter__(self) -> Interruption:
        self.block.__enter__()
        self.block._caller = sys._getframe(1)
        sys.setprofile(self._profile)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        self.block.__exit__(None, None, None)

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or self.block._is_sheltered(frame):
            return
        self.calls += 1
        if self.calls == self.at:
            raise TimeUp


def position(name: str) -> Position:
    return Catalogue(Project(paths.ROOT / "puzzles")).position(name)


def asked(position: Position, engine: Engine) -> Result:
    assert position.question is not None
    return answer(engine, position.root, position.question, Limits(200.0))


def interrupted(name: str, parts: int, first: int = 0) -> int:
    """Interrupt the answer to a puzzle at that many places spread over it; how many of the answers were not proved."""
    made = position(name)
    expected = asked(made, made.asked)
    with Interruption(0) as counting:
        asked(made, position(name).asked)
    unproved = 0
    for part in range(parts):
        fresh = position(name)
        engine, question = fresh.asked, fresh.question
        assert question is not None
        result = None
        with suppress(TimeUp), Interruption(1 + (counting.calls * part + first) // parts):
            result = asked(fresh, engine)
        if result is not None:
            unproved += result.status in UNPROVED
            assert result.status in UNPROVED or (result.status, result.score) == (expected.status, expected.score)
            verified_steps(engine, fresh.root, question, result)
        again = asked(fresh, engine)
        assert (again.status, again.score, again.expectation) == (expected.status, expected.score, expected.expectation)
    return unproved


@pytest.mark.parametrize("name", SMALL)
def test_interrupted_anywhere(name: str) -> None:
    interrupted(name, 3, first=1)


@pytest.mark.campaign
@pytest.mark.parametrize("name", (*SMALL, *MORE))
def test_interrupted_everywhere(name: str) -> None:
    assert interrupted(name, 100, first=1) > 0
