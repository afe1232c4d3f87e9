"""Certificates of questions in a number of own turns: the answer by enumeration has one, the opposite has none."""

from __future__ import annotations

import random

import pytest

from rulewright.checker.rulewright_check import Game, Refused
from rulewright.rules.core.lower import lower
from rulewright.rules.core.to_json import asked_terms, json_of, question_of, start_of
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.certificates.certificate import certificate
from rulewright.solver.certificates.claims import Claim, Claimed
from rulewright.solver.certificates.clocked_play import ClockedPlay
from rulewright.solver.certificates.closed_sets import Room
from rulewright.solver.certificates.parts import Proof
from rulewright.solver.result import Limits
from rulewright.solver.versus.problem import Clock
from tests.checker.beside import finished
from tests.checker.certificates import checked_bytes
from tests.solver.versus import endgames
from tests.solver.versus.endgames import engine_of
from tests.solver.versus.test_own_turns import AGAIN, GAMES, asked_at_random, solves


@pytest.fixture(autouse=True)
def _own_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(endgames.OWN, "again", AGAIN)


def certified(engine: Engine, state: State, asked: Question, reached: bool, plan: tuple[Move, ...]) -> str:
    """What the checker says of a certificate."""
    core = lower(engine.instance, engine.flow, engine.horizon, asked_terms(asked))
    document = finished({**json_of(core), "start": start_of(core, engine.layout, state), "question": question_of(asked, core)})
    claim = Claim(Claimed.REACHED if reached else Claimed.NOT_REACHED, None)
    return checked_bytes(certificate(Proof(engine, state, asked, claim, Room(1 << 30), document), "p", plan).content).claim


def compare(name: str, rng: random.Random) -> bool:
    """Certify the answer of a random question, then the opposite; gives whether what is asked can be reached."""
    state, asked = asked_at_random(name, rng)
    engine = engine_of(name).with_horizon(asked.horizon)
    assert asked.own_turns is not None
    reached = solves(engine, asked, (), state, asked.own_turns)
    plan = answer(engine, state, asked, Limits(30)).plan
    said = certified(engine, state, asked, reached, plan)
    assert said.startswith(f"{'reached' if reached else 'not reached'}: a value of at least 1 within {asked.own_turns} ")
    with pytest.raises((AssertionError, Refused)):
        certified(engine, state, asked, not reached, plan)
    return reached


@pytest.mark.parametrize("name", GAMES)
def test_against_enumeration(name: str) -> None:
    rng = random.Random(f"certificates {name}")
    assert {compare(name, rng) for _ in range(12)} == {True, False}


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_many_against_enumeration(name: str) -> None:
    rng = random.Random(f"many certificates {name}")
    for _ in range(250):
        compare(name, rng)


def never_late(game: Game, now: list[object]) -> None:
    now[2] = None if now[0] == game.over else (0, None)


def every_choice(play: ClockedPlay, state: State, clock: Clock) -> State:
    if play.problem.engine.over(state):
        return (*state, None)
    clock = Clock(clock.left - 1)
    return (*state, (clock.left, -1))


@pytest.mark.parametrize(("place", "name", "fault"), [(Game, "tick", never_late), (ClockedPlay, "_ticked", every_choice)])
def test_a_fault_is_noticed(place: type, name: str, fault: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, name, fault)
    with pytest.raises((AssertionError, Refused, pytest.fail.Exception)):
        test_against_enumeration("again")
