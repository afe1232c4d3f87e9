"""Swept clauses: as they are written, and what is none."""

from __future__ import annotations

import pytest

from rulewright.studies.simulation.sweep import NotSwept, SweptClause, grid


@pytest.mark.parametrize(
    ("text", "name", "values", "change"),
    [
        ("allowance.tokens[1] = 2..6", "allowance.tokens[1]", (2, 3, 4, 5, 6), "change allowance: tokens[1] = 4"),
        ("allowance.tokens[1] = 2..9 by 3", "allowance.tokens[1]", (2, 5, 8), "change allowance: tokens[1] = 4"),
        ("a.b[x] = 5, -1, 5", "a.b[x]", (5, -1), "change a: b[x] = 4"),
        (
            "change w: replace lamp: {1..2} when lit",
            "w: replace lamp: … when lit",
            (1, 2),
            "change w: replace lamp: 4 when lit",
        ),
    ],
)
def test_clauses_with_values(text: str, name: str, values: tuple[int, ...], change: str) -> None:
    clause = SweptClause.read(text)
    assert (clause.name, clause.values, clause.changed(4)) == (name, values, change)


@pytest.mark.parametrize("text", ["", "tokens = 2..6", "a.b = ", "a.b = 6..2", "a.b = 1..1000", "a.b = x", "change a: {}"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(NotSwept):
        SweptClause.read(text)


def test_a_grid() -> None:
    clauses = [SweptClause.read("a.b = 1..2"), SweptClause.read("c.d = 3, 4")]
    found = dict(grid(clauses))
    assert list(found) == [(1, 3), (1, 4), (2, 3), (2, 4)]
    assert found[2, 3] == "change a: b = 2\n\nchange c: d = 3"
