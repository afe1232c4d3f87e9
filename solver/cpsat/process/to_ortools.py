"""A constraint model as one of OR-Tools. OR-Tools is only imported here and in the worker process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ortools.sat.python import cp_model

from rulewright.rules.symbolic.circuit import TRUE
from rulewright.solver.cpsat.model.from_question import ConstraintModel

BASE_PARAMETERS: Mapping[str, Any] = {
    # Without it OR-Tools 9.11 to 9.15 report a wrong optimum as optimal: tests/solver/cpsat/process/test_to_ortools.py.
    "keep_all_feasible_solutions_in_presolve": True,
    "linearization_level": 2,
}


IN_ORDER: Mapping[str, Any] = {
    "num_workers": 1,
    "search_branching": cp_model.FIXED_SEARCH,
    "linearization_level": 0,
    "cp_model_probing_level": 0,
}
"""Parameters with which a model's decisions are made in their order. What probing finds costs more than it saves."""


def build(
    source: ConstraintModel, floor: int | None, ceiling: int | None = None
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """The model, and its variables in order: variable n of the circuit is at place n - 1.

    The objective is maximised or, given a `floor`, only required to reach it; `ceiling` is an upper bound proved before.
    """
    circuit, objective = source.circuit, source.objective
    reached = TRUE if floor is None or source.reaching is None else source.reaching(floor)
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
    for constraint in circuit.constraints:
        summed = [variables[variable - 1] for _, variable in constraint.terms]
        coefficients = [coefficient for coefficient, _ in constraint.terms]
        if (constraint.low, constraint.high) == (1, 1) and set(coefficients) == {1}:
            model.add_exactly_one(summed)
            continue
        if constraint.high == 1 and (constraint.low or 0) <= 0 and set(coefficients) == {1}:
            model.add_at_most_one(summed)
            continue
        low = cp_model.INT32_MIN if constraint.low is None else constraint.low
        high = cp_model.INT32_MAX if constraint.high is None else constraint.high
        total = cp_model.LinearExpr.weighted_sum(summed, coefficients)
        model.add_linear_expression_in_domain(total, cp_model.Domain(low, high))
    terms = objective.terms
    value = cp_model.LinearExpr.weighted_sum([literal(lit) for lit in terms], list(terms.values())) + objective.constant
    if ceiling is not None:
        model.add(value <= ceiling)
    if floor is None:
        model.maximize(value)
    else:
        model.add(value >= floor)
        model.add_bool_or([literal(reached)])
    if source.decisions:
        first = [literal(lit) for lit in source.decisions]
        model.add_decision_strategy(first, cp_model.CHOOSE_FIRST, cp_model.SELECT_MAX_VALUE)
    return model, variables


def solver_with(parameters: Mapping[str, Any]) -> cp_model.CpSolver:
    """A solver with these parameters in addition to `BASE_PARAMETERS`."""
    solver = cp_model.CpSolver()
    for name, value in {**BASE_PARAMETERS, **parameters}.items():
        if isinstance(value, list):
            getattr(solver.parameters, name).extend(value)
        else:
            setattr(solver.parameters, name, value)
    return solver
