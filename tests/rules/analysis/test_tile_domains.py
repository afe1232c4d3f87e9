"""What may ever be laid on a cell: the same whether cells are read one by one or those that are translatable shared."""

from __future__ import annotations

import random

import pytest
from attrs import evolve

from rulewright.rules.analysis.tile_domains import tile_domains
from rulewright.rules.analysis.translation import MAX_RADIUS, TranslationMemo
from rulewright.rules.static.dataflow import DataflowAnalysis
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_puzzle

SNUG = "change place: require snug: (count n in around(to) where occupied(n)) >= 2 or size(discarded) > 1"
FAR = """change place:
    require lee: not occupied(step(step(step(to, N), N), N))
    require shore: occupied(step(to, S)) or not occupied(step(to, W))
"""


@pytest.mark.parametrize("changes", ["", SNUG, FAR], ids=["as_shipped", "snug", "far"])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.campaign) for seed in range(1, 6))])
def test_every_cell_of_the_window(changes: str, seed: int) -> None:
    rng = random.Random(seed)
    text, _ = random_puzzle(rng, 1, 4)
    engine, state = engine_and_state(text, linked(variant(changes)) if changes else shipped("beacon_patrol"))
    analysis = DataflowAnalysis(engine, tuple(score.value for score in engine.game.scores))
    column = engine.layout.position("sea", None)
    kinds = range(1, len(engine.game.tiles) + 1)
    shared = tile_domains(engine, analysis, "sea", kinds)
    assert shared is not None and shared.translatable
    assert shared.memo.classes
    separate = evolve(shared, memo=TranslationMemo(engine, "sea", (), MAX_RADIUS + 1))
    assert not separate.memo.classes
    cells = list(range(engine.instance.windows["sea"].size))
    for _ in range(6 if seed else 3):
        for cell in cells:
            assert shared.domain(state[column], cell) == separate.domain(state[column], cell), cell
        if not (moves := engine.legal(state)):
            break
        state = engine.apply(state, rng.choice(moves))
        rng.shuffle(cells)
