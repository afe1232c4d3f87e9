"""What the entrance asks for: each fact about a problem is derived once, whoever needs it."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest

from rulewright.base.deadline import check_deadline
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.analysis.dominance import MonotoneVariables
from rulewright.rules.analysis.reachable_states import ReachableStates
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.answer import portfolio
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best import bound_tables
from rulewright.solver.best.bounds import covering_bound, isoperimetric_bound, movement_rules
from rulewright.solver.result import OTHERWISE_MIB, Limits, Result, Status
from rulewright.solver.versus import best_play
from tests import paths
from tests.rules.playing import linked, shipped
from tests.solver.asking import greatest_score
from tests.solver.shortest.questions import question

LONG = """module long:
    "A condition that is written out five hundred times for every move."

space yard: square grid 4 x 4, 8 neighbours

state:
    tall of yard: 0..9

define high(c in yard, d in directions(yard)) =
    some x in directions(yard), y in directions(yard), z in directions(yard): tall of c > 3

action grow(c in yard, d in directions(yard)):
    require low: not high(c, d)
    effect grow: tall of c += 1

flow:
    repeat: choose grow, or stop

score grown: sum tall of c for c in yard
"""

FACTS: tuple[tuple[Any, str], ...] = (
    (DataflowAnalysis, "__init__"),
    (DataflowAnalysis, "lays_beside"),
    (DataflowAnalysis, "_live"),
    (MonotoneVariables, "of"),
    (ReachableStates, "__init__"),
    (ReachableStates, "board_sums"),
    (covering_bound, "support_sets"),
    (covering_bound, "tile_domains"),
    (covering_bound, "covering_bound"),
    (isoperimetric_bound, "isoperimetric_bound"),
    (movement_rules, "movement_rules"),
    (bound_tables, "pair_tables"),
    (Engine, "of"),
)
TWICE = {"DataflowAnalysis._live"}
"""For the objective, and without it: what decides how play may go on."""


def test_writing_programs_of_long_rules_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portfolio, "LATE", 0.0)
    engine = Engine.of(linked(LONG), 1)
    began = time.process_time()
    result = answer(engine, engine.start(0), greatest_score(engine.game), Limits(0.05))
    assert (result.status, result.remarks) == (Status.UNKNOWN, (portfolio.TOO_LONG,))
    assert time.process_time() - began < 3.0
    check_deadline()  # it holds no longer


def test_each_fact_is_derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Catalogue(Project(paths.PROVED)).position(paths.PROVED / "mid_k03_s3_b19.puzzle")
    engine, question = position.asked, position.question
    assert question is not None
    calls: Counter[str] = Counter()
    for owner, name in FACTS:
        _count(monkeypatch, calls, owner, name)
    result = answer(engine, position.state, question, Limits(60))
    assert (result.status, result.score) == (Status.OPTIMAL, position.puzzle.answer)
    keys = {_key(owner, name) for owner, name in FACTS} - {"Engine.of"}
    assert calls == {key: 2 if key in TWICE else 1 for key in keys}


def _key(owner: Any, name: str) -> str:
    return f"{owner.__name__.rpartition('.')[2]}.{name}"


def _count(monkeypatch: pytest.MonkeyPatch, calls: Counter[str], owner: Any, name: str) -> None:
    before = getattr(owner, name)

    def counted(*arguments: Any, **named: Any) -> Any:
        calls[_key(owner, name)] += 1
        return before(*arguments, **named)

    monkeypatch.setattr(owner, name, staticmethod(counted) if name == "of" else counted)


def test_all_memory_is_for_a_search_that_has_no_cp_sat_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limits] = []
    monkeypatch.setattr(best_play, "answer_best_play", lambda problem, limits, listener: given.append(limits) or DRAW)
    game = shipped("classics.noughts_and_crosses")
    engine = Engine.of(game, 2)
    answer(engine, engine.start(1), question(game, "win for 1"), Limits(workers=2, memory_mib=2048))
    assert [limits.co_solver_mib for limits in given] == [0]
    assert all((2048 - OTHERWISE_MIB) << 20 <= limits.room < 2048 << 20 for limits in given)


DRAW = Result(Status.OPTIMAL, 0, 0, (), 1, 0.0)
