"""Clashes that play at random does not come upon, found by the search; held against all states of small games."""

from __future__ import annotations

import pytest

from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static import overlap_search
from rulewright.rules.static.exception_overlap import CandidateOverlap, OverlapWitness, candidate_overlaps
from rulewright.rules.static.overlap_search import search_by_playouts, search_by_states
from tests.rules.static.overlapping import clashing_game
from tests.rules.test_explanations import game_of

LADDER = """
module ladder:
    "Thirty steps up, where every second step back leads to the ground: nobody gets there by chance."

state:
    height: 0..40
    laps:   0..40
    cells_seen: 0..9

space yard: square grid 3 x 1

{definitions}

action up{where}:
    require room: height < 40
    {require}
    effect more: height += 1
    {effect}

action fall:
    require off: height > 0
    effect all: height := 0

action lap:
    require high: laps < 40 and height > 6
    effect down: height := 0
    effect more: laps += 1

flow:
    repeat: choose up, fall, lap, or stop

score worth: {score}
"""

CASES = """define w(n):
    = 0
    x: 1 when height > 30 and n = 1
    y: 2 when laps > 5 and height > 20 and n > 0
"""


def shows(engine: Engine, state: State, suspect: CandidateOverlap) -> bool:
    """Whether two exceptions apply at once when a position is scored, its moves are listed or one of them is made."""
    try:
        engine.score(state)
        for move in engine.legal(state):
            engine.apply(state, move)
    except PlayError as error:
        return {label.span for label in error.diagnostics[0].labels} == {suspect.one.span, suspect.other.span}
    return False


def ladder(
    definitions: str = CASES, score: str = "0", require: str = "", effect: str = "", where: str = ""
) -> list[OverlapWitness]:
    game = game_of([LADDER.format(definitions=definitions, score=score, require=require, effect=effect, where=where)])
    open_ones = candidate_overlaps(game)
    assert len(open_ones) == 1
    assert not list(search_by_playouts(game, open_ones)), "this one is easy"
    return list(search_by_states(game, open_ones))


@pytest.mark.parametrize(
    "uses",
    [
        {"score": "sum w(n) for n in 0..3 where n < 2"},
        {"score": "(count c in yard where w(column(c)) > 0)"},
        {"score": "size(closure of origin of yard under a to b in around(a) where w(column(a)) = 0)"},
        {"definitions": CASES + "\ndefine doubled(n) = 2 * w(n)\n", "score": "doubled(1) + 1"},
        {"require": "require w: w(1) < 9"},
        {"where": "(n in 0..2 where w(n) < 9)"},
        {"where": "(n in 0..2)", "effect": "effect w: cells_seen := w(n)"},
        {"effect": "effect w: for n in 0..2: if height > 3: cells_seen := w(n)"},
    ],
    ids=["sum", "cells", "closure", "definition", "requirement", "parameter", "effect", "statement"],
)
def test_what_play_does_not_come_upon(uses: dict[str, str]) -> None:
    (clash,) = ladder(**uses)
    engine, state = clash.engine, clash.state
    height, laps = (state[engine.layout.position(name, None)] for name in ("height", "laps"))
    assert height >= 30  # the step that is made next may be the one too far
    assert laps > 5
    assert shows(engine, state, clash.suspect)


def test_conditions_that_nothing_asks_about_together() -> None:
    """Both hold for one argument, and only others are asked for."""
    assert ladder(score="w(0)") == []


def test_out_of_reach() -> None:
    """Every position is looked at, and the search ends by itself, long before its time."""
    assert ladder(CASES.replace("laps > 5", "laps > 5 and cells_seen > 3"), score="w(1)") == []


@pytest.mark.parametrize("seed", range(60))
def test_against_all_states(seed: int) -> None:
    """The same games in which play is held against all states; all of these can be reached."""
    held = clashing_game(seed)
    clashes = list(search_by_states(held.game, candidate_overlaps(held.game)))
    assert len(clashes) == bool(held.clashing)
    assert all(held.clashes_in(clash.state) for clash in clashes)


FAR = """
module far:
    "Houses far out."
    extends beacon_patrol

change worth:
    far: 9 when at(c) has house and distance(c, origin of sea) > 3
"""


def test_a_game_of_chance_without_bounds(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Whatever is found of a whole game of Beacon Patrol is shown by the rules as they are, and in time."""
    monkeypatch.setattr(overlap_search, "SEARCH_SECONDS", 2.0)
    (tmp_path / "far.rules").write_text(FAR)
    game = Project(tmp_path).load("far")
    open_ones = candidate_overlaps(game)
    assert {suspect.other.name for suspect in open_ones} == {"worth.far"}
    assert all(shows(clash.engine, clash.state, clash.suspect) for clash in search_by_states(game, open_ones))
