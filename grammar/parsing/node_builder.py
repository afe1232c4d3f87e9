"""Builds nodes from parse trees, bottom-up and without recursion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from lark import Token, Tree

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import NO_SPAN, Located, Span

from .lines import TextReader, report_too_many_parts

NodeClasses = Mapping[str, Callable[..., Any]]

# Words with a meaning in every expression.
RESERVED = frozenset(
    """
    and closure count div else every for greatest has if in least let mod no not of or some sum then those under where yes
    """.split()  # noqa: SIM905
)


# Makers of nodes ------------------------------------------------------------------------------------------------------
# From the children of a rule, each the value of a field.


def made(of: Any, children: str, /, **known: Any) -> Callable[..., Any]:
    """A maker of nodes of a class; `children` names the field of each child of a rule.

    `name?` is whether the child is there, `*name` a tuple of all children at this place that are there, and `_` says nothing. A
    field without its child keeps its default. In `known`, a function makes the value of a field from the child; anything else
    is the value.
    """
    names = children.split()
    at = next((at for at, name in enumerate(names) if name.startswith("*")), None)
    behind = 0 if at is None else len(names) - at - 1
    fixed = {name: value for name, value in known.items() if not callable(value)}
    optional = {each.name for each in of.__attrs_attrs__ if each.is_optional}

    def value(name: str, child: Any) -> tuple[str, Any]:
        field = name.strip("*?")
        if field in known:
            return field, known[field](child)
        return field, child is not None if name.endswith("?") else child

    def make(*parts: Any, span: Span) -> Any:
        if at is not None:
            end = len(parts) - behind
            parts = (*parts[:at], collected(*parts[at:end]), *parts[end:])
        said = dict(value(name, child) for name, child in zip(names, parts, strict=False) if name != "_")
        said = {field: child for field, child in said.items() if child is not None or field not in optional}
        return of(**fixed, **said, span=span)

    return make


def inside(outer: Callable[..., Any], inner: Callable[..., Any]) -> Callable[..., Any]:
    """A maker of nodes with a single field, of the node that another maker makes from the same children."""
    return lambda *parts, span: outer(inner(*parts, span=span), span=span)


@frozen
class Property(Located):
    """What a line, or a part of one, says of an item: a field of its node and the value."""

    field: str
    value: Any


def says(field: str) -> Callable[..., Property]:
    """A maker of properties with the value of the only child."""
    return made(Property, "value", field=field)


def collected(*parts: Any, span: Span = NO_SPAN) -> tuple[Any, ...]:
    """The children that are there."""
    return tuple(part for part in parts if part is not None)


def text_or_empty(text: str | None) -> str:
    """A text that may be missing."""
    return text or ""


def all_or_none(items: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """A list that may be missing."""
    return items or ()


# Building -------------------------------------------------------------------------------------------------------------


@frozen
class BuiltNode:
    """The result of building a parse tree: the node, its depth, and its span."""

    node: Any
    depth: int
    start: int
    end: int


@frozen(eq=False)
class BuiltLine:
    """A parse tree whose node was built without a diagnostic, the node, and its number of nodes."""

    tree: Tree[Token]
    node: Any
    nodes: int


BuiltLines = Mapping[tuple[int, int], BuiltLine]
"""By line and column of their start."""


@define
class NodeBuilder(TextReader):
    """Builds the nodes of one text from its parse trees.

    For every rule of the grammar there is a class in `NODES`, whose fields are the children of the rule, a maker, or a
    method of a subclass, which gets the span and the children. The first child of the rules in `CLOSED` must be closed.
    `kept` are lines of an earlier text of the same name: a line at the same position with the same parse tree is not
    built again. `lines` are those of this text.
    """

    NODES: ClassVar[NodeClasses] = {}
    CLOSED: ClassVar[frozenset[str]] = frozenset()

    nodes: int = 0
    kept: BuiltLines = field(factory=dict, kw_only=True)
    lines: dict[tuple[int, int], BuiltLine] = field(factory=dict, init=False)
    offset: int = field(default=0, init=False)

    def build(self, root: Tree[Token], offset: int) -> Any:
        """The node of a tree parsed from the text at `offset`; None if it is too deep."""
        place = self.source.position(offset)
        line = self.kept.get(place)
        if line is not None and line.tree is root and self.nodes + line.nodes <= self.limits.nodes:
            self.nodes += line.nodes
        else:
            nodes, diagnostics = self.nodes, len(self.sink.diagnostics)
            line = BuiltLine(root, self._built(root, offset), self.nodes - nodes)
            if len(self.sink.diagnostics) > diagnostics:
                return line.node
        self.lines[place] = line
        return line.node

    def _built(self, root: Tree[Token], offset: int) -> Any:
        self.offset = offset
        built: dict[int, BuiltNode] = {}
        for tree in root.iter_subtrees():
            children = [built[id(c)] if isinstance(c, Tree) else self._leaf(c) for c in tree.children]
            built[id(tree)] = self._node(tree, children)
        whole = built[id(root)]
        return whole.node if whole.depth <= self.limits.nesting else None

    def _node(self, tree: Tree[Token], children: list[BuiltNode]) -> BuiltNode:
        start, end = tree.meta.start_pos + self.offset, tree.meta.end_pos + self.offset
        span = self.source.span(start, end)
        depth = 1 + max((child.depth for child in children), default=0)
        if depth == self.limits.nesting + 1:
            self.sink.error(
                "RW052",
                f"the expression is nested deeper than {self.limits.nesting} levels",
                span,
                help="name a part of it with `define`",
            )
        self.nodes += 1
        if self.nodes == self.limits.nodes + 1:
            report_too_many_parts(self.sink, span, self.limits)
            self.sink.stop()
        parts = [child.node for child in children]
        if tree.data in self.CLOSED:
            self.refuse_open(span, parts[0])
        make = self.NODES.get(tree.data)
        node = make(*parts, span=span) if make else getattr(self, tree.data)(span, *parts)
        return BuiltNode(node, depth, start, end)

    def refuse_open(self, whole: Span, first: Any) -> None:
        """Report a first child that is not closed."""

    def _leaf(self, token: Token | None) -> BuiltNode:
        if token is None:
            return BuiltNode(None, 0, 0, 0)
        start, end = (token.start_pos or 0) + self.offset, (token.end_pos or 0) + self.offset
        match token.type:
            case "NUMBER":
                return BuiltNode(self._number(token, start, end), 0, start, end)
            case "TIMES_OVER":
                return BuiltNode(self._number(token[1:], start, end), 0, start, end)
            case "STRING":
                return BuiltNode(token[1:-1], 0, start, end)
            case "NAME" | "LABEL" if token.value in RESERVED:
                self.sink.error(
                    "RW015",
                    f"`{token.value}` is a reserved word and cannot be a name",
                    self.source.span(start, end),
                    help="choose another name",
                )
        return BuiltNode(str(token), 0, start, end)

    def _number(self, digits: str, start: int, end: int) -> int:
        if len(digits) > self.limits.digits:
            self.sink.error(
                "RW054",
                f"the number has more than {self.limits.digits} digits",
                self.source.span(start, end),
                help="use a smaller number",
            )
            return 0
        return int(digits)
