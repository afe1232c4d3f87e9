"""What a parameter's `where` asks of other things than the parameter is tested before the loop over its values, unless the test
may stop the game: then only for values that there are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from rulewright.rules.codegen.move_generator import Env, MoveGenerator
from rulewright.rules.codegen.subroutines import Subroutines
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import any_move, linked, play_in_step

RULES = """
module fixed:
    "What is the same for all."

players 1

space board: square grid 3 x 3

state:
    n of board: 0..3 = {men}
    m: 0..9 = {start}

define heavier(c in board) = some d in around(c): n of d > n of c
define worth(c in board):
    = 1
    edge: 2 when n of c = 2
    corner: 3 when n of c = 2 and m > 5

action go(from in board where n of from > 0, to in {domain} where {where}):
    effect away: n of from := if m > 6 then 2 else n of from - 1
    effect there: n of to := min(3, n of to + 1)
    effect tally: m := (m + n of to) mod 10

score total: m

flow:
    for round in 1..8:
        turn:
            choose go or stop
"""

CONDITIONS = (
    "heavier(from)",
    "m mod 3 != 1",
    "n of to < 3",
    "to != from",
    "worth(from) > 0",
    "worth(to) < 3",
    "distance(from, to) < 2",
)
START = (0, 7)
DOMAINS = ("board", "those c in board where n of c = m mod 4", "around(from)")
RULE_SETS = [
    (domain, where)
    for number, where in enumerate(" and ".join(some) for many in (1, 2, 3) for some in combinations(CONDITIONS, many))
    for domain in (DOMAINS[number % 3],)
]


def engine(domain: str, where: str, start: int = 0) -> Engine:
    return Engine.of(linked(RULES.format(domain=domain, where=where, men=1 + start % 2, start=start)), 1)


@pytest.mark.parametrize("part", range(4))
def test_all_readings_agree(part: int) -> None:
    played = faults = 0
    for domain, where in RULE_SETS[part::4]:
        found = engine(domain, where, START[part % 2])
        for seed in range(2):
            played += sum(1 for _ in play_in_step(found, seed, any_move, limit=12))
        agreement = Agreement(found, compiled=False)
        agreement.game_of(3, limit=12)
        faults += agreement.faults
    assert played > 150 and faults


def depth_of(text: str, part: str) -> int:
    """How deep the first line with some part stands."""
    line = next(line for line in text.splitlines() if part in line)
    return (len(line) - len(line.lstrip())) // 4


def listing(where: str) -> str:
    found = engine("board", where)
    slots = Slots.of(found.instance, found.layout, capacity_of(found.game, found.layout, found.unset))
    text = write_game(found.instance, slots, found.flow, [], found.horizon).text
    return text.split("def legal_0")[1].split("\ndef ")[0]


def test_it_is_tested_outside_of_the_loop() -> None:
    within, ahead = listing("heavier(to)"), listing("heavier(from) and n of to < 3")
    assert depth_of(within, "!= tables") - 1 == depth_of(ahead, "!= tables")


def test_what_may_stop_the_game_is_tested_within() -> None:
    lines = listing("worth(from) > 1 and n of to < 3").splitlines()
    loops = [at for at, line in enumerate(lines) if line.lstrip().startswith(("for ", "while "))]
    assert next(at for at, line in enumerate(lines) if "fault" in line and "STOPPED" in line) > loops[1]


def test_a_test_that_stops_the_game_too_soon_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: as if no test stopped the game."""
    harmless = MoveGenerator._harmless

    def rash(generator: MoveGenerator[Any], env: Env, conditions: Sequence[Term]) -> object:
        with monkeypatch.context() as patched:
            patched.setattr(Subroutines, "stops", lambda *_: False)
            return harmless(generator, env, conditions)

    monkeypatch.setattr(MoveGenerator, "_harmless", rash)
    with pytest.raises(AssertionError):
        for domain, where in RULE_SETS:
            for _ in play_in_step(engine(domain, where, 7), 0, any_move, limit=12):
                pass
