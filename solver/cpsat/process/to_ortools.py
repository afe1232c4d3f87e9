"""A circuit as a model of OR-Tools. The only file that builds one; it is imported in the child process alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ortools.sat.python import cp_model

from rulewright.solver.cpsat.model.circuit import Circuit, Linear

BASE_PARAMETERS: Mapping[str, Any] = {
    # Without it OR-Tools 9.11 to 9.15 call a wrong optimum optimal: tests/solver/cpsat/process/test_to_ortools.py.
    "keep_all_feasible_solutions_in_presolve": True,
    "linearization_level": 2,
}


def build(
    circuit: Circuit, objective: Linear | None, floor: int | None, ceiling: int | None = None
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """The model, and the variables in order (variable n of the circuit at place n - 1). `floor` is asked for at least, and
    it is known already that there is no more than `ceiling`."""
    model = cp_model.CpModel()
    variables = [model.new_bool_var("") for _ in range(circuit.size)]
    model.add(variables[0] == 1)

    def literal(lit: int) -> Any:
        return variables[lit - 1] if lit > 0 else ~variables[-lit - 1]

    for clause in circuit.clauses:
        if len(clause) == 2:
            model.add_implication(~literal(clause[0]), literal(clause[1]))
        else:
            model.add_bool_or([literal(lit) for lit in clause])
    for row in circuit.rows:
        if (row.low, row.high) == (1, 1) and all(factor == 1 for factor, _ in row.terms):
            model.add_exactly_one([variables[n - 1] for _, n in row.terms])
            continue
        low = cp_model.INT32_MIN if row.low is None else row.low
        high = cp_model.INT32_MAX if row.high is None else row.high
        total = cp_model.LinearExpr.weighted_sum([variables[n - 1] for _, n in row.terms], [c for c, _ in row.terms])
        model.add_linear_expression_in_domain(total, cp_model.Domain(low, high))
    if objective is not None:
        total = cp_model.LinearExpr.weighted_sum([literal(lit) for lit in objective.terms], list(objective.terms.values()))
        if ceiling is not None:
            model.add(total + objective.constant <= ceiling)
        if floor is None:
            model.maximize(total + objective.constant)
        else:
            model.add(total + objective.constant >= floor)
    return model, variables


def solver_with(parameters: Mapping[str, Any]) -> cp_model.CpSolver:
    """A solver with these parameters beside those that are always set."""
    solver = cp_model.CpSolver()
    for name, value in {**BASE_PARAMETERS, **parameters}.items():
        if isinstance(value, list):
            getattr(solver.parameters, name).extend(value)
        else:
            setattr(solver.parameters, name, value)
    return solver
