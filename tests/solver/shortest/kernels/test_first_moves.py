"""Tiles of which one may move first: each state from which there is a way to a goal keeps a move of a shortest one."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.kernel import packed_states
from rulewright.solver.kernel.game_interface import SearchEnd
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.kernels import assignment, best_first, first_moves
from rulewright.solver.shortest.kernels.distance_words import DEAD, DistanceWords
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.intrinsics import Ints
from rulewright.subset.program import as_baseline_code, as_python
from tests.solver.planting import Fault, plant_in_kernels
from tests.solver.shortest.estimates.crates import crowd
from tests.solver.shortest.estimates.spaces import Instance, TooManyStates, exact, finder, graph
from tests.solver.shortest.test_workers import begun

Keep = Callable[[DistanceWords, GameMemory, Ints, int, int, int], int]


def left_out(make: Instance, seed: int, most: int = 30_000, keep: Keep | None = None) -> int:
    """How many moves of an instance's states need not be tried, of those that do not lead to no goal; fails if a state keeps no
    move of a shortest way."""
    position = make(random.Random(f"{make.__name__} {seed}"))
    assert position.question is not None and position.question.until is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    game = CostGame(problem, entries=(*ENTRIES, "keep_first"), merges=True).compiled
    program = game.program(as_baseline_code if keep is None else as_python)
    machine, engine, until = game.machine(program), problem.region_markers.engine, position.question.until
    words, width = words_of(finder(position).find().tables, (), machine), machine.game.width
    after = graph(engine, position.state, 30_000)
    ways = exact(after, {here for here in after if engine.value(until, here)})
    states = [state for state in sorted(ways, key=repr) if ways[state]]
    found = 0
    for state in random.Random(seed).sample(states, min(most, len(states))):
        machine.load(state)
        end = program.legal(machine.memory, machine.moves, 0)
        end = (keep or program.keep_first)(words, machine.memory, machine.moves, 0, end, width)
        kept = {engine.apply(state, machine.move_in(machine.moves, at)) for at in range(0, end, width)}
        assert any(ways.get(other) == ways[state] - 1 for other in kept), "no move of a shortest way is kept"
        found += sum(other in ways and other not in kept for other in after[state])
    return found


SHOVE = """
module shove_{number}:
    extends classics.sokoban_pushes

drop action shove

action heave(stand in (closure of pusher of player under a to b in {near}(a) where {walk}), ahead in {near}(stand){to}):
    require crate: crated(ahead)
    require room: {room}
    effect move: slide ahead to {end}
    effect walk: pusher of player := {rest}

change flow:
    add heave to turn
"""
BEHIND, BEYOND = "behind(stand, ahead)", "behind(ahead, behind(stand, ahead))"
VARIANTS = {
    "pushes": {},
    "sideways": {"to": ", to in around(ahead)", "end": "to", "room": "floor(to)"},
    "sideways, but not back": {"to": ", to in around(ahead)", "end": "to", "room": "floor(to) and to != stand"},
    "across corners": {"near": "nearby", "walk": "floor(b)"},
    "the pusher stays behind": {"rest": "stand"},
    "two cells at once": {"end": BEYOND, "room": f"floor({BEHIND}) and floor({BEYOND})"},
    "a free cell beyond": {"room": f"floor({BEHIND}) and not (({BEYOND}) in board and crated({BEYOND}))"},
    "pulls": {"end": "stand", "room": "floor(behind(ahead, stand))", "rest": "behind(ahead, stand)"},
    "only beside others": {"room": f"floor({BEHIND}) and (some n in around(ahead): occupied(n))"},
    "not over goals": {"walk": "floor(b) and not goal of b"},
    "along rows from goals": {"room": f"floor({BEHIND}) and (not goal of ahead or row(stand) = row(ahead))"},
}


def variant(rng: random.Random, name: str) -> Position:
    words = {"near": "around", "walk": "floor(b)", "to": "", "end": BEHIND, "room": f"floor({BEHIND})", "rest": "ahead"}
    return crowd(rng, SHOVE.format(number=list(VARIANTS).index(name), **{**words, **VARIANTS[name]}))


def test_a_move_of_a_shortest_way_is_kept() -> None:
    assert sum(left_out(crowd, seed) for seed in (2, 8, 15)) > 100


@pytest.mark.campaign
def test_of_many_variants_a_move_of_a_shortest_way_is_kept() -> None:
    for name in VARIANTS:
        make = partial(variant, name=name)
        make.__name__ = name  # type: ignore[attr-defined]
        print(f"{name}: {sum(left_out(make, seed) for seed in range(60))} moves are left out")


FAULTS = (
    Fault("tiles at goals have to move", first_moves, "and not may_stay(distances, group, game, first)", ""),
    Fault("any tile has to move first", first_moves, "return least < MANY", "return True"),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults_are_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises(AssertionError, match="no move of a shortest way"):
        for seed in range(40):
            left_out(crowd, seed)


INWARD = "if not is_now or distances.is_within[group.tiles[way.end].cell] == 1:"


def test_a_way_that_ends_where_the_marker_comes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The one of 280 instances in which that matters.
    make = partial(variant, name="pushes")
    make.__name__ = "pushes"  # type: ignore[attr-defined]
    assert left_out(make, 118)
    plant_in_kernels(Fault("a way may end where the marker comes", first_moves, INWARD, "if not is_now:"), monkeypatch)
    with pytest.raises(AssertionError, match="no move of a shortest way"):
        left_out(make, 118)


def compared(make: Instance, seed: int) -> int:
    """How many moves are told to leave more than their states promise; fails if one leaves something else,
    where no tile is held."""
    position = make(random.Random(f"{make.__name__} {seed}"))
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    game = CostGame(
        problem, entries=(*ENTRIES, "keep_assignment", "keep_first", "least_after", "estimate"), merges=True
    ).compiled
    machine, engine = game.machine(game.program(as_baseline_code)), problem.region_markers.engine
    program, tables = machine.program, finder(position).find().tables
    kept, alone, width = words_of(tables, (), machine), words_of(tables, (), machine), machine.game.width
    found, group = 0, alone.groups[0]
    for state in graph(engine, position.state, 30_000):
        machine.load(state)
        here = program.estimate(alone, machine.memory)
        program.keep_assignment(kept, machine.memory)
        end = program.legal(machine.memory, machine.moves, 0)
        ways = program.keep_first(alone, machine.memory, machine.moves, 0, end, width) if kept.kept_total[0] else 0
        told = {tuple(machine.moves.items[at : at + width]): at for at in range(0, ways, width)}
        least = {move: program.least_after(kept, machine.memory, machine.moves, at) for move, at in told.items()}
        found += sum(left >= here for left in least.values())
        for move in engine.legal(state):
            machine.load(engine.apply(state, move))
            left = program.estimate(alone, machine.memory)
            told_left = least.get((*move, *(0,) * (width - len(move))), 0)
            assert told_left <= left or left >= DEAD, "more than is left"
            if told_left and not kept.kept_count[0] and not any(alone.is_held[: group.tile_count]):
                assert told_left == left, "less than is left"
    return found


def test_moves_leave_what_they_are_told_to() -> None:
    assert sum(compared(crowd, seed) for seed in (2, 8, 15)) > 100


WITHOUT = "distances.kept_total[0] - 1 - distances.budget[thing] + more"

ASSIGNED = (
    Fault("what a thing gives up is forgotten", assignment, WITHOUT, "more"),
    Fault(
        "prices are forgotten", assignment, "distances.price[each] = distances.kept_price[each]", "distances.price[each] = 0"
    ),
)


@pytest.mark.parametrize("fault", ASSIGNED, ids=lambda fault: fault.name)
def test_faults_of_what_is_kept_are_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises(AssertionError, match=r"more than is left|less than is left"):
        for seed in range(40):
            compared(crowd, seed)


EARLY = Fault(
    "a state promises more before its children are known",
    best_first,
    "search.later = later",
    "search.later = later\n    search.estimates[number] += min(max(later - due, 0), 2)",
)


def answer(seed: int) -> bool:
    """Held against all states; fails if one promises more than there is, and tells whether there is a plan."""
    position = crowd(random.Random(f"crowd {seed}"))
    assert position.question is not None and position.question.until is not None
    problem, until = ShortestPlanProblem(position.asked, position.state, position.question), position.question.until
    after = graph(position.asked, position.state, 30_000)
    ways = exact(after, {here for here in after if position.asked.value(until, here)})
    if not ways.get(position.state):
        return False
    left = {problem.key(state): number for state, number in ways.items()}
    workers = begun(problem, 1, 1 << 24)
    (first,) = workers.members
    workers.use_estimates(words_of(finder(position).find().tables, (), first.machine))
    while workers.advance(8) is SearchEnd.PAUSED:
        for number in range(first.search.state_count):
            packed_states.load_state(first.search.pool, first.machine.memory, number)
            least = left.get(problem.key(first.machine.state), DEAD)
            is_whole = not best_first.has_mark(first.search, number, best_first.PARTLY)
            assert first.search.estimates[number] <= least or not is_whole, "a state promises too much"
    assert workers.cost == left[problem.key(position.state)]
    return True


def test_answers_are_the_same() -> None:
    assert sum(map(answer, range(5))) > 3


def test_other_estimates_try_all_moves_again() -> None:
    position = crowd(random.Random("crowd 2"))
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    workers = begun(problem, 1, 1 << 24)
    (first,) = workers.members
    words = words_of(finder(position).find().tables, (), first.machine)
    workers.use_estimates(words)

    def partly() -> int:
        return sum(best_first.has_mark(first.search, number, best_first.PARTLY) for number in range(first.search.state_count))

    while not partly():
        assert workers.advance(1) is SearchEnd.PAUSED
    workers.use_estimates(words)
    assert not partly()


@pytest.mark.campaign
def test_many_answers_are_the_same() -> None:
    found = 0
    for seed in range(200):
        with suppress(TooManyStates):
            found += answer(seed)
    assert found > 100


def test_a_fault_of_what_states_promise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(EARLY, monkeypatch)
    with pytest.raises(AssertionError, match="a state promises too much"):
        sum(map(answer, range(40)))
