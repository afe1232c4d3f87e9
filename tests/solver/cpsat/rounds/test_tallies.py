"""Sums counted by parts: each literal holds exactly if the sum, whatever the parts, is as great as its value."""

from __future__ import annotations

import random

import pytest
from ortools.sat.python import cp_model

from rulewright.rules.symbolic.circuit import TRUE, Circuit, LinearExpression, holds
from rulewright.solver.cpsat.model.from_question import ConstraintModel
from rulewright.solver.cpsat.process.to_ortools import build, solver_with
from rulewright.solver.cpsat.rounds.from_question import RoundPlans, rounds_model
from rulewright.solver.cpsat.rounds.tallies import Part, Tallies, tally_of
from tests.rules.playing import shipped
from tests.solver.asking import greatest_score, random_position


class _Solutions(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: list[cp_model.IntVar]) -> None:
        super().__init__()
        self.variables = variables
        self.found: list[tuple[int, ...]] = []

    def on_solution_callback(self) -> None:
        self.found.append((0, *(int(self.boolean_value(variable)) for variable in self.variables)))


@pytest.mark.parametrize("seed", range(12))
def test_a_literal_for_each_sum_that_parts_may_come_to(seed: int) -> None:
    rng, circuit = random.Random(seed), Circuit()
    worth = {circuit.new_literal(): rng.randint(1, 4) for _ in range(rng.randint(2, 6))}
    parts = [Part((rng.randrange(4), rng.randrange(4)), ((0, TRUE), (value, lit))) for lit, value in worth.items()]
    most = rng.randint(1, sum(worth.values()))
    tally = tally_of(circuit, parts, most)
    built, variables = build(ConstraintModel(circuit, LinearExpression.of({}, 0)), None)
    built.clear_objective()
    solutions = _Solutions(variables)
    solver_with({"enumerate_all_solutions": True, "num_workers": 1}).solve(built, solutions)
    assert tally_of(circuit, (), most) == ((0, TRUE),)
    assert len(solutions.found) == 1 << len(worth)
    for solution in solutions.found:
        came = sum(value for lit, value in worth.items() if holds(lit, solution))
        assert [holds(lit, solution) for _, lit in tally] == [came >= value for value, _ in tally]
        assert min(came, most) in dict(tally)


def test_gains_that_are_not_counted_require_nothing() -> None:
    game = shipped("beacon_patrol")
    model = rounds_model(*random_position(random.Random(1), game, 1, 1), greatest_score(game))
    assert isinstance(model.reader, RoundPlans)
    tallies = Tallies(model.reader.placements, model.circuit, model.objective)
    low, high = model.objective.low, model.objective.high
    assert {tallies.reaching(goal) for goal in (low - 1, low, high + 1)} == {TRUE}
    tallies.objective = LinearExpression.of({2: 5, 3: -1}, 0)
    assert tallies.reaching(2) == TRUE
