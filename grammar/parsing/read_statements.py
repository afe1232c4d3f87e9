"""The nodes of single lines of statements and flow. An empty body is filled from the block below the line."""

from __future__ import annotations

from typing import ClassVar

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.expressions import Expression

from .node_builder import NodeClasses, Property, made, says, text_or_empty
from .read_expressions import ExpressionBuilder


@frozen
class LabelHead(Located):
    """`muster:` with its statement in the block below."""

    label: str


@frozen
class ElseLine(Located):
    """`else:`; without a statement it opens a block."""

    body: tuple[statements.Labelled, ...]


@frozen
class FlowElseLine(Located):
    """`else:` in the flow."""

    body: tuple[statements.FlowStatement, ...]


def clause_of(cite: Property | None) -> str:
    """The clause that a cite names; empty if there is no cite."""
    return cite.value if cite else ""


def _inline(body: tuple[statements.Statement, ...]) -> tuple[statements.Labelled, ...]:
    """A statement on the line of another one, if there is any."""
    return tuple(statements.Labelled("", statement, span=statement.span) for statement in body)


labelled = made(statements.Labelled, "label statement cite", label=text_or_empty, cite=clause_of)


class StatementBuilder(ExpressionBuilder):
    """Builds the nodes of `statements.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **ExpressionBuilder.NODES,
        "text": says("text"),
        "cite": says("cite"),
        "labelled": labelled,
        "label_head": LabelHead,
        "otherwise": made(ElseLine, "*body", body=_inline),
        "put": made(statements.Put, "piece cell _ turned source"),
        "take": statements.Take,
        "slide": statements.Slide,
        "move": made(statements.Move, "everything? piece zone source"),
        "deal": statements.Deal,
        "shuffle": statements.Shuffle,
        "draw": statements.Draw,
        "roll": statements.Roll,
        "add_element": statements.AddElement,
        "remove_element": statements.RemoveElement,
        "clear": statements.Clear,
        "assign": made(statements.Assign, "target assignment value", assignment=statements.Assignment),
        "local": statements.Let,
        "stop": made(statements.Stop, "_"),
        "finish": statements.Finish,
        "do": made(statements.Do, "procedure *arguments"),
        "for_each": made(statements.ForEach, "binder *body", body=_inline),
        "when": made(statements.When, "condition *body", body=_inline),
        # Flow
        "run": made(statements.Run, "procedure *arguments"),
        "flow_otherwise": made(FlowElseLine, "*body"),
        "repeat": made(statements.Repeat, "until *body"),
        "each": made(statements.Each, "name domain start where *body"),
        "branch": made(statements.Branch, "condition *body"),
        "point": made(statements.Point, "name *body"),
    }

    def choices(self, span: Span, *words: str | None) -> tuple[tuple[str, ...], bool]:
        names = tuple(word for word in words if word is not None and word != "stop")
        return names, "stop" in words

    def choose(self, span: Span, choices: tuple[tuple[str, ...], bool], by: Expression | None) -> statements.Choose:
        return statements.Choose(*choices, by, span=span)
