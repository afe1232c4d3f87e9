"""Exceptions side by side: which pairs exclude each other, and positions that show the others."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import combinations

import pytest

from rulewright.base.diagnostics import RulesError, Sink
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import STOP
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.static.exception_overlap import (
    MOST_SUSPECTS,
    CandidateOverlap,
    candidate_overlaps,
    report_overlaps,
)
from rulewright.rules.static.expectations import Expectations
from rulewright.rules.static.overlap_search import search_by_playouts
from tests.rules.port import linked, module
from tests.rules.static.overlapping import clashing_game
from tests.rules.test_explanations import example, game_of

EXCLUDING = {
    "kinds of tile": ("at(c) = open", "side(at(c), N) = land"),
    "markers": ("at(c) has buoy", "at(c) = shore"),
    "a parameter": ("n > 2", "n in 0..2"),
    "a sum": ("n + 1 > 3", "n < 3", False),
    "a variable": ("fleet > 5", "fleet mod 2 = 0 and fleet < 5"),
    "a large variable": ("purse > 50", "purse < 40 or purse = 45"),
    "a definition": ("rich", "not rich and fleet = 1"),
    "a definition with exceptions": ("cost(fleet) = 20", "cost(fleet) = 15"),
    "a quantifier": ("every d in around(c): occupied(d)", "n = 1 and not every e in around(c): occupied(e)"),
    "a count": ("(count d in around(c) where occupied(d)) = 2", "(count d in around(c) where occupied(d)) > 2"),
    "a table": ("n = price.coins(player_count)", "n > price.coins(player_count)"),
    "the number of players": ("player_count = 1", "player_count = 2"),
    "truth": ("if n > 2 then fleet = 1 else no", "fleet = 2"),
}
OVERLAPPING = {
    "kinds of tile": ("at(c) = shore", "side(at(c), N) = land"),
    "a parameter": ("n > 2", "n = 3"),
    "a variable": ("fleet > 2", "fleet mod 2 = 1"),
    "a large variable": ("purse > 50", "purse < 52"),
    "two variables": ("purse > 50", "fleet > 2"),
    "a table": ("n = price.coins(player_count)", "n = 2"),
    "a quantifier": ("every d in around(c): occupied(d)", "some e in around(c): occupied(e)"),
}


def among(one: str, other: str) -> Game:
    definitions = f"define rich = purse > 50\n\ndefine w(c in sea, n):\n    = 0\n    a: 1 when {one}\n    b: 2 when {other}"
    return linked(module("more", definitions))


ROWING = """
pieces crew of player in sea, turned:
    rower   x2
    barge   x1  hull hull

define w(p in places(crew), d in directions(sea)):
    = 0
    a: 1 when {one}
    b: 2 when {other}
"""


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("kind(p) = rower", "kind(p) = barge", 0),
        ("facing(p) = N", "facing(p) = E", 0),
        ("kind(p) = rower and d = N", "kind(p) = rower and d = S", 0),
        ("kind(p) = rower", "kind(p) = rower and d = S", 1),
        ("kind(p) = rower", "facing(p) = N", 1),
        ("kind(p) = rower", "some q in pieces(crew): kind(q) = barge", 1),
    ],
)
def test_conditions_on_pieces(one: str, other: str, found: int) -> None:
    """What a piece is, is one value, however many places there are."""
    assert len(candidate_overlaps(linked(module("rowing", ROWING.format(one=one, other=other))))) == found


@pytest.mark.parametrize("what", EXCLUDING)
def test_conditions_that_exclude_each_other(what: str) -> None:
    one, other, *decided = EXCLUDING[what]
    found = candidate_overlaps(among(one, other))
    assert bool(found) == (decided == [False])


@pytest.mark.parametrize("what", OVERLAPPING)
def test_conditions_that_overlap(what: str) -> None:
    (suspect,) = candidate_overlaps(among(*OVERLAPPING[what]))
    assert (suspect.one.name, suspect.other.name) == ("w.a", "w.b")


def test_exceptions_to_an_exception() -> None:
    """Only what both are exceptions to makes these two exclude each other."""
    inside = "define w(n):\n    = 0\n    a: 1 when n > 2:\n        x: 2 when n < 5\n        y: 3 when n {}\n    b: 4 when n = 0"
    assert candidate_overlaps(linked(module("more", inside.format("< 2")))) == ()
    (suspect,) = candidate_overlaps(linked(module("more", inside.format("= 4"))))
    assert (suspect.one.name, suspect.other.name, [c.name for c in suspect.above]) == ("w.a.x", "w.a.y", ["w.a"])


COMBINATIONS = ("castles_by_the_sea.basic", "castles_by_the_sea.hurricane_season")
"""Of a large game of 48 modules, what most of them come together in."""


def test_the_games_that_ship_have_no_suspects() -> None:
    project, games = Project(SHIPPED), {}
    for name in project.modules():
        if name.startswith("castles_by_the_sea.") and name not in COMBINATIONS:
            continue
        with suppress(RulesError):  # some modules are parts of games
            games[name] = project.load(name)
    assert len(games) > 8
    assert {name: found for name, game in games.items() if (found := candidate_overlaps(game))} == {}


@pytest.mark.parametrize("seed", range(60))
def test_against_all_states(seed: int) -> None:
    """What is excluded holds in no state of all there are; what the search finds can be reached, which takes few moves here."""
    held = clashing_game(seed)
    found = candidate_overlaps(held.game)
    clashes = list(search_by_playouts(held.game, found))
    assert not held.clashing or found
    assert len(clashes) == bool(held.clashing)
    for clash in clashes:
        assert held.clashes_in(clash.state)
        with pytest.raises(PlayError):
            clash.engine.score(clash.state)


def test_a_clash_in_a_requirement_is_found() -> None:
    """The conditions overlap only with a purse above 50, where nothing can be bought at all; then moves cannot be listed."""
    rules = "define w(n):\n    = 0\n    a: 1 when purse > 12\n    b: 2 when purse > 12 and n = 1\n\n"
    game = linked(module("more", rules + "change buy:\n    require w: w(n) < 9"))
    (clash,) = search_by_playouts(game, candidate_overlaps(game))
    assert clash.state[clash.engine.layout.position("purse", None)] == 13
    with pytest.raises(PlayError):
        clash.engine.legal(clash.state)


def test_several_clashes_are_told_apart() -> None:
    cases = "".join(f"    k{n}: {n} when fleet >= {n}\n" for n in range(1, 5))
    game = linked(module("more", f"define w:\n    = 0\n{cases}\nchange wealth:\n    replace value: w"))
    open_ones = candidate_overlaps(game)
    assert len(open_ones) == len(list(combinations(range(4), 2)))
    found = list(search_by_playouts(game, open_ones))
    assert found[0].suspect.one.name == "w.k1"
    assert len({id(clash.suspect) for clash in found}) == len(found) >= 1


@pytest.mark.parametrize(("code", "kind"), [("RW266", "bad"), ("RW266", "good"), ("RW267", "bad"), ("RW267", "good")])
def test_the_examples_of_the_pages(code: str, kind: str) -> None:
    game = game_of(example(code, kind))
    open_ones = candidate_overlaps(game)
    sink = Sink()
    report_overlaps(open_ones, list(search_by_playouts(game, open_ones)), Expectations(game), sink)
    assert [(d.code, d.warning) for d in sink] == ([(code, code == "RW267")] if kind == "bad" else [])


def test_any_finder_will_do() -> None:
    """What one finder has not found is left to the next; the report does not ask who it was."""
    game = game_of(example("RW267", "bad"))
    open_ones = candidate_overlaps(game)
    engine = Engine.of(game, 1)

    def finder(game: Game, asked: tuple[CandidateOverlap, ...]) -> list[object]:
        from rulewright.rules.static.exception_overlap import OverlapWitness

        return [OverlapWitness(suspect, engine, engine.start()) for suspect in asked]

    sink = Sink()
    report_overlaps(open_ones, finder(game, open_ones), Expectations(game), sink)  # type: ignore[arg-type]
    assert [d.code for d in sink] == ["RW266"]
    assert STOP in engine.legal(engine.start())


def test_hostile_definitions_take_no_time() -> None:
    """Six hundred exceptions are 180,000 pairs; not all of them are looked at."""
    many = "".join(f"    k{n}: {n} when n mod {n + 2} = 1 and fleet mod {n + 3} = 2\n" for n in range(600))
    began = time.process_time()
    found = candidate_overlaps(linked(module("more", f"define w(n):\n    = 0\n{many}")))
    assert 0 < len(found) <= MOST_SUSPECTS
    assert time.process_time() - began < 10
