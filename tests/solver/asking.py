"""What the tests of the solver share: positions as engine and state, and ways to have them searched."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best import schedule
from rulewright.solver.best.kernel_problem import ENTRIES, KernelProblem, Worker
from rulewright.solver.best.parallel_search import Guidance, ParallelSearch
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.run import Run, executor
from rulewright.solver.result import OTHERWISE_MIB, Limits, Listener, Result
from rulewright.subset.program import Maker, as_baseline_code, as_python
from tests.games.beacon_patrol.oracle import base_game as oracle


def engine_and_state(text: str, game: Game) -> tuple[Engine, State]:
    """A puzzle's position, with its horizon if it has one."""
    position = set_up_position(parse_puzzle(text, "a puzzle"), game)
    return position.asked, position.state


def random_puzzle(rng: random.Random, players: int, coming: int) -> tuple[str, oracle.State]:
    """A random position of the game that the judge knows, as text and as the judge keeps it."""
    board = rng.randrange(2, 17)
    state = oracle.random_position(rng, players, board, coming)
    return oracle.to_puzzle(state, "random_position"), state


def random_position(rng: random.Random, game: Game, players: int, coming: int) -> tuple[Engine, State]:
    """The same under changed rules: each captain has as many tokens as those give."""
    text, _ = random_puzzle(rng, players, coming)
    return engine_and_state("\n".join(line for line in text.splitlines() if not line.strip().startswith("tokens")), game)


def most(engine: Engine, state: State, game: Game, seconds: float = 120) -> Result:
    """The greatest score, as users get it but for CP-SAT."""
    return searched(engine, state, greatest_score(game), seconds)


def greatest_score(game: Game) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in game.scores))


def searched(engine: Engine, state: State, question: Question, seconds: float = 60.0) -> Result:
    """What the search answers without CP-SAT beside it."""
    return schedule.search(Problem(engine, state, question), Limits(seconds), Listener(), lambda: None)


def worker_of(problem: Problem, make: Maker = as_baseline_code, entries: Sequence[str] = ENTRIES) -> Worker:
    """One thread's arrays for a problem, and the kernels to work on them."""
    kernels = KernelProblem.of(problem, entries=entries)
    return kernels.worker(kernels.game.machine(kernels.game.program(make)))


def run_by(game: CompiledGame, make: Maker, seconds: float = 60.0, threads: int = 1) -> Run:
    """A run in code that is made so, and stays."""
    return Run(game, time.monotonic() + seconds, executor(threads), game.program(make))


MIB = 1 << 20


def by_kernels(
    problem: Problem,
    seconds: float = 60.0,
    workers: int = 1,
    room: int = 64 * MIB,
    guidance: Guidance = Guidance(),  # noqa: B008
    first_look: float = schedule.FIRST_LOOK,
    make: Maker = as_baseline_code,
    **more: Any,
) -> Result:
    """What the exact search in machine code answers by itself, with so many bytes for its tables."""
    kernels = KernelProblem.of(problem)
    limits = Limits(seconds, workers, OTHERWISE_MIB + room // MIB)
    search = ParallelSearch(kernels, run_by(kernels.game, make, seconds), limits=limits, **more)
    exhausted = search.look(first_look) or (not search.is_settled and search.at_length(guidance))
    return search.result(exhausted)


def at_length(position: Position, workers: int = 1) -> ParallelSearch:
    """The search at length alone, in plain Python and without a bound; it exhausts the search space."""
    assert position.question is not None
    kernels = KernelProblem.of(Problem(position.asked, position.root, position.question, lambda _: None))
    limits = Limits(60, workers, OTHERWISE_MIB + 8)
    search = ParallelSearch(kernels, run_by(kernels.game, as_python), limits=limits)
    assert search.at_length(Guidance())
    return search


def replayed(engine: Engine, state: State, result: Result) -> int:
    """The score at the end of a result's plan, every move of it legal."""
    for move in result.plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state)
    return engine.score(state)
