"""Pieces that are laid anywhere: a packing is a set of places, each cell of which is covered once."""

from __future__ import annotations

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.solver.cpsat.order_free.from_question import may_be_sets, order_free_model
from rulewright.solver.cpsat.process.job import Job, ModelKind
from rulewright.solver.cpsat.process.plan_counting import count_plans
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_against_enumeration import agreement_on
from tests.solver.cpsat.order_free.test_counting import sets_of_best_plans
from tests.solver.shortest import asked

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


def test_a_look_tells_rules_whose_actions_have_an_order() -> None:
    for text, expected in ((PACKING, True), (ORDERED, False)):
        position = asked(linked(text.format(width=4, height=2, bars=1)), "maximise score until end")
        assert position.question is not None and position.question.goal is Goal.MAXIMISE
        assert may_be_sets(position.asked, position.root, position.question) is expected


ORDERED = PACKING.replace("p in places(pieces)", "p in places_over(pieces, gap)").replace(
    "action lay", "define gap = least c in strip where not covered(c) by column(c)\n\naction lay"
)
