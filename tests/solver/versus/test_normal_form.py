"""Mixed strategies against the normal form: every plan of one player against every plan of the other."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.puzzles.test_hidden_state import IN_TURN
from tests.solver.versus.mixed_values import value

ONE_CARD = """
module one_card:
    "One of six cards each. The first player may bet two more coins, and the second call or fold."

players 2

state:
    card of player: 0..6, owner only
    bets:  truth
    folds: truth

procedure set_up:
    one:   draw card of 1 from 1..6
    other: draw card of 2 from those c in 1..6 where c != card of 1

action bet:
    require first: player = 1
    effect more: bets := yes

action check:
    require first: player = 1

action call:
    require second: player = 2

action fold:
    require second: player = 2 and bets
    effect away: folds := yes

define ahead = if card of 1 > card of 2 then 1 else -1
score won: if folds then 1 else if bets then 3 * ahead else ahead

flow:
    set_up
    for player in players:
        turn:
            choose bet, check, call, fold
"""


def matrix_value(gains: list[list[int]]) -> float:
    """The value of a matrix game to who chooses the row, by a linear program."""
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    endless = solver.infinity()
    rows, sure = [solver.NumVar(0, endless, "") for _ in gains], solver.NumVar(-endless, endless, "")
    solver.Add(sum(rows) == 1)
    for column in zip(*gains, strict=True):
        solver.Add(sure <= sum(row * gain for row, gain in zip(rows, column, strict=True)))
    solver.Maximize(sure)
    assert solver.Solve() == solver.OPTIMAL
    return float(solver.Objective().Value())


def test_one_card_poker_in_normal_form() -> None:
    """Every way to bet or check six cards against every way to call or fold, dealt in thirty ways."""
    plans = list(itertools.product((False, True), repeat=6))
    deals = list(itertools.permutations(range(6), 2))

    def won(bets: bool, calls: bool, ahead: bool) -> int:
        return (1 if ahead else -1) if not bets else 1 if not calls else 3 if ahead else -3

    gains = [[sum(won(own[a], other[b], a > b) for a, b in deals) for other in plans] for own in plans]
    assert float(value(ONE_CARD, "maximise won")) == pytest.approx(matrix_value(gains) / len(deals), abs=1e-9)


TABLE = """
module table:
    "Both choose in secret; a table says who wins how much."

players 2

state:
    chosen of player: 0..2, owner only

action choose_one(number in 0..2):
    effect note: chosen of player := number

define at(row, column) = {}
score won: at(chosen of 1, chosen of 2)
""" + IN_TURN.format("choose_one")


@pytest.mark.parametrize("seed", range(6))
def test_random_matrices(seed: int) -> None:
    rng = random.Random(seed)
    gains = [[rng.randrange(-5, 6) for _ in range(3)] for _ in range(3)]
    cells = (f"if row = {row} and column = {column} then {gains[row][column]} else " for row in range(3) for column in range(3))
    rules = TABLE.replace("{}", "".join(cells) + "0")
    assert float(value(rules, "maximise won")) == pytest.approx(matrix_value(gains), abs=1e-9)


STAGES = """
module stages:
    "A coin that the first player knows, three choices in turn, and a table of gains."

players 2

state:
    coin of player: 0..1, owner only
    x: -1..1 = -1
    y: -1..1 = -1
    z: -1..1 = -1

procedure set_up:
    toss: draw coin of 1 from 0..1

action first(one in 0..1):
    require begun: x = -1
    effect note: x := one

action second(one in 0..1):
    require begun: x != -1 and y = -1
    require lucky: one = 0 or coin of 1 = 1 or x = {free}
    effect note: y := one

action third(one in 0..1):
    require begun: y != -1
    effect note: z := one
    effect over: end game

flow:
    set_up
    repeat:
        for player in players:
            turn:
                choose first, second, third

define gain(c, p, q, r) = {gains}
score won: gain(coin of 1, x, y, z)
"""


@pytest.mark.parametrize("seed", range(6))
def test_random_stages_in_normal_form(seed: int) -> None:
    """The second player knows the first choice, and by what is legal sometimes the coin."""
    rng = random.Random(seed)
    ways, free = list(itertools.product((0, 1), repeat=4)), rng.randrange(2)
    gain = {way: rng.randrange(-6, 7) for way in ways}
    cells = (f"if c = {c} and p = {p} and q = {q} and r = {r} then {gain[c, p, q, r]} else " for c, p, q, r in ways)
    rules = STAGES.replace("{free}", str(free)).replace("{gains}", "".join(cells) + "0")

    def legal(c: int, x: int) -> tuple[int, ...]:
        return (0, 1) if c == 1 or x == free else (0,)

    known = sorted({(x, legal(c, x)) for c in (0, 1) for x in (0, 1)})
    answers = [dict(zip(known, moves, strict=True)) for moves in itertools.product(*(moves for _, moves in known))]
    plans = [
        (xs, dict(zip(itertools.product((0, 1), repeat=2), zs, strict=True)))
        for xs in itertools.product((0, 1), repeat=2)
        for zs in itertools.product((0, 1), repeat=4)
    ]

    def worth(plan: tuple[tuple[int, ...], dict[tuple[int, int], int]], other: dict[tuple[int, tuple[int, ...]], int]) -> int:
        played = [(c, plan[0][c], other[plan[0][c], legal(c, plan[0][c])]) for c in (0, 1)]
        return sum(gain[c, x, y, plan[1][c, y]] for c, x, y in played)

    expected = matrix_value([[worth(plan, other) for other in answers] for plan in plans]) / 2
    assert float(value(rules, "maximise won")) == pytest.approx(expected, abs=1e-9)
