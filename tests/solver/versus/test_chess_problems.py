"""Chess problems solved by brute force with python-chess (`bench/chess_problems.py`): keys, tries, variations, every line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulewright.base.diagnostics import Sink
from rulewright.puzzles.formats.read import read_record, records, with_box
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.alphabets import alphabet_of
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import types
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.result import Limits
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.solution import Line, Solution, solution_of
from rulewright.studies.making.commission import parsed_goal
from tests.rules.playing import shipped

PROBLEMS = [json.loads(line) for line in Path(__file__).with_name("chess_problems.jsonl").read_text("utf-8").splitlines()]

ASKED = {"direct": "win for 1 in {} turns", "help": "win for 1 in {} turns together", "self": "lose for 1 in {} turns"}
EVERY = 35
"""One problem of so many is solved with every commit; all of them are a campaign."""


@cache
def chess() -> Game:
    return shipped("classics.chess")


def position_of(problem: dict[str, Any]) -> Position:
    sink, alphabet = Sink(), alphabet_of(chess(), chess().formats["epd"], Sink())
    (record,) = records(" ".join(problem["position"].split()[:4]) + "\n", "problem", alphabet, sink)
    puzzle = read_record(record, alphabet, chess(), "problem", sink)
    sink.stop()
    assert puzzle is not None
    ask = parsed_goal(ASKED[problem["kind"]].format(problem["turns"]))
    return set_up_position(with_box(evolve(puzzle, ask=ask), chess()), chess())


def uci(engine: Engine, move: Move) -> str:
    """`e2e4`, `e7e8q`"""
    action, written = list(engine.game.actions.values())[move[0]], ""
    for parameter, value in zip(action.parameters, move[1:], strict=True):
        match parameter.type:
            case types.Cell(space):
                window = engine.instance.windows[space]
                column, row, *_ = window.coordinates[value]
                written += f"{'abcdefgh'[column]}{8 - row}"
            case types.Tile():
                written += engine.game.tiles[value - 1].name.lower()
    return written


def tree(engine: Engine, state: State, lines: Iterable[Line]) -> dict[str, Any]:
    return {uci(engine, one.move): tree(engine, engine.apply(state, one.move), one.replies) for one in lines}


def flat(lines: dict[str, Any]) -> Iterator[list[str]]:
    for first, after in lines.items():
        for rest in flat(after) if after else ([],):
            yield [first, *rest]


def solution(position: Position) -> Solution:
    found = solution_of(MinimaxProblem(*asked_of(position)), Limits(120.0), 999)
    assert found is not None
    return found


def check(problem: dict[str, Any]) -> None:
    position = position_of(problem)
    engine, root, found = position.asked, position.root, solution(position)
    told = tree(engine, root, found.lines)
    if problem["kind"] == "help":
        assert sorted(flat(told)) == sorted(problem["lines"])
        return
    assert told == problem["keys"]
    assert {uci(engine, one.move): uci(engine, one.refutation) for one in found.tries} == problem["tries"]


def named(problem: dict[str, Any]) -> str:
    return f"{problem['kind']}{problem['turns']}-{problem['position'].split()[0].replace('/', ',')}"


@pytest.mark.parametrize("problem", PROBLEMS[::EVERY], ids=named)
def test_some_problems(problem: dict[str, Any]) -> None:
    check(problem)


@pytest.mark.campaign
@pytest.mark.parametrize("problem", [one for number, one in enumerate(PROBLEMS) if number % EVERY], ids=named)
def test_all_problems(problem: dict[str, Any]) -> None:
    check(problem)


def test_shorter_questions_have_no_solution() -> None:
    """No problem of the file has a shorter solution, except where all help."""
    for problem in PROBLEMS[1::EVERY]:
        if problem["kind"] != "help" and problem["turns"] == 2:
            shorter = MinimaxProblem(*asked_of(position_of({**problem, "turns": 1})))
            lines = solution_of(shorter, Limits(60.0), 0)
            assert lines is not None and lines.lines == ()


def asked_of(position: Position) -> tuple[Engine, State, Question]:
    assert position.question is not None
    return position.asked, position.root, position.question
