"""Enumerations as tables."""

from __future__ import annotations

import pickle

import pytest

from rulewright.base.rows import Row


class Fruit(Row):
    """What is known of fruits."""

    APPLE = "apple", 3, "red"
    PEAR = "pear", 4, "green"

    weight: int
    colour: str


def test_a_row_says_value_and_attributes() -> None:
    assert (Fruit("pear"), Fruit.PEAR.weight, Fruit.PEAR.colour, Fruit.PEAR.value) == (Fruit.PEAR, 4, "green", "pear")
    assert pickle.loads(pickle.dumps(Fruit.APPLE)) is Fruit.APPLE
    assert [fruit.value for fruit in Fruit] == ["apple", "pear"]


def test_a_row_that_is_too_short_or_too_long_is_refused() -> None:
    for row in (("apple",), ("apple", 3, 4)):
        with pytest.raises(ValueError):
            type(Row)("Wrong", (Row,), _namespace(row))


def _namespace(row: tuple[object, ...]) -> dict[str, object]:
    names = type(Row).__prepare__("Wrong", (Row,))
    names["__annotations__"] = {"weight": int}
    names["APPLE"] = row
    return names
