"""The tables that ship are those of the grammar, and start-up is fast because of them."""

from __future__ import annotations

import pytest

from rulewright.grammar.parsing.lalr import build, grammar_text, load
from rulewright.grammar.parsing.line_kinds import FileKind, LineKind

LINES = (
    (LineKind.ACTION, 'require near: every n in around(c): (a + b) * c = 3 else "no" cite x.y'),
    (LineKind.ENTRY, "ask: fewest moves until every c in cells: lit(c)"),
)


@pytest.mark.parametrize("file", FileKind)
def test_shipped_tables_are_fresh(file):
    assert load(grammar_text(), file) is not None, "run `python -m rulewright.grammar.parsing.lalr`"


@pytest.mark.parametrize("file", FileKind)
def test_tables_of_another_grammar_are_not_used(file):
    assert load(grammar_text() + "\n// changed\n", file) is None


@pytest.mark.parametrize(("kind", "text"), LINES)
def test_shipped_tables_parse_like_the_grammar_text(kind, text):
    shipped, built = load(grammar_text(), kind.file), build(grammar_text(), kind.file)
    assert shipped and shipped.parse(text, start=kind.rule) == built.parse(text, start=kind.rule)
