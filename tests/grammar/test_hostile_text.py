"""Hostile texts: refused with a code of their own, quickly, and never by another exception."""

from __future__ import annotations

import random
import time

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.base.limits import Limits
from rulewright.grammar.formatter import format_text
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.to_text import print_expression
from rulewright.grammar.tree import expressions
from tests.expressions import parse_expression
from tests.grammar.shipped import SHIPPED

HEAD = "module a:\n    extends b\n"


def codes(text: str, limits: Limits = Limits()) -> set[str]:  # noqa: B008
    with pytest.raises(RulesError) as caught:
        parse_module(text, "a.rules", limits)
    return {diagnostic.code for diagnostic in caught.value.diagnostics}


def test_a_sum_of_a_thousand_terms_is_flat():
    text = " + ".join(["worth(c)"] * 1000)
    tree = parse_expression(text.replace(" + ", "\n    + "), "sum")
    assert isinstance(tree, expressions.Arithmetic) and len(tree.rest) == 999
    assert print_expression(tree) == text


def test_a_long_chain_of_or_is_flat():
    tree = parse_expression("\n    or ".join(["a and not b"] * 5000), "or")
    assert isinstance(tree, expressions.Or) and len(tree.parts) == 5000


@pytest.mark.parametrize(
    "opening, closing",
    [("f(", ")"), ("not ", ""), ("-", ""), ("x of ", ""), ("if a then b else ", ""), ("every c in ", ": a"), ("{", "}")],
)
def test_deep_expressions_are_refused(opening: str, closing: str):
    deep = opening * 80 + "a" + closing * 80
    assert codes(f"{HEAD}define f = {deep}\n") == {"RW052"}
    shallow = opening * 30 + "a" + closing * 30
    parse_module(f"{HEAD}define f = {shallow}\n", "a.rules")
    very_deep = (opening * 1000 + "\n    ") * 30 + "a" + closing * 30_000
    assert codes(f"{HEAD}define f = {very_deep}\n") & {"RW051", "RW052"}


def test_parentheses_are_no_nodes():
    parse_module(f"{HEAD}define f = {'(' * 500}a{')' * 500}\n", "a.rules")


def test_deep_blocks_are_refused():
    deep = "".join(" " * (4 + i) + "if a:\n" for i in range(1000)) + " " * 1004 + "stop\n"
    assert "RW052" in codes(f"{HEAD}procedure p:\n{deep}")
    inline = "    " + "if a: " * 300 + "if b:\n        stop\n"
    assert "RW052" in codes(f"{HEAD}procedure p:\n{inline}")


def test_too_many_nodes_are_refused():
    rows = "".join(f"    t{i} x1 land N E S W, land, buoy (a 2, b, c)\n" for i in range(300))
    assert codes(f"{HEAD}tiles t:\n{rows}", Limits(nodes=1000)) == {"RW053"}


def test_errors_are_collected_up_to_a_hundred():
    with pytest.raises(RulesError) as caught:
        parse_module("x\n" * 100_000, "a.rules")
    assert len(caught.value.diagnostics) == 100


def test_several_errors_are_reported_together():
    text = f"{HEAD}state:\n    a: 0..\n    b 0..9\n\ndefine f = (1\ndefine g = 1\n"
    with pytest.raises(RulesError) as caught:
        parse_module(text, "a.rules")
    assert [(d.code, d.span.line) for d in caught.value.diagnostics if d.span] == [
        ("RW012", 4),
        ("RW011", 5),
        ("RW013", 7),
    ]


def test_mutated_files_raise_nothing_but_rules_errors():
    dice = random.Random(7)
    pieces = [*list(' \n\t:()[]{}"#,.=<>+-*@'), "    ", "every ", "else ", "x2", "define ", "if ", "99999999999", "é", "\x00"]
    slowest = 0.0
    for _ in range(150):
        path = dice.choice(SHIPPED)
        text = path.read_text("utf-8")
        for _ in range(dice.randint(1, 8)):
            at = dice.randrange(len(text) + 1)
            kept = at + dice.choice([0, 0, 1, 3, 20])
            text = text[:at] + dice.choice([*pieces, text[kept : kept + 30]]) + text[kept:]
        began = time.perf_counter()
        try:
            (parse_puzzle if path.suffix == ".puzzle" else parse_module)(text, path.name)
        except RulesError as error:
            assert error.diagnostics
        else:
            format_text(text, path.name)
        slowest = max(slowest, time.perf_counter() - began)
    assert slowest < 3
