"""Automorphisms of graphs, by backtracking over nodes of a colour that is refined (Weisfeiler and Leman 1968)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.rules.spaces.window import Window

MOST_NODES = 64
"""Of a larger graph none is looked for."""

MOST_TRIES = 20_000
"""Nodes that are tried as images before the rest is left."""


def node_maps(window: Window) -> Iterator[tuple[int, ...]]:
    """To which node each one is mapped, the identity left out; not all where that takes too long."""
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
    """A number for each node, the same for those that have as many neighbours of each number."""
    colours = [len(nodes) for nodes in near]
    while True:
        seen = [(colours[node], sorted(colours[other] for other in nodes)) for node, nodes in enumerate(near)]
        numbers = {repr(one): number for number, one in enumerate(sorted(seen))}
        finer = [numbers[repr(one)] for one in seen]
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer
