"""Best play where positions can repeat, held against the values of random graphs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from attrs import frozen

from rulewright.base.hash_keys import HashKey
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.solver.result import Limits, Listener, Result, Status
from rulewright.solver.versus import retrograde, retrograde_kernel
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.retrograde import FOR_EVER, RECALLED, answer_endless
from rulewright.studies.verified_plan import solve_verified
from tests.rules.playing import linked
from tests.solver.planting import Fault, plant_in_kernels

NODES = 9


@frozen
class Walk:
    """A token on a graph of `NODES` nodes that two players move in turn; at an end, node `n`, `gains[n]` is won or lost."""

    ways: tuple[tuple[int, int], ...]
    gains: tuple[int | None, ...]

    @classmethod
    def random(cls, seed: int) -> Walk:
        rng = random.Random(seed)
        ways = tuple((rng.randrange(NODES), rng.randrange(NODES)) for _ in range(NODES))
        return cls(ways, (None, *(rng.choice((None, None, None, 1, 0, -1)) for _ in range(NODES - 1))))

    @property
    def rules(self) -> str:
        def by_node(values: list[int]) -> str:
            return "".join(f"if node = {node} then {value} else " for node, value in enumerate(values)) + "0"

        return f"""
module graph:
    "A token goes from node to node."

players 2

state:
    token: 0..{NODES - 1}

define one(node) = {by_node([one for one, _ in self.ways])}
define other(node) = {by_node([other for _, other in self.ways])}
define ends(node) = {by_node([int(gain is not None) for gain in self.gains])}
define gain(node) = {by_node([gain or 0 for gain in self.gains])}

action go_one:
    effect go:  token := one(token)
    effect end: if ends(token) = 1: end game

action go_other:
    effect go:  token := other(token)
    effect end: if ends(token) = 1: end game

flow:
    repeat:
        for player in players:
            turn:
                choose go_one, go_other

score won of player: if player = 1 then gain(token) else 0 - gain(token)

winner: most won
"""

    def value(self, start: int = 0) -> int:
        """The outcome for the first player, by the best that each can force in more and more moves."""
        values = {(node, player): self.gains[node] or 0 for node in range(NODES) for player in (1, 2)}
        for _ in range(4 * NODES):
            for (node, player), _value in list(values.items()):
                if self.gains[node] is None:
                    after = [values[way, 3 - player] for way in self.ways[node]]
                    values[node, player] = max(after) if player == 1 else min(after)
        return values[start, 1]


def problem(walk: Walk, ask: str, start: int = 0) -> MinimaxProblem:
    puzzle = parse_puzzle(f"puzzle a:\n    rules graph\n    players 2\n\n    token: {start}\n\n    ask: {ask}\n", "a puzzle")
    position = set_up_position(puzzle, linked(walk.rules))
    assert position.question is not None
    return MinimaxProblem(position.asked, position.root, position.question)


def solved(asked: MinimaxProblem) -> Result:
    return solve_verified(asked.engine, asked.root, asked.question, Limits(30.0))[0]


def analysed(asked: MinimaxProblem, limits: Limits | None = None) -> Result:
    """By retrograde analysis alone, also where a search meets no position twice."""
    return answer_endless(asked, limits or Limits(30.0), Listener(), ())


@pytest.mark.parametrize("seed", range(16))
def test_random_graphs(seed: int) -> None:
    walk = Walk.random(seed)
    asked, expected = problem(walk, "win for 1"), walk.value()
    for found in (solved(asked), analysed(asked)):
        assert (found.status, found.score) == (Status.OPTIMAL, expected)
        assert not found.is_endless or (expected == 0 and FOR_EVER in found.remarks)
    assert analysed(problem(walk, "win for 2")).score == -expected
    reached = solved(problem(walk, "reach won of 1 = 1 until end against best play"))
    assert (reached.status is Status.OPTIMAL) == (expected == 1)


def test_both_kinds_occur() -> None:
    assert {Walk.random(seed).value() for seed in range(16)} == {-1, 0, 1}
    assert any(analysed(problem(Walk.random(seed), "win for 1")).is_endless for seed in (10, 15))


def test_the_winner_takes_the_shortest_way() -> None:
    ways = ((1, 2), (0, 0), (3, 0), (4, 4), (0, 0), (5, 5), (6, 6), (7, 7), (8, 8))
    walk = Walk(ways, (None, None, None, None, 1, None, None, None, None))
    assert walk.value() == 0  # the second player goes back from node 2
    forced = Walk(((1, 2), (0, 0), (3, 3), (4, 0), *ways[4:]), walk.gains)
    result = analysed(problem(forced, "win for 1"))
    assert result.score == 1 and len(result.plan) == 3


@pytest.mark.parametrize("seed", range(6))
def test_a_table_that_is_kept_answers_for_all_its_positions(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks, and whatever: from each node, whether the table has it or not."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(retrograde, "WORTH_KEEPING", 0.0)
    walk, recalled = Walk.random(seed), set[int]()
    for start in (0, *range(NODES)):
        if walk.gains[start] is not None:
            continue
        for player in (1, 2):
            found = analysed(problem(walk, f"win for {player}", start))
            assert found.status is Status.OPTIMAL
            assert found.score == (walk.value(start) if player == 1 else -walk.value(start))
            recalled |= {start} if RECALLED in found.remarks else set()
        reached = analysed(problem(walk, "reach won of 1 = 1 until end against best play", start))
        assert (reached.status is Status.OPTIMAL) == (walk.value(start) == 1)
    assert 0 in recalled
    repeatable = analysed(problem(walk, "win for 1"), Limits(30.0, hash_key=HashKey(bytes(32))))
    assert RECALLED not in repeatable.remarks


def test_a_table_is_kept_for_the_same_rules_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(retrograde, "WORTH_KEEPING", 0.0)
    first = analysed(problem(Walk.random(3), "win for 1"))
    again, other = analysed(problem(Walk.random(3), "win for 1")), analysed(problem(Walk.random(4), "win for 1"))
    assert RECALLED in again.remarks and RECALLED not in (*first.remarks, *other.remarks)
    assert (again.score, again.plan, again.states) == (first.score, first.plan, first.states)
    monkeypatch.setattr(retrograde, "MOST_BYTES", 0)
    analysed(problem(Walk.random(5), "win for 1"))
    assert RECALLED not in analysed(problem(Walk.random(5), "win for 1")).remarks


def test_without_memory_it_says_what_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrograde, "WAYS", 0)
    result = analysed(problem(Walk.random(3), "win for 1"))
    assert result.status is Status.UNKNOWN and any("were met" in remark for remark in result.remarks)


OWN, WAYS = "search.is_own[number] == ", "search.first[number], search.first[number + 1]"

FAULTS = (
    Fault("a side that errs", retrograde_kernel, f"{OWN}1 or won == ways", f"{OWN}1 or won > 0"),
    Fault("the other side forces nothing", retrograde_kernel, f"{OWN}0 or lost == ways", "lost == ways"),
    Fault("ends that decide nothing", retrograde_kernel, "    elif worth < 0:\n        search.verdicts[number] = -1\n", ""),
    Fault("all is the other side", retrograde_kernel, "search.is_own[number] = 1\n", "search.is_own[number] = 0\n"),
    Fault("a way too few", retrograde_kernel, WAYS, WAYS.replace(",", " + 1,", 1)),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises((AssertionError, ValueError, IndexError)):
        for seed in range(80):
            walk = Walk.random(seed)
            assert analysed(problem(walk, "win for 1")).score == walk.value()
