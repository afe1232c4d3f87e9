"""The peer's optima are the proved ones. Skipped where clingo is not installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from random import Random

import clingo_beacon_patrol as peer
import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from tests.games.beacon_patrol.oracle import base_game as judge
from tests.paths import PROVED

pytestmark = pytest.mark.skipif(find_spec("clingo") is None, reason="clingo is optional: rulewright[bench]")

CATALOGUE = Catalogue(Project(PROVED))
QUICK = [path for path in sorted(PROVED.glob("*.puzzle")) if "k03" in path.stem or "begin_k06" in path.stem]


def posed(folder: Path, text: str) -> Position:
    (folder / "posed.puzzle").write_text(text, "utf-8")
    return Catalogue(Project(folder)).position(folder / "posed.puzzle")


@pytest.mark.parametrize("path", QUICK, ids=lambda path: path.stem)
def test_proved_answers(path: Path) -> None:
    position = CATALOGUE.position(path)
    found = peer.solve(position, seconds=60)
    assert (found.score, found.proved) == (position.puzzle.answer, True)


@pytest.mark.campaign
@pytest.mark.parametrize("path", sorted(PROVED.glob("mid_k06*")), ids=lambda path: path.stem)
def test_proved_answers_of_six(path: Path) -> None:
    test_proved_answers(path)


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_the_judge(seed: int, tmp_path: Path) -> None:
    _agrees_with_the_judge(seed, tmp_path, coming=1 + seed % 4)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100))
def test_agrees_with_the_judge_at_length(seed: int, tmp_path: Path) -> None:
    _agrees_with_the_judge(1000 + seed, tmp_path, coming=1 + seed % 4)


def _agrees_with_the_judge(seed: int, folder: Path, coming: int) -> None:
    rng = Random(seed)
    there = judge.random_position(rng, 1, rng.randrange(2, 17), coming)
    found = peer.solve(posed(folder, judge.to_puzzle(there, "posed")), seconds=60)
    assert (found.score, found.proved) == (judge.best_score(there), True)


def test_other_positions_are_refused(tmp_path: Path) -> None:
    there = judge.random_position(Random(1), 2, 9, 6)
    with pytest.raises(ValueError, match="the game for one"):
        peer.program(posed(tmp_path, judge.to_puzzle(there, "posed")))
