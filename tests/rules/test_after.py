"""Requirements after the effects: which moves they forbid in every reading, and what is said of refusals."""

from __future__ import annotations

import pytest

from rulewright.rules.model.state import Move, State
from rulewright.rules.model.terms import Constant, Invoke, Term
from rulewright.rules.model.types import Player
from rulewright.rules.play.coverage import CoverageEngine
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import parse_attempt
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.why_illegal import why_not
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import MODULES, linked, play_in_step, variant

ROW = """
module row:
    "Stones in a row; no three may lie side by side."

space row: square grid 6 x 1 of tiles

tiles stones:
    stone  x6

state:
    left: 0..2 = {left}
    laid: 0..9

define long = some c in row: occupied(c) and occupied(step(c, east)) and occupied(step(c, west))

action lay(c in row):
    require vacant: not occupied(c) else "there is a stone already"
    require loose after: not long else "three would lie side by side"
    require counted after: laid < 5 and player = 1
    effect lay: put stone at c from box
    effect pay: left -= {price}
    effect end: if {over}: end game

whenever one_more: put stone at c:
    laid += 1

flow:
    for player in players:
        repeat: choose lay, or stop
"""


def row(left: int = 2, price: int = 0, over: str = "no") -> Engine:
    return Engine.of(linked(ROW.format(left=left, price=price, over=over)), 1)


def after(engine: Engine, *moves: Move) -> State:
    state = engine.start()
    for move in moves:
        state = engine.apply(state, move)
    return state


def cells(moves: list[Move]) -> list[int]:
    return [move[1] for move in moves if move[0] >= 0]


@pytest.mark.parametrize("over", ["no", "yes"])
def test_what_the_position_after_forbids(over: str) -> None:
    """Between two stones with a gap nothing may be laid; that the effects end the game makes no difference to that."""
    engine = row(over=f"{over} and occupied((5,0))")
    state = after(engine, (0, 1), (0, 3))
    for moves in (engine.legal(state), ReferenceEngine(engine).legal(state), Agreement(engine, False).at(state).legal()):
        assert cells(moves) == [0, 4, 5]


def test_the_reason_names_the_position_after() -> None:
    engine = row()
    state = after(engine, (0, 1), (0, 3))
    [failure] = why_not(engine, state, parse_attempt(engine, state, "lay (2,0)"))
    assert (failure.requirement, failure.message) == ("lay.loose", "three would lie side by side")
    [first] = why_not(engine, state, parse_attempt(engine, state, "lay (1,0)"))
    assert first.requirement == "lay.vacant", "nothing is asked of effects that are impossible"


def test_what_fails_is_covered() -> None:
    watch = CoverageEngine(row())
    state = watch.start()
    for move in ((0, 1), (0, 3)):
        watch.look(state)
        assert ("lay.loose", "row") not in watch.shown.failed
        state = watch.act(state, move)
    watch.glance(state)
    assert watch.shown.failed == {("lay.loose", "row"), ("lay.vacant", "row")}


def test_effects_that_stop_the_game_are_an_error_only_when_the_action_is_done() -> None:
    engine = row(left=0, price=1)
    state = engine.start()
    table = Agreement(engine, False).at(state)
    for moves in (engine.legal(state), ReferenceEngine(engine).legal(state), table.legal()):
        assert cells(moves) == [0, 1, 2, 3, 4, 5]
    assert table.state == state
    assert table.hash == table.hash_from_scratch()
    with pytest.raises(PlayError, match="RW361"):
        engine.apply(state, (0, 0))
    assert why_not(engine, state, parse_attempt(engine, state, "lay (2,0)")) == ()


def test_kings_and_rooks() -> None:
    """Each move is legal that is legal without the requirements, and after which these hold as conditions on the position."""
    text = (MODULES / "royals.rules").read_text("utf-8")
    dropped = (
        "".join(f"change {name}: drop safe\n" for name in ("king", "rook"))
        + "change wall: drop whole\nchange wall: drop open\n"
    )
    engine, free = Engine.of(linked(text), 2), Engine.of(linked(text, variant(dropped, extends="royals")), 2)
    forbidden = 0
    for state, moves in play_in_step(engine, 4, limit=4):
        every = free.legal(state)
        assert set(moves) <= set(every)
        forbidden += len(every) - len(moves)
        for move in moves[:5]:
            mover, following = engine.player(state), free.apply(state, move)
            checked = free.compile_value(_safe(free, mover))(following)
            assert checked or move[0] == 2
    assert forbidden > 5


def _safe(engine: Engine, player: int) -> Term:
    definition = engine.game.definitions["safe"]
    return Invoke("safe", (Constant(player, type=Player()),), type=definition.type)
