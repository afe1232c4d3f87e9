"""Questions for shortest plans, and breadth-first search written apart from the solver, to hold it against."""

from __future__ import annotations

import math
import time

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import COUNTED
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.kernel.run import Run, executor
from rulewright.solver.result import Limits, Listener
from rulewright.solver.shortest.boosters import boosters_of
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.subset.program import as_baseline_code, as_machine_code


def asked(game: Game, ask: str, body: str = "") -> Position:
    """The position after the set-up of a game, or that of the lines of a puzzle, with a question."""
    text = f"puzzle asked:\n    rules asked\n    players {game.players.low}\n{body}\n    ask: {ask}\n"
    return set_up_position(parse_puzzle(text, "a puzzle"), game)


def question(game: Game, ask: str) -> Question:
    tree = parse_puzzle(f"puzzle asked:\n    rules asked\n    ask: {ask}\n", "a puzzle").ask
    assert tree is not None
    return question_of(game, tree)


def least(engine: Engine, state: State, question: Question, most_states: int = 100_000) -> int | None:
    """The least cost over every line of play, by relaxing until nothing changes (Bellman and Ford); None without a plan."""
    assert question.until is not None

    def cost_of(cost: int, before: State, after: State) -> int:
        if question.counts_moves:
            return cost + 1
        return before[COUNTED] + 1 if question.counts_turns else sum(engine.value(value, after) for value in question.values)

    start = sum(engine.value(value, state) for value in question.values) if question.values else 0
    found, pending = {_without_count(state): (start, state)}, [state]
    while pending:
        here = pending.pop(0)
        cost, best = found[_without_count(here)]
        if best != here or engine.over(here) or engine.value(question.until, here):
            continue
        for move in engine.legal(here):
            child = engine.apply(here, move)
            reached = cost_of(cost, here, child)
            if (known := found.get(_without_count(child))) is None or reached < known[0]:
                found[_without_count(child)] = reached, child
                pending.append(child)
        assert len(found) <= most_states
    return min((cost for cost, here in found.values() if engine.value(question.until, here)), default=None)


def _without_count(state: State) -> State:
    return (*state[:COUNTED], *state[COUNTED + 1 :])


def search_of(
    problem: ShortestPlanProblem,
    is_optimised: bool = True,
    workers: int = 1,
    listener: Listener = Listener(),  # noqa: B008
) -> ShortestSearch:
    """A search in optimised code from the start, or in baseline code to the end."""
    search = ShortestSearch(problem, time.monotonic() + 60, Limits(workers=workers), listener)
    search.boosters = boosters_of(search)
    game, make = search.game.compiled, as_machine_code if is_optimised else as_baseline_code
    threads, end = executor(workers), math.inf
    search.run = Run(game, search.deadline, threads, game.program(make), is_optimised, end)
    return search
