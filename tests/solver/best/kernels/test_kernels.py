"""The kernels as plain Python and as machine code; the bound, held against all ways to play on."""

from __future__ import annotations

import random
from typing import Annotated

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.dual import active_terms, dual_bound
from rulewright.solver.best.dual.arena import UNUSED
from rulewright.solver.best.kernel_problem import ENTRIES, KernelProblem, SharedState, Worker
from rulewright.solver.best.kernels.transposition_table import (
    BUCKET_SIZE,
    BoundCache,
    TableEntry,
    TranspositionTable,
    Visit,
    close_state,
    load_bound,
    open_state,
    probe,
    store_bound,
)
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import state_pool
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.kernel.orbits import Orbits
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.bundles import Bundle, start_of
from rulewright.subset.intrinsics import Longs
from rulewright.subset.program import as_baseline_code, as_machine_code, as_python
from rulewright.subset.records import Run, size_of
from tests.paths import PROVED
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, random_position, worker_of
from tests.solver.best.test_fallback import VARIANTS
from tests.solver.exhaustive import enumerate_all

LOOKED_AT = (*ENTRIES, "upper_bound")
COMPILED = pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])


def asked(engine: Engine) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))


def problem_of(engine: Engine, root: State) -> Problem:
    return Problem(engine, root, asked(engine))


@pytest.mark.parametrize("name", ["mid_k03_s2_b16", "mid_k03_s3_b19", "begin_k06_s2"])
def test_both_ways_look_at_the_same_states(name: str) -> None:
    position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    found = []
    for make in (as_python, as_machine_code):
        worker = worker_of(problem_of(position.asked, position.state), make)
        shared = SharedState.of(1 << 8, 1 << 10, -ENDLESS, 1 << 40)
        worker.begin()
        worker.resume(shared, 1)
        assert worker.status == SearchEnd.DONE
        found.append((worker.found, worker.states, worker.plan))
    assert found[0] == found[1]
    assert found[0][0] == position.puzzle.answer


@pytest.mark.parametrize("name", ["mid_k06_s2_b16", "mid_k09_s1_b12", "mid_k09_s3_b18"])
def test_a_closer_look_at_bounds_changes_no_answer(name: str) -> None:
    """Of positions whose answer was proved elsewhere; and fewer states are gone into."""
    position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    kernels, states = kernels_of(position.asked, position.state), []
    for close in (active_terms.NEVER, 3, kernels.tables.branching_tiles):
        kernels.tables.branching_tiles = close
        worker = kernels.worker(kernels.game.machine(kernels.game.program(as_baseline_code)))
        worker.begin()
        worker.resume(SharedState.of(1 << 14, 1 << 16, -ENDLESS, 1 << 40), 1)
        assert (worker.status, worker.found) == (SearchEnd.DONE, position.puzzle.answer)
        states.append(worker.states)
    assert states[0] > states[1] > states[2]


@pytest.mark.parametrize(("coming", "close"), [(3, 12), (18, 12), (20, 12), (21, 15), (24, 18), (27, 18)])
def test_a_closer_look_begins_once_some_tiles_are_laid(coming: int, close: int) -> None:
    engine, root = random_position(random.Random(coming), shipped("beacon_patrol"), 1, coming)
    assert KernelProblem.of(Problem(engine, root, asked(engine))).tables.branching_tiles == close


@COMPILED
def test_a_beam_finds_a_plan(make) -> None:  # type: ignore[no-untyped-def]
    position = Catalogue(Project(PROVED)).position(PROVED / "mid_k03_s3_b19.puzzle")
    engine, state = position.asked, position.state
    worker = worker_of(problem_of(engine, state), make)
    worker.beam_search(SharedState.of(1, 1 << 10, -ENDLESS, 1 << 40), 0.0, 1 << 20)
    assert worker.found == position.puzzle.answer
    for move in worker.plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state) and engine.score(state) == worker.found


def kernels_of(engine: Engine, root: State) -> KernelProblem:
    return KernelProblem.of(Problem(engine, root, asked(engine)))


def bounds_of(kernels: KernelProblem, states: list[State]) -> list[int]:
    """The bound at states reached from a root, the shares of each call left to the next."""
    worker, found = kernels.worker(kernels.game.machine(kernels.game.program(as_baseline_code))), []
    for state in states:
        found.append(worker.bound(1000, state))
    return found


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_the_bound_is_never_too_low(change: str) -> None:
    tight = 0
    for seed in range(4):
        rng = random.Random(seed)
        game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
        engine, root = random_position(rng, game, 1, 2 if change else 3)
        states = [root]
        while not engine.over(states[-1]):
            states.append(engine.apply(states[-1], rng.choice(engine.legal(states[-1]))))
        kernels = kernels_of(engine, root)
        assert kernels.has_dual_bound
        for state, bound in zip(states, bounds_of(kernels, states), strict=True):
            best = enumerate_all(engine, state, engine.score)
            assert bound >= best
            tight += bound == best
    assert tight or change


def branched_bound(worker: Worker, state: State, goal: int) -> int:
    """The bound of branch and bound over the last boards, at a state that follows the root of a worker."""
    worker.stand_at(state)
    return worker.machine.program.bound_by_branching(worker.state_bound, goal, dual_bound.SWEEPS, UNUSED)


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_what_can_be_is_not_refuted(change: str) -> None:
    """Held against all ways to play on; and more is shown than by shares alone."""
    shown = 0
    for seed in range(6):
        rng = random.Random(100 + seed)
        game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
        engine, root = random_position(rng, game, 1 if change or seed else 2, 2 if change else 3)
        kernels = kernels_of(engine, root)
        assert kernels.has_dual_bound
        state, worker = root, kernels.worker(kernels.game.machine(kernels.game.program(as_baseline_code)))
        while not engine.over(state):
            best = enumerate_all(engine, state, engine.score)
            assert all(branched_bound(worker, state, best - less) >= best for less in (1, 2, 3))
            shown += worker.bound(1000, state) > best and branched_bound(worker, state, best) == best
            state = engine.apply(state, rng.choice(engine.legal(state)))
    assert shown or change


@pytest.mark.parametrize(
    "name", ["begin_k09_s1", "begin_k09_s2", "mid_k06_s1_b10", "mid_k09_s1_b12", "mid_k09_s2_b16", "mid_k09_s3_b18"]
)
def test_the_best_plan_is_nowhere_refuted(name: str) -> None:
    """At each state of it, by a look as close as with few tiles to come."""
    position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    engine, answer = position.asked, position.puzzle.answer
    assert answer is not None
    worker = worker_of(problem_of(engine, position.state))
    worker.begin()
    worker.resume(SharedState.of(1 << 14, 1 << 16, -ENDLESS, 1 << 40), 1)
    assert worker.found == answer
    state, plan = position.state, worker.plan
    for move in plan:
        assert all(branched_bound(worker, state, answer - less) >= answer for less in (1, 2, 3, 5))
        state = engine.apply(state, move)


LAGOON = """
puzzle lagoon:
    rules beacon_patrol
    players 1

    sea:
        new_house  w_light@1
        esw_light  w_buoy

    hand 1: open, buoy
    tokens 1: 4
    draw: none
    start: turn of 1

    ask: maximise score until end
"""


def test_what_is_remembered_of_a_board_is_not_of_all_ships() -> None:
    """In the lagoon a ship is barred from what others can come to on the same board."""
    engine, root = engine_and_state(LAGOON, shipped("beacon_patrol"))
    states = [elsewhere(engine, root, cell) for cell in lying(engine, root)]
    bests = [enumerate_all(engine, state, engine.score) for state in states]
    assert len(set(bests)) > 1
    kernels = KernelProblem.of(problem_of(engine, root), entries=LOOKED_AT)
    program = kernels.game.program(as_baseline_code)
    for goal in range(min(bests) - 1, max(bests)):
        for order in (1, -1):
            worker, board = kernels.worker(kernels.game.machine(program)), SharedState.of(1, 1 << 10, goal, 1 << 40)
            for state, best in list(zip(states, bests, strict=True))[::order]:
                worker.machine.load(state)
                assert bound_of(worker, board) >= min(best, goal + 1)
                assert best > goal or bound_of(worker, board) <= goal


def bound_of(worker: Worker, shared: SharedState) -> int:
    """Of the state that the machine is in, with all that is cached."""
    context = worker.context(shared.cache, shared.words)
    return worker.machine.program.upper_bound(context, dual_bound.SWEEPS, worker.tables.branching_tiles)


def lying(engine: Engine, state: State) -> list[int]:
    """The cells with a tile."""
    return [cell for cell, tile in enumerate(state[engine.layout.position("sea", None)]) if tile]


def elsewhere(engine: Engine, state: State, cell: int) -> State:
    """The same position with the ship on another cell."""
    columns = list(state)
    columns[engine.layout.position("ship", 1)] = cell
    return tuple(columns)


def test_the_greatest_of_many() -> None:
    rng = random.Random(1)
    for count in (1, 2, 3, 10, 40):
        for number in range(count + 2):
            values = [rng.randrange(20) for _ in range(count)]
            kept = min(number, count)
            words = longs(count + 2).fill([99, *values, 99])
            state_pool.select_greatest(run_of(words)[1:], count, kept)
            assert sorted(words.items[1 : 1 + kept]) == sorted(values)[count - kept :]
            assert (words.items[0], words.items[count + 1]) == (99, 99)


def run_of(words: Array) -> Run[int]:
    """All of an array, for a kernel that takes a run."""
    return Words(words).all


class Words(Bundle):
    words: Longs
    all: Annotated[Run[int], Longs] = start_of("words")


def table_of(buckets: int, guards: int = 0, thread: int = 1) -> TranspositionTable:
    return TranspositionTable(longs(size_of(TableEntry) * BUCKET_SIZE * buckets), buckets, guards, thread)


def identified(hash: int, other_hash: int) -> Orbits:
    """The orbit of a state with these hashes."""
    orbits = Orbits(ints(size_of(Orbits, "orbit_tables")), longs(size_of(Orbits, "orbit_words")), ints(1), ints(1))
    orbits.hash, orbits.other_hash = hash, other_hash
    return orbits


def test_a_state_with_no_more_of_any_resource_is_closed() -> None:
    """Two fields of three bits: a state with no more of anything has been seen, others have not."""
    table, state = table_of(8, 0b1000_1000), identified(5, 12345)
    other = TranspositionTable(table.visited, 8, 0b1000_1000, 2)
    assert probe(table, state, 0b0010_0011) == Visit.UNSEEN
    open_state(table, state, 0b0010_0011, 9)
    for resources, known in ((0b0010_0011, True), (0b0001_0000, True), (0b0011_0000, False), (0b0000_0100, False)):
        assert (probe(table, state, resources) == Visit.CLOSED) is known
        assert (probe(other, state, resources) == Visit.OPEN_ELSEWHERE) is known
    assert probe(table, identified(5, 12346), 0) == Visit.UNSEEN
    close_state(table, state, 0b0010_0011)
    assert probe(other, state, 0) == Visit.CLOSED


def test_a_full_bucket_forgets_the_farthest() -> None:
    table = table_of(1)
    for kept, priority in enumerate((7, 3, 9, 8, 5), 100):
        open_state(table, identified(0, kept), 0, priority)
    assert [kept for kept in range(100, 105) if probe(table, identified(0, kept), 0) == Visit.CLOSED] == [100, 102, 103, 104]


def test_a_bound_stays_until_another_takes_its_place() -> None:
    cache = BoundCache(longs(16), 8)
    store_bound(cache, 5, 1234567, 99)
    assert load_bound(cache, 5, 1234567) == load_bound(cache, 5 + 8, 1234567) == 99
    assert load_bound(cache, 6, 1234567) == load_bound(cache, 5, 1234568) == 0
    store_bound(cache, 5 + 8, 1234568, 77)
    assert load_bound(cache, 5, 1234567) == 0
