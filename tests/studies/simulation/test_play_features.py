"""How much choice there is, counted by hand in a small game."""

from __future__ import annotations

from pathlib import Path

from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import GREEDY, Seats
from rulewright.studies.simulation.comparison import features_of
from rulewright.studies.simulation.playouts import Simulation, Simulator
from tests.studies.making.orchard import orchard


def test_choices_of_greedy_games(tmp_path: Path) -> None:
    """Six days of picking: fetching the ladder is legal all the time, worth nothing at once, and on all days but the last worth
    more by the move after it."""
    engine = Engine.of(orchard(tmp_path).load("orchard"), 1)
    found = features_of(Simulator(Simulation(Seats(GREEDY), 5, 1, 100), engine, None), 5)
    assert (found.games, found.covered, found.actions) == (5, 3, {"pick": 30})
    assert (found.moves_a_choice, found.worths_a_choice, found.forced_share) == (2, 2, 0)
    assert (found.looked_ahead, found.prospects_a_choice) == (18, 2)
    assert found.clauses[next(key for key in found.clauses if key[0].startswith("pick"))] == 3
