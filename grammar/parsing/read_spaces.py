"""The nodes of spaces: a shape, its size, and what else is said of it."""

from __future__ import annotations

from typing import Any, ClassVar

from rulewright.base.spans import Span
from rulewright.grammar.tree import modules as tree

from .node_builder import NodeClasses, Property, made
from .read_formats import FormatBuilder

MOST_PORTS = 8
"""The most ports on a side."""


class SpaceBuilder(FormatBuilder):
    """Builds the nodes of spaces."""

    NODES: ClassVar[NodeClasses] = {
        **FormatBuilder.NODES,
        "size": made(Property, "*value", field="size"),
        "radius": made(Property, "*value", field="size"),
        "of_tiles": made(Property, "value?", field="of_tiles"),
        "neighbours": made(Property, "value", field="neighbours"),
        "wrapped": made(Property, "", field="wrapped", value=True),
        "slanted": made(Property, "", field="slanted", value=True),
        "corners": made(Property, "*value", field="corners"),
        "edge_space": made(tree.Space, "name base", shape=tree.Shape.GRAPH),
    }

    def shape(self, span: Span, word: str) -> tree.Shape:
        return next(shape for shape in tree.Shape if shape.value.split()[0] == word)

    def space(self, span: Span, name: str, shape: tree.Shape, *parts: Property) -> tree.Space:
        said: dict[str, Any] = {}
        for part in parts:
            if part.field in said:
                self.sink.error("RW016", "this property of the space is given twice", part.span, help="delete one of the two")
            if part.field == "size":
                self._check_size(shape, part)
            said[part.field] = part.value
        turned = said.get("of_tiles", False)
        return tree.Space(name, shape, **{**said, "of_tiles": "of_tiles" in said, "turned": turned}, span=span)

    def port_space(self, span: Span, name: str, base: str, number: int) -> tree.Space:
        if not 1 <= number <= MOST_PORTS:
            self.sink.error(
                "RW016", f"a side must have 1 to {MOST_PORTS} ports", span, help="correct the number before `a side`"
            )
        return tree.Space(name, tree.Shape.GRAPH, base=base, per_side=min(max(number, 1), MOST_PORTS), span=span)

    def _check_size(self, shape: tree.Shape, size: Property) -> None:
        side = self.limits.side
        most = side**2 if len(size.value) == 1 and shape is not tree.Shape.HEX else side
        if max(size.value) > most:
            message = f"the space has more than {side} cells along a side"
            self.sink.error("RW055", message, size.span, help="make it smaller")

    def node(self, span: Span, name: str | int) -> str:
        return str(name)

    def edge_line(self, span: Span, start: str, *ends: str) -> tuple[tuple[str, str], ...]:
        return tuple((start, end) for end in ends)
