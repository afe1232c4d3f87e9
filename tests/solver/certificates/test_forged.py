"""Games that are made to deceive a search by colliding hashes: the truth is certified, what the deceived would say is not."""

from __future__ import annotations

import pytest

from rulewright.checker.rulewright_check import Refused
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.certificates.claims import Claim, Claimed
from tests.checker.certificates import checked_bytes
from tests.solver.forgery.games import DECEIVED, QUESTIONS, forged, position_of
from tests.solver.forgery.test_forgery import OLD_COLLISION, apart

from .test_parts import certified


@pytest.mark.parametrize("ask", QUESTIONS)
def test_a_forged_game(ask: str) -> None:
    position = position_of(forged(*apart(OLD_COLLISION), 99_999), ask)
    assert position.question is not None
    plan = () if ask.startswith("win") else answer(position.asked, position.root, position.question).plan
    said = checked_bytes(certified(position, Claim(Claimed.OPTIMAL, QUESTIONS[ask]), plan).content).claim
    assert said.endswith(f" is {QUESTIONS[ask]}")
    with pytest.raises((AssertionError, Refused)):
        checked_bytes(certified(position, Claim(Claimed.OPTIMAL, DECEIVED[ask]), plan).content)
