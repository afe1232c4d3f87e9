"""Pattern databases: never too large, never lowered by more than one in a move, kept, and used where they say more."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.play.engine import State
from rulewright.solver.kernel import run
from rulewright.solver.result import Result
from rulewright.solver.shortest import boosters
from rulewright.solver.shortest.estimates import abstract_moves, pattern_databases
from rulewright.solver.shortest.estimates import factors as factors_of
from rulewright.solver.shortest.estimates import factors as patterns
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.estimates.distance_tables import DEAD
from rulewright.solver.shortest.estimates.factors import SMALL, Factors, Pattern, Size, patterns_of
from rulewright.solver.shortest.estimates.landmarks import CachedLandmarks
from rulewright.solver.shortest.estimates.partial_state import Slot, values_in
from rulewright.solver.shortest.estimates.pattern_databases import CachedPatterns, Databases, filled_sums
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.kernels.distance_words import OUT_OF_REACH
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.shortest.search import ShortestSearch
from rulewright.studies.verified_plan import verified_steps
from rulewright.subset.program import Maker, as_baseline_code, as_python
from tests.rules.playing import linked, shipped
from tests.solver.shortest.estimates.carriers import errands
from tests.solver.shortest.estimates.spaces import Instance, bag, check, finder, gate, graph, lamps, pans, sliding, tower
from tests.solver.shortest.questions import asked, search_of

KINDS: tuple[Instance, ...] = (sliding, lamps, pans, tower, gate, errands)
"""Those with things of which there is one, small enough."""


def sized(states: int, entries: int = 0) -> Size:
    return Size(states, entries or states)


def databases(position: Position, size: Size = SMALL, compiled: Maker = as_baseline_code) -> Databases:
    """All that are worth trying, of patterns of a size."""
    sums = patterns_of(Factors(finder(position).with_ancestors()).find(), size)
    return filled_sums(sums, position.asked, compiled)


def by_patterns(position: Position, found: Databases) -> Callable[[State], int]:
    """What pattern databases estimate, read in Python."""
    layout = position.asked.layout
    names = {slot[0] for each in found for database in each for slot in database.parts}

    def estimate(state: State) -> int:
        values: dict[Slot, int] = {}
        for name in names:
            values |= values_in(layout, state, name)
        says = [[database.distance(values) for database in each] for each in found]
        return DEAD if any(OUT_OF_REACH in each for each in says) else max(map(sum, says), default=0)

    return estimate


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("size", [sized(300), sized(1296, 300), SMALL], ids=str)
def test_estimates_are_admissible_and_consistent(make: Instance, size: Size) -> None:
    if make is tower and size is SMALL:
        return
    position = make(random.Random(f"{make.__name__} 9"))
    # A database that leaves the gap out has the least distance over its places, which a move may lower by more than 1.
    states, _ = check(position, by_patterns(position, databases(position, size)), is_consistent=size.states == size.entries)
    assert states > 1


def test_a_label_that_needs_a_thing_at_a_place_is_impossible_elsewhere() -> None:
    # Each slide needs the gap where the tile comes to lie; else a tile of a pattern would move wherever the gap is.
    found = Factors(finder(sliding(random.Random(9))).with_ancestors()).find()
    [gap] = [factor for factor in found if not factor.is_counted]
    assert len(gap.after) == 14
    assert all(len(partial) == 1 for partial in gap.after.values())


SIZES = sized(100), sized(1000, 200), sized(1000), sized(1 << 17)


@pytest.mark.campaign
def test_estimates_of_a_hundred_thousand_states() -> None:
    counts = []
    for make in (*KINDS, bag):
        for seed in range(40 if make is not tower else 6):
            position = make(random.Random(f"{make.__name__} {seed}"))
            counts += [
                check(position, by_patterns(position, databases(position, size)), is_consistent=size.states == size.entries)
                for size in SIZES
            ]
    states = sum(states for states, _ in counts)
    print(f"{len(counts)} instances, {states} states, the sum of estimates {sum(total for _, total in counts)}")
    assert states > 100_000


def test_a_pattern_of_everything_is_exact() -> None:
    """Five tiles and the gap of three by two: 21 slides are the most, and half of all positions cannot be solved."""
    most = set()
    for seed in range(8, 11):
        position = sliding(random.Random(f"sliding {seed}"))
        (each,) = databases(position)
        assert [len(database.places) for database in each] == [6]
        most.add(max(map(by_patterns(position, (each,)), graph(position.asked, position.state, 1000))))
    assert most == {21, DEAD}


def test_patterns_of_sliding_tiles_are_summed_with_the_gap() -> None:
    """The gap restricts every slide, and is counted in none."""
    position = asked(shipped("classics.fifteen"), "fewest moves until solved")
    (each,) = patterns_of(Factors(finder(position)).find())
    assert [len(pattern.factors) for pattern in each] == [5, 5, 5, 4]
    tiles = [factor.places[0][1] for pattern in each for factor in pattern.counted]
    assert sorted(tiles) == list(range(1, 16))
    assert all(len(pattern.context) == 1 and pattern.paid == frozenset() for pattern in each)


def test_large_patterns_of_sliding_tiles_leave_the_gap_out() -> None:
    """Where that makes room for one tile more; what a carrier is paid for is always told apart."""
    found = Factors(finder(asked(shipped("classics.fifteen"), "fewest moves until solved"))).find()
    (each,) = patterns_of(found, sized(1 << 28, 1 << 24))
    assert [(len(p.kept), len(p.context), p.entries) for p in each] == [(6, 1, 1 << 24), (6, 1, 1 << 24), (3, 1, 1 << 12)]
    parcels = Factors(finder(errands(random.Random("errands 10"))).with_ancestors()).find()
    assert all(pattern.keeps_context for each in patterns_of(parcels, sized(1 << 20, 300)) for pattern in each)


def test_steps_of_a_carrier_are_counted_in_one_of_the_patterns_of_its_parcels() -> None:
    """Both patterns know where the carrier is. In each sum one of them pays for its steps; each pays for what moves its own."""
    position = errands(random.Random("errands 10"))
    found = patterns_of(Factors(finder(position).with_ancestors()).find(), sized(300))
    assert [[len(pattern.counted) for pattern in each] for each in found] == [[2, 1], [2, 1]]
    assert all(factor.variable == "carrier" for each in found for pattern in each for factor in pattern.context)
    assert [[bool(pattern.paid) for pattern in each] for each in found] == [[True, False], [False, True]]
    (carrier,) = found[0][0].context
    steps = found[0][0].paid
    assert steps is not None and carrier.moving >= steps
    parcels = frozenset[int]().union(*(factor.moving for pattern in found[0] for factor in pattern.counted))
    assert parcels <= carrier.restricted, "parcels are taken and laid down where the carrier is"


def test_what_a_move_changes_together_is_not_summed() -> None:
    """A flip turns over several pancakes: the greatest distance counts."""
    position = pans(random.Random(1))
    found = patterns_of(Factors(finder(position)).find())
    smaller = patterns_of(Factors(finder(position)).find(), sized(125))
    assert [[len(p.factors) for p in each] for each in found] == [[5]]
    assert [[len(p.factors) for p in each] for each in smaller] == [[3], [3]]


CREW = """
module crew:
    "Two of a kind, and one who may leave: there is no one thing that is always somewhere."

space path: square grid 5 x 1 of tiles

tiles crew:
    sailor   x2
    captain  x1

action step(c in path where occupied(c)):
    require free: column(c) < 4 and not occupied(step(c, E))
    effect step: slide c to step(c, E)

action leave(c in path where at(c) = captain):
    require shore: column(c) = 4
    effect leave: take c to box

flow:
    repeat until at(cell(4, 0)) = sailor:
        turn:
            choose step, leave

score none: 0
"""


def test_what_may_leave_or_is_there_twice_is_no_factor() -> None:
    body = "\n    path:\n        sailor  .  sailor  captain  .\n"
    position = asked(linked(CREW), "fewest moves until at(cell(4, 0)) = sailor", body)
    assert not Factors(finder(position)).find()


JOIN = """action join(who in box, to in path where column(to) = 0):
    require free: not occupied(to)
    effect join: put who at to

flow"""


def test_what_may_come_while_there_is_one_elsewhere_is_no_factor() -> None:
    """A captain who joins from the box does not touch the cell of the one who is on the path."""
    text = CREW.replace("captain  x1", "captain  x2").replace("\nflow", "\n" + JOIN)
    text = text.replace("column(c) = 4", "column(c) = 9").replace("choose step, leave", "choose step, leave, join")
    body = "\n    path:\n        sailor  .  captain  .  .\n    box: captain\n"
    position = asked(linked(text), "fewest moves until at(cell(4, 0)) = captain", body)
    assert not Factors(finder(position)).find()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_stones_that_are_laid_are_not_estimated_too_high(seed: int) -> None:
    position = bag(random.Random(f"bag {seed}"))
    check(position, by_patterns(position, databases(position, sized(1000))))


@pytest.mark.parametrize("make", [sliding, lamps, pans], ids=lambda make: make.__name__)
def test_kernels_estimate_as_the_databases_say(make: Instance) -> None:
    position = make(random.Random(2))
    found = databases(position, sized(300))
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    kernel = CostGame(problem, entries=(*ENTRIES, "estimate")).compiled
    program = kernel.program(as_python)
    machine = kernel.machine(program)
    words = words_of((), found, machine)
    estimate, estimates = by_patterns(position, found), set()
    for state in list(graph(position.asked, position.state, 30_000))[:200]:
        machine.load(state)
        estimates.add(estimate(state))
        assert program.estimate(words, machine.memory) == estimate(state)
    assert len(estimates) > 1


def solved(position: Position, begin: int, pause: int = 50) -> tuple[Result, ShortestSearch]:
    """Answered in machine code that pauses after so many states, with patterns looked for after `begin`."""
    assert position.question is not None
    problem = ShortestPlanProblem(position.asked, position.state, position.question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "OPTIMISED", pause)
        patch.setattr(boosters, "FEW_SLICES", min(begin, 1 << 15) // pause)
        patch.setattr(boosters, "MANY", begin)
        patch.setattr(boosters, "SECONDS", 60.0)
        search = search_of(problem)
        return search.answer(), search


def fresh(search: ShortestSearch) -> CachedPatterns:
    """As another process finds them in the cache."""
    return CachedPatterns(CachedDistances(search.problem, search.distances.identity))


def test_they_are_used_kept_and_used_from_the_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    found, search = solved(position, 100)
    again, other = solved(position, 1 << 30)
    assert (found.score, again.score) == (28, 28) and max(again.states, found.states) < 1000
    assert search.problem.question is not None
    verified_steps(position.asked, position.state, search.problem.question, again)
    kept = fresh(other).recalled
    assert kept is not None and [len(each) for each in kept] == [2, 2], "and mirrored"
    for file in (file for file in tmp_path.iterdir() if file.is_file()):  # beside the folder of trees
        file.write_bytes(file.read_bytes()[:-3] + b"123")
    assert fresh(other).recalled is None


def test_landmarks_are_sought_only_if_patterns_do_not_suffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    found, search = solved(asked(shipped("classics.sliding"), "fewest moves until solved"), 1000, pause=1000)
    assert found.score == 28 and search.workers.state_count > 1000
    assert search.is_past(boosters.Patterns) and not search.is_past(boosters.Landmarks)


def test_where_there_are_no_patterns_none_are_sought_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(pattern_databases, "patterns_of", lambda factors, size: [])
    position = asked(shipped("classics.sliding"), "fewest moves until solved")
    found, search = solved(position, 100)
    assert found.score == 28 and search.is_past(boosters.Patterns)
    assert fresh(search).recalled == ()


PATTERN = Pattern
FAULTS = {
    "free moves are paid for": (
        patterns,
        "Pattern",
        lambda counted, context, paid, keeps: PATTERN(counted, context, None, keeps),
        sliding,
        300,
    ),
    "the context is counted in every part": (
        patterns,
        "Pattern",
        lambda counted, context, paid, keeps=True: PATTERN((*context, *counted), (), paid),
        errands,
        300,
    ),
    "the goal is elsewhere": (
        factors_of.DistanceTables,
        "may_be_goal",
        lambda tables, thing, is_only: thing[0][1] == thing[1],
        pans,
        1 << 17,
    ),
    "what moves is not followed": (
        abstract_moves.AbstractMoves,
        "slots_after",
        lambda moves, moved, slot, value: {slot},
        sliding,
        1 << 17,
    ),
    "what comes from elsewhere is not asked": (abstract_moves.AbstractMoves, "may_bring", lambda *given: False, bag, 1000),
    "labels are not split": (factors_of, "_is_injective", lambda partial: True, errands, 1 << 17),
    "strides overlap": (pattern_databases, "strides", lambda sizes: [1, *list(sizes)[:-1]], lamps, 300),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    place, name, faulty, make, most_states = FAULTS[fault]
    monkeypatch.setattr(place, name, faulty)
    # Machine code does not look whether an index is inside, and this fault ended the process now and then.
    compiled = as_python if fault == "strides overlap" else as_baseline_code
    with pytest.raises((AssertionError, IndexError), match=r"moves are left|lowers it|range|bounds"):
        for seed in range(9, 14):
            position = make(random.Random(f"{make.__name__} {seed}"))
            check(position, by_patterns(position, databases(position, sized(most_states), compiled)))


KEYS = """
module keys:
    "A runner needs a key, which lies where only a guard on the right side of a wall can hand it over."

space town: square grid 6 x 1
space yard: square grid 6 x 1

state:
    runner: cell of town
    has_key: truth
    guard: cell of yard

action run(ahead in around(runner)):
    require open: column(ahead) != 3 or has_key
    effect go: runner := ahead

action watch(ahead in around(guard)):
    require wall: column(ahead) + column(guard) != 5
    effect go: guard := ahead

action hand_over:
    require near: column(guard) > 2
    effect give: has_key := yes

flow:
    repeat until column(runner) = 5:
        turn:
            choose run, watch, hand_over

score none: 0
"""


@pytest.mark.parametrize("kept_as", [CachedPatterns, CachedLandmarks])
def test_they_are_for_roots_from_which_the_same_is_reached(
    kept_as: type[CachedPatterns | CachedLandmarks], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guard whom no goal and no run asks for: from behind the wall the goal is out of reach."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))

    def kept(column: int) -> CachedPatterns | CachedLandmarks:
        body = f"\n    runner: (0,0)\n    guard: ({column},0)\n"
        position = asked(linked(KEYS), "fewest moves until column(runner) = 5", body)
        problem = ShortestPlanProblem(position.asked, position.state, position.question)
        distances = CachedDistances(problem, ("the same code",))
        distances.found(time.monotonic() + 60)
        return kept_as(CachedDistances(problem, distances.identity))

    behind = kept(0)
    behind.keep(behind.find(time.monotonic() + 60))  # type: ignore[arg-type]
    assert kept(2).recalled
    assert kept(4).recalled is None
