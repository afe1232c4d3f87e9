"""The ledger: what differs is named, with both values; a clock of work shows the same whatever the machine does."""

from __future__ import annotations

import json

import pytest
from ledger import LEDGER, joined, moved, part_of, written
from ledger_entries import EXPLAINED, STATES, catalogue, game_in_play
from work_clock import AtOnce, ExecutorAtOnce, WorkClock

BEFORE = {"answers": {"one": {"value": "7", "bound": 7}, "two": {"value": "1"}}, "play": {"game": {"legal": "ab"}}}


def test_every_number_that_moved_is_named() -> None:
    now = {"answers": {"one": {"value": "7", "bound": 8, "count": 2}}, "play": {"game": {"legal": "ab"}, "new": {}}}
    assert moved(BEFORE, now) == [
        "answers one: bound 7 -> 8", "answers one: count None -> 2", "answers two: gone", "play new: new",
    ]  # fmt: skip
    assert moved(BEFORE, BEFORE) == []


def test_a_part_is_compared_and_joined() -> None:
    assert part_of(BEFORE, "answers t") == {"answers": {"two": {"value": "1"}}, "play": {}}
    assert joined(BEFORE, {"play": {"game": {"legal": "cd"}}}) == BEFORE | {"play": {"game": {"legal": "cd"}}}


def test_a_line_tells_of_an_entry() -> None:
    text = written(BEFORE)
    assert json.loads(text) == BEFORE
    assert '  "one": {"value": "7", "bound": 7},\n' in text


def test_the_ledger_tells_of_every_puzzle_that_asks() -> None:
    ledger = json.loads(LEDGER.read_text("utf-8"))
    assert sorted(ledger["answers"]) == sorted(puzzle.name for puzzle in catalogue().puzzles if puzzle.asks)
    assert LEDGER.read_text("utf-8") == written(ledger)


def test_play_is_the_same_every_time_and_as_recorded() -> None:
    found = game_in_play("classics.noughts_and_crosses")
    assert found["states"] <= STATES and found["states"] > EXPLAINED
    assert found == json.loads(LEDGER.read_text("utf-8"))["play"]["classics.noughts_and_crosses"]


class Search:
    states = 0

    @property
    def nodes(self) -> int:
        return self.states


def test_a_clock_of_work_counts_states_and_readings() -> None:
    clock, search = WorkClock(), Search()

    def kernel(search: Search) -> int:
        search.states += 1000
        return 3

    assert clock.read() == clock.now > 0
    before = clock.now
    assert clock.measuring("minimax_search", kernel)(search) == 3
    assert clock.now - before == pytest.approx(0.01)
    assert clock.measuring("legal", kernel) is kernel


def test_threads_of_work_are_done_at_once() -> None:
    done: list[int] = []
    thread = AtOnce(target=done.append, args=(1,))
    thread.start()
    assert done == [1] and not thread.is_alive()
    assert ExecutorAtOnce(1).submit(int, "7").result() == 7
    with pytest.raises(ValueError, match="invalid literal"):
        ExecutorAtOnce(1).submit(int, "x").result()
