"""What a policy keeps in memory, and that it does not matter for what it chooses."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.search import playout_policies
from rulewright.solver.search.playout_policies import Kind, Policy, choosing
from tests.rules.playing import shipped


@pytest.mark.parametrize("width", [1, 2, 5])
def test_a_ply_of_a_beam_may_be_trimmed_at_any_time(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    engine, rng = Engine.of(shipped("beacon_patrol"), 1), random.Random(width)
    choose = choosing(Policy(Kind.BEAM, width), engine)
    state = engine.start(width)
    for _ in range(25):
        moves, seed = engine.legal(state), rng.getrandbits(32)
        chosen = []
        for most in (2, 3, 1000):
            monkeypatch.setattr(playout_policies, "TRIMMED", most)
            chosen.append(choose(state, moves, seed))
        assert chosen[0] == chosen[1] == chosen[2]
        state = chosen[0][1]
