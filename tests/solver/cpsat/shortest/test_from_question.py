"""Models of plans of limited length: where they end, what cannot be done, what is refused."""

from __future__ import annotations

from rulewright.base.choices import Engines
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.cpsat.process.job import WorkerStatus
from rulewright.solver.result import Limits, Status
from tests.rules.playing import linked, shipped
from tests.solver.cpsat.shortest.test_against_enumeration import agreement, job_of, solved
from tests.solver.shortest.questions import asked

TAKEN_AGAIN = """
module asked:
    "A stone may be shown on a cell: it is laid and taken again, once another one lies."

space path: square grid 2 x 1 of tiles

tiles stones:
    black  x2
    white  x2

state:
    shown: truth

action lay(tile in box, c in path where not occupied(c)):
    effect lay: put tile at c

action show(tile in box, c in path where not occupied(c)):
    require beside: some other in path: occupied(other)
    effect lay: put tile at c
    effect take: take c to box
    effect shown: shown := yes

flow:
    repeat:
        turn:
            choose lay, show

score none: 0
"""


def test_what_is_laid_may_be_taken_again_in_the_same_effects() -> None:
    aim = "fewest moves until shown and (count c in path where occupied(c)) = 1"
    found = solved(job_of(asked(linked(TAKEN_AGAIN), aim, "\n    box: black, black, white, white\n")))
    assert (found.status, found.value) == (WorkerStatus.OPTIMAL, -2)


STAIRS = """
module asked:
    "A walker climbs, rests where it must, and falls from the top."

space path: square grid 6 x 1 of tiles

tiles things:
    walker  x1

state:
    tired: truth
    falls: 0..3 = 0

action climb(c in path where at(c) = walker):
    require awake: not tired and column(c) < {top}
    effect climb: slide c to step(c, E)
    effect tire: tired := column(c) >= 1

action rest:
    require tired: tired
    effect rest: tired := no

procedure fall:
    fall: falls += 1

flow:
    repeat until falls > 1:
        repeat:
            turn:
                choose climb, rest
        fall

score none: 0
"""

AT_THE_FOOT = "\n    path:\n        walker  .  .  .  .  .\n    falls: 0\n"


def test_a_plan_does_not_end_at_a_choice_without_a_move() -> None:
    """At the top there is no move: the flow goes on and the walker falls twice before anything is asked again."""
    position = asked(
        linked(STAIRS.format(top=2)),
        "fewest moves until falls = 1",
        "\n    path:\n        walker  .  .  .  .  .\n    falls: 0\n",
    )
    assert answer(position.asked, position.root, position.question).status is Status.IMPOSSIBLE
    for most_moves in range(1, 6):
        assert solved(job_of(position, -most_moves)).status is not WorkerStatus.OPTIMAL


def test_fewest_moves_are_proved_twice() -> None:
    position = asked(shipped("classics.missionaries"), "fewest moves until across")
    limits = Limits(60, workers=2, engines=Engines.BOTH)
    result = answer(position.asked, position.root, position.question, limits)
    assert (result.score, result.proof) == (11, "search+states")


def test_choices_without_a_move_are_no_moves() -> None:
    """Two steps, then nothing is possible until the walker has fallen and rests: three moves with a choice passed over."""
    loops = "choose climb\n        fall\n        turn:\n            choose rest"
    text = STAIRS.format(top=5).replace("choose climb, rest\n        fall", loops)
    assert agreement(asked(linked(text), "fewest moves until not tired and falls = 1", AT_THE_FOOT)) == "solved"


def test_a_goal_that_is_not_reached_before_play_ends_is_impossible() -> None:
    text = TAKEN_AGAIN.replace("choose lay, show", "choose lay")
    aim = "fewest moves until every c in path: occupied(c) and at(c) = white"
    found = solved(job_of(asked(linked(text), aim, "\n    box: black, white\n")))
    assert found.status is WorkerStatus.INFEASIBLE
