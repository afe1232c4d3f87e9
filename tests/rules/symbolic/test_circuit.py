"""Circuits and guarded values against the truth table: every solution of what is posted means what it says."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, Lit, ModelTooLarge, holds
from rulewright.rules.symbolic.guarded_values import Encoder, Guarded


def solutions(circuit: Circuit) -> list[tuple[int, ...]]:
    """All solutions, by trying everything; place 0 holds nothing."""
    found = []
    for bits in product((0, 1), repeat=circuit.size - 1):
        solution = (0, 1, *bits)
        if all(any(holds(lit, solution) for lit in clause) for clause in circuit.clauses) and all(
            (constraint.low is None or constraint.low <= sum(c * solution[v] for c, v in constraint.terms))
            and (constraint.high is None or sum(c * solution[v] for c, v in constraint.terms) <= constraint.high)
            for constraint in circuit.constraints
        ):
            found.append(solution)
    return found


def meaning(value: Guarded, circuit: Circuit, solution: tuple[int, ...]) -> object:
    """The one value whose literal holds."""
    (found,) = [v for v, lit in value.cases if holds(lit, solution)]
    return found


@given(
    st.lists(st.integers(-3, 3), min_size=1, max_size=2, unique=True),
    st.lists(st.integers(-3, 3), min_size=1, max_size=2, unique=True),
)
@settings(max_examples=25)
def test_operations_on_two_values(left: list[int], right: list[int]) -> None:
    circuit = Circuit()
    encoder = Encoder(circuit)
    x, y = encoder.free(left), encoder.free(right)
    total = encoder.map2(lambda v, w: v + w, x, y)
    less = encoder.yes(encoder.map2(lambda v, w: int(v < w), x, y))
    seen = set()
    for solution in solutions(circuit):
        v, w = meaning(x, circuit, solution), meaning(y, circuit, solution)
        assert isinstance(v, int) and isinstance(w, int)
        assert meaning(total, circuit, solution) == v + w
        assert holds(less, solution) == (v < w)
        seen.add((v, w))
    assert seen == set(product(left, right))


@given(st.lists(st.booleans(), min_size=2, max_size=4), st.integers(-1, 5))
@settings(max_examples=40)
def test_sums_and_thresholds(signs: list[bool], threshold: int) -> None:
    circuit = Circuit()
    encoder = Encoder(circuit)
    lits: list[Lit] = [circuit.new_literal() * (1 if sign else -1) for sign in signs]
    total = encoder.add((1, encoder.times(lit, encoder.free([1]))) for lit in lits)
    enough = encoder.at_least(total, threshold)
    found = solutions(circuit)
    assert len(found) == 2 ** len(signs)
    for solution in found:
        count = sum(holds(lit, solution) for lit in lits)
        assert holds(enough, solution) == (count >= threshold)


def test_alternatives_of_one_value_meet_in_a_set() -> None:
    circuit = Circuit()
    encoder = Encoder(circuit)
    x = encoder.free([1, 2, 3, 4])
    low, even = encoder.test(lambda v: v < 3, x), encoder.test(lambda v: v % 2 == 0, x)
    size = circuit.size
    assert circuit.all_of([low, even]) == dict(x.cases)[2]
    assert circuit.all_of([low, encoder.test(lambda v: v > 2, x)]) == FALSE
    assert circuit.any_of([low, encoder.test(lambda v: v > 2, x)]) == TRUE
    assert circuit.size == size


def test_what_is_assumed_is_left_out() -> None:
    circuit = Circuit()
    encoder = Encoder(circuit)
    x = encoder.free([1, 2, 3])
    sure = encoder.assuming([encoder.test(lambda v: v < 3, x)])
    assert [v for v, _ in sure.restricted(x).cases] == [1, 2]
    assert sure.test(lambda v: v < 3, sure.restricted(x)) == TRUE


def test_a_model_that_is_too_large_is_refused() -> None:
    circuit = Circuit(most_variables=3)
    circuit.new_literal()
    circuit.new_literal()
    try:
        circuit.new_literal()
    except ModelTooLarge as error:
        assert "3" in str(error)
    else:
        raise AssertionError("no limit")
