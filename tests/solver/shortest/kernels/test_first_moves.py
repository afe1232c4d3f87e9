"""Tiles of which one may move first: each state from which there is a way to a goal keeps a move of a shortest one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rulewright.puzzles.position import Position
from rulewright.rules.machine.runtime import GameMemory
from rulewright.solver.shortest.estimates.distance_layout import words_of
from rulewright.solver.shortest.game import ENTRIES, CostGame
from rulewright.solver.shortest.kernels.distance_words import DistanceWords
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset.intrinsics import Ints
from rulewright.subset.program import as_baseline_code, as_python
from tests.solver.shortest.estimates.spaces import Instance, crowd, exact, finder, graph

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


def test_a_move_of_a_shortest_way_is_kept() -> None:
    assert sum(left_out(crowd, seed) for seed in range(6)) > 0


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
