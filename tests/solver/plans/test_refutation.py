"""Goals refuted at states along random lines of play, held against all ways to play on."""

from __future__ import annotations

import random
import time

import pytest

from rulewright.solver.best.problem import Problem
from rulewright.solver.plans import best_plans
from rulewright.solver.plans.best_plans import Refuter
from tests.rules.playing import shipped
from tests.solver.asking import greatest_score, random_position
from tests.solver.exhaustive import enumerate_all


def test_what_can_be_reached_is_not_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_plans, "SOON", 0.0)
    shown = 0
    for seed in range(4):
        rng = random.Random(seed)
        engine, root = random_position(rng, shipped("beacon_patrol"), 1, 3)
        refuter = Refuter(Problem(engine, root, greatest_score(engine.game)), time.monotonic() + 60)
        for _ in range(3):
            state = root
            while not engine.over(state):
                best = enumerate_all(engine, state, engine.score)
                assert not any(refuter.refutes(state, best - less) for less in (1, 2, 3))
                shown += refuter.refutes(state, best)
                state = engine.apply(state, rng.choice(engine.legal(state)))
    assert shown > 10


def test_nothing_is_refuted_at_first() -> None:
    engine, root = random_position(random.Random(1), shipped("beacon_patrol"), 1, 3)
    assert not Refuter(Problem(engine, root, greatest_score(engine.game)), time.monotonic() + 60).refutes(root, 1000)
