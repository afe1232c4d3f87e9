"""Rows of a conflict graph: every edge lies in a clique, of which at most one member is chosen.

A row of a clique says more to a linear relaxation than its edges do: of n queens on a line it allows one, the edges n / 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def clique_rows(conflicts: Sequence[set[int]]) -> Iterator[list[int]]:
    """Maximal cliques that cover all edges, greedily: each grows from an edge that is not covered yet."""
    near = [sum(1 << other for other in others) for others in conflicts]
    open_edges = list(near)
    for first in range(len(near)):
        while open_edges[first]:
            members = [first]
            common = near[first]
            while common:
                wanted = open_edges[first] & common or common
                chosen = (wanted & -wanted).bit_length() - 1
                members.append(chosen)
                common &= near[chosen]
            row = sum(1 << member for member in members)
            for member in members:
                open_edges[member] &= ~row
            yield members
