"""CP-SAT beside a search: how far its workers let the search go first."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.solver.cpsat.process import co_solver
from rulewright.solver.cpsat.process.co_solver import NICENESS, CoSolver, Disagreement
from rulewright.solver.cpsat.process.job import ANY_PLAN, Job, ModelKind, WorkerStatus
from rulewright.solver.cpsat.process.standalone import run
from rulewright.solver.result import Limits
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED
from tests.rules.playing import linked, shipped
from tests.solver.asking import engine_and_state
from tests.solver.shortest.questions import asked


class Silent:
    """A child that is asked, and says nothing."""

    asked: list[Job]

    def __init__(self, asked: Job) -> None:
        self.asked.append(asked)

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def report(self) -> None:
        return None


@pytest.mark.parametrize(("goal", "kind"), [(Goal.MAXIMISE, ModelKind.FINAL_BOARD), (Goal.MINIMISE, ModelKind.UNROLLED)])
@pytest.mark.parametrize("takes_all", [False, True])
def test_children_let_a_search_that_takes_all_processors_go_first(
    goal: Goal, kind: ModelKind, takes_all: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(PROVED[6][2][0], game)
    question = Question(goal, tuple(score.value for score in game.scores))
    monkeypatch.setattr(Silent, "asked", [], raising=False)
    monkeypatch.setattr(co_solver, "WorkerProcess", Silent)
    for name in ("DELAY", "DELAY_OF_SETS", "DELAY_BESIDE_KERNELS"):
        monkeypatch.setattr(co_solver, name, 0.0)
    beside = CoSolver(engine, state, question, Limits(workers=2))
    if takes_all:
        beside.wait_longer()
    beside.settled(None)
    assert [(asked.kind, asked.niceness) for asked in Silent.asked] == [(kind, NICENESS if takes_all else 0)]
    assert 0 < NICENESS <= 19


LIGHTS = """module asked:
    "Lights on a row."

space board: square grid 5 x 1

state:
    lit of board: truth
    presses:      0..99

action press(to in board):
    "A light and its neighbours."
    effect light: for c in around(to): lit of c := not lit of c
    effect count_press: presses += 1

procedure set_up:
    begin: lit of origin of board := yes

flow:
    set_up
    repeat until presses >= 9:
        turn:
            choose press

score dark: count c in board where not lit of c
"""


@pytest.mark.parametrize(
    ("ask", "status", "refuted"),
    [
        ("fewest moves until every c in board: lit of c", WorkerStatus.OPTIMAL, -1),
        ("fewest moves until presses > 9", WorkerStatus.INFEASIBLE, ANY_PLAN),
        ("reach score >= 6 until end", WorkerStatus.OPTIMAL, 6),
        ("reach score >= 2 until end", WorkerStatus.OPTIMAL, None),
    ],
)
def test_a_model_of_sets_is_refuted_again_by_the_same_worker(ask: str, status: WorkerStatus, refuted: int | None) -> None:
    position = asked(linked(LIGHTS), ask)
    assert position.question is not None
    job = Job(ModelKind.ORDER_FREE, position.asked, position.root, position.question, 60, proves_twice=True)
    found = run(job)
    assert found.status is status
    if refuted is not None and refuted < 0 and found.bound is not None:
        refuted = found.bound + 1
    assert found.refuted == refuted


def test_a_plan_beyond_the_bound_is_a_contradiction() -> None:
    position = asked(linked(LIGHTS), "fewest moves until every c in board: lit of c")
    assert position.question is not None
    beside = CoSolver(position.asked, position.root, position.question, Limits(workers=2), bound=-3)
    with pytest.raises(Disagreement):
        beside._add_value(-2, ((0, 1),))


def test_its_memory_is_spare_where_no_model_reads_the_question() -> None:
    limits = Limits(workers=2, memory_mib=2048)
    ordered = asked(shipped("classics.sliding"), "fewest moves until solved")
    assert CoSolver(ordered.asked, ordered.state, ordered.question, limits).spare() == 1024 << 20
    alone = Limits(workers=1, memory_mib=2048)
    assert CoSolver(ordered.asked, ordered.state, ordered.question, alone).spare() == 0
    lights = asked(linked(LIGHTS), "fewest moves until every c in board: lit of c")
    beside = CoSolver(lights.asked, lights.state, lights.question, limits)
    assert beside.spare() == 0
    beside._kinds = []  # the last worker has ended
    assert beside.spare() == 1024 << 20
    beside.bound = -3  # a second proof may be made
    assert beside.spare() == 0
