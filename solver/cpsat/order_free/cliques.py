"""An edge clique cover of a conflict graph; at most one member of each clique is chosen.

The constraint of a clique is tighter in a linear relaxation than those of its edges: of n queens on a line it allows one, the
edges allow n / 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def clique_rows(conflicts: Sequence[set[int]]) -> Iterator[list[int]]:
    """Maximal cliques that cover all edges, found greedily: each grows from an edge not yet covered."""
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
