"""A game in machine code ends when another thread halts it, wherever it is."""

from __future__ import annotations

import threading

import pytest

from rulewright.base.deadline import TimeUp, deadline
from rulewright.rules.codegen.game_writer import FEW
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import linked

FORM = """
module long:
    "A move after which much happens, and many actions and scores."

state:
    n: 0..999999
    z: 0..9

action go:
    effect start: n := 1

{actions}
procedure churn:
    act: for a in 1..{length}: n := (n * 31 + 7 * a) mod 999983

flow:
    repeat:
        choose go, {names}
        repeat until n = 999999:
            churn

{scores}"""


MANY = FEW + 1


def machine(compiled: bool, length: int) -> tuple[Agreement, MachineGame]:
    """The game at its first choice; after a move it carries out 100,000 loops of some length."""
    numbers = range(MANY)
    text = FORM.format(
        length=length,
        actions="\n".join(f"action a{number}:\n    effect e: z := {number % 10}\n" for number in numbers),
        names=", ".join(f"a{number}" for number in numbers),
        scores="".join(f"score s{number}: n + z * {number}\n" for number in numbers),
    )
    engine = Engine.of(linked(text), 1)
    agreement = Agreement(engine, compiled)
    return agreement, agreement.at(engine.start(0))


@pytest.mark.parametrize(("compiled", "length"), [(True, 20_000), (False, 100)])
def test_a_flow_without_a_choice_is_halted(compiled: bool, length: int) -> None:
    _, game = machine(compiled, length)
    threading.Timer(0.02, game.halt).start()
    with pytest.raises(TimeUp):
        game.apply((0,))


def test_lists_of_moves_and_sums_of_scores_are_halted() -> None:
    _, game = machine(False, 1)
    assert len(game.legal()) == 1 + MANY
    game.halt()
    for call in (game.legal, game.value):
        with pytest.raises(TimeUp):
            call()


def test_a_game_is_halted_with_the_time() -> None:
    agreement, other = machine(True, 20_000)
    with pytest.raises(TimeUp), deadline(0.05):
        game = agreement.at(other.state)
        game.apply((0,))
    assert game.is_halted and not other.is_halted


WIDE = """
module wide:
    "Few moves, each of which is looked for long."

space field: square grid 8 x 8

state:
    on of field: truth

define odd(a in field, b in field) = some c in field where on of c: some d in field: distance(c, d) > 20 or a = b
define many = those a in field where odd(a, origin of field)

action go(a in field, b in field):
    require {require}
    effect go: on of a := no

procedure set_up:
    all: for c in field: on of c := yes

flow:
    set_up
    repeat: choose go, or stop
"""


@pytest.mark.parametrize(
    "require",
    [
        "unequal: a != b and odd(a, b) and odd(b, a)",
        "listed: a in (many - {b})",
        "summed: (sum row(d) * column(b) for d in many) > 3",
        "after after: (some c in many: c = a) and on of a",
    ],
)
def test_a_long_list_of_moves_is_halted(require: str) -> None:
    engine = Engine.of(linked(WIDE.format(require=require)), 1)
    game = Agreement(engine, compiled=False).at(engine.start(0))
    game.halt()
    with pytest.raises(TimeUp):
        game.legal()
