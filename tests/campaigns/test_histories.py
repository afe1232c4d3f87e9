"""What wrote each value, in every saved game that ships: all changes together are the play."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.puzzles.saved_games import begin_saved_game, read_saved_game, replay_saved_game
from rulewright.rules.linking.project import Project
from tests.paths import ROOT
from tests.rules.play.whole_history import check_history

GAMES = sorted(SHIPPED.rglob("*.play"))


@pytest.mark.campaign
@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_the_changes_of_a_saved_game_are_its_states(path: Path):
    play = read_saved_game(path, Project(ROOT).texts)
    engine, start = begin_saved_game(play, Catalogue(Project(path.parent)))
    states = [start, *(ply.state for ply in replay_saved_game(play, engine, start))]
    seed = None if play.begun else play.seed
    changes = check_history(engine, states, [action.text for action in play.actions], seed)
    assert changes > 0 or not play.actions
