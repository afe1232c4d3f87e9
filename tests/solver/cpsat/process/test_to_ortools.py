"""OR-Tools 9.11 to 9.15 call 13 the optimum of a model whose optimum is 14, unless one parameter is set: ours sets it."""

from __future__ import annotations

from ortools.sat.python import cp_model

from rulewright.solver.cpsat.process.to_ortools import BASE_PARAMETERS, solver_with


def _probe(solver: cp_model.CpSolver) -> tuple[str, float]:
    """a in 2..3, b in 1..5, c in 2..5, c unlike both: the most of b + 2c is 4 + 2 * 5."""
    model = cp_model.CpModel()
    a, b, c = model.new_int_var(2, 3, "a"), model.new_int_var(1, 5, "b"), model.new_int_var(2, 5, "c")
    model.add(c != b)
    model.add(c != a)
    model.maximize(b + 2 * c)
    return solver.status_name(solver.solve(model)), solver.objective_value


def test_the_parameter_that_keeps_optima_right_is_set() -> None:
    assert BASE_PARAMETERS["keep_all_feasible_solutions_in_presolve"] is True
    assert solver_with({}).parameters.keep_all_feasible_solutions_in_presolve


def test_the_probe_is_answered_right() -> None:
    assert _probe(solver_with({"num_workers": 1})) == ("OPTIMAL", 14)
    assert _probe(solver_with({"num_workers": 2, "random_seed": 77, "linearization_level": 1})) == ("OPTIMAL", 14)
