"""A number is changed where it stands, alone or beside others."""

from __future__ import annotations

import pytest
from varied import compared, with_value

TEXT = 'FEW, MANY = 3, 1 << 9\n"""Of states."""\n\nSECONDS = 0.5\n'


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [("FEW", "6", "FEW, MANY = 6, 1 << 9"), ("MANY", "7", "FEW, MANY = 3, 7"), ("SECONDS", "1.0", "SECONDS = 1.0")],
)
def test_one_number_is_changed(name: str, value: str, line: str) -> None:
    changed = set(with_value(TEXT, name, value).splitlines()) - set(TEXT.splitlines())
    assert changed == {line}


def test_a_number_that_is_not_there() -> None:
    with pytest.raises(SystemExit):
        with_value(TEXT, "OTHER", "1")


def test_another_answer_is_named() -> None:
    before = {"one": ({"status": "optimal", "value": "3", "states": 100}, 1.0)}
    after = {"one": ({"status": "optimal", "value": "2", "states": 50}, 0.5)}
    assert compared(before, after) == "0.500 times the states, 0.50 times the seconds; other answers: one"
    assert compared(before, before).endswith("none")
