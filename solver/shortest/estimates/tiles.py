"""What is derived of tiles: where each may end if they contend for places, and what bars its ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.base.records import field, frozen
from rulewright.rules.static.abstract_values import exactly

from .abstract_moves import OFF
from .contention import Ends, Moved, Paths, Regions, contended_ends
from .free_order import FreeOrder
from .partial_state import NO_INDEX, PartialState, Slot, Thing
from .stuck_tiles import StuckTiles, Ways, clear_under_markers

if TYPE_CHECKING:
    from .distance_tables import DistanceTables

NO_SLOT: Slot = ("", NO_INDEX)


@frozen
class Tiles:
    """Of the tiles of a board: `ends` are where those may end that contend for places, and how far these are; `ways` where each
    may move, and what bars that, empty if none is ever lost (stuck_tiles.py); `goals` those that may be where they are at the
    end.

    `ends` depend on the regions of a marker: while a tile is where it is, that is where `around` says. `steps` are those of the
    `marker`, if its region may bar ways, each but onto a tile. If some may come first (free_order.py), `words` are those of a
    move of each action that give the tile, and the cell at which the marker begins.
    """

    ends: Ends = field(factory=dict)
    ways: Ways = field(factory=dict)
    goals: frozenset[Thing] = frozenset()
    around: Mapping[Thing, frozenset[int]] = field(factory=dict)
    marker: Slot = NO_SLOT
    steps: Mapping[int, frozenset[int]] = field(factory=dict)
    words: Sequence[tuple[int, int]] = ()


def tiles_of(
    finder: DistanceTables, board: str, moved: Mapping[Thing, Moved], goals: Collection[Thing], alive: Collection[Thing]
) -> Tiles:
    """What `moved`, the moves of each tile of a board, tell of the tiles from which the goals are not all out of reach."""
    marker, cell = finder.marker
    regions = None
    if marker in finder.frame.reached:
        regions = Regions(finder.abstract_moves, board, marker, finder.merged[marker[0]], finder.marker_classes, cell)
    paths = Paths(moved, regions)
    paths.explore(finder.root_things(board))
    ends = contended_ends(paths, goals, Counter(finder.root_tiles(board).values()), finder.step)
    dead = {thing for thing in moved if thing not in alive or not ends.get(thing, True)}
    if not dead or any(slot[1] == OFF for slot, _ in moved):
        return Tiles(ends, goals=frozenset(goals), around=paths.around)
    names = {board, *(slot[0] for slot in finder.frame.reached)}
    values = {slot: exactly(value) for name in names for slot, value in finder.root_values(name).items()}
    root = PartialState(finder.frame, values)
    frame = clear_under_markers(finder.frame, root, finder.marker_classes, finder.tick)
    stuck = StuckTiles(board, finder.moves_in(frame), regions)
    began = {thing: paths.began(thing) for thing in moved}
    ways = stuck.ways(began, dead)
    order = FreeOrder(finder, board, stuck.moves, regions, ways) if stuck.steps and regions is not None else None
    words = order.words(began) if order is not None and order.holds(began) else ()
    return Tiles(ends, ways, frozenset(goals), paths.around, marker, stuck.steps, words)
