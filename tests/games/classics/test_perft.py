"""How many lines of play the classics have: as recorded, in the engine and by judges that know nothing of Rulewright."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.perft.count import LineCounter, total
from tests.games.classics import paths, robots, stalls, stones
from tests.games.classics.test_followers import BEGUN, JUDGE
from tests.games.classics.test_tiles import TSURO, tsuro
from tests.paths import ROOT
from tests.perft import perft
from tests.rules.playing import shipped

FOLDER = ROOT / "puzzles" / "library" / "classics"
ROBOTS = (FOLDER / "robots" / "ricochet_two.puzzle").read_text("utf-8")
PLACES, WALLS, _, _ = robots.read(ROBOTS)

Moves = Callable[[Any], Iterable[Any]]


def slides(here: tuple[robots.Cell, ...]) -> list[tuple[robots.Cell, ...]]:
    """What each robot that can move in some way comes to."""
    found = []
    for robot, at in enumerate(here):
        for way in robots.STEPS:
            to = robots.slid(at, way, set(here) - {at}, WALLS)
            if to != at:
                found.append((*here[:robot], to, *here[robot + 1 :]))
    return found


def after(moves: Moves) -> Moves:
    return lambda here: [child for _, child in moves(here)]


def breakthroughs(here: Any) -> list[Any]:
    """What a man ahead leads to: the men of who moves next, those of the other, and where the former go."""
    men, foes, ahead = here
    found = []
    for x, y in men:
        for to in ((x - 1, y + ahead), (x, y + ahead), (x + 1, y + ahead)):
            if to[0] in range(8) and to not in men and not (to[0] == x and to in foes):
                found.append((foes - {to}, men - {(x, y)} | {to}, -ahead))
    return found


TWO_ROWS = tuple(frozenset((x, y) for x in range(8) for y in rows) for rows in ((6, 7), (0, 1)))


SQUEEZE = (("CA", "HK", "S5"), ("SK", "SQ", "HA"), ("SA", "SJ", "D2"), ("D3", "D4", "D5"))
"""The hands of `whist_squeeze`: South, who leads, West, North, East."""


def cards(here: Any) -> list[Any]:
    """What a card leads to: the hands, the seat to play and the cards on the table, the last two emptied by a trick."""
    hands, seat, table = here
    suit = table[0][0] if table else ""
    own = [card for card in hands[seat] if card[0] == suit] or hands[seat]
    found = []
    for card in own:
        left = (*hands[:seat], tuple(one for one in hands[seat] if one != card), *hands[seat + 1 :])
        played, first = (*table, card), seat - len(table)
        best = max(range(len(played)), key=lambda n: (played[n][0] == played[0][0], "23456789TJQKA".index(played[n][1])))
        found.append((left, (first + best) % 4, ()) if len(played) == 4 else (left, (seat + 1) % 4, played))
    return found


JUDGES: dict[str, tuple[Any, Moves]] = {
    "go": (stones.Position(frozenset(), 1), after(stones.moves)),
    "market": (stalls.read(""), after(stalls.moves)),
    "followers": (BEGUN, after(JUDGE.moves)),
    "tsuro": (tsuro("tsuro_two"), lambda here: after(lambda one: paths.moves(TSURO, one))(here) if here.player >= 0 else ()),
    "robots": (tuple(PLACES.values()), slides),
    "breakthrough": ((*TWO_ROWS, -1), breakthroughs),
    "whist": ((SQUEEZE, 0, ()), cards),
}
LINES = {
    "go": (26, 651, 15650),
    "market": (10, 100, 970, 9340, 87070),
    "followers": (4, 8, 60, 180, 798),
    "tsuro": (8, 64, 32, 128),
    "robots": (5, 24, 112, 512, 2316),
    "breakthrough": (22, 484, 11132),
    "whist": (3, 6, 16, 48, 96, 138, 252, 408),
}
"""The lines of play of 1, 2, 3, … actions, from the set-up or from the puzzle of each."""


def begun(name: str) -> tuple[Engine, State]:
    puzzles = {
        "followers": "followers/followers_three",
        "tsuro": "tiles/tsuro_two",
        "whist": "cards/whist_squeeze",
        "robots": "robots/ricochet_two",
    }
    if name not in puzzles:
        engine = Engine.of(shipped(f"classics.{name}"), 2)
        return engine, engine.start(0)
    path = FOLDER / f"{puzzles[name]}.puzzle"
    position = Catalogue(Project(path.parent)).position(path)
    return position.engine, position.state


@pytest.mark.parametrize("name", LINES)
def test_the_engine_counts(name: str) -> None:
    engine, state = begun(name)
    assert tuple(perft(engine, state, depth) for depth in range(1, len(LINES[name]) + 1)) == LINES[name]


@pytest.mark.parametrize("name", LINES)
def test_the_judge_counts(name: str) -> None:
    start, moves = JUDGES[name]

    @cache
    def lines(here: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(lines(child, depth - 1) for child in moves(here))

    assert tuple(lines(start, depth) for depth in range(1, len(LINES[name]) + 1)) == LINES[name]


PUBLISHED = {"othello": (4, 12, 56, 244, 1396), "draughts": (7, 49, 302, 1469, 7361), "amazons": (2176,)}
LONGER = {"othello": (8, 390_216), "draughts": (9, 3_963_680), "amazons": (2, 4_307_152), "breakthrough": (5, 6_182_818)}
"""Counts of others by whole turns: Aart Bik's page on perft for the first two games, the tests of the language Regular Games
(`radekmie/rg` on GitHub) for the others."""


def turns(name: str, length: int) -> tuple[int, ...]:
    engine = Engine.of(shipped(f"classics.{name}"), 2)
    return total(list(LineCounter.of(engine, engine.start(0), length, math.inf, "turn").rows()), length)


@pytest.mark.parametrize("name", PUBLISHED)
def test_counts_are_as_published(name: str) -> None:
    assert turns(name, len(PUBLISHED[name])) == (1, *PUBLISHED[name])


@pytest.mark.nightly
@pytest.mark.parametrize("name", LONGER)
def test_longer_counts_are_as_published(name: str) -> None:
    length, count = LONGER[name]
    assert turns(name, length)[length] == count


@pytest.mark.nightly
def test_a_turn_of_several_jumps_is_one() -> None:
    """Up to six turns no man of draughts can take twice; in the seventh some can."""
    engine = Engine.of(shipped("classics.draughts"), 2)
    moves, turns = (total(list(LineCounter.of(engine, engine.start(0), 7, math.inf, by).rows()), 7) for by in (None, "turn"))
    assert moves[:7] == turns[:7] and (moves[7], turns[7]) == (179255, 179740)
