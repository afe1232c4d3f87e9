"""Cuts say why a marker cannot come round in time, by few facts, and exclude no play."""

from __future__ import annotations

import random

import pytest

from rulewright.rules.symbolic.circuit import holds
from rulewright.solver.cpsat.rounds.from_question import RoundPlans, rounds_model
from rulewright.solver.cpsat.rounds.realisation import _fewest
from tests.rules.playing import shipped
from tests.solver.asking import greatest_score, random_position


def test_as_few_cells_as_still_fail_are_kept() -> None:
    needed = frozenset({3, 17, 18})
    assert _fewest(frozenset(range(40)), lambda kept: needed <= kept) == needed
    assert _fewest(frozenset(range(40)), lambda kept: True) == frozenset()


@pytest.mark.parametrize("seed", range(3))
def test_a_cut_excludes_the_solution_that_it_explains_and_every_fact_is_needed(seed: int) -> None:
    game = shipped("beacon_patrol")
    engine, state = random_position(random.Random(seed), game, 1, 6)
    model = rounds_model(engine, state, greatest_score(game))
    assert isinstance(model.reader, RoundPlans)
    placements, travel = model.reader.placements, model.reader.travel
    far = sorted(placements.on, key=lambda cell: -placements.needed[cell])[:2]
    chosen = {next(iter(placements.board.laid[cell].values())) for cell in far}
    chosen |= {placements.in_round[cell][max(placements.in_round[cell])] for cell in far}
    chosen |= {rounds[max(rounds, key=lambda one: one.steps)] for rounds in placements.rounds}
    vacant = {-lit for cell, lit in placements.on.items() if cell not in far}
    solution = [int(number == 1 or number in chosen | vacant) for number in range(model.circuit.size + 1)]
    cut = travel.cut(solution)
    assert cut is not None
    known = [lit for lit in cut if abs(lit) < len(solution)]
    assert not any(holds(lit, solution) for lit in known)
    assert len([lit for lit in known if -lit in chosen]) <= 4
