"""A bound with room for some of its fields, for kernels run as plain Python."""

from __future__ import annotations

from rulewright.solver.best.dual.arena import Bound, Node
from rulewright.subset.buffers import ints, longs
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of


def bound_with(
    sizes: dict[str, int], numbers: dict[str, int] | None = None, builder: TableBuilder | None = None, shares: int = 1
) -> Bound:
    """Room of those sizes, by field, beside that for the node, and for shares; fields that are numbers; tables so far."""
    builder = builder or TableBuilder(Bound)
    builder.put(**numbers or {})
    builder.reserve(node=size_of(Node), **sizes)
    arena, long_arena = ints(builder.room["arena"]), longs(1 + builder.room["long_arena"])
    tables = builder.array("tables", complete=False)
    return Bound(ints(1), tables, kind_sets=longs(1), arena=arena, long_arena=long_arena, duals=ints(shares))
