"""What a sum asks of each cell: read once for cells that are alike, and each by itself where they are not."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.analysis import Analysis
from rulewright.rules.terms import Neighbourhood
from rulewright.solver import candidates
from rulewright.solver.candidates import Reading, Spread
from rulewright.solver.covering import places
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_position, random_puzzle
from tests.solver.test_exact import VARIANTS


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_cells_that_are_alike_are_read_like_each_by_itself(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
    engine, state = random_position(random.Random(3), game, 1, 8)
    values = tuple(score.value for score in game.scores)
    reading = Reading(engine, Analysis(engine, values), state)
    boards = {value: board for value in values if (board := reading.board_of(value)) is not None}
    together = {value: reading.candidates(value, board) for value, board in boards.items()}  # type: ignore[arg-type]
    monkeypatch.setattr(candidates, "framed_cells", lambda *arguments: {})
    monkeypatch.setattr(candidates, "tells_tiles_apart", lambda *arguments: True)
    assert {value: reading.candidates(value, board) for value, board in boards.items()} == together  # type: ignore[arg-type]
    assert any(together.values())


def test_rims_are_what_is_so_many_steps_away() -> None:
    engine, _ = engine_and_state(random_puzzle(random.Random(3), 1, 4)[0], shipped("beacon_patrol"))
    window = engine.ground.windows["sea"]
    spread = Spread.of(window, Neighbourhood.AROUND)
    rng = random.Random(1)
    for _ in range(20):
        needs = rng.sample(range(window.size), 3)
        rims = spread.rims(sum(1 << 8 * cell for cell in needs), 5)
        steps = [min(window.distance(cell, near) for near in needs) for cell in range(window.size)]
        for number, rim in enumerate(rims, 1):
            assert places(rim) == [cell for cell in range(window.size) if steps[cell] <= number]
