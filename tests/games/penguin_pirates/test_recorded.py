"""Saved games: the win and every loss, replayed action by action and under the eyes of the judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.puzzles.catalogue import SHIPPED as PUZZLES
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.saved_games import begin_saved_game, parse_saved_game, replay_saved_game
from rulewright.rules.linking.project import Project
from tests.games.penguin_pirates.judge import Voyage
from tests.games.penguin_pirates.sailing import get

FOLDER = Path(__file__).parent / "recorded"
ENDS = {"home": "safe", "home_by_three": "safe", "sunk": "sunk", "caught": "caught", "too_late": "too_late"}


def test_every_way_in_which_the_game_ends_is_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.play")} >= set(ENDS)


LOGGED = sorted((PUZZLES / "games").glob("penguin_log_*.play"))
"""Games that write everything down at every step (`penguin_pirates.log_book`): `rulewright mutate` notices faults by them."""


def test_games_are_logged() -> None:
    assert len(LOGGED) >= 12


@pytest.mark.parametrize("path", [*(FOLDER / f"{name}.play" for name in ENDS), *LOGGED], ids=lambda path: path.stem)
def test_game(path: Path) -> None:
    name = path.stem
    play = parse_saved_game(path.read_text("utf-8"), path.name)
    here, state = begin_saved_game(play, Catalogue(Project(FOLDER)))
    steps = replay_saved_game(play, here, state)
    last = steps[-1].state
    assert here.over(last)
    fate = here.game.enumerations["fate"][get(here, last, "fate")]
    if name in ENDS:
        assert fate == ENDS[name]
        assert here.rank(here.score(last)) == ("Home at last" if fate == "safe" else "Lost at sea")
    voyage = Voyage.of(here, state)
    judged = voyage.play()
    player, offer = next(judged)
    for step in steps:
        assert step.player == player and step.text in offer
        try:
            player, offer = judged.send(step.text)
        except StopIteration:
            assert step is steps[-1]
    assert voyage.fate == fate
