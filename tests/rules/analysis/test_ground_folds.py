"""Folds whose elements automorphisms map to each other, though not by their names: games of lines, put together at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.analysis import ground_folds, state_symmetries
from tests.rules.analysis.test_automorphisms import check_plays, found_in
from tests.rules.playing import linked, shipped
from tests.solver.shortest.questions import asked

LINES = """
module lines:
    "Lines are drawn between dots."

players 1
space dots: square grid {size}
space lines: edges of dots

state:
    drawn of lines: truth

define east(c in dots):
    "The line to the east of a dot is drawn."
    = step(c, E) in dots and drawn of edge(c, step(c, E))

define south(c in dots):
    "The line to the south of a dot is drawn."
    = step(c, S) in dots and drawn of edge(c, step(c, S))

define closed(c in dots):
    "All four sides of a box are drawn."
    = let e = step(c, E): let s = step(c, S): e in dots and s in dots and east(c) and south(c) and drawn of edge(e, step(e,
        S)) and drawn of edge(s, step(s, E))

define counts(c in dots):
    "A dot counts."
    = {counts}

action draw(line in lines):
    require new: not drawn of line
    effect draw: drawn of line := yes

flow:
    repeat until every e in lines: drawn of e: choose draw

score found: {score}
"""
COUNTS = (
    "closed(c)",
    "closed(c) and column(c) = 0",
    "east(c) and south(c)",
    "east(c) or not south(c)",
    "east(c) = south(c)",
    "closed(c) or c = cell(0, 0)",
    "step(c, E) in dots and (row(c) = 1 or not east(c))",
    "drawn of edge(cell(0, 0), cell(1, 0)) and column(c) < 2 or drawn of edge(cell(1, 0), cell(2, 0)) and column(c) = 2",
)
SCORES = (
    "count c in dots where counts(c)",
    "sum column(c) for c in dots where counts(c)",
    "sum (if counts(c) then 2 else 1) for c in dots where row(c) < 2",
    "if (some c in dots: counts(c)) then 1 else 0",
    "if (every c in dots where east(c): counts(c)) then 1 else 0",
)


def lines(counts: str, score: str = SCORES[0], size: str = "3 x 3") -> Position:
    return asked(linked(LINES.format(counts=counts, score=score, size=size)), "maximise score until end")


def test_boxes_are_turned_into_each_other() -> None:
    """Named by a corner, none is turned into itself."""
    assert len(found_in(lines("closed(c)"))) == 7
    assert len(found_in(asked(shipped("classics.dots_and_boxes"), "win for 1 against best play"))) == 7


def test_one_box_of_many_is_told_apart() -> None:
    assert len(found_in(lines("closed(c) and c = cell(0, 0)"))) == 1  # about the diagonal
    assert not found_in(lines("c = cell(0, 0) and closed(c) or c = cell(0, 2) and east(c)"))
    assert not found_in(asked(shipped("classics.dots_and_boxes"), "fewest moves until closed((0,0)) and closed((1,0))"))


@pytest.mark.parametrize("counts", COUNTS)
def test_lines_put_together(counts: str) -> None:
    for number, score in enumerate(SCORES):
        check_plays(lines(counts, score, "3 x 2"), 6, random.Random(number))


def test_how_many_are_found() -> None:
    assert [len(found_in(lines(counts))) for counts in COUNTS] == [7, 1, 1, 0, 0, 1, 3, 0]


FAULTS: dict[str, tuple[Any, str, Callable[..., Any]]] = {
    "elements count once": (state_symmetries, "Counter", set),
    "indices stay": (ground_folds, "_in_order", lambda parts: ()),
    "what decides is left out": (ground_folds, "FALSE", ground_folds.TRUE),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    with pytest.raises(AssertionError):
        for counts in COUNTS:
            check_plays(lines(counts), 6, random.Random(fault))
