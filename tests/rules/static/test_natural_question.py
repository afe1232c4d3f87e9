"""What is asked where nobody says it: read off the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.static.natural_question import HIGHEST_SCORE, natural_goal
from tests.studies.making.orchard import orchard

NATURAL = {
    "classics.sliding": "fewest moves until solved",  # the bound on its slides is no goal
    "classics.sokoban": "fewest moves until solved",  # within a loop over players
    "classics.lights_out": "fewest moves until dark",
    "classics.bishops": HIGHEST_SCORE,  # it ends by a number without a name
    "beacon_patrol": HIGHEST_SCORE,  # tiles run out
    "classics.noughts_and_crosses": "win for 1",
    "classics.ricochet_robots": "",
}


@pytest.mark.parametrize("name", NATURAL)
def test_of_shipped_games(name: str) -> None:
    game = Project(SHIPPED).load(name)
    assert natural_goal(game, game.players.low) == NATURAL[name]


def test_what_must_end_is_no_race(tmp_path: Path) -> None:
    """The orchard ends when its days are over; were no day ever spent, one could pick without end."""
    text = orchard(tmp_path).load("orchard")
    assert natural_goal(text, 1) == HIGHEST_SCORE
    rules = (tmp_path / "orchard.rules").read_text()
    endless = rules.replace("    effect pass: days -= 1\n", "").replace("    effect pass:  days -= 1\n", "")
    endless = endless.replace("repeat until days = 0", "repeat until full or straw = 9")
    (tmp_path / "orchard.rules").write_text(endless.replace("define high:", "define full:\n    = basket > 80\n\ndefine high:"))
    assert natural_goal(Project(tmp_path).load("orchard"), 1) == "fewest moves until full"
