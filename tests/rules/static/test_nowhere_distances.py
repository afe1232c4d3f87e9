"""Distances to nowhere: warned of where -1 passes as near, or is asked for, and nowhere else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from rulewright.base.diagnostics import Diagnostic, Sink
from rulewright.grammar.explain import explanation
from rulewright.puzzles.checks import warnings_of
from rulewright.rules.static import nowhere_distances
from rulewright.rules.static.expectations import Expectations
from tests.puzzles.positions import game_of, position
from tests.rules.playing import linked, shipped, variant

CHASE = """module chase:
players 1..2
space sea: square grid 3 x 3

state:
    boat: cell of sea
    prey: cell of sea
    fish: 0..9
    left: 0..9 = 9

{}

procedure set_up:
    begin: boat := least c in sea by column(c) + row(c)

action row_to(to in around(boat)):
    effect: boat := to
    effect: left -= 1

action grab:
    require near: {} else "it is too far away"
    effect gain: fish += 1
    effect tire: left -= 1

flow:
    set_up
    repeat until left = 0 or fish = 9:
        turn:
            choose row_to, grab
"""
NEAR = "distance(boat, prey) <= 1"


@pytest.fixture(autouse=True)
def _few_games_of_any_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nowhere_distances, "MOST_GAMES", 4)
    monkeypatch.setattr(nowhere_distances, "SECONDS", 60.0)


def warned(rules: str) -> list[Diagnostic]:
    game, sink = game_of(rules), Sink()
    nowhere_distances.check_distances(game, Expectations(game), sink)
    return list(sink)


def chase(required: str, more: str = "") -> str:
    return CHASE.format(more, required).replace("effect: boat", "effect go: boat").replace("effect: left", "effect row: left")


def test_the_page_shows_it() -> None:
    page = explanation("RW271")
    assert page.bad is not None and page.good is not None
    (found,) = warned(page.bad.text)
    assert (found.code, found.warning, found.labels[0].span.line) == ("RW271", True, 16)
    assert warned(page.good.text) == []


@pytest.mark.parametrize(
    ("required", "more"),
    [
        (NEAR, ""),
        ("1 >= distance(boat, prey)", ""),
        ("close(boat)", "define close(c) = distance(c, prey) < 2"),
        ("boat = nearest", "define nearest = least c in sea by distance(c, prey)"),
        ("fish < 5", "define gap = distance(boat, prey)"),
        ("fish < 5", "score gap: if left < 9 then distance(boat, prey) else 1"),
    ],
)
def test_where_it_passes(required: str, more: str) -> None:
    assert [found.code for found in warned(chase(required, more))] == ["RW271"]


@pytest.mark.parametrize(
    ("required", "more"),
    [
        ("prey in sea and " + NEAR, ""),
        (NEAR + " and prey in sea", ""),
        ("distance(boat, prey) >= 1", ""),
        ("distance(boat, prey) = 1", ""),
        ("distance(boat, prey) in 0..2", ""),
        ("distance(boat, prey) < 0", ""),
        ("gap >= 2", "define gap = distance(boat, prey)"),  # not for questions alone
        ("boat = farthest", "define farthest = greatest c in sea by distance(c, prey)"),
        ("fish < 5", "define gap = if prey in sea then distance(boat, prey) else 9"),
        ("boat = here", "define here = least c in around(boat) by distance(c, boat)"),
    ],
)
def test_where_it_does_not(required: str, more: str) -> None:
    assert warned(chase(required, more)) == []


def test_playouts_end_in_time_where_nothing_interrupts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(warned, chase(NEAR)).result() != []
        monkeypatch.setattr(nowhere_distances, "SECONDS", 0.0)
        assert pool.submit(warned, chase(NEAR)).result() == []


def test_it_can_be_expected() -> None:
    assert warned(chase(NEAR, 'expect RW271 of grab: "it is everywhere"')) == []


def test_a_question_for_a_distance_to_nowhere() -> None:
    text = "puzzle here:\n    rules chase\n    players 1\n\n    boat: (1,1)\n{}    ask: maximise gap for 1 turn\n"
    game = game_of(chase("gap < 9", "define gap = distance(boat, prey)"))
    (found,) = warnings_of(position(text.format(""), game))
    assert (found.code, [label.span.line for label in found.labels]) == ("RW271", [6, 11])
    assert warnings_of(position(text.format("    prey: (0,0)\n"), game)) == ()


def test_how_far_the_pirates_are_is_no_distance_while_they_are_not_at_sea(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nowhere_distances, "MOST_GAMES", 1)
    monkeypatch.setattr(nowhere_distances, "LONGEST", 5)
    sink = Sink()
    game = shipped("penguin_pirates")
    nowhere_distances.check_distances(game, Expectations(game), sink)
    assert list(sink) == []
    game = linked(variant("change lead:\n    drop away", extends="penguin_pirates"))
    nowhere_distances.check_distances(game, Expectations(game), sink)
    assert [(found.code, "`lead`" in found.message) for found in sink] == [("RW271", True)]
