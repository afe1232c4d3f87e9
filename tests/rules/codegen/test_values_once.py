"""What a definition computes by a loop is computed once for all turns of the loops that it does not depend on, when it is first
needed; in effects it is computed anew, since each turn changes the state."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulewright.rules.codegen.writer import Block, BlockKind, Writer
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.play.engine import Engine
from tests.rules.machine.agreeing import Agreement
from tests.rules.playing import any_move, linked, play_in_step

RULES = """
module kept:
    "Heaps on a board, and what is asked of all of them at once."

players 1

space board: square grid 3 x 3

state:
    n of board: 0..3 = {heap}
    m: 0..9 = {start}

define heaps:
    = count c in board where n of c > 0
define higher(c in board):
    = count d in board where n of d > n of c
define much:
    = some c in board: n of c > 2
define first(k in 0..3):
    = least c in board where n of c >= k by n of c
define odd(c in board):
    = sum n of d for d in around(c)
    lone: 9 when heaps = 1
    many: 8 when higher(c) > 6
    far: 7 when m = 9

action go(from in board where n of from > 0, to in board where {where}):
    require sound: {sound}
    require good: some c in around(to): {good}
    effect away: n of from := n of from - 1
    effect there: n of to := min(3, n of to + 1)
    effect spread: for c in around(to) where {spread}:
        rise: n of c := ({rise}) mod 4
    effect tally: m := (m + heaps + higher(to)) mod 10

procedure level:
    for c in board where higher(c) > heaps - 3:
        even: n of c := heaps mod 3

score total: m + heaps

flow:
    for round in 1..8:
        turn:
            if heaps > 4 and higher(first(1)) < 5: level
            choose go or stop
"""

TESTS = (
    "higher(from) < 7",
    "heaps != 4",
    "heaps + higher(from) != higher({place}) + 4",
    "not much or n of {place} > 0",
    "odd(from) != 9",
    "odd({place}) < 9",
    "n of {place} != 1 or higher(from) = heaps",
    "{place} != first(n of from)",
    "m > 3 or not much",
    "n of first(1) < 2 + n of {place}",
    "n of first(n of from) != m mod 3",
)
LATER = ("higher(c) < heaps", "much or n of c = 0", "c != first(2)", "odd(c) mod 2 = 0")


def rules(rng: random.Random) -> str:
    """The module with tests picked at random."""
    test = lambda place: rng.choice(TESTS).format(place=place)  # noqa: E731
    return RULES.format(
        heap=rng.randint(0, 2),
        start=rng.randint(0, 9),
        where=test("to"),
        sound=f"{test('to')} or {test('to')}",
        good=f"{test('c')} and ({test('c')} or {test('c')})",
        spread=rng.choice(LATER),
        rise=rng.choice(("heaps + n of c", "higher(c)", "if much then heaps else higher(c) + 1", "odd(c)")),
    )


def engine(seed: int) -> Engine:
    return Engine.of(linked(rules(random.Random(seed))), 1)


def check(seeds: range) -> tuple[int, int]:
    """All readings of each rule set in step; how many moves, and how many faults."""
    played = faults = 0
    for seed in seeds:
        found = engine(seed)
        played += sum(1 for _ in play_in_step(found, seed, any_move, limit=8))
        agreement = Agreement(found, compiled=False)
        agreement.game_of(seed, limit=8)
        played, faults = played + agreement.moves, faults + agreement.faults
    return played, faults


@pytest.mark.parametrize("part", range(2))
def test_all_readings_agree(part: int) -> None:
    played, _ = check(range(part * 3, part * 3 + 3))
    assert played > 40


@pytest.mark.campaign
def test_many_rule_sets() -> None:
    played, _ = check(range(1000, 1300))
    assert played > 5000


def listing(found: Engine) -> str:
    """The function that lists the legal moves."""
    slots = Slots.of(found.instance, found.layout, capacity_of(found.game, found.layout, found.unset))
    text = write_game(found.instance, slots, found.flow, [], found.horizon).text
    return text.partition("def legal_0(")[2].partition("\ndef ")[0]


def test_a_count_is_written_before_the_loop_that_it_does_not_depend_on() -> None:
    text = RULES.format(
        heap=1, start=0, where="n of to < 3", sound="n of to = 1 or higher(from) > 2", good="m >= 0", spread="m < 0", rise="0"
    )
    lines = listing(Engine.of(linked(text), 1)).splitlines()
    at = next(number for number, line in enumerate(lines) if line.strip().startswith("k"))
    name = lines[at].split()[0]
    later = next(number for number, line in enumerate(lines) if line.strip().startswith(f"if {name} =="))
    assert any(indent(lines[at]) <= indent(line) < indent(lines[later]) and "for " in line for line in lines[at:later])


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def test_nothing_leaves_a_loop_whose_turns_change_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: effects as blocks that code may leave."""
    opened = Writer.open

    def as_guard(writer: Writer, header: str, kind: BlockKind) -> Block:
        return opened(writer, header, BlockKind.GUARD if kind is BlockKind.EFFECT else kind)

    monkeypatch.setattr(Writer, "open", as_guard)
    with pytest.raises(AssertionError):
        check(range(32))


def test_nothing_leaves_a_loop_whose_variable_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault: a value that is thought to depend on nothing."""
    outside: Any = Writer._outside_loops
    monkeypatch.setattr(Writer, "_outside_loops", lambda writer, level: outside(writer, 0))
    with pytest.raises((AssertionError, NameError)):
        check(range(32))
