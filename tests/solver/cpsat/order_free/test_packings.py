"""Pieces that are laid anywhere: a packing is a set of places, each cell of which is covered once."""

from __future__ import annotations

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.order_free.from_question import may_be_sets, order_free_model
from rulewright.solver.cpsat.process.job import Job, ModelKind
from rulewright.solver.cpsat.process.standalone import count_plans
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_against_enumeration import agreement_on
from tests.solver.cpsat.order_free.test_counting import sets_of_best_plans
from tests.solver.shortest.questions import asked

PACKING = """module asked:
    "Trominoes, each anywhere."

space strip: square grid {width} x {height}

pieces pieces in strip, turned:
    bar     x{bars}    sq sq sq
    corner  x2:
        sq .
        sq sq

action lay(p in places(pieces)):
    "Lay a piece anywhere."
    require left: kind(p) in box else "this piece lies already"
    require room: every c in cells(p): not covered(c) else "it does not fit here"
    effect cover: put kind(p) at p from box

flow:
    repeat:
        turn:
            choose lay

score squares: count c in strip where covered(c)
"""


def packing(width: int, height: int, bars: int, ask: str) -> Position:
    return asked(linked(PACKING.format(width=width, height=height, bars=bars)), ask)


def test_packings_against_enumeration() -> None:
    came = [
        agreement_on(packing(width, 2, bars, ask), f"{width} {bars} {ask}")
        for width in (3,)
        for bars in (1,)
        for ask in ("maximise score until end", "minimise score until end", "reach score >= 6 until end")
    ]
    assert set(came) == {"agrees"}


def test_packings_are_counted() -> None:
    position = packing(4, 3, 2, "maximise score until end")
    question = position.question
    assert question is not None
    model = order_free_model(position.asked, position.root, question)
    job = Job(ModelKind.ORDER_FREE, position.asked, position.root, question, 20.0, floor=12, counts=True)
    assert count_plans(job, model, 20.0, lambda report: None).count == len(sets_of_best_plans(position, 12)) > 0


ORDERED = PACKING.replace("p in places(pieces)", "p in places_over(pieces, gap)").replace(
    "action lay", "define gap = least c in strip where not covered(c) by 3 * column(c) + row(c)\n\naction lay"
)
"""A piece is laid over the first free cell: each packing in one order only, and play is over where none fits there."""

ONE_OF_TWO = ORDERED.replace("places_over(pieces, gap)", "those q in places(pieces) where gap in cells(q) or last in cells(q)")
ONE_OF_TWO = ONE_OF_TWO.replace(
    "define gap", "define last = greatest c in strip where not covered(c) by 3 * column(c) + row(c)\n\ndefine gap"
)
"""Over the first free cell or the last one: some orders of a packing."""


def ordered(text: str, width: int, ask: str, height: int = 2) -> Position:
    return asked(linked(text.format(width=width, height=height, bars=1)), ask)


@pytest.mark.parametrize("text", [ORDERED, ONE_OF_TWO], ids=["first", "first or last"])
@pytest.mark.parametrize("ask", ["maximise score", "minimise score", "reach score >= 6", "reach score >= 9"])
@pytest.mark.parametrize("width", [3, 4])
def test_pieces_laid_in_an_order_against_enumeration(text: str, ask: str, width: int) -> None:
    position = ordered(text, width, f"{ask} until end")
    assert may_be_sets(position.asked, position.root, position.question or pytest.fail())
    assert agreement_on(position, f"{width} {ask}") in ("agrees", "no plan")


def count_of(position: Position, best: int) -> int | None:
    question = position.question
    assert question is not None
    model = order_free_model(position.asked, position.root, question)
    job = Job(ModelKind.ORDER_FREE, position.asked, position.root, question, 20.0, floor=best, counts=True)
    found = count_plans(job, model, 20.0, lambda report: None)
    assert found.is_forced
    return found.count


@pytest.mark.parametrize("width", [3, 4])
def test_packings_of_one_order_each_are_counted(width: int) -> None:
    position = ordered(ORDERED, width, "maximise score until end", 3)
    assert count_of(position, 9) == len(sets_of_best_plans(position, 9)) > 0


def test_packings_of_some_orders_are_not_counted() -> None:
    position = ordered(ONE_OF_TWO, 3, "maximise score until end")
    with pytest.raises(Refused, match="some orders"):
        count_of(position, 6)


def test_a_look_tells_rules_whose_actions_have_an_order() -> None:
    position = ordered(MOVING, 4, "maximise score until end")
    assert position.question is not None
    assert not may_be_sets(position.asked, position.root, position.question)


NEAR = 'require near: (every c in cells(p): column(c) < 1 + count d in strip where covered(d)) else "too far"'
MOVING = PACKING.replace("require room:", f"{NEAR}\n    require room:")
"""What is required depends on how far the packing has come."""
