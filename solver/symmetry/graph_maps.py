"""Automorphisms of graphs, by backtracking over nodes with refined colours (Weisfeiler and Leman 1968)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.rules.spaces.window import Window

MOST_NODES = 64
"""Nodes of a graph up to which automorphisms are searched for."""

MOST_TRIES = 20_000
"""Nodes tried as images before the search stops."""


def node_maps(window: Window) -> Iterator[tuple[int, ...]]:
    """The image of each node, for each automorphism but the identity; some are missing if the search takes too long."""
    if window.size > MOST_NODES:
        return
    near = [frozenset(step[node] for step in window.steps) - {window.nowhere} for node in range(window.size)]
    colours = refined(near)
    nodes = sorted(range(window.size), key=lambda node: (colours.count(colours[node]), colours[node]))
    tries = 0
    pending: list[tuple[int, ...]] = [()]
    while pending:
        images = pending.pop()
        if len(images) == window.size:
            found = tuple(image for _, image in sorted(zip(nodes, images, strict=True)))
            if found != tuple(range(window.size)):
                yield found
            continue
        node = nodes[len(images)]
        for image in range(window.size):
            tries += 1
            if tries > MOST_TRIES:
                return
            known = zip(nodes, images, strict=False)
            is_free = colours[image] == colours[node] and image not in images
            if is_free and all((other in near[node]) == (there in near[image]) for other, there in known):
                pending.append((*images, image))


def refined(near: Sequence[frozenset[int]]) -> list[int]:
    """A number for each node: nodes with the same number have equally many neighbours of each number."""
    colours = [len(nodes) for nodes in near]
    while True:
        seen = [(colours[node], sorted(colours[other] for other in nodes)) for node, nodes in enumerate(near)]
        numbers = {repr(one): number for number, one in enumerate(sorted(seen))}
        finer = [numbers[repr(one)] for one in seen]
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer
