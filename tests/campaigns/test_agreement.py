"""The solver against the independent judge and against plain enumeration under changed rules: a few in the quick suite, a
thousand and three hundred in the campaign.
"""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.result import Result, Status
from tests.campaigns import agreement
from tests.campaigns.agreement import Verdict

POSITIONS, VARIANTS, READ = 1_000, 300, 40
"""Of the CP-SAT reading by itself there are fewer, with two tiles to come: it takes its time."""


def test_a_few_positions() -> None:
    tally = agreement.a_few("positions", range(8), coming=4)
    assert tally.differences == [] and tally.verdicts == {Verdict.AGREED: 8}


def test_a_few_variants() -> None:
    tally = agreement.a_few("variants", range(10), coming=2)
    assert tally.differences == [] and tally.verdicts[Verdict.AGREED] >= 10


def test_differences_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_much(engine: Engine, state: State, question: Question) -> Result:
        found = agreement.ENGINES["search"](engine, state, question)
        return evolve(found, score=None, plan=()) if found.status is Status.OPTIMAL else found

    monkeypatch.setitem(agreement.ENGINES, "portfolio", too_much)
    assert agreement.a_few("positions", range(2), coming=3).verdicts == {Verdict.DIFFERS: 2}
    assert agreement.a_few("variants", range(1), coming=1).verdicts[Verdict.DIFFERS] > 0


def test_a_plan_that_is_worth_less_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def boast(engine: Engine, state: State, question: Question) -> Result:
        found = agreement.ENGINES["search"](engine, state, question)
        return evolve(found, score=(found.score or 0) + 1)

    monkeypatch.setitem(agreement.ENGINES, "portfolio", boast)
    assert "the plan is not worth" in agreement.a_few("positions", range(1), coming=3).differences[0]


@pytest.mark.campaign
def test_many_positions() -> None:
    tally = agreement.campaign("positions", range(POSITIONS))
    assert tally.differences == [] and tally.verdicts == {Verdict.AGREED: POSITIONS}


@pytest.mark.campaign
def test_many_variants() -> None:
    tally = agreement.campaign("variants", range(VARIANTS))
    assert tally.differences == [] and tally.verdicts[Verdict.AGREED] >= VARIANTS


@pytest.mark.campaign
def test_the_reading_by_itself() -> None:
    tally = agreement.campaign("variants", range(READ), engine="cpsat", coming=2)
    assert tally.differences == [] and tally.verdicts[Verdict.AGREED] >= READ // 2
