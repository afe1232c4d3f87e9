"""What a page answers by its kernels: the answers in the files, with plans that play."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rulewright.api.puzzle import load_puzzle
from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.result import Limits
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.solution import Line, solution_of
from rulewright.subset.refusal import CannotCompile
from rulewright.web.page import VALUES
from rulewright.web.search_module import search_module
from tests.web.in_node import needs_node

SOLVE = Path(__file__).with_name("solve.mjs")


def answered(position: Position, path: list[list[int]] | None = None, *more: str) -> Any:
    module = search_module(position)
    assert module is not None
    command = ["node", SOLVE, json.dumps(path or []), *more]
    return json.loads(subprocess.run(command, input=module.text, capture_output=True, text=True, check=True).stdout)


def as_data(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [{"move": list(one.move), "own": one.is_own, "replies": as_data(one.replies)} for one in lines]


def played(position: Position, plan: list[list[int]]) -> State:
    state = position.root
    for move in map(tuple, plan):
        assert move in position.asked.legal(state)
        state = position.asked.apply(state, move)
    return state


@needs_node
@pytest.mark.parametrize("name", ["overboard", "peg_plus", "shore_leave", "sokoban_bend", "slide_too_short"])
def test_the_best_value_is_found_with_its_plan(name: str) -> None:
    puzzle = load_puzzle(name)
    position = puzzle._position
    found = answered(position)
    assert (found["status"], found["value"]) == ("optimal", puzzle.expected)
    assert position.question is not None
    end = played(position, found["plan"])
    assert sum(position.asked.value(value, end) for value in position.question.values) == puzzle.expected


@needs_node
@pytest.mark.parametrize("name", ["hanoi_seven", "rush_hour_first", "lights_fewest"])
def test_the_least_cost_is_found_with_its_plan(name: str) -> None:
    puzzle = load_puzzle(name)
    position = puzzle._position
    found = answered(position)
    assert (found["status"], found["value"]) == ("optimal", puzzle.expected)
    assert position.question is not None
    assert position.question.until is not None
    assert position.asked.value(position.question.until, played(position, found["plan"]))


@needs_node
@pytest.mark.parametrize("name", ["noughts_draw", "connect_four_red", "go_catch_two"])
def test_best_play_is_found(name: str) -> None:
    puzzle = load_puzzle(name)
    found = answered(puzzle._position)
    answer = puzzle._position.puzzle.answer
    expected = VALUES[answer] if isinstance(answer, Verdict) else answer
    assert (found["status"], found["value"]) == ("optimal", expected)
    assert puzzle._position.asked.over(played(puzzle._position, found["plan"]))


@needs_node
@pytest.mark.parametrize("name", ["morphy", "help_mate", "fools_mate"])
def test_problems_are_solved_in_own_turns(name: str) -> None:
    position = load_puzzle(name)._position
    found = answered(position)
    assert found["status"] == "optimal"
    end = played(position, found["plan"])
    assert position.question is not None
    assert position.asked.over(end) and sum(position.asked.value(value, end) for value in position.question.values) == 1
    assert len(found["plan"]) <= 2 * (position.question.own_turns or 0)


@needs_node
@pytest.mark.parametrize("name", ["morphy", "help_mate"])
def test_keys_and_variations_are_those_of_python(name: str) -> None:
    position = load_puzzle(name)._position
    assert position.question is not None
    expected = solution_of(MinimaxProblem(position.asked, position.root, position.question), Limits(60.0), 0)
    assert expected is not None and expected.lines
    assert answered(position, [], "solution") == as_data(expected.lines)


@needs_node
def test_after_a_wrong_move_there_is_no_solution() -> None:
    """Black is to move then; no defence is listed as if it were answered."""
    position = load_puzzle("morphy")._position
    moves = {format_move(position.asked, position.root, move): list(move) for move in position.asked.legal(position.root)}
    assert answered(position, [moves["a1-a2"]], "solution") == []
    assert len(answered(position, [moves["a1-a6"]], "solution")) == 7


@needs_node
@pytest.mark.parametrize(("name", "value"), [("overboard", 7), ("rush_hour_first", 6), ("connect_four_red", 1)])
def test_a_search_begins_on_the_best_line_too(name: str, value: int) -> None:
    """After two moves of the best plan its end is still the best; of eight moves six are left."""
    position = load_puzzle(name)._position
    path = answered(position)["plan"][: 1 if name == "connect_four_red" else 2]
    found = answered(position, path)
    assert (found["status"], found["value"]) == ("optimal", value)
    played(position, path + found["plan"])


@needs_node
def test_what_cannot_be_reached_is_refuted() -> None:
    assert answered(load_puzzle("fifteen_swapped")._position)["status"] == "impossible"


@needs_node
@pytest.mark.parametrize("name", ["workers_given", "go_ladder"])
def test_given_plans_are_kept_to(name: str) -> None:
    puzzle = load_puzzle(name)
    position = puzzle._position
    found = answered(position)
    assert (found["status"], found["value"]) == ("optimal", puzzle.expected)
    (given,), state, kept = position.puzzle.given, position.begun, []
    for move in map(tuple, found["plan"]):
        assert move in position.played.legal(state)
        if position.played.player(state) == given.player:
            kept.append(format_move(position.played, state, move))
        state = position.played.apply(state, move)
    assert kept and kept == [*given.actions][: len(kept)]
    moved = 2 if name == "go_ladder" else 0  # fewest moves: two are made
    assert answered(position, found["plan"][:2])["value"] == found["value"] - moved


@needs_node
def test_a_best_way_is_found_where_all_are_counted() -> None:
    found = answered(load_puzzle("queens_eight")._position)
    assert (found["status"], len(found["plan"])) == ("optimal", 8)


def test_what_a_page_cannot_search_for_says_why() -> None:
    assert search_module(load_puzzle("european_too_many")._position) is None
    with pytest.raises(CannotCompile, match="average"):
        search_module(load_puzzle("pig_ten")._position)
