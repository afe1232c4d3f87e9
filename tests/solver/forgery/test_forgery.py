"""No author of rules or puzzles can have the solver take two states for one.

The attacks work on whatever hash is in use; the last tests plant the faults that they are to notice.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from functools import cache

import pytest

from rulewright.base.choices import Engines
from rulewright.base.hash_keys import PROCESS_KEY, HashKey
from rulewright.rules.machine import state_hash
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best.kernel_problem import SharedState
from rulewright.solver.best.kernels import search_context
from rulewright.solver.best.kernels.search_context import SearchContext
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel import compiled_game, packed_states
from rulewright.solver.result import Limits, Status
from rulewright.solver.shortest.kernels import best_first
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.subset.intrinsics import wrap
from rulewright.subset.program import as_python
from tests.rules.playing import shipped
from tests.solver.asking import greatest_score, random_position, worker_of
from tests.solver.planting import Fault, changed_module, plant_in_kernels

from .attacks import WORD, Counters, chance, colliding_pairs, families, linear_tables
from .games import DECEIVED, QUESTIONS, forged, honest, position_of, settings_of
from .lattice import vanishing

BITS = 24
"""To how many bits hashes are cut, so that a test can hold them against chance."""

STATES = 1 << 12

TWO_KEYS = HashKey(b"one"), HashKey(b"another")

FEW, MANY = "a word for each value", "many values"

ATTACKED = {FEW: (16, 63), MANY: (8, 999_999_999)}
"""Games with both kinds of places: how many counters, and their greatest value."""

OLD_COLLISION = (11363, -26540, 31693, 20152, 31166, 7107, 35308, -15278)
"""A difference of eight counters that the hash of version 0.1 did not notice, in any process."""

BUCKET_BITS, MIB = 25, 1568
"""At least as many bits of the first hash as choose a bucket: with so much memory, tables of best play have 2^25 entries."""


@cache
def attacked(name: str) -> Counters:
    return Counters.alone(*ATTACKED[name])


def answered(text: str, ask: str, key: HashKey = PROCESS_KEY, settings: str = "") -> int | None:
    """The value of a forged game by the search alone."""
    position = position_of(text, ask, settings)
    assert position.question is not None
    limits = Limits(60, 1, MIB, Engines.SEARCH, key)
    result = answer(position.asked, position.root, position.question, limits)
    assert result.status is Status.OPTIMAL
    return result.score


def apart(difference: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Two states with this difference."""
    poor = [max(0, -one) for one in difference]
    return poor, [one + other for one, other in zip(poor, difference, strict=True)]


def by_lattice(counters: Counters, key: HashKey = PROCESS_KEY) -> tuple[int, ...]:
    """A difference that a linear hash would not notice, by the words of this key."""
    return tuple(vanishing(counters.words(key), (BUCKET_BITS, 64)))


def attacked_game(ask: str) -> str:
    """A forged game for a question, by what its own hash is under the key of this process, as if that were known."""
    number, most = ATTACKED[FEW]
    position = position_of(forged([0] * number, [1] * number, most), ask)
    assert position.question is not None
    kind = MinimaxProblem if ask.startswith("win") else Problem if ask.startswith("max") else ShortestPlanProblem
    problem = kind(position.asked, position.root, position.question)
    telling = problem.telling_variables if isinstance(problem, ShortestPlanProblem) else problem.analysis.live_variables
    if isinstance(problem, Problem):
        telling -= problem.resources.keys()
    return forged(*apart(by_lattice(Counters(position.asked, telling))), most)


@pytest.mark.parametrize("ask", QUESTIONS)
def test_a_difference_found_by_lattice_reduction_deceives_nobody(ask: str) -> None:
    assert answered(attacked_game(ask), ask) == QUESTIONS[ask]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_what_once_deceived_deceives_no_more(ask: str) -> None:
    assert answered(forged(*apart(OLD_COLLISION), 99_999), ask) == QUESTIONS[ask]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_nor_does_a_puzzle_under_honest_rules(ask: str) -> None:
    assert answered(honest(8, 99_999), ask, settings=settings_of(*apart(OLD_COLLISION))) == QUESTIONS[ask]


def check_differences(counters: Counters) -> None:
    """A difference of states has no hash of its own, whether planned by another key or by this one."""
    rng = random.Random(1)
    for difference in (by_lattice(counters, TWO_KEYS[0]), tuple(rng.choice((2, 32)) for _ in range(counters.number))):
        for key in TWO_KEYS:
            hash, seen = counters.hash(key), [set[int](), set[int]()]
            for _ in range(50):
                low = [rng.randrange(max(0, -one), counters.most + 1 - max(0, one)) for one in difference]
                high = [one + other for one, other in zip(low, difference, strict=True)]
                for own, one, other in zip(seen, hash(low), hash(high), strict=True):
                    own.add(one - other)
            assert all(0 not in own and len(own) == 50 for own in seen), difference


def check_chance(counters: Counters) -> None:
    """Collisions are no commoner than chance, also among states that an adversary would choose, by each hash cut short and by
    both together."""
    for name, states in families(counters, STATES, random.Random(2)).items():
        hash = counters.hash(TWO_KEYS[0])
        both = [hash(state) for state in states]
        cut = [one for one, _ in both], [other for _, other in both], [(one % 4096 << 12) | other % 4096 for one, other in both]
        for number, hashes in enumerate(cut):
            found, expected = colliding_pairs(hashes, BITS), chance(len(states), BITS)
            assert found <= expected + 6 * expected**0.5 + 3, (name, number, found, expected)


def check_keys(counters: Counters) -> None:
    """States that collide under one key (here of hashes cut short) do so under another no oftener than others."""
    one, other = (counters.hash(key) for key in TWO_KEYS)
    known: dict[int, tuple[int, ...]] = {}
    pairs = []
    for state in families(counters, STATES, random.Random(3))["random"]:
        cut = one(state)[1] % (1 << 16)
        if cut in known:
            pairs.append((known[cut], state))
        known[cut] = state
    assert len(pairs) > 50
    assert sum(other(first)[1] % (1 << 16) == other(second)[1] % (1 << 16) for first, second in pairs) < 5


CHECKS = {"differences": check_differences, "chance": check_chance, "keys": check_keys}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("counters", ATTACKED)
def test_the_hash_in_use(check: str, counters: str) -> None:
    CHECKS[check](attacked(counters))


def without_hashes(monkeypatch: pytest.MonkeyPatch) -> int | None:
    """The fewest moves of a forged game, with the same hash for all states."""
    monkeypatch.setattr(HashKey, "words", lambda self, count, purpose: array("q", bytes(8 * count)))
    return answered(forged(*apart(OLD_COLLISION), 99_999), "fewest moves until money = 10")


def test_no_hash_is_needed_where_states_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortest plans compare whole states."""
    assert without_hashes(monkeypatch) == QUESTIONS["fewest moves until money = 10"]


def boards_hashed(hash_board: Callable[[SearchContext], None]) -> list[tuple[int, int]]:
    """The two hashes of boards of random games, as the cache of bounds takes them."""
    rng, found = random.Random(1), dict[object, tuple[int, int]]()
    engine, root = random_position(rng, shipped("beacon_patrol"), 1, 12)
    worker = worker_of(Problem(engine, root, greatest_score(shipped("beacon_patrol"))), as_python)
    shared = SharedState.of(1, 1, 0, 0)
    context, state = worker.context(shared.cache, shared.words), root
    while len(found) < 400:
        moves = [] if engine.over(state) else engine.legal(state)
        state = engine.apply(state, rng.choice(moves)) if moves else root
        if not engine.over(state):
            worker.machine.load(state)
            hash_board(context)
            found[state] = context.board.place % WORD, context.board.key % WORD
    return sorted(set(found.values()))


def check_boards(hash_board: Callable[[SearchContext], None]) -> None:
    """Boards in one place of the cache differ in what is compared there."""
    both = boards_hashed(hash_board)
    assert len(both) > 100
    cut = [(place % 1024 << 10) | key % 1024 for place, key in both]
    assert colliding_pairs(cut, 20) <= chance(len(both), 20) + 3


def test_the_place_of_a_bound_says_nothing_of_its_key() -> None:
    check_boards(search_context.hash_board)


# Planted faults ------------------------------------------------------------------------------------


def plant_linear_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (state_hash, compiled_game):
        monkeypatch.setattr(module, "hash_tables", linear_tables)


def plant_fixed_key(monkeypatch: pytest.MonkeyPatch) -> None:
    words = HashKey.words
    monkeypatch.setattr(HashKey, "words", lambda self, count, purpose: words(TWO_KEYS[0], count, purpose))


def test_a_linear_hash_of_few_values_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_linear_hash(monkeypatch)
    with pytest.raises(AssertionError):
        check_differences(attacked(FEW))


@pytest.mark.parametrize("check", ["differences", "chance"])
def test_a_linear_hash_of_many_values_is_noticed(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even under a secret key: even differences leave it few bits."""
    monkeypatch.setattr(state_hash, "wide_word", lambda words, at, value: wrap(value * words[at]))
    with pytest.raises(AssertionError):
        CHECKS[check](attacked(MANY))


@pytest.mark.parametrize("counters", ATTACKED)
def test_a_fixed_key_is_noticed(counters: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_fixed_key(monkeypatch)
    with pytest.raises(AssertionError):
        check_keys(attacked(counters))


COMPARISONS_LEFT_OUT = (
    Fault("of plain states", best_first, "return is_kept_at(search.pool, number)", "return True"),
    Fault("of words", packed_states, "return differences == 0", "return True"),
)


@pytest.mark.parametrize("fault", COMPARISONS_LEFT_OUT, ids=lambda fault: fault.name)
def test_a_comparison_left_out_is_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises(AssertionError):
        test_no_hash_is_needed_where_states_are_kept(monkeypatch)


def test_a_place_that_is_the_key_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    end = "\n\n\ndef hash_laid"
    fault = Fault("", search_context, "context.board.key = key" + end, "context.board.key = place" + end)
    with pytest.raises(AssertionError):
        check_boards(changed_module(fault, monkeypatch)["hash_board"])


@pytest.mark.parametrize("ask", DECEIVED)
def test_a_linear_hash_would_be_deceived(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack is a real one; but for shortest plans, which compare states, even then."""
    plant_linear_hash(monkeypatch)
    expected = QUESTIONS if ask.startswith("fewest") else DECEIVED
    assert answered(attacked_game(ask), ask) == expected[ask]
