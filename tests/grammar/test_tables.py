"""The tables that ship are those of the grammar, and start-up is fast because of them."""

from __future__ import annotations

from rulewright.grammar import tables
from rulewright.grammar.syntax import build, grammar


def test_shipped_tables_are_fresh():
    assert tables.load(grammar()) is not None, "run `python -m rulewright.grammar.tables`"


def test_tables_of_another_grammar_are_not_used():
    assert tables.load(grammar() + "\n// changed\n") is None


def test_shipped_tables_parse_like_the_grammar():
    shipped = tables.load(grammar())
    text = 'require near: every n in around(c): (a + b) * c = 3 else "no" cite x.y'
    assert shipped and shipped.parse(text, start="action_line") == build().parse(text, start="action_line")
