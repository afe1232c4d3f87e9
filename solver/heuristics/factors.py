"""Factors: things of which there is one, each at one of its places, and what each move does to each of them.

A factor is a value that is at one slot of a variable at any time (the tile with a number, the gap, a pancake), and its places
are slots; or it is a slot, and its places are values (the peg of a disc, a light). The moves of one class (abstract_moves.py)
take it from a place to one other, or are impossible there: a partial function, the label's. Every move is of a class, and that
is a label of all factors at once: their product synchronised by labels is an abstraction of the game (Sievers and Helmert
2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import evolve

from rulewright.base.records import define, frozen

from .abstract_moves import MoveClass
from .distance_tables import DistanceTables, Thing
from .partial_state import Slot

MOST_PLACES = 64
MOST_LABELS = 4096
"""There are so many after those are split that bring a factor from several places to one."""

Partial = Mapping[int, int]
"""A partial function from places to places, each by its number."""


@frozen
class Factor:
    """Things of which there is always one; the number of a place is that of its thing. Labels without an entry in `after` leave
    it where it is. Where it is counted no move changes two factors of this variable that are."""

    variable: str
    places: tuple[Thing, ...]
    goals: frozenset[int]
    """The places with which the condition may hold."""
    after: Mapping[int, Partial]
    is_counted: bool

    def next(self, label: int, place: int) -> int | None:
        """Where the moves of a label bring it from a place; None where there are none."""
        return self.after[label].get(place) if label in self.after else place

    @cached_property
    def moving(self) -> frozenset[int]:
        """The labels that may change it."""
        return frozenset(n for n, partial in self.after.items() if any(place != later for place, later in partial.items()))

    @cached_property
    def restricted(self) -> frozenset[int]:
        """The labels that are impossible at some place of it."""
        return frozenset(label for label, partial in self.after.items() if len(partial) < len(self.places))


@define
class Factors:
    """Finds the factors of a question. Raises `OutOfTime`."""

    tables: DistanceTables

    def find(self) -> list[Factor]:
        """Those of all variables that the goal reads and that only actions change; each label takes a factor from one place at
        most to another one."""
        found = [factor for variable in sorted(self.tables.variables) for factor in self._of(variable)]
        labels = _split(found)
        if len(labels) > MOST_LABELS:
            found = [factor for factor in found if all(map(_is_injective, factor.after.values()))]
            labels = _split(found)
        return [
            evolve(factor, after={label: row[number] for label, row in enumerate(labels) if number in row})
            for number, factor in enumerate(found)
        ]

    @cached_property
    def _labels(self) -> Sequence[MoveClass]:
        return self.tables.classes

    def _of(self, variable: str) -> list[Factor]:
        if any(variable in moved.anywhere for moved in self._labels):
            return []
        root = {
            slot: value for slot, value in self.tables.root_values(variable).items() if slot not in self.tables.frame.constant
        }
        is_partitioned = max((moved.counts[variable] for moved in self._labels), default=0) <= 1
        is_permuted = len(root) > 1 and len(set(root.values())) == len(root)
        is_board = variable in self.tables.boards
        found = []
        if is_board or is_permuted:
            values = list(root.values())
            for slot, value in sorted(root.items(), key=lambda thing: thing[1]):
                if values.count(value) == 1 and not self._may_come(variable, value):
                    found.append(self._factor((slot, value), True, is_partitioned and not (is_board and value == 0)))
        else:
            found = [self._factor(thing, False, is_partitioned) for thing in root.items()]
        return [factor for factor in found if factor is not None]

    def _may_come(self, variable: str, value: int) -> bool:
        """Whether a move may bring a value to a slot, while there is one at another that it leaves alone."""
        moves = self.tables.abstract_moves
        changing = (moved for moved in self._labels if any(slot[0] == variable for slot in moved.slots | moved.laid))
        return any(moves.may_bring(moved, variable, value) for moved in changing)

    def _factor(self, root: Thing, is_carried: bool, is_counted: bool) -> Factor | None:
        """The factor that is at a place at the root; None where it is not known what one move does to it."""
        places, after = [root], dict[int, dict[int, int]]()
        for place, (slot, value) in enumerate(places):
            for label in self._touching.get(slot, ()):
                moved = self._labels[label]
                moves = self.tables.abstract_moves
                if is_carried:
                    slots = moves.slots_after(moved, slot, value)
                    others = None if slots is None else {(later, value) for later in slots}
                else:
                    values = moves.values_after(moved.action, moved.guesses, slot, value)
                    others = None if values is None else {(slot, later) for later in values}
                if others is None or len(others) > 1:
                    return None
                partial = after.setdefault(label, {})
                for other in others:
                    if other not in places:
                        places.append(other)
                    partial[place] = places.index(other)
            if len(places) > MOST_PLACES:
                return None
        whole = {
            label: {**{place: place for place, thing in enumerate(places) if label not in self._touching_of(thing)}, **partial}
            for label, partial in after.items()
        }
        goals = frozenset(place for place, thing in enumerate(places) if self.tables.may_be_goal(thing, is_carried))
        return Factor(root[0][0], tuple(places), goals, whole, is_counted)

    def _touching_of(self, thing: Thing) -> Sequence[int]:
        return self._touching.get(thing[0], ())

    @cached_property
    def _touching(self) -> Mapping[Slot, Sequence[int]]:
        """The labels that may change a slot."""
        found: dict[Slot, list[int]] = {}
        for label, moved in enumerate(self._labels):
            for slot in moved.slots | moved.laid:
                found.setdefault(slot, []).append(label)
        return found


def _is_injective(partial: Partial) -> bool:
    return len(set(partial.values())) == len(partial)


def _split(factors: Sequence[Factor]) -> list[Mapping[int, Partial]]:
    """The labels of factors, each with what it does to which of them, by their numbers. What is not injective is split."""
    names = sorted({label for factor in factors for label in factor.after})
    pending = [{number: f.after[name] for number, f in enumerate(factors) if name in f.after} for name in names]
    found: list[Mapping[int, Partial]] = []
    while pending and len(found) + len(pending) <= MOST_LABELS:
        row = pending.pop()
        wide = next((number for number, partial in row.items() if not _is_injective(partial)), None)
        if wide is None:
            found.append(row)
        else:
            pending += [{**row, wide: {place: later}} for place, later in row[wide].items()]
    return found + pending


def label_count(factors: Iterable[Factor]) -> int:
    """How many labels some factors have, those of others among them."""
    return 1 + max((label for factor in factors for label in factor.after), default=-1)
