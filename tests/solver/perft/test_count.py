"""Lines of play counted in machine code, against plain Python."""

from __future__ import annotations

import math
import time

import pytest

from rulewright.rules.machine.machine_game import GameFault
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.perft import TooManyStates, lines_of_play
from rulewright.solver.perft.count import LineCounter, total
from tests.rules.playing import shipped

GAMES = {"classics.noughts_and_crosses": 4, "classics.go": 2, "classics.pig": 6, "classics.market": 3, "beacon_patrol": 3}


def begun(name: str) -> Engine:
    game = shipped(name)
    return Engine.of(game, max(game.players.low, 2) if game.players.high > 1 else 1)


@pytest.mark.parametrize("name", GAMES)
def test_machine_code_counts_as_plain_python(name: str) -> None:
    engine, length = begun(name), GAMES[name]
    root = engine.start(3)
    counter = LineCounter.of(engine, root, length, math.inf)
    counter._quick = 0.0
    rows = list(counter.rows())
    plain = lines_of_play(engine, root, length)
    assert not counter._is_plain and not counter.is_over
    assert total(rows, length) == plain.counts
    assert counter._in_machine_code(root, length) == plain
    assert sum(row.lines.states for row in rows) == plain.states - 1  # without the root
    assert any(row.lines.has_drawn for row in rows) == plain.has_drawn == (name == "classics.pig")
    for row in rows:
        after = lines_of_play(engine, engine.apply(root, row.moves[0]), length - 1)
        assert row.lines.counts == (0, *after.counts)


@pytest.mark.parametrize("quick", [0.0, math.inf])
@pytest.mark.parametrize(("name", "point", "length"), [("classics.go", "turn", 2), ("classics.worker_placement", "day", 1)])
def test_turns_are_counted(name: str, point: str, length: int, quick: float) -> None:
    engine = begun(name)
    root = engine.start(3)
    counter = LineCounter.of(engine, root, length, math.inf, point)
    counter._quick = quick
    found = total(list(counter.rows()), length)
    assert not counter._is_plain
    if name == "classics.go":  # a turn is one move there
        assert found == lines_of_play(engine, root, length).counts
    else:
        assert found == (1, ends(engine.with_horizon(Horizon(point, 1)), root))


@pytest.mark.parametrize("name", ["classics.kalah", "classics.amazons"])
def test_first_turns_are_counted_apart(name: str) -> None:
    engine = begun(name)
    root = engine.start(3)
    by_move, by_turn = (LineCounter.of(engine, root, 1, math.inf, "turn", apart) for apart in (False, True))
    rows = list(by_turn.rows())
    assert total(rows, 1) == total(list(by_move.rows()), 1)
    assert len({row.moves for row in rows}) == len(rows) == sum(row.lines.counts[1] for row in rows)
    assert {len(row.moves) for row in rows} == ({1, 2} if name == "classics.kalah" else {2})


def ends(engine: Engine, state: State) -> int:
    """How many lines of play lead to an end."""
    return 1 if engine.over(state) else sum(ends(engine, engine.apply(state, move)) for move in engine.legal(state))


def test_time_ends_a_count() -> None:
    engine = begun("classics.go")
    counter = LineCounter.of(engine, engine.start(0), 30, time.monotonic() - 1)
    assert list(counter.rows()) == [] and counter.is_over


def test_what_machine_code_refuses_is_counted_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise GameFault

    engine = begun("classics.noughts_and_crosses")
    monkeypatch.setattr(LineCounter, "_in_machine_code", refuse)
    counter = LineCounter.of(engine, engine.start(0), 4, math.inf)
    counter._quick = 0.0
    assert total(list(counter.rows()), 4) == (1, 9, 72, 504, 3024)
    assert counter._is_plain


def test_short_lines() -> None:
    engine = begun("classics.noughts_and_crosses")
    assert total(list(LineCounter.of(engine, engine.start(0), 0, math.inf).rows()), 0) == (1,)
    assert total(list(LineCounter.of(engine, engine.start(0), 1, math.inf).rows()), 1) == (1, 9)


def test_states_are_limited() -> None:
    engine = begun("classics.noughts_and_crosses")
    with pytest.raises(TooManyStates):
        lines_of_play(engine, engine.start(0), 4, most=20)
    with pytest.raises(TooManyStates):
        lines_of_play(engine, engine.start(0), 4, until=time.process_time())
