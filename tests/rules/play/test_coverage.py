"""What a line of play shows of the rules."""

from __future__ import annotations

from rulewright.rules.play.coverage import CoverageEngine
from tests.rules.port import changed

BUY, PRAY = 0, 2


def observer() -> CoverageEngine:
    return CoverageEngine(changed("change buy:\n    require often: purse >= 0\n"))


def test_requirements_that_fail_somewhere() -> None:
    """Three ships cost 15, which nobody has after one was bought; `often` and `room` never fail."""
    watch = observer()
    state = watch.start()
    watch.look(state)
    assert watch.shown.failed == {("buy.paid", "port")}


def test_the_exception_that_has_the_last_word() -> None:
    """Of three ships `whole` says the price, not `dear`, which it is an exception to."""
    watch = observer()
    watch.look(watch.start())
    assert watch.shown.applied == {("cost.dear.whole", "port")}


def test_what_is_carried_out() -> None:
    watch = observer()
    state = watch.start()
    started = watch.shown.used.copy()
    assert {("open_up.fill", "port"), ("open_up.start", "port")} <= started
    assert not {("action buy", "port"), ("buy.pay", "port"), ("ebb.sink", "port")} & started
    after = watch.act(state, (BUY, 1))
    assert watch.shown.used - started == {
        *(("action buy", "port"), ("buy.pay", "port"), ("buy.more", "port"), ("ebb.sink", "port"), ("define cost", "port"))
    }
    assert after == watch.engine.apply(state, (BUY, 1))


def test_it_plays_as_the_game_is_played() -> None:
    watch = observer()
    state = watch.engine.start()
    for move in ((BUY, 2), (BUY, 1), (-1,), (PRAY,)):
        if move in watch.engine.legal(state):
            assert watch.act(state, move) == watch.engine.apply(state, move)
            state = watch.engine.apply(state, move)
