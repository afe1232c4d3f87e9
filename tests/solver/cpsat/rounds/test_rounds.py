"""Plans as rounds: every play is among the solutions, and the answers are those of the search."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.symbolic.circuit import Refused
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.process import worker
from rulewright.solver.cpsat.process.job import Job, ModelKind, Report
from rulewright.solver.cpsat.rounds.from_question import RoundPlans, rounds_model
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, greatest_score, most, random_position, random_puzzle
from tests.solver.best.test_fallback import VARIANTS
from tests.solver.cpsat.running import worth

READ = tuple(name for name in VARIANTS if name not in ("less_is_more", "tokens_count"))
"""The changed rules under which the score is one of the last board."""


def _game(name: str) -> Game:
    return linked(variant(VARIANTS[name])) if name else shipped("beacon_patrol")


def _solved(
    model: ConstraintModel, engine: Engine, state: State, game: Game, floor: int | None = None, workers: int = 2
) -> Report:
    """A model solved in this process, by solvers that share what they refuse."""
    heard = [Report()]
    job = Job(ModelKind.ROUNDS, engine, state, greatest_score(game), 60.0, floor=floor, workers=workers)
    heard.append(worker.answering(job)(job, model, 60.0, heard.append))
    found = Report()
    for one in heard:
        found = found.followed_by(one)
    return found


def _agrees(game: Game, engine: Engine, state: State) -> None:
    question = greatest_score(game)
    model = rounds_model(engine, state, question)
    best = most(engine, state, game).score
    assert best is not None
    for floor in (None, best):
        found = _solved(model, engine, state, game, floor)
        assert (found.status, found.value) == ("optimal", best)
        assert found.plan is not None
        assert worth(engine, state, question, found.plan) == best
    assert _solved(model, engine, state, game, best + 1).status == "infeasible"
    assert _solved(rounds_model(engine, state, question), engine, state, game, best + 1, workers=1).status == "infeasible"


@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_search(seed: int) -> None:
    game = shipped("beacon_patrol")
    engine, state = engine_and_state(random_puzzle(random.Random(seed), 1 + seed % 3, 2 + seed % 2)[0], game)
    _agrees(game, engine, state)


@pytest.mark.parametrize("name", ["over_land", "loose_edges", "three_sides", "no_keep"])
def test_agrees_under_changed_rules(name: str) -> None:
    game = _game(name)
    _agrees(game, *random_position(random.Random(7), game, 1, 3))


def test_of_several_solvers_one_tells_a_plan() -> None:
    """A worse plan of another would take its place."""
    game = shipped("beacon_patrol")
    for seed in range(2):
        engine, state = engine_and_state(random_puzzle(random.Random(seed), 1, 3)[0], game)
        question, heard = greatest_score(game), list[Report]()
        job = Job(ModelKind.ROUNDS, engine, state, question, 60.0, floor=0, workers=3)
        found = worker.solve_model(job, rounds_model(engine, state, question), 60.0, heard.append)
        assert found.status == "optimal" and sum(report.plan is not None for report in heard) == 1


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 160))
@pytest.mark.parametrize("name", ["", *READ])
def test_agrees_at_length(name: str, seed: int) -> None:
    game = _game(name)
    _agrees(game, *random_position(random.Random(seed), game, 1 + seed % 3, 1 + seed % 4))


def _plays(engine: Engine, state: State, seed: int, number: int) -> Iterator[State]:
    """The ends of some random plays that like to lay tiles."""
    rng = random.Random(seed)
    for _ in range(number):
        here = state
        while not engine.over(here):
            moves = engine.legal(here)
            here = engine.apply(here, rng.choices(moves, [5 if len(move) == 3 else 1 for move in moves])[0])
        yield here


def _admits(model: ConstraintModel, engine: Engine, state: State, end: State, game: Game) -> bool:
    """Whether the last board of a play is that of a solution, with its value."""
    assert isinstance(model.reader, RoundPlans)
    posted = len(model.circuit.clauses)
    board = model.reader.placements.board
    tiles = end[engine.layout.columns[board.board].start]
    lying = {cell for cell in range(len(tiles) - 1) if tiles[cell] and not board.tiles[cell]}
    if any(tiles[cell] not in board.laid.get(cell, {}) for cell in lying):
        return False
    for cell, kinds in board.laid.items():
        for kind, lit in kinds.items():
            model.circuit.add_clause(lit if tiles[cell] == kind else -lit)
    found = _solved(model, engine, state, game)
    del model.circuit.clauses[posted:]
    return found.value == engine.score(end)


@pytest.mark.parametrize(("name", "seed"), [("", 1), ("", 2), ("over_land", 3), ("no_tokens", 4), ("buoys_bind", 5)])
def test_the_end_of_every_play_is_among_the_solutions(name: str, seed: int) -> None:
    _all_are_admitted(name, seed, 2)


@pytest.mark.parametrize(("name", "seed"), [("", 1), ("no_tokens", 4)])
def test_cuts_exclude_no_play(name: str, seed: int) -> None:
    _all_are_admitted(name, seed, 2, with_cuts=True)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["", *READ])
def test_the_end_of_every_play_is_among_the_solutions_at_length(name: str, seed: int) -> None:
    _all_are_admitted(name, seed, 10, with_cuts=True)


def _all_are_admitted(name: str, seed: int, number: int, with_cuts: bool = False) -> None:
    game = _game(name)
    engine, state = random_position(random.Random(seed), game, 1 + seed % 3, 6)
    model = rounds_model(engine, state, greatest_score(game))
    if with_cuts:
        best = most(engine, state, game).score
        assert best is not None
        beyond = Job(ModelKind.ROUNDS, engine, state, greatest_score(game), 60.0, floor=best + 1, workers=2)
        assert worker.solve_model(beyond, model, 60.0, lambda report: None).status == "infeasible"
    for end in _plays(engine, state, seed, number):
        assert _admits(model, engine, state, end, game)


@pytest.mark.parametrize("name", ["tokens_count", "less_is_more"])
def test_a_score_of_more_than_the_board_is_refused_by_its_line(name: str) -> None:
    game = _game(name)
    engine, state = random_position(random.Random(7), game, 1, 2)
    with pytest.raises(Refused, match=r"a score that depends on more than the board, in line \d+ of"):
        rounds_model(engine, state, greatest_score(game))
