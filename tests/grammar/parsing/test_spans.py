"""Every node knows where it stands, to the column."""

from __future__ import annotations

import attrs

from rulewright.base.spans import Span
from rulewright.grammar.from_text import parse_module, parse_puzzle
from tests.expressions import parse_expression
from tests.grammar.shipped import GOOD

TEXT = """\
module a:
    extends b

action place(tile in hand, to in (around(c))):  # comment
    "Text."
    require near:
        (a + b) * c
            = 3
        else "no"
    effect lay: put tile at to
        cite x.y
"""


def stretch(span: Span, text: str) -> str:
    lines = text.split("\n")[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


def test_spans_of_a_module():
    module = parse_module(TEXT, "a.rules")
    action = module.items[0]
    assert stretch(module.header.span, TEXT) == "module a:\n    extends b"
    assert stretch(module.header.extends[0][1], TEXT) == "b"
    assert stretch(action.span, TEXT) == TEXT[TEXT.index("action") :].rstrip()
    assert stretch(action.parameters[1].span, TEXT) == "to in (around(c))"
    assert stretch(action.parameters[1].domain.span, TEXT) == "around(c)"
    requirement = action.requirements[0]
    assert stretch(requirement.span, TEXT).startswith("require near:") and requirement.span.end_line == 9
    assert stretch(requirement.condition.span, TEXT) == "(a + b) * c\n            = 3"
    assert stretch(requirement.condition.left.span, TEXT) == "(a + b) * c"
    assert stretch(requirement.condition.left.first.span, TEXT) == "a + b"
    assert stretch(action.effects[0].labelled.statement.span, TEXT) == "put tile at to"
    assert stretch(action.effects[0].span, TEXT).endswith("cite x.y")


def test_spans_of_an_expression_count_from_its_text():
    assert parse_expression("  a +\n b", "x").span == Span("x", 1, 3, 2, 3)


def test_every_node_has_a_span_inside_its_parent():
    for path in GOOD:
        text = path.read_text("utf-8")
        tree = parse_puzzle(text, path.name) if path.suffix == ".puzzle" else parse_module(text, path.name)
        pending: list[tuple[object, Span]] = [(tree, tree.span)]
        while pending:
            node, around = pending.pop()
            if isinstance(node, tuple):
                pending.extend((part, around) for part in node)
            elif attrs.has(type(node)) and not isinstance(node, Span):
                span = node.span
                assert span.source == path.name, node
                assert (around.line, around.column) <= (span.line, span.column), node
                assert (span.end_line, span.end_column) <= (around.end_line, around.end_column), node
                pending.extend((getattr(node, a.name), span) for a in attrs.fields(type(node)) if a.name != "span")
