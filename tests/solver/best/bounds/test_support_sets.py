"""What a sum asks of each cell: read once for cells that are alike, and each by itself where they are not."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.analysis import translation as translation_memo
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.model.terms import Neighbourhood
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.best.bounds import support_sets
from rulewright.solver.best.bounds.support_sets import Dilation, cells_of
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_position, random_puzzle
from tests.solver.best.test_fallback import VARIANTS


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_cells_that_are_alike_are_read_like_each_by_itself(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
    engine, state = random_position(random.Random(3), game, 1, 8)
    values = tuple(score.value for score in game.scores)
    states = ReachableStates(engine, DataflowAnalysis(engine, values), state)
    objective = states.board_sums(values)
    assert objective is not None
    together = [support_sets.support_sets(states, value, objective.board) for value in objective.sums]
    monkeypatch.setattr(translation_memo, "translation_classes", lambda *arguments: {})
    monkeypatch.setattr(support_sets, "depends_on_kind", lambda *arguments: True)
    assert [support_sets.support_sets(states, value, objective.board) for value in objective.sums] == together
    assert any(together)


def test_rims_are_what_is_so_many_steps_away() -> None:
    engine, _ = engine_and_state(random_puzzle(random.Random(3), 1, 4)[0], shipped("beacon_patrol"))
    window = engine.instance.windows["sea"]
    dilation = Dilation.of(window, Neighbourhood.AROUND)
    rng = random.Random(1)
    for _ in range(20):
        needs = rng.sample(range(window.size), 3)
        balls = dilation.balls(sum(1 << 8 * cell for cell in needs), 5)
        steps = [min(window.distance(cell, near) for near in needs) for cell in range(window.size)]
        for number, rim in enumerate(balls, 1):
            assert cells_of(rim) == [cell for cell in range(window.size) if steps[cell] <= number]
