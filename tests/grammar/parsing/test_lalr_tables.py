"""The tables that ship are those of the grammar, and start-up is fast because of them."""

from __future__ import annotations

from rulewright.grammar.parsing.lalr_tables import build, grammar_text, load


def test_shipped_tables_are_fresh():
    assert load(grammar_text()) is not None, "run `python -m rulewright.grammar.parsing.lalr_tables`"


def test_tables_of_another_grammar_are_not_used():
    assert load(grammar_text() + "\n// changed\n") is None


def test_shipped_tables_parse_like_the_grammar_text():
    shipped = load(grammar_text())
    text = 'require near: every n in around(c): (a + b) * c = 3 else "no" cite x.y'
    assert shipped and shipped.parse(text, start="action_line") == build(grammar_text()).parse(text, start="action_line")
