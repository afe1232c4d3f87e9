"""Every code has a page whose bad example shows exactly that flaw and whose good example does not."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.explain import Example, explanation, titles
from rulewright.grammar.from_text import parse_module, parse_puzzle

GRAMMAR = sorted(code for code in titles() if int(code[2:]) < 70)
OTHER_LAYERS = {"RW025", "RW026", "RW057", "RW058", "RW059"}  # files that are no text, limits that no single text can exceed


def flaws(example: Example) -> list[str]:
    parse = parse_puzzle if example.puzzle else parse_module
    try:
        parse(example.text, "example", example.limits)
    except RulesError as error:
        return [diagnostic.code for diagnostic in error.diagnostics]
    return []


@pytest.mark.parametrize("code", GRAMMAR)
def test_examples_show_the_flaw(code: str):
    page = explanation(code)
    if code in OTHER_LAYERS:
        assert page.bad is None
        return
    assert page.bad is not None and page.good is not None
    assert flaws(page.bad) == [code]
    assert flaws(page.good) == []
