"""How the players stand, in `score` and in answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.styled_text import Line
from rulewright.cli.views.state_document import standings_of
from rulewright.cli.views.state_view import standing_lines
from rulewright.puzzles.saved_games import begin_saved_game, read_saved_game
from rulewright.studies.records.snapshots import game_text
from tests.paths import ROOT
from tests.puzzles.positions import CATALOGUE
from tests.rules.linking.test_player_scores import end, stalls


def text(line: Line) -> str:
    return "".join(part.text for part in line)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (("coins 1: 4", "coins 2: 3"), ["player 1  savings 4  wins", "player 2  savings 3"]),
        (("coins 1: 3", "coins 2: 3"), ["player 1  savings 3  a draw", "player 2  savings 3  a draw"]),
    ],
)
def test_a_row_for_each_player(settings: tuple[str, ...], expected: list[str]) -> None:
    assert [text(line) for line in standing_lines(*end(stalls(), 2, *settings))] == expected


def test_for_scripts() -> None:
    found = standings_of(*end(stalls(), 2, "coins 1: 4"))["standings"]
    assert found[0] == {"player": 1, "scores": {"savings": 4}, "leads": True}
    assert found[1] == {"player": 2, "scores": {"savings": 0}, "leads": False}


def test_games_for_all_together_have_none(tmp_path: Path) -> None:
    here = CATALOGUE.position("overboard")
    assert list(standing_lines(here.engine, here.state)) == []
    assert standings_of(here.engine, here.state) == {}


def test_the_record_of_a_saved_game_ends_with_them() -> None:
    """So that a fault in who wins changes it."""
    play = read_saved_game(ROOT / "puzzles" / "library" / "classics" / "games" / "noughts_1.play", CATALOGUE.project.texts)
    *_, one, other = game_text(play, *begin_saved_game(play, CATALOGUE)).splitlines()
    assert (one, other) == ("player 1: rows 1, leads", "player 2: rows 0")
