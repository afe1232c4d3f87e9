"""From parse trees to nodes, without recursion: children before parents, each by the method named like its rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field

from .classes import define, frozen
from .diagnostics import Sink
from .layout import Source, too_many_parts
from .limits import Limits
from .reading import Leaf, Tree
from .spans import Span

# Words that have a meaning wherever an expression stands.
RESERVED = frozenset(
    """
    and closure count div else every for greatest has if in least mod no not of or some sum then those under where yes
    """.split()  # noqa: SIM905
)


@frozen
class Dotted:
    """A dotted name and where it stands."""

    text: str
    span: Span


@define
class Builder:
    """Turns the parse trees of one text into nodes. Subclasses have a method for every rule: span, then the children."""

    source: Source
    sink: Sink
    limits: Limits
    nodes: int = 0
    offset: int = field(default=0, init=False)

    def build(self, trees: Sequence[Tree], offset: int) -> Any:
        """The node of a text that was read at `offset`, from its trees, children before parents; None when it is too deep to be
        walked."""
        self.offset = offset
        for tree in trees:
            self._fill(tree)
        whole = trees[-1]
        return whole.node if whole.depth <= self.limits.nesting else None

    def _fill(self, tree: Tree) -> None:
        span = self.source.span(tree.start + self.offset, tree.end + self.offset)
        parts, tree.depth = [], 1
        for child in tree.children:
            if isinstance(child, Tree):
                parts.append(child.node)
                tree.depth = max(tree.depth, child.depth + 1)
            else:
                parts.append(None if child is None else self._leaf(child))
        if tree.depth == self.limits.nesting + 1:
            self.sink.error(
                "RW052",
                f"the expression is nested deeper than {self.limits.nesting} levels",
                span,
                help="give a part of it a name with `define`",
            )
        self.nodes += 1
        if self.nodes == self.limits.nodes + 1:
            too_many_parts(self.sink, span, self.limits)
            self.sink.stop()
        tree.node = getattr(self, tree.rule)(span, *parts)

    def _leaf(self, leaf: Leaf) -> Any:
        start, end, text = leaf.start + self.offset, leaf.end + self.offset, leaf.text
        match leaf.kind:
            case "NUMBER":
                return self._number(text, start, end)
            case "TIMES_OVER":
                return self._number(text[1:], start, end)
            case "STRING":
                return text[1:-1]
            case "NAME" | "LABEL" if text in RESERVED:
                self.sink.error(
                    "RW015",
                    f"`{text}` is a word of the language and no name",
                    self.source.span(start, end),
                    help="choose another name",
                )
        return text

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
