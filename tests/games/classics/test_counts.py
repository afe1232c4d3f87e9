"""Moves and positions counted by the engine and by hand-written simulators; known counts from the literature."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from rulewright.rules.play.engine import State
from tests.games.classics import simulators as sim
from tests.games.classics.tables import Table, table

BOARDS = {
    "peg_solitaire": (sim.ENGLISH, (3, 3)),
    "european_solitaire": (sim.EUROPEAN, (3, 3)),
    "triangle_solitaire": (sim.TRIANGLE, (2, 0)),
}


def men(one: Table, state: State) -> frozenset[sim.Cell]:
    return frozenset(cell for cell, tile in one.tiles(state).items() if tile == "peg")


# Peg solitaire --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_the_boards_are_set_up(name: str) -> None:
    pegs, hole = BOARDS[name]
    one = table(name)
    state = one.engine.start()
    assert men(one, state) == pegs.holes - {hole}
    assert one.tiles(state).keys() - men(one, state) == set(one._cells()) - pegs.holes
    assert one.cell(state, "target") == hole


def test_four_first_jumps_and_the_shortest_game() -> None:
    """The central game begins with one of 4 jumps that are alike; nobody is stuck before the sixth."""
    one = table("peg_solitaire")
    start = one.engine.start()
    assert len(one.engine.legal(start)) == 4
    found = list(islice(sim.layers(start, one.after), 7))
    expected = list(islice(sim.layers(men(one, start), sim.ENGLISH.moves), 7))
    assert [len(layer) for layer in found] == [len(layer) for layer in expected] == [1, 4, 12, 60, 296, 1338, 5648]
    assert [any(map(one.engine.over, layer)) for layer in found] == [False] * 6 + [True]


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("seed", range(5))
def test_jumps_of_random_positions(name: str, seed: int) -> None:
    pegs, hole = BOARDS[name]
    one, rng = table(name), random.Random(seed)
    rim = dict.fromkeys(set(one._cells()) - pegs.holes, "rim")
    for _ in range(20):
        standing = frozenset(cell for cell in pegs.holes if rng.random() < 0.6)
        state = one.lay(rim | dict.fromkeys(standing, "peg"), cells={"target": hole})
        assert not one.holds(state)
        found = Counter(men(one, after) for after in one.after(state))
        assert found == Counter(pegs.moves(standing))


@pytest.mark.parametrize("name", BOARDS)
def test_a_point_for_a_last_man_on_the_target(name: str) -> None:
    pegs, target = BOARDS[name]
    one, other = table(name), (2, 2)
    for standing in ({target}, {other}, {target, other}, {other, (2, 3)}):
        state = one.lay(dict.fromkeys(standing, "peg"), cells={"target": target})
        assert one.engine.score(state) == (standing == {target})
        assert standing <= pegs.holes


# The hole that is empty at first: all games on the triangle of 15, and those that leave one man. The figures are well known.
GAMES = {
    (2, 0): (568_630, 29_760),
    (1, 1): (294_543, 14_880),
    (1, 2): (1_149_568, 85_258),
    (2, 2): (137_846, 1_550),
}


@pytest.mark.parametrize("hole", GAMES)
def test_games_on_the_triangle(hole: sim.Cell) -> None:
    one = table("triangle_solitaire")
    known: dict[State, tuple[int, int]] = {}

    def games(state: State) -> tuple[int, int]:
        if state not in known:
            after = [games(s) for s in one.after(state)]
            alone = int(len(men(one, state)) == 1)
            known[state] = (sum(g for g, _ in after), sum(s for _, s in after)) if after else (1, alone)
        return known[state]

    standing = sim.TRIANGLE.holes - {hole}
    rim = dict.fromkeys(set(one._cells()) - sim.TRIANGLE.holes, "rim")
    state = one.lay(rim | dict.fromkeys(standing, "peg"))
    assert games(state) == sim.TRIANGLE.games(standing, {}) == GAMES[hole]


def test_no_single_man_on_the_european_board() -> None:
    """Colour the holes by column + row modulo 3: a jump changes the parity of each colour. Of one man, two are even."""
    pegs, hole = BOARDS["european_solitaire"]
    for sign in (1, -1):
        colours = Counter((x + sign * y) % 3 for x, y in pegs.holes - {hole})
        assert len({n % 2 for n in colours.values()}) == 1
    assert all(len({(x + sign * y) % 3 for x, y in line}) == 3 for line in pegs.lines for sign in (1, -1))


# Sokoban --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_levels_made_at_random(seed: int) -> None:
    rng, one = random.Random(seed), table("sokoban")
    width, height = rng.randint(3, 16), rng.randint(3, 12)
    cells = [(x, y) for x in range(width) for y in range(height)]
    rng.shuffle(cells)
    share = len(cells) // 5
    walls = frozenset(cells[:share]) if seed % 3 else frozenset()
    crates, goals = frozenset(cells[share : share + 3]), frozenset(cells[share + 2 : share + 5])
    pusher = cells[-1]
    tiles = dict.fromkeys(walls, "wall") | dict.fromkeys(crates, "crate")
    state = one.lay(tiles, marks={"goal": goals}, cells={"pusher": pusher})
    assert not one.holds(state)
    moves = sim.sokoban(walls, goals, 16, 12)
    for _ in range(40):
        level = one.cell(state, "pusher"), frozenset(c for c, t in one.tiles(state).items() if t == "crate")
        assert one.engine.score(state) == len(level[1] & goals)
        found = {
            (one.cell(s, "pusher"), frozenset(c for c, t in one.tiles(s).items() if t == "crate")) for s in one.after(state)
        }
        assert found == set(moves(level))
        if one.engine.over(state):
            assert level[1] <= goals or not moves(level)
            break
        state = rng.choice(one.after(state))


# Sliding tiles --------------------------------------------------------------------------------------

NUMBERS = (
    *("", "one", "two", "three", "four", "five", "six", "seven", "eight"),
    *("nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)


def frame(one: Table, state: State) -> tuple[int, ...]:
    tiles = one.tiles(state)
    return tuple(NUMBERS.index(tiles.get(cell, "")) for cell in one._cells())


# OEIS A089473 and A089484: positions by the number of slides from a gap in the corner.
EIGHT = [1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512]
FIFTEEN = [1, 2, 4, 10, 24, 54, 107, 212, 446, 946, 1948]


@pytest.mark.parametrize(("name", "width", "counts"), [("sliding", 3, EIGHT), ("fifteen", 4, FIFTEEN)])
def test_positions_by_slides_from_a_corner(name: str, width: int, counts: list[int]) -> None:
    """Two tiles have changed places, so that no position is solved."""
    one = table(name)
    order = [*range(1, width * width - 2), width * width - 1, width * width - 2, 0]
    start = one.lay({cell: NUMBERS[n] for cell, n in zip(one._cells(), order, strict=True) if n})
    assert frame(one, start) == tuple(order)

    def forget(state: State) -> State:
        column = one.engine.layout.columns["slides"].start
        return (*state[:column], 0, *state[column + 1 :])

    found = list(islice(sim.layers(start, lambda s: map(forget, one.after(s))), len(counts)))
    expected = list(islice(sim.layers(tuple(order), sim.sliding(width)), len(counts)))
    assert [{frame(one, s) for s in layer} for layer in found] == expected
    assert [len(layer) for layer in expected] == counts


def test_the_hardest_frames_of_eight() -> None:
    solved = (*range(1, 9), 0)
    *_, last = found = list(sim.layers(solved, sim.sliding(3)))
    assert len(found) - 1 == 31
    assert last == {(8, 6, 7, 2, 5, 4, 3, 0, 1), (6, 4, 7, 8, 5, 0, 3, 2, 1)}
    one = table("sliding")
    start = frame(one, one.engine.start())
    assert start == (0, *range(8, 0, -1))
    assert any(start in layer for layer in found)


# Lights out -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_presses(seed: int) -> None:
    rng, one = random.Random(seed), table("lights_out")
    lit = frozenset((x, y) for x in range(5) for y in range(5) if rng.random() < 0.5)
    state = one.lay({}, marks={"lit": lit})
    assert one.engine.score(state) == 25 - len(lit)
    assert [one.marked(s, "lit") for s in one.after(state)] == [sim.press(lit, (x, y)) for y in range(5) for x in range(5)]


def test_fifteen_presses_for_all_lights() -> None:
    """The first row decides the others: each press below puts out the light above."""
    everything = frozenset((x, y) for x in range(5) for y in range(5))
    assert table("lights_out").marked(table("lights_out").engine.start(), "lit") == everything
    ways = []
    for choice in range(32):
        lit, pressed = everything, [(x, 0) for x in range(5) if choice >> x & 1]
        for button in pressed:
            lit = sim.press(lit, button)
        for y in range(1, 5):
            for x in range(5):
                if (x, y - 1) in lit:
                    lit = sim.press(lit, (x, y))
                    pressed.append((x, y))
        if not lit:
            ways.append(len(pressed))
    assert ways == [15, 15, 15, 15]
