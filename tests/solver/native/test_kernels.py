"""The kernels as plain Python and as machine code; the bound, held against all ways to play on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulewright.grammar.scenarios import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.engine import Engine, State
from rulewright.rules.loading import Project
from rulewright.rules.native.arrays import ints, longs
from rulewright.rules.native.program import Maker, as_machine_code, as_python
from rulewright.rules.questions import Question
from rulewright.solver.native import depth_first, entries, gathered, layers, relaxed, seen
from rulewright.solver.native.exact import ENTRIES, KERNELS, NOTHING, Draft, Layout
from rulewright.solver.native.tables import search_tables
from rulewright.solver.native.workers import Blackboard, Worker
from rulewright.solver.problem import Problem
from tests.rules.playing import linked, shipped, variant
from tests.solver.asking import engine_and_state, enumerate_all, random_position
from tests.solver.test_exact import VARIANTS

PROVED = Path(__file__).parents[2] / "puzzles" / "data" / "proved"
LOOKED_AT = (*ENTRIES, "bound_of")
COMPILED = pytest.mark.parametrize("make", [as_python, as_machine_code], ids=["python", "machine"])


def asked(engine: Engine) -> Question:
    return Question(Goal.MAXIMISE, tuple(score.value for score in engine.game.scores))


@pytest.mark.parametrize("name", ["mid_k03_s2_b16", "mid_k03_s3_b19", "begin_k06_s2"])
def test_both_ways_look_at_the_same_states(name: str) -> None:
    position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    found = []
    for make in (as_python, as_machine_code):
        worker = layout_of(position.asked, position.state, make).worker()
        shared = Blackboard.of(1 << 8, 1 << 10, NOTHING, 1 << 40)
        worker.dig(shared, 1)
        assert worker.status == depth_first.ENDED
        found.append((worker.found, worker.states, worker.plan))
    assert found[0] == found[1]
    assert found[0][0] == position.puzzle.answer


@pytest.mark.parametrize("name", ["mid_k06_s2_b16", "mid_k09_s1_b12", "mid_k09_s3_b18"])
def test_a_closer_look_at_bounds_changes_no_answer(name: str) -> None:
    """Of positions whose answer was proved elsewhere; and fewer states are gone into."""
    position = Catalogue(Project(PROVED)).position(PROVED / f"{name}.puzzle")
    layout, states = layout_of(position.asked, position.state), []
    for close in (gathered.NEVER, 3, layout.c.items[depth_first.CLOSE]):
        layout.c.items[depth_first.CLOSE] = close
        worker = layout.worker()
        worker.dig(Blackboard.of(1 << 14, 1 << 16, NOTHING, 1 << 40), 1)
        assert (worker.status, worker.found) == (depth_first.ENDED, position.puzzle.answer)
        states.append(worker.states)
    assert states[0] > states[1] > states[2]


@pytest.mark.parametrize(("coming", "close"), [(3, 12), (18, 12), (20, 12), (21, 15), (24, 18), (27, 18)])
def test_a_closer_look_begins_once_some_tiles_are_laid(coming: int, close: int) -> None:
    engine, root = random_position(random.Random(coming), shipped("beacon_patrol"), 1, coming)
    draft = Draft.of(Problem.of(engine, root, asked(engine)), asked(engine))
    assert search_tables(draft.problem, draft.analysis, draft.arrangement).c[depth_first.CLOSE] == close


@COMPILED
def test_a_beam_finds_a_plan(make) -> None:  # type: ignore[no-untyped-def]
    position = Catalogue(Project(PROVED)).position(PROVED / "mid_k03_s3_b19.puzzle")
    engine, state = position.asked, position.state
    worker = layout_of(engine, state, make).worker()
    worker.scan(Blackboard.of(1, 1 << 10, NOTHING, 1 << 40), 0.0, 1 << 20)
    assert worker.found == position.puzzle.answer
    for move in worker.plan:
        assert move in engine.legal(state)
        state = engine.apply(state, move)
    assert engine.over(state) and engine.score(state) == worker.found


def layout_of(engine: Engine, root: State, make: Maker = as_machine_code) -> Layout:
    question = asked(engine)
    return Layout.of(Draft.of(Problem.of(engine, root, question), question), make)


def bounds_of(layout: Layout, states: list[State]) -> list[int]:
    """The bound at states reached from a root, the shares of each call left to the next."""
    worker, found = layout.worker(), []
    for state in states:
        worker.root = state
        found.append(worker.bound(1000))
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
        layout = layout_of(engine, root)
        assert layout.numbers.c[entries.MODE] == entries.BY_SHARES
        for state, bound in zip(states, bounds_of(layout, states), strict=True):
            best = enumerate_all(engine, state, engine.score)
            assert bound >= best
            tight += bound == best
    assert tight or change


@pytest.mark.parametrize("change", ["", *VARIANTS])
def test_what_can_be_is_not_refuted(change: str) -> None:
    """Held against all ways to play on; and more is shown than by shares alone."""
    shown = 0
    for seed in range(6):
        rng = random.Random(100 + seed)
        game = linked(variant(VARIANTS[change])) if change else shipped("beacon_patrol")
        engine, root = random_position(rng, game, 1 if change or seed else 2, 2 if change else 3)
        layout = layout_of(engine, root)
        assert layout.numbers.c[entries.MODE] == entries.BY_SHARES
        state, worker = root, layout.worker()
        while not engine.over(state):
            best = enumerate_all(engine, state, engine.score)
            worker.root = state
            assert all(worker.branched(best - less) >= best for less in (1, 2, 3))
            shown += worker.bound(1000) > best and worker.branched(best) == best
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
    layout = layout_of(engine, position.state)
    worker = layout.worker()
    worker.dig(Blackboard.of(1 << 14, 1 << 16, NOTHING, 1 << 40), 1)
    assert worker.found == answer
    state, plan = position.state, worker.plan
    for move in plan:
        worker.root = state
        assert all(worker.branched(answer - less) >= answer for less in (1, 2, 3, 5))
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
    layout = Layout.of(Draft.of(Problem.of(engine, root, asked(engine)), asked(engine)), kernels=KERNELS, entries=LOOKED_AT)
    for goal in range(min(bests) - 1, max(bests)):
        for order in (1, -1):
            worker, board = layout.worker(), Blackboard.of(1, 1 << 10, goal, 1 << 40)
            for state, best in list(zip(states, bests, strict=True))[::order]:
                worker.table.load(state)
                assert bound_of(worker, board) >= min(best, goal + 1)
                assert best > goal or bound_of(worker, board) <= goal


def bound_of(worker: Worker, board: Blackboard) -> int:
    """Of the state on the table, with all that is remembered."""
    t, few = worker.table, worker.c.items[depth_first.CLOSE]
    arrays = (t.s, t.g, t.w, t.x, worker.c, worker.z, worker.q, worker.u, worker.p, board.h, board.b, worker.y)
    return t.program.bound_of(*arrays, relaxed.SWEEPS, few)


def lying(engine: Engine, state: State) -> list[int]:
    """The cells with a tile."""
    return [cell for cell, tile in enumerate(state[engine.layout.position("sea", None)]) if tile]


def elsewhere(engine: Engine, state: State, cell: int) -> State:
    """The same position with the ship on another cell."""
    columns = list(state)
    columns[engine.layout.position("ship", 1)] = cell
    return tuple(columns)


def test_the_largest_of_many() -> None:
    rng = random.Random(1)
    for count in (1, 2, 3, 10, 40):
        for number in range(count + 2):
            values = [rng.randrange(20) for _ in range(count)]
            numbers = ints(count).fill(values)
            assert relaxed.largest(numbers.items, 0, count, number) == sum(sorted(values, reverse=True)[:number])
            kept = min(number, count)
            words = longs(count + 2).fill([99, *values, 99])
            layers.greatest(words.items, 1, count, kept)
            assert sorted(words.items[1 : 1 + kept]) == sorted(values)[count - kept :]
            assert (words.items[0], words.items[count + 1]) == (99, 99)


def test_seen() -> None:
    """Two fields of three bits: a state with no more of anything has been seen, others have not."""
    guards, table = 0b1000_1000, longs(8 * 2 * seen.WAYS).items
    place, kept = 5, 12345
    assert seen.look(table, 8, place, kept, 0b0010_0011, guards, 1) == seen.FREE
    seen.claim(table, 8, place, kept, 0b0010_0011, guards, 9, 1)
    for spent, known in ((0b0010_0011, True), (0b0001_0000, True), (0b0011_0000, False), (0b0000_0100, False)):
        assert (seen.look(table, 8, place, kept, spent, guards, 1) == seen.SEEN) is known
        assert (seen.look(table, 8, place, kept, spent, guards, 2) == seen.BUSY) is known
    assert seen.look(table, 8, place, kept + 1, 0, guards, 1) == seen.FREE
    seen.finish(table, 8, place, kept, 0b0010_0011)
    assert seen.look(table, 8, place, kept, 0, guards, 2) == seen.SEEN


def test_a_full_bucket_forgets_the_farthest() -> None:
    table = longs(2 * seen.WAYS).items
    for kept, near in enumerate((7, 3, 9, 8, 5), 100):
        seen.claim(table, 1, 0, kept, 0, 0, near, 1)
    found = [kept for kept in range(100, 105) if seen.look(table, 1, 0, kept, 0, 0, 1) == seen.SEEN]
    assert found == [100, 102, 103, 104]


def test_what_is_remembered() -> None:
    table = longs(16).items
    seen.remember(table, 8, 1234567, 99)
    assert seen.recall(table, 8, 1234567) == 99
    assert seen.recall(table, 8, 1234567 + 8) == 0
    seen.remember(table, 8, 1234567 + 8, 77)
    assert seen.recall(table, 8, 1234567) == 0
