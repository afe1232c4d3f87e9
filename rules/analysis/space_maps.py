"""Candidate automorphisms: rotations and reflections that map the windows of grids onto themselves, shifts of wrapped grids and
of rings, automorphisms of graphs, and exchanges of two members of an enumeration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from operator import add

from rulewright.base.records import field, frozen
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import types
from rulewright.rules.model.instance import Instance
from rulewright.rules.spaces.pattern import TURNS, Symmetry, mapped_directions, symmetries_of
from rulewright.rules.spaces.window import Coordinate, Window, linear

MOST_CELLS = 1024
"""Cells of a space up to which automorphisms are searched for."""

MOST_GRAPH_MAPS = 32
"""Automorphisms of a graph that are candidates."""

MOST_MEMBERS = 8
"""Members of an enumeration up to which pairs are exchanged."""

FIXED = ("terrain", "marker")
"""Enumerations whose members tiles show."""


@frozen
class SpaceMap:
    """The image of each cell and each direction of a space; `nowhere` is mapped to itself. Graphs have no directions: the ports
    of two nodes are unrelated."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    @property
    def is_identity(self) -> bool:
        return self.cells == tuple(range(len(self.cells)))


@frozen
class Automorphism:
    """A map of each space, and of the members of each enumeration, that changes. All other values stay."""

    maps: Mapping[str, SpaceMap]
    members: Mapping[str, tuple[int, ...]] = field(factory=dict)

    @property
    def is_identity(self) -> bool:
        return not self.maps and not self.members

    def then(self, other: Automorphism) -> Automorphism:
        """The automorphism that applies this one first, then another."""
        maps, members = {**self.maps, **other.maps}, {**self.members, **other.members}
        for space in self.maps.keys() & other.maps.keys():
            first, second = self.maps[space], other.maps[space]
            maps[space] = SpaceMap(_joined(first.cells, second.cells), _joined(first.directions, second.directions))
        for name in self.members.keys() & other.members.keys():
            members[name] = _joined(self.members[name], other.members[name])
        return Automorphism(
            {space: map for space, map in maps.items() if not map.is_identity},
            {name: images for name, images in members.items() if images != tuple(range(len(images)))},
        )

    def is_known(self, type: types.Type | None) -> bool:
        """Whether the images of a type's values are known: those of regions, places of pieces and ports are not."""
        match type:
            case types.Region() | types.Place():
                return False
            case types.Direction(space):
                return all(map.directions for name, map in self.maps.items() if space in (name, ""))
            case types.Pair(first, second):
                return self.is_known(first) and self.is_known(second)
            case types.SetOf(element):
                return self.is_known(element)
            case _:
                return True

    def moves(self, type: types.Type | None) -> bool:
        """Whether values of a type may be mapped to others."""
        match type:
            case types.Cell(space) | types.Direction(space):
                return space in self.maps or (not space and bool(self.maps))
            case types.Enumeration(name):
                return name in self.members
            case types.Pair(first, second):
                return self.moves(first) or self.moves(second)
            case types.SetOf(element):
                return self.moves(element)
            case other:
                return not self.is_known(other)

    def image(self, instance: Instance, type: types.Type, value: int) -> int:
        """The image of a value of a type whose images are known; none is mapped to itself."""
        match type:
            case types.Cell(space) if (map := self.maps.get(space or next(iter(instance.windows)))) is not None:
                return map.cells[value]
            case types.Direction(space) if (map := self.maps.get(space or next(iter(instance.windows)))) is not None:
                return map.directions[value] if value >= 0 else value
            case types.Enumeration(name) if name in self.members:
                return self.members[name][value]
            case types.Pair(first, second) if value != instance.none(type):
                one, other = instance.parts(type, value)
                start, width = instance.domain(second).start, len(instance.domain(second))
                mapped = self.image(instance, first, one) - instance.domain(first).start
                return mapped * width + self.image(instance, second, other) - start
            case _:
                return value


def candidates(instance: Instance) -> Iterator[Automorphism]:
    """Candidates: of all grids together, then of each space and each enumeration by itself; without the identity."""
    windows = {
        space: window for space, window in instance.windows.items() if not window.unbounded and window.size <= MOST_CELLS
    }
    grids = [space for space, window in windows.items() if window.shape in TURNS]
    groups = [grids, *([space] for space in grids if len(grids) > 1)]
    for space, window in windows.items():
        for shifted in _shifts(window):
            yield Automorphism({space: shifted})
    for spaces in groups:
        for symmetry in symmetries_of(windows[space] for space in spaces):
            maps = {space: _space_map(windows[space], symmetry) for space in spaces}
            found = {space: map for space, map in maps.items() if map is not None and not map.is_identity}
            if found and all(map is not None for map in maps.values()):
                yield Automorphism(found)
    for space, window in windows.items():
        if window.shape is Shape.GRAPH:
            for nodes in islice(node_maps(window), MOST_GRAPH_MAPS):
                yield Automorphism({space: SpaceMap((*nodes, window.nowhere), ())})
    for name, listed in instance.game.enumerations.items():
        if name not in FIXED and len(listed) <= MOST_MEMBERS:
            for one, other in combinations(range(len(listed)), 2):
                images = {one: other, other: one}
                yield Automorphism({}, {name: tuple(images.get(at, at) for at in range(len(listed)))})


def _shifts(window: Window) -> Iterator[SpaceMap]:
    """The shifts of a wrapped grid along its columns and rows, and of a ring, by each divisor of their lengths; then the
    reflection of a ring."""
    same = tuple(range(len(window.directions)))
    for axis, period in enumerate(window.periods):
        for by in (number for number in range(1, period) if period % number == 0):
            images = [(*at[:axis], (at[axis] + by) % period, *at[axis + 1 :]) for at in window.coordinates]
            map = _checked(window, [window.cell(at) for at in images], same)
            if map is not None:
                yield map
    if window.shape is Shape.RING and window.size > 2:
        mirrored = _checked(window, [window.cell(((-at[0]) % window.size,)) for at in window.coordinates], (1, 0))
        if mirrored is not None:
            yield mirrored


def _space_map(window: Window, symmetry: Symmetry) -> SpaceMap | None:
    """The map of a symmetry about the centre of a window; None if it does not map the window onto itself."""
    try:
        ways = mapped_directions(window, symmetry)
    except ValueError:
        return None
    places = [linear(window, at) for at in window.coordinates]
    images = [symmetry.applied(window.shape, at) for at in places]
    shift = [here - there for here, there in zip(_least(places), _least(images), strict=True)]
    numbers = {at: cell for cell, at in enumerate(places)}
    return _checked(window, [numbers.get(tuple(map(add, at, shift)), window.nowhere) for at in images], ways)


def _checked(window: Window, images: Sequence[int], ways: Sequence[int]) -> SpaceMap | None:
    """The map of cells and directions, if it is one to one and steps from mapped cells lead to mapped cells."""
    cells = (*images, window.nowhere)
    if len(set(cells)) < len(cells):
        return None
    after = zip(window.steps, (window.steps[way] for way in ways), strict=True)
    steps = all(cells[step[cell]] == mapped[cells[cell]] for step, mapped in after for cell in range(window.size))
    kinds = all({ways[way] for way in kind} == set(kind) for kind in (window.around, window.beside, window.diagonals))
    opposite = all(ways[back] == window.opposite[ways[way]] for way, back in enumerate(window.opposite))
    return SpaceMap(cells, tuple(ways)) if steps and kinds and opposite else None


def _joined(first: Sequence[int], second: Sequence[int]) -> tuple[int, ...]:
    return tuple(second[value] for value in first)


def _least(places: Sequence[Coordinate]) -> Coordinate:
    return tuple(map(min, zip(*places, strict=True)))


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
