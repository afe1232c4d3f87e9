"""Chess and xiangqi against published counts of positions, in machine code."""

from __future__ import annotations

import math

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.perft.count import LineCounter, total
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import LIBRARY, engine_of


def lines_of_play(game: MachineGame, depth: int) -> int:
    moves = game.legal()
    if depth == 1:
        return len(moves)
    found, mark, before, seed = 0, game.mark, game.hash, game.seed
    for move in moves:
        game.apply(move)
        found += lines_of_play(game, depth - 1)
        game.undo(mark, before, seed)
    return found


def counted(engine: Engine, state: State, depth: int) -> tuple[int, ...]:
    """The lines of play of each length up to `depth`."""
    game = Agreement(engine, compiled=True).at(state)
    return tuple(lines_of_play(game, length) for length in range(1, depth + 1))


@pytest.mark.parametrize(
    ("name", "counts"),
    [("classics.chess", (20, 400, 8_902, 197_281)), ("classics.xiangqi", (44, 1_920, 79_666))],
)
def test_from_the_beginning(name: str, counts: tuple[int, ...]) -> None:
    engine = engine_of(2, name)
    assert counted(engine, engine.start(), len(counts)) == counts


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "length", "count"),
    [("classics.chess", 5, 4_865_609), ("classics.xiangqi", 4, 3_290_240), ("kiwipete", 4, 4_085_603)],
)
def test_longer_lines(name: str, length: int, count: int) -> None:
    """As Fairy-Stockfish and the Chess Programming Wiki have them."""
    if name == "kiwipete":
        position = Catalogue(LIBRARY).position(name)
        engine, state = position.asked.with_horizon(None), position.state
    else:
        engine = engine_of(2, name)
        state = engine.start()
    assert total(list(LineCounter.of(engine, state, length, math.inf).rows()), length)[length] == count


def test_a_position_with_every_kind_of_move() -> None:
    position = Catalogue(LIBRARY).position("kiwipete")
    assert counted(position.asked.with_horizon(None), position.state, 3) == (48, 2_039, 97_862)
