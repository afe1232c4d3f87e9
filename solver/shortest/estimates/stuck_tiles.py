"""Tiles that hold each other where they are: the ways on which each tile may move, and the tiles that bar each way.

A move is barred by a tile if it is impossible while that tile, and the one that it moves, stay where they are. Of some tiles of
which each way is barred by one of them, or ends where no goal can be reached, none moves before a goal: it would be the first
to do so. All else of the state may change meanwhile, so nothing of it counts, but for two things that the rules show of
markers: no tile lies where one stands; and one of which only the region matters (region_markers.py) stays in its region
between the tiles that do not move, where no move takes it farther than a step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, evolve
from rulewright.rules.static.abstract_values import AbstractValue, exactly, one_of

from .abstract_moves import AbstractMoves, MoveClass
from .contention import Moved, Regions
from .guessing import may_be, values_of
from .partial_state import MOST_VALUES, Frame, PartialState, Slot, Thing

Way = tuple[Thing, int, frozenset[Thing]]
"""What a tile may become by a move, the cell at which a marker begins it, NOWHERE if any will do, and the tiles each of which
bars it."""

NOWHERE = -1

Ways = Mapping[Thing, frozenset[Way]]
"""All ways of each tile, but those that end where no goal can be reached."""


@define
class StuckTiles:
    """Derives the ways of the tiles of a board. `moves` run in a frame that knows under which markers no tile lies."""

    board: str
    moves: AbstractMoves
    regions: Regions | None

    def ways(self, moved: Mapping[Thing, Moved], dead: Collection[Thing]) -> Ways:
        """The ways of all tiles."""
        found = dict[Thing, frozenset[Way]]()
        for thing, moves in moved.items():
            bars: dict[tuple[Thing, int], set[frozenset[Thing]]] = {}
            for one, after in moves:
                stand = self.regions.stand(one) if self.steps and self.regions is not None else None
                for other in set(after).difference(dead, (thing,)):
                    key = other, NOWHERE if stand is None else stand
                    bars.setdefault(key, set()).add(self._bars(one, thing).intersection(moved))
            found[thing] = frozenset((*way, least) for way, every in bars.items() for least in _least(every))
        return found

    @cached_property
    def steps(self) -> Mapping[int, frozenset[int]]:
        """The steps of the marker whose region may bar ways, each but onto a tile; none if there is no such marker."""
        regions = self.regions
        if regions is None or not self._is_clear or not regions.are_kept or len(regions.solid) < len(regions.steps):
            return {}
        return regions.steps

    @property
    def _is_clear(self) -> bool:
        """Whether no tile lies under the marker of the regions."""
        return self.regions is not None and (self.regions.marker, self.board) in self.moves.frame.clear

    def _bars(self, moved: MoveClass, thing: Thing) -> frozenset[Thing]:
        """The tiles each of which bars the moves of a class that move a tile."""
        stand = self.regions.stand(moved) if self.regions is not None and self._is_clear else None
        kinds = self.moves.frame.lying[self.board] - {0}
        found = set[Thing]()
        begin = frozenset[Slot]() if stand is None else {(self.board, stand)}
        for slot in begin | {slot for slot in moved.touched if slot[0] == self.board and slot != thing[0]}:
            if slot in self.moves.frame.constant:
                continue
            is_onto = self.regions is not None and slot[1] == stand and stand in self.regions.solid
            if is_onto or not self._may_happen(moved, thing, slot, kinds):
                found |= {(slot, kind) for kind in kinds}
            elif len(kinds) > 1:
                found |= {(slot, kind) for kind in kinds if not self._may_happen(moved, thing, slot, frozenset((kind,)))}
        return frozenset(found)

    def _may_happen(self, moved: MoveClass, thing: Thing, slot: Slot, kinds: frozenset[int]) -> bool:
        """Whether a move of a class is possible while two tiles lie where they do, one of them of some kinds."""
        return self.moves.are_possible(moved, {thing[0]: exactly(thing[1]), slot: one_of(kinds)})


def _least(bars: Collection[frozenset[Thing]]) -> list[frozenset[Thing]]:
    """The sets that contain no other."""
    return [one for one in bars if not any(other < one for other in bars)]


def clear_under_markers(frame: Frame, root: PartialState, classes: Sequence[MoveClass], tick: Callable[[], None]) -> Frame:
    """A frame that knows under which markers no tile ever lies, by induction over all moves that may change either."""
    layout = frame.layout
    clear = frozenset(
        (slot, board)
        for slot, cells in frame.reached.items()
        for board in frame.lying
        if layout.columns[slot[0]].variable.type == layout.columns[board].variable.index
        and root.value((board, root.value(slot).low)).high == 0
        and len(cells) <= MOST_VALUES
    )
    while True:
        known = evolve(frame, clear=clear)
        moves = AbstractMoves(known, tick)
        kept = frozenset(one for one in clear if all(_stays_clear(moves, moved, *one) for moved in classes))
        if kept == clear:
            return known
        clear = kept


def _stays_clear(moves: AbstractMoves, moved: MoveClass, marker: Slot, board: str) -> bool:
    """Whether no tile lies under a marker after the moves of a class either."""
    kinds = one_of(moves.frame.lying[board] - {0})

    def may_stand(cell: int, known: Mapping[Slot, AbstractValue]) -> bool:
        return any(may_be(after.value(marker), cell) for after, _ in moves.ends(moved, known))

    for after, changes in moves.ends(moved, {}):
        if {board, marker[0]} & changes.anywhere:
            return False
        changed = {slot for slot in changes.slots | changes.laid if slot[0] == board}
        if marker not in changes.slots:
            if any(may_stand(slot[1], {marker: exactly(slot[1])}) for slot in changed if after.value(slot).high > 0):
                return False
            continue
        for slot in ((board, cell) for cell in values_of(after.value(marker)) if after.value((board, cell)).high > 0):
            if slot in changed or may_stand(slot[1], {slot: kinds}):
                return False
    return True
