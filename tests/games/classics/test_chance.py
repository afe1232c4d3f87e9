"""Games of chance against programs written by hand, which know nothing of Rulewright."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.rng import drawn
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import proved_answer, solve_verified
from tests.paths import ROOT
from tests.rules.playing import shipped

CHANCE = sorted((ROOT / "puzzles" / "library" / "classics" / "chance").glob("*.puzzle"))
Rows = tuple[tuple[int, ...], ...]
WAYS = ("N", "E", "S", "W")


# Pig -----------------------------------------------------------------------------------------------


@cache
def one_turn(total: int = 0) -> Fraction:
    """What a turn brings on the average that is stopped in time. Nobody throws with a hundred points in hand."""
    if total >= 100:
        return Fraction(total)
    return max(Fraction(total), sum((one_turn(total + eye) for eye in range(2, 7)), Fraction(0)) / 6)


@cache
def likely(goal: int, turns: int, saved: int = 0, total: int = 0) -> Fraction:
    """The probability of reaching a goal in so many turns."""
    if saved >= goal or turns == 0:
        return Fraction(saved >= goal)
    stopped = likely(goal, turns - 1, saved + total)
    if saved + total >= goal:
        return stopped
    thrown = likely(goal, turns - 1, saved) + sum(likely(goal, turns, saved, total + eye) for eye in range(2, 7))
    return max(stopped, thrown / 6)


# Doubling ------------------------------------------------------------------------------------------


def squeezed(line: list[int]) -> tuple[list[int], int]:
    """A row after a push to its left end, and the points for it."""
    left, found, points = [number for number in line if number], list[int](), 0
    while left:
        number = left.pop(0)
        if left and left[0] == number:
            left.pop(0)
            number *= 2
            points += number
        found.append(number)
    return found + [0] * (len(line) - len(found)), points


def pushed(rows: Rows, way: str) -> tuple[Rows, int]:
    turned = {"W": rows, "E": [row[::-1] for row in rows], "N": zip(*rows, strict=True),
              "S": [column[::-1] for column in zip(*rows, strict=True)]}[way]  # fmt: skip
    lines = [squeezed(list(line)) for line in turned]
    after, points = [tuple(line) for line, _ in lines], sum(won for _, won in lines)
    if way in ("E", "S"):
        after = [line[::-1] for line in after]
    if way in ("N", "S"):
        after = list(zip(*after, strict=True))
    return tuple(after), points


def with_new(rows: Rows) -> Iterator[tuple[Rows, Fraction]]:
    free = [(x, y) for y, row in enumerate(rows) for x, number in enumerate(row) if not number]
    for number, share in ((2, Fraction(9, 10)), (4, Fraction(1, 10))):
        for x, y in free:
            new = [list(row) for row in rows]
            new[y][x] = number
            yield tuple(map(tuple, new)), share / len(free)


@cache
def expected(rows: Rows, pushes: int) -> Fraction:
    if not pushes:
        return Fraction(0)
    values = []
    for way in WAYS:
        after, points = pushed(rows, way)
        if after != rows:
            values.append(points + sum(share * expected(child, pushes - 1) for child, share in with_new(after)))
    return max(values, default=Fraction(0))


def known(rows: Rows, pushes: int, seed: int) -> int:
    """The most points when it is known what comes."""
    if not pushes:
        return 0
    best = 0
    for way in WAYS:
        after, points = pushed(rows, way)
        if after == rows:
            continue
        free = [(x, y) for y, row in enumerate(after) for x, number in enumerate(row) if not number]
        at, following = drawn(range(len(free)), seed)
        tenth, following = drawn(range(10), following)
        assert isinstance(following, int)
        x, y = free[at]
        new = [list(row) for row in after]
        new[y][x] = 4 if tenth == 9 else 2
        best = max(best, points + known(tuple(map(tuple, new)), pushes - 1, following))
    return best


BY_HAND = {
    "pig_turn": one_turn,
    "pig_ten": lambda: likely(10, 2),
    "doubling_three": lambda: expected(((8, 4, 2), (8, 2, 4), (2, 0, 0)), 3),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_answers_by_hand(name: str) -> None:
    position = Catalogue(Project(CHANCE[0].parent)).position(CHANCE[0].with_name(f"{name}.puzzle"))
    assert position.puzzle.answer == BY_HAND[name]()


def test_what_comes_is_known() -> None:
    path = CHANCE[0].with_name("doubling_known.puzzle")
    position = Catalogue(Project(path.parent)).position(path)
    assert position.puzzle.answer == known(((8, 8, 4), (2, 0, 0), (4, 0, 0)), 6, position.state[1])


@pytest.mark.parametrize("path", CHANCE, ids=lambda path: path.stem)
def test_the_answers_of_the_puzzles(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result, _ = solve_verified(position.asked, position.state, position.question, Limits(60))
    assert position.puzzle.answer is not None
    assert proved_answer(result, position.question) == position.puzzle.answer


def test_pushes_are_as_by_hand() -> None:
    engine = Engine.of(shipped("classics.doubling"), 1)
    board, window = engine.layout.columns["number"].start, engine.instance.windows["board"]

    def rows_of(state: State) -> Rows:
        return tuple(tuple(state[board][window.cell((x, y))] for x in range(3)) for y in range(3))

    for seed in range(20):
        state = engine.start(seed)
        while not engine.over(state):
            rows, points, moves = rows_of(state), engine.score(state), engine.legal(state)
            assert [window.directions[way] for _, way in moves] == [way for way in WAYS if pushed(rows, way)[0] != rows]
            move = moves[(seed + points) % len(moves)]
            after, won = pushed(rows, window.directions[move[1]])
            state = engine.apply(state, move)
            assert rows_of(state) in [child for child, _ in with_new(after)]
            assert engine.score(state) == points + won
