"""Abstract values against all numbers that they stand for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rulewright.rules.static.abstract_values import AbstractValue, one_of

VALUES = st.one_of(
    st.frozensets(st.integers(-200, 200), min_size=1, max_size=80).map(one_of),
    st.tuples(st.integers(-200, 200), st.integers(0, 300)).map(lambda pair: AbstractValue(pair[0], pair[0] + pair[1])),
)


def covered(value: AbstractValue) -> set[int]:
    return set(range(value.low, value.high + 1) if value.exact is None else value.exact)


@given(VALUES, VALUES)
def test_values_are_apart_if_no_number_is_covered_by_both(one: AbstractValue, other: AbstractValue) -> None:
    is_shared = bool(covered(one) & covered(other))
    assert one.is_apart_from(other) == other.is_apart_from(one)
    assert not (is_shared and one.is_apart_from(other))
    if one.values is not None and other.values is not None:
        assert one.is_apart_from(other) != is_shared
