"""Faults planted in the model of rounds and in its cuts: answers differ from those of the search, or plays are excluded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from attrs import evolve

from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.symbolic.circuit import Lit
from rulewright.solver.cpsat.rounds import from_question, tallies
from rulewright.solver.cpsat.rounds.marker_moves import StepGraph
from rulewright.solver.cpsat.rounds.realisation import TravelCuts
from rulewright.solver.cpsat.rounds.round_graph import Layers, round_layers
from rulewright.solver.cpsat.rounds.tallies import Tallies
from tests.rules.playing import shipped
from tests.solver.asking import greatest_score, random_position
from tests.solver.cpsat.rounds.test_rounds import _admits, _agrees, _plays

Plant = Callable[[pytest.MonkeyPatch], None]


def fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    def shorter(*asked: object) -> Layers:
        return tuple(
            tuple(evolve(one, steps=max(one.steps - 2, len(one.laid))) for one in layer)
            for layer in round_layers(*asked)  # type: ignore[arg-type]
        )

    monkeypatch.setattr(from_question, "round_layers", shorter)


def longer_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    distances = StepGraph.distances

    def longer(self: StepGraph, start: int) -> dict[int, int]:
        return {cell: steps + (steps > 1) for cell, steps in distances(self, start).items()}

    monkeypatch.setattr(StepGraph, "distances", longer)


def more_tiles_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles_needed = StepGraph.tiles_needed

    def more(self: StepGraph, starts: Sequence[int]) -> dict[int, int]:
        return {cell: tiles + (tiles > 0) for cell, tiles in tiles_needed(self, starts).items()}

    monkeypatch.setattr(StepGraph, "tiles_needed", more)


def one_tile_less(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = Tallies.__attrs_post_init__

    def tighter(self: Tallies) -> None:
        limit(self)
        laid, coming = self.placements.on.values(), self.placements.board.coming
        self.circuit.add_linear([(1, lit) for lit in laid], None, len(coming) - 1)

    monkeypatch.setattr(Tallies, "__attrs_post_init__", tighter)


def a_goal_one_too_high(monkeypatch: pytest.MonkeyPatch) -> None:
    reaching = Tallies.reaching
    monkeypatch.setattr(Tallies, "reaching", lambda self, goal: reaching(self, goal + 1))


def gains_that_exclude_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tallies, "_exclude_each_other", lambda self, one, other: True)


def sums_too_low(monkeypatch: pytest.MonkeyPatch) -> None:
    add = tallies._sum
    monkeypatch.setattr(tallies, "_sum", lambda circuit, one, other, most: add(circuit, one, other[:-1] or other, most))


TALLIES = [one_tile_less, a_goal_one_too_high, gains_that_exclude_each_other, sums_too_low]


@pytest.mark.parametrize("plant", [fewer_steps, longer_ways, more_tiles_needed, *TALLIES])
def test_a_fault_in_the_model_is_noticed(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    game = shipped("beacon_patrol")
    with pytest.raises(AssertionError):
        for seed in range(8):
            _agrees(game, *random_position(random.Random(seed), game, 1, 5))


def _plays_beside_cuts(seed: int) -> tuple[int, bool]:
    """How many cuts there are for single tiles of some plays, laid where no other one leads to; and whether these plays are
    solutions beside them."""
    game = shipped("beacon_patrol")
    engine, state = random_position(random.Random(seed), game, 1, 6)
    model = from_question.rounds_model(engine, state, greatest_score(game))
    assert isinstance(model.reader, from_question.RoundPlans)
    ends = list(_plays(engine, state, seed, 4))
    cuts = {cut for end in ends for cut in _cuts(model.reader, engine, end)}
    for cut in cuts:
        model.circuit.add_clause(*cut)
    return len(cuts), all(_admits(model, engine, state, end, game) for end in ends)


def _cuts(reader: from_question.RoundPlans, engine: Engine, end: State) -> Iterator[tuple[Lit, ...]]:
    placements = reader.placements
    tiles = end[engine.layout.columns[placements.board.board].start]
    rounds = {rounds[max(rounds, key=lambda one: one.steps)] for rounds in placements.rounds}
    for cell in (cell for cell in placements.on if tiles[cell] and placements.needed[cell] > 1):
        for lit in placements.in_round[cell].values():
            chosen = {1, lit, placements.board.laid[cell][tiles[cell]], *rounds}
            cut = reader.travel.cut([int(number in chosen) for number in range(placements.circuit.size + 1)])
            assert cut is not None
            yield cut


def test_cuts_exclude_no_play_that_they_are_near_to() -> None:
    came = [_plays_beside_cuts(seed) for seed in (1, 2)]
    assert sum(cuts for cuts, _ in came) >= 3 and all(are_admitted for _, are_admitted in came), came


def test_a_cut_that_is_too_strong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    clause = TravelCuts._clause
    monkeypatch.setattr(TravelCuts, "_clause", lambda self, facts: clause(self, evolve(facts, vacant=frozenset())))
    assert not all(are_admitted for _, are_admitted in map(_plays_beside_cuts, (1, 2)))
