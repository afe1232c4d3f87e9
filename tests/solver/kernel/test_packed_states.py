"""Packed states against states as they are: whatever is loaded after whatever, all slots, lists and hashes follow."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.machine.memory_layout import Arrangement
from rulewright.rules.play.engine import State
from rulewright.solver.kernel import packed_states
from rulewright.solver.shortest.game import CostGame
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.program import as_python
from tests.rules.playing import shipped
from tests.solver.planting import Fault, plant_in_kernels

ENTRIES = ("apply", "is_kept_at", "keep", "legal", "load_state", "pack", "value")


def lists_in(arrangement: Arrangement) -> Iterator[tuple[int, int]]:
    """The first slot of each list of cells, and the slot of its length."""
    for place in arrangement.slots.places.values():
        for listing in arrangement.listings(place):
            yield arrangement.header[listing.entry], listing.length


def check(module: str, players: int, number: int = 12, seed: int = 1) -> int:
    """Keep states of random play and load them in any order; gives how many differ."""
    text = f"puzzle asked:\n    rules asked\n    players {players}\n\n    ask: fewest moves until score = 9\n"
    position = set_up_position(parse_puzzle(text, "a puzzle"), shipped(module))
    assert position.question is not None
    engine, rng = position.asked, random.Random(seed)
    problem = ShortestPlanProblem(engine, position.root, position.question)
    kernel = CostGame(problem, entries=ENTRIES)
    program = kernel.compiled.program(as_python)
    machine, states = kernel.compiled.machine(program), kernel.layout.states(number)
    reached: list[State] = [position.root]
    while len(reached) < number:
        moves = [] if engine.over(reached[-1]) else engine.legal(reached[-1])
        reached.append(engine.apply(reached[-1], rng.choice(moves)) if moves else position.root)
    for at, state in enumerate(reached):
        machine.load(state)
        program.pack(states, machine.memory)
        program.keep(states, at)
    order = [rng.randrange(number) for _ in range(3 * number)]
    for at in order:
        program.load_state(states, machine.memory, at)
        assert machine.state == reached[at]
        assert machine.hash == machine.hash_from_scratch()
        slots = list(machine.slots)
        machine.load(reached[at])
        for first, length in lists_in(machine.arrangement):
            assert slots[length] == machine.slots[length]
            own, expected = (sorted(held[first : first + slots[length]]) for held in (slots, list(machine.slots)))
            assert own == expected
        if not engine.over(reached[at]):
            assert sorted(machine.legal()) == sorted(engine.legal(reached[at]))
        program.pack(states, machine.memory)
        other = rng.randrange(number)
        is_same = problem.key(reached[at]) == problem.key(reached[other])
        assert bool(program.is_kept_at(states, other)) == is_same
    return len({problem.key(state) for state in reached})


GAMES = (
    *(("classics.pig", 1), ("classics.market", 2), ("classics.sokoban", 1), ("classics.tsuro", 1)),
    *(("classics.pentominoes", 1), ("penguin_pirates", 3), ("castles_by_the_sea", 2), ("beacon_patrol", 1)),
)


@pytest.mark.parametrize(("module", "players"), GAMES)
def test_states_are_as_they_were(module: str, players: int) -> None:
    assert check(module, players) > 3


FAULTS = (
    Fault("lists of cells stay", packed_states, "    if known.is_cell == 1:\n", "    if known.is_cell == 2:\n"),
    Fault("copies are not counted", packed_states, "copies = copies_of(game, known.set.base, before)", "copies = 1"),
    Fault("the seed stays", packed_states, "        game.seed = states.kept[first]\n", "        game.seed = game.seed\n"),
    Fault("words are not compared", packed_states, "return differences == 0", "return True"),
    Fault("all bits tell states apart", packed_states, " << states.spare", ""),
)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_faults_are_noticed(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_kernels(fault, monkeypatch)
    with pytest.raises((AssertionError, IndexError)):
        for module, players in GAMES:
            check(module, players, 8)
