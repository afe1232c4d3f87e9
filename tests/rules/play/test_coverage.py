"""What a line of play shows of the rules."""

from __future__ import annotations

from rulewright.rules.play.coverage import CoverageEngine
from rulewright.rules.play.engine import Engine
from tests.rules.playing import linked
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
        *(("action buy", "port"), ("buy.pay", "port"), ("buy.more", "port"), ("ebb.sink", "port"), ("define cost", "port")),
        ("end of day", "port"),
    }
    assert after == watch.engine.apply(state, (BUY, 1))


def test_it_plays_as_the_game_is_played() -> None:
    watch = observer()
    state = watch.engine.start()
    for move in ((BUY, 2), (BUY, 1), (-1,), (PRAY,)):
        if move in watch.engine.legal(state):
            assert watch.act(state, move) == watch.engine.apply(state, move)
            state = watch.engine.apply(state, move)


CARDS = """
module cards:
    "A card is shown where its pattern stands."

space yard: square grid 3 x 1 of tiles

tiles stuff:
    brick  x3
    card   x1

state:
    shown:   0..9
    wanted:  0..1

pattern pair in yard:
    block block
    require built: every c in block: occupied(c)

define there:
    "Whether what is wanted stands."
    = no
    row: some p in places(pair): holds(p) when wanted = 1

action lay(c in yard where not occupied(c)):
    effect put: put brick at c from box
    effect want: wanted := 1

action show:
    require there: there else "it does not stand"
    effect more: shown += 1

flow:
    repeat: choose lay, show or stop
"""


def test_what_a_requirement_reaches_after_it_failed() -> None:
    """`show` fails before anything is wanted; what its exception and the pattern say comes later."""
    watch = CoverageEngine(Engine.of(linked(CARDS), 1))
    state = watch.start()
    watch.look(state)
    assert watch.shown.failed == {("show.there", "cards")}
    watch.look(watch.act(state, (0, 0)))
    assert watch.shown.failed == {("show.there", "cards"), ("pair.built", "cards")}
    assert watch.shown.applied == {("there.row", "cards")}
