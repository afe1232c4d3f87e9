"""Which tiles contend for places, and how far each is from those where it may end: on a cell there is one tile.

If each tile went to its nearest place, several might go to the same one. An assignment of tiles to places costs at least as
much, and where there is none, no goal can be reached (solver/shortest/kernels/assignment.py). A tile moves by itself here, but
for a marker of which only the region matters (region_markers.py): while the tile stays, the marker stays in its region around
it, and each move tells in which region it is afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, field
from rulewright.rules.model import terms
from rulewright.rules.static.abstract_values import AbstractValue, exactly, one_of

from .abstract_moves import OFF, AbstractMoves, MoveClass
from .guessing import NO_EFFECT, GuessingEvaluator, values_of
from .partial_state import PartialState, Slot, Thing, partial_algebra

Ends = Mapping[Thing, Mapping[Slot, int]]

Moved = Sequence[tuple[MoveClass, Collection[Thing]]]
"""The moves that may move a tile, with what they make of it."""

Node = tuple[Thing, frozenset[int]]
"""A tile, and the region of a marker around it."""


@define
class Regions:
    """The regions of a marker that the rules read by a closure only, among the tiles of a board. `classes` are all moves that
    may change a tile or the marker."""

    moves: AbstractMoves
    board: str
    marker: Slot
    closure: terms.Closure
    classes: Sequence[MoveClass]
    root: int
    _cells: dict[int, frozenset[int]] = field(factory=dict)
    _around: dict[Slot, list[frozenset[int]]] = field(factory=dict)

    @cached_property
    def steps(self) -> Mapping[int, frozenset[int]]:
        """The steps of the marker between cells."""
        found, pending = dict[int, frozenset[int]](), list(self.moves.frame.reached[self.marker])
        while pending:
            cell = pending.pop()
            if cell not in found:
                found[cell] = self._following(cell, {})
                pending += found[cell]
        return found

    @cached_property
    def solid(self) -> frozenset[int]:
        """The cells to which no step leads while a tile lies there."""
        kinds = one_of(self.moves.frame.lying[self.board] - {0})
        return frozenset(self.steps).difference(
            end
            for cell, ends in self.steps.items()
            for end in ends
            if (self.board, end) in self.moves.frame.constant or end in self._following(cell, {(self.board, end): kinds})
        )

    @cached_property
    def are_kept(self) -> bool:
        """Whether no move takes the marker farther than a step from where it begins."""
        stands = {id(moved): self.stand(moved) for moved in self.classes}
        return all(
            (stand := stands[id(moved)]) is not None and self.after(moved) <= self.steps.get(stand, frozenset()) | {stand}
            for moved in self.classes
        )

    def around(self, thing: Thing, cell: int) -> frozenset[int]:
        """All cells that the marker may reach from a cell while a tile stays."""
        slot = thing[0]
        if slot[1] == OFF:
            return frozenset()
        known = self._around.setdefault(slot, [])
        found = next((region for region in known if cell in region), None)
        if found is None:
            cells, pending = {cell}, [cell]
            while pending:
                later = {end for end in self.steps.get(pending.pop(), ()) if end != slot[1] or end not in self.solid} - cells
                cells |= later
                pending += later
            found = frozenset(cells)
            known.append(found)
        return found

    def _following(self, cell: int, known: Mapping[Slot, AbstractValue]) -> frozenset[int]:
        """Where one step from a cell may lead where something is known."""
        frame = self.moves.frame
        evaluator, cells = GuessingEvaluator(frame.instance, partial_algebra(PartialState(frame, dict(known)))), set[int]()
        while True:
            self.moves.tick()
            items = evaluator.following(self.closure, exactly(cell), {}).items
            cells |= frame.reached[self.marker] if items is None else {item.low for item, here in items if not here.never}
            if not evaluator.guesses.advance():
                return frozenset(cells)

    def stand(self, moved: MoveClass) -> int | None:
        """The cell at which the marker begins the moves of a class; None if that is not given."""
        given = [moved.guesses.get((one.name, (), NO_EFFECT)) for one in moved.action.parameters if one.domain == self.closure]
        return given[0] if len(given) == 1 else None

    def after(self, moved: MoveClass) -> frozenset[int]:
        """Where the marker may be after the moves of a class."""
        if id(moved) not in self._cells:
            ends = (after.value(self.marker) for after, _ in self.moves.ends(moved, {}))
            self._cells[id(moved)] = frozenset(cell for end in ends for cell in values_of(end))
        return self._cells[id(moved)]

    def may_begin(self, moved: MoveClass, region: frozenset[int]) -> bool:
        """Whether moves of a class may be made with the marker in a region."""
        stand = self.stand(moved)
        return stand is None or stand in region


@define
class Paths:
    """The ways of tiles by themselves: what `moved` says, as far as the marker may come to begin it."""

    moved: Mapping[Thing, Moved]
    regions: Regions | None
    before: dict[Node, set[Node]] = field(factory=dict)
    """By what is reached from the roots: from where one move leads there."""
    nodes: dict[Thing, list[Node]] = field(factory=dict)

    def explore(self, roots: Collection[Thing]) -> None:
        """Find all that may come of the tiles at the root."""
        root = 0 if self.regions is None else self.regions.root
        pending = [self._node(thing, root) for thing in roots]
        while pending:
            node = pending.pop()
            if node in self.before:
                continue
            self.before[node] = set()
            self.nodes.setdefault(node[0], []).append(node)
            pending += self._after(node)
        for node in list(self.before):
            for other in self._after(node):
                self.before[other].add(node)

    @property
    def around(self) -> dict[Thing, frozenset[int]]:
        """Where the marker may be while a tile is where it is."""
        known = {} if self.regions is None else self.nodes
        return {thing: frozenset[int]().union(*(region for _, region in nodes)) for thing, nodes in known.items()}

    def began(self, thing: Thing) -> Moved:
        """The moves of a tile that the marker may come to begin."""
        regions = self.regions
        return [
            (moved, after)
            for moved, after in self.moved[thing]
            if regions is None or any(regions.may_begin(moved, region) for _, region in self.nodes.get(thing, ()))
        ]

    def distances(self, place: Thing, step: int) -> dict[Thing, int]:
        """How far tiles are from a place, lowered where one move would lower it by more than `step`."""
        found, layer = dict[Node, int](), [(node, 0) for node in self.nodes.get(place, ())]
        while layer:
            later = list[tuple[Node, int]]()
            for node, distance in layer:
                if node not in found:
                    found[node] = distance
                    alike = [(other, distance) for other in self.before[node] if other[0] == node[0]]
                    layer += alike
                    later += [(other, distance + step) for other in self.before[node] if other[0] != node[0]]
            layer = later
        least = dict[Thing, int]()
        for (thing, _), distance in found.items():
            least[thing] = min(distance, least.get(thing, distance))
        return self._consistent(least, step)

    def _consistent(self, distances: dict[Thing, int], step: int) -> dict[Thing, int]:
        pending = list(distances)
        while pending:
            thing = pending.pop()
            for node in self.nodes[thing]:
                for other, _ in self.before[node]:
                    if other != thing and distances.get(other, distances[thing] + step + 1) > distances[thing] + step:
                        distances[other] = distances[thing] + step
                        pending.append(other)
        return distances

    def _node(self, thing: Thing, cell: int) -> Node:
        return thing, frozenset() if self.regions is None else self.regions.around(thing, cell)

    def _after(self, node: Node) -> Iterator[Node]:
        (thing, region), regions = node, self.regions
        if regions is None:
            yield from ((other, region) for _, after in self.moved[thing] for other in after)
            return
        for moved, after in self.moved[thing]:
            if regions.may_begin(moved, region):
                yield from (self._node(other, cell) for other in after for cell in regions.after(moved))
        for moved in regions.classes:
            if thing[0] not in moved.slots and not regions.after(moved) <= region and regions.may_begin(moved, region):
                yield from (self._node(thing, cell) for cell in regions.after(moved))


def contended_ends(paths: Paths, goals: Collection[Thing], counts: Mapping[int, int], step: int) -> Ends:
    """The distances of each tile that contends with others to the cells where it may end, if a move counts `step`; of each kind
    there are `counts`. `goals` are the tiles that may be where they are at the end."""
    bound = {kind for slot, kind in paths.moved if (slot, kind) not in goals}
    places = {kind: {slot for slot, other in goals if other == kind and slot[1] != OFF} for kind in bound}
    contending = {kind for kind in bound if sum(counts[other] for other in bound if places[kind] & places[other]) > 1}
    found: dict[Thing, dict[Slot, int]] = {
        (slot, kind): {} for slot, kind in paths.moved if kind in contending and slot[1] != OFF
    }
    for slot, kind in goals:
        if kind in contending:
            for thing, distance in paths.distances((slot, kind), step).items():
                if thing in found:
                    found[thing][slot] = distance
    return found
