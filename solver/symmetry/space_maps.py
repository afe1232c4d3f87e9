"""Candidate automorphisms: rotations and reflections that map the windows of bounded grids onto themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulewright.base.records import frozen
from rulewright.rules.model import types
from rulewright.rules.model.instance import Instance
from rulewright.rules.spaces.symmetries import ROTATIONS, Coordinate, Symmetry, linear, mapped_directions, symmetries_of
from rulewright.rules.spaces.window import Window

MOST_CELLS = 1024
"""Of a space with more cells no automorphism is looked for."""


@frozen
class SpaceMap:
    """To which cell and to which direction of a space each one is mapped; `nowhere` is mapped to itself."""

    cells: tuple[int, ...]
    directions: tuple[int, ...]

    @property
    def is_identity(self) -> bool:
        return self.cells == tuple(range(len(self.cells)))


@frozen
class Automorphism:
    """A map of each space that is not left as it is. Values of all other types stay what they are."""

    maps: Mapping[str, SpaceMap]

    def then(self, other: Automorphism) -> Automorphism:
        """First this one, then another one; no maps, where all is left as it was."""
        joined = {**self.maps, **other.maps}
        for space in self.maps.keys() & other.maps.keys():
            first, second = self.maps[space], other.maps[space]
            cells = tuple(second.cells[cell] for cell in first.cells)
            joined[space] = SpaceMap(cells, tuple(second.directions[way] for way in first.directions))
        return Automorphism({space: map for space, map in joined.items() if not map.is_identity})

    def is_known(self, type: types.Type | None) -> bool:
        """Whether it is known to what the values of a type are mapped: of regions and places of pieces it is not."""
        match type:
            case types.Region() | types.Place():
                return False
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
                return space in self.maps or not space
            case types.Pair(first, second):
                return self.moves(first) or self.moves(second)
            case types.SetOf(element):
                return self.moves(element)
            case other:
                return not self.is_known(other)

    def image(self, instance: Instance, type: types.Type, value: int) -> int:
        """To which value of a type that is known another one is mapped; that for none, to itself."""
        match type:
            case types.Cell(space) if (map := self.maps.get(space or next(iter(instance.windows)))) is not None:
                return map.cells[value]
            case types.Direction(space) if (map := self.maps.get(space or next(iter(instance.windows)))) is not None:
                return map.directions[value] if value >= 0 else value
            case types.Pair(first, second) if value != instance.none(type):
                one, other = instance.parts(type, value)
                start, width = instance.domain(second).start, len(instance.domain(second))
                mapped = self.image(instance, first, one) - instance.domain(first).start
                return mapped * width + self.image(instance, second, other) - start
            case _:
                return value


def candidates(instance: Instance) -> Iterator[Automorphism]:
    """All spaces together, then each by itself; the identity is left out."""
    windows = {space: window for space, window in instance.windows.items() if _is_bounded_grid(window)}
    groups = [list(windows), *([space] for space in windows if len(windows) > 1)]
    for spaces in groups:
        for symmetry in symmetries_of(windows[space] for space in spaces):
            maps = {space: _space_map(windows[space], symmetry) for space in spaces}
            found = {space: map for space, map in maps.items() if map is not None and not map.is_identity}
            if found and all(map is not None for map in maps.values()):
                yield Automorphism(found)


def _is_bounded_grid(window: Window) -> bool:
    return window.shape in ROTATIONS and not window.unbounded and not window.periods and window.size <= MOST_CELLS


def _space_map(window: Window, symmetry: Symmetry) -> SpaceMap | None:
    """The map that a symmetry makes about the middle of a window; None where that is not mapped onto itself."""
    try:
        ways = mapped_directions(window, symmetry)
    except ValueError:
        return None
    places = [linear(window, at) for at in window.coordinates]
    images = [symmetry.applied(window.shape, at) for at in places]
    shift = [here - there for here, there in zip(_least(places), _least(images), strict=True)]
    numbers = {at: cell for cell, at in enumerate(places)}
    cells = [numbers.get(tuple(part + by for part, by in zip(at, shift, strict=True)), -1) for at in images]
    if -1 in cells:
        return None
    cells.append(window.nowhere)
    after = zip(window.steps, (window.steps[way] for way in ways), strict=True)
    steps = all(cells[step[cell]] == mapped[cells[cell]] for step, mapped in after for cell in range(window.size))
    kinds = all({ways[way] for way in kind} == set(kind) for kind in (window.around, window.beside, window.diagonals))
    opposite = all(ways[back] == window.opposite[ways[way]] for way, back in enumerate(window.opposite))
    return SpaceMap(tuple(cells), tuple(ways)) if steps and kinds and opposite else None


def _least(places: Sequence[Coordinate]) -> Coordinate:
    return tuple(map(min, zip(*places, strict=True)))
