"""What is seen along a line, held against a walk along it; whose tiles are; who is the foe."""

from __future__ import annotations

import random

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.reference_engine import ReferenceEngine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked

GAME = """
module watch:
    "Stones, and what is seen between them."

players 2
space board: {space}

tiles stones of 2:
    stone  x40

tiles flags of 1:
    flag  x1

define seen(x, d) = those y in line(x, d) until occupied(y)

action lay(c in board where not occupied(c)):
    effect lay: put stone at c from box

action look(from in board, way in directions(board), to in seen(from, way)):
    effect look: stop

action pass_by(from in board, way in directions(board), to in those x in line(from, way) while not occupied(x)):
    effect look: stop

action meet(from in board, way in directions(board), to in ({{first x in line(from, way) where occupied(x)}} and board)):
    effect look: stop

action double(x in board, d in directions(board), to in those x in line(x, d) until some y in
        (those x in line(x, d) until occupied(x)): occupied(y)):
    effect look: stop

flow:
    for player in players:
        repeat: choose lay, look, pass_by, meet, double, or stop

score mine of player: count c in board where owner(at(c)) = player
score theirs of player: count c in board where owner(at(c)) = foe(player)
score nobodys: count c in board where owner(at(c)) is none
"""

SPACES = {
    "square": "square grid 5 x 4 of tiles, 8 neighbours",
    "wrapped": "square grid 4 x 3 of tiles, wrapped",
    "hex": "hex grid radius 2 of tiles",
    "ring": "ring 6 of tiles",
}


def seen(engine: Engine, state: State, cell: int, way: int) -> tuple[list[int], list[int]]:
    """The cells from a cell in a direction: up to the first stone, and before it."""
    window, stones = engine.instance.windows["board"], state[engine.layout.columns["board"].start]
    line = window.line(cell, way)
    stop = next((number for number, there in enumerate(line) if stones[there]), len(line))
    return list(line[: stop + 1]), list(line[:stop])


@pytest.mark.parametrize("name", SPACES)
def test_what_is_seen_is_what_a_walk_meets(name: str) -> None:
    engine, rng = Engine.of(linked(GAME.format(space=SPACES[name])), 2), random.Random(name)
    reference, machine = ReferenceEngine(engine), Agreement(engine, compiled=False)
    window = engine.instance.windows["board"]
    numbers = {action: number for number, action in enumerate(engine.game.actions)}
    state = engine.start()
    for _ in range(window.size // 2):
        moves = engine.legal(state)
        assert moves == reference.legal(state) == machine.at(state).legal()
        walks = [(cell, way, *seen(engine, state, cell, way)) for cell in range(window.size) for way in window.around]
        for action, cells in {
            "look": [(cell, way, there) for cell, way, until, _ in walks for there in until],
            "pass_by": [(cell, way, there) for cell, way, _, before in walks for there in before],
            "meet": [(cell, way, until[-1]) for cell, way, until, before in walks if len(until) > len(before)],
        }.items():
            assert [move[1:] for move in moves if move[0] == numbers[action]] == cells, action
        laid = rng.choice([move for move in moves if move[0] == numbers["lay"]])
        state = engine.apply(state, laid)
        assert engine.score(state) == reference.score(state)


def test_a_form_inside_another_has_names_of_its_own() -> None:
    """From each cell up to the first that sees a stone itself."""
    engine = Engine.of(linked(GAME.format(space="square grid 6 x 1 of tiles")), 2)
    state = engine.start()
    for cell in (3,):
        state = engine.apply(state, (0, cell))
    double = [move[1:] for move in engine.legal(state) if engine.game.actions and move[0] == 4]
    east = engine.instance.windows["board"].directions.index("E")
    assert [to for start, way, to in double if (start, way) == (0, east)] == [1]
    assert [to for start, way, to in double if (start, way) == (3, east)] == [4, 5]


def test_tiles_belong_to_the_player_of_their_set() -> None:
    engine = Engine.of(linked(GAME.format(space=SPACES["square"])), 2)
    state = engine.apply(engine.apply(engine.start(), (0, 0)), (0, 7))
    scores = {score.name: score for score in engine.game.scores}
    assert engine.score(state) == 2 + 2 + 18 and set(scores) == {"mine", "theirs", "nobodys"}


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("line(x, d) until", "around(x) until", "RW217"),
        ("square grid 5 x 4 of tiles, 8 neighbours", "graph of tiles:\n    a - b, c\n    b - c", "RW170"),
        ("players 2", "players 1..2", "RW142"),
        ("stones of 2", "stones of 3", "RW142"),
        ("owner(at(c)) is none", "owner(c) is none", "RW200"),
    ],
)
def test_what_is_refused(old: str, new: str, code: str) -> None:
    with pytest.raises(RulesError) as caught:
        linked(GAME.format(space=SPACES["square"]).replace(old, new))
    assert {found.code for found in caught.value.diagnostics} == {code}


def test_tiles_without_owners() -> None:
    text = GAME.format(space=SPACES["square"]).replace("stones of 2", "stones").replace("flags of 1", "flags")
    with pytest.raises(RulesError) as caught:
        linked(text)
    assert {found.code for found in caught.value.diagnostics} == {"RW158"}


def test_a_line_of_a_graph_is_one_step_in_every_reading() -> None:
    text = """
module ways:
    "Ways between four places."

space board: graph:
    a - b, c
    b - c, d

action look(from in board, way in directions(board), to in line(from, way)):
    effect look: stop

flow:
    repeat: choose look, or stop
"""
    engine = Engine.of(linked(text), 1)
    state = engine.start()
    moves = engine.legal(state)
    assert len(moves) == 9 and moves == ReferenceEngine(engine).legal(state)
    assert moves == Agreement(engine, compiled=False).at(state).legal()


@pytest.mark.parametrize("seed", range(8))
def test_directions_of_random_graphs_in_every_reading(seed: int) -> None:
    """Exits with the same number lead on from node to node, also in circles that leave out the first; only one step counts."""
    rng = random.Random(seed)
    pairs = rng.sample([(one, other) for one in "abcdef" for other in "abcdef" if one < other], rng.randint(3, 10))
    edges = "".join(f"    {' - '.join(rng.sample(pair, 2))}\n" for pair in pairs)
    text = f"""
module ways:
    "Ways between places."

space board: graph:
{edges}
action point(from in board, to in board, far in -1..6 where far = distance(from, to)):
    require way: not (from -> to) is none
    effect look: stop

action follow(from in board, way in directions(board), to in board where to = step(from, way)):
    effect look: stop

action see(from in board, beyond in board, to in line(from, from -> beyond)):
    effect look: stop

flow:
    repeat: choose point, follow, see, or stop
"""
    engine = Engine.of(linked(text), 1)
    state = engine.start()
    moves = engine.legal(state)
    assert sum(move[0] == 0 for move in moves) == 2 * len(pairs)
    assert moves == ReferenceEngine(engine).legal(state)
    assert moves == Agreement(engine, compiled=False).at(state).legal()
