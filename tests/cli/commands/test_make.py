"""`make` where nothing can be made: why, and what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.cli.commands.make import MOST_BITS, commission_of, read_interval
from rulewright.cli.names import named
from rulewright.studies.making.commission import Commission
from tests.cli.conftest import Call

DICE = """
module dice:
    "Add up what falls, or let it be."

state:
    left:  0..3 = 3
    total: 0..99
    die:   1..6

action throw:
    "The die counts."
    effect fall:  roll die
    effect tally: total += die
    effect pass:  left -= 1

action wait:
    "Nothing counts."
    effect fall: roll die
    effect pass: left -= 1

flow:
    repeat until left = 0:
        turn:
            choose throw, wait

score total: total
"""


def test_a_game_of_chance_is_given_up_soon(folder: Path, call: Callable[..., Call]) -> None:
    (folder / "dice.rules").write_text(DICE.lstrip())
    done = call("make", "dice", "--workers", "1", "--out", "none")
    assert done.status == 1
    assert "30 attempts" in done.err + done.out
    assert "in expectation" in done.err + done.out


def test_rules_without_a_set_up_start_from_known_puzzles(call: Callable[..., Call]) -> None:
    done = call("make", "classics.rush_hour", "--workers", "1", "--time", "0", "--out", "none")
    assert "play starts from 3 puzzles of these rules" in done.out


@pytest.mark.parametrize(
    ("goal", "moves", "gap", "bits"),
    [
        ("fewest moves until left = 0", "", 1, MOST_BITS),
        ("fewest moves until left = 0", "3..70", 1, None),
        ("maximise total for 2 turns", "", 1, None),
        ("minimise total for 2 turns", "", 1, None),
    ],
)
def test_by_default_greedy_play_fails_and_few_moves_have_few_choices(
    folder: Path, goal: str, moves: str, gap: int, bits: float | None
) -> None:
    (folder / "dice.rules").write_text(DICE.lstrip())
    wished = Commission((), 0, goal, moves=read_interval(moves, "--moves"), seconds=1.0)
    found = commission_of(named("dice"), wished, None, None)
    assert (found.gap, found.bits) == (gap, bits)
