"""Factors: things that occur once, each at one of its places, and the effect of each move on each of them.

A factor is either a value that is always at exactly one slot of a variable (the tile with a number, the gap, a pancake), and
its places are slots; or a slot, and its places are values (the peg of a disc, a light). The moves of one class
(abstract_moves.py) take it from a place to one other, or are impossible there: this is the partial function of a label. The
class of a move is a label of all factors: their product, synchronised by labels, is an abstraction of the game (Sievers and
Helmert 2021).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod

from rulewright.base.records import define, evolve, frozen

from .distance_tables import DistanceTables
from .partial_state import MOST_FOUND, MOST_VALUES, Thing

Partial = Mapping[int, int]
"""A partial function from places to places, each by its number."""


@frozen
class Factor:
    """Something of which there is always one; its places are numbered as in `places`.

    Labels without an entry in `after` do not move it. If `is_counted`, no move changes two counted factors of its variable; if
    `is_aim`, the goal condition reads the variable.
    """

    variable: str
    places: tuple[Thing, ...]
    goals: frozenset[int]
    """The places at which the goal condition may hold."""
    after: Mapping[int, Partial]
    is_counted: bool
    is_aim: bool

    def function(self, label: int) -> Partial:
        """The place to which a label takes it from each place where the label is possible."""
        return self.after.get(label, self._identity)

    @cached_property
    def _identity(self) -> Partial:
        return {place: place for place in range(len(self.places))}

    @cached_property
    def moving(self) -> frozenset[int]:
        """The labels that may change its place."""
        return frozenset(n for n, partial in self.after.items() if any(place != later for place, later in partial.items()))

    @cached_property
    def restricted(self) -> frozenset[int]:
        """The labels that are impossible at some of its places."""
        return frozenset(label for label, partial in self.after.items() if len(partial) < len(self.places))


@define
class Factors:
    """Finds the factors of a question. Raises `OutOfTime`."""

    tables: DistanceTables

    def find(self) -> list[Factor]:
        """The factors of all variables that only actions change and that the goal reads, or moves towards it depend on.

        Each label is injective on each factor; if splitting labels to that end makes too many, some factors are left out.
        """
        found = [factor for variable in sorted(self.tables.variables) for factor in self._of(variable)]
        labels = _split(found)
        if len(labels) > MOST_FOUND:
            found = [factor for factor in found if all(map(_is_injective, factor.after.values()))]
            labels = _split(found)
        return [
            evolve(factor, after={label: row[number] for label, row in enumerate(labels) if number in row})
            for number, factor in enumerate(found)
        ]

    def _of(self, variable: str) -> list[Factor]:
        if any(variable in moved.anywhere for moved in self.tables.classes):
            return []
        root = {
            slot: value for slot, value in self.tables.root_values(variable).items() if slot not in self.tables.frame.constant
        }
        is_partitioned = max((moved.counts[variable] for moved in self.tables.classes), default=0) <= 1
        is_permuted = len(root) > 1 and len(set(root.values())) == len(root)
        is_board = variable in self.tables.boards
        found = []
        if is_board or is_permuted:
            values = list(root.values())
            for slot, value in sorted(root.items(), key=lambda thing: thing[1]):
                if values.count(value) == 1 and not self._may_come(variable, value):
                    found.append(self._factor((slot, value), True, is_partitioned and not (is_board and value == 0)))
        if not is_board and None in (found or [None]):
            found = [self._factor(thing, False, is_partitioned) for thing in root.items()]
        return [factor for factor in found if factor is not None]

    def _may_come(self, variable: str, value: int) -> bool:
        """Whether a move may bring a value to a slot while another slot, which it does not change, has that value."""
        moves = self.tables.abstract_moves
        changing = (moved for moved in self.tables.classes if any(slot[0] == variable for slot in moved.slots | moved.laid))
        return any(moves.may_bring(moved, variable, value) for moved in changing)

    def _factor(self, root: Thing, is_carried: bool, is_counted: bool) -> Factor | None:
        """The factor of a thing at the root; None if the effect of some move on it is not known."""
        places, after = [root], dict[int, dict[int, int]]()
        for place, (slot, value) in enumerate(places):
            for label in self.tables.touching.get(slot, ()):
                moved = self.tables.classes[label]
                moves = self.tables.abstract_moves
                if is_carried:
                    slots = moves.slots_after(moved, slot, value)
                    others = None if slots is None else {(later, value) for later in slots}
                else:
                    values = moves.values_after(moved, slot, (value,))
                    others = None if values is None else {(slot, later) for later in values}
                if others is None or len(others) > 1:
                    return None
                partial = after.setdefault(label, {})
                for other in others:
                    if other not in places:
                        places.append(other)
                    partial[place] = places.index(other)
            if len(places) > MOST_VALUES:
                return None
        touching = [frozenset(self.tables.touching.get(slot, ())) for slot, _ in places]
        moves, (slot, value) = self.tables.abstract_moves, root
        whole = {
            label: partial
            if is_carried and moves.needs(self.tables.classes[label], slot[0], value)
            else {**{place: place for place, labels in enumerate(touching) if label not in labels}, **partial}
            for label, partial in after.items()
        }
        goals = frozenset(place for place, thing in enumerate(places) if self.tables.may_be_goal(thing, is_carried))
        return Factor(root[0][0], tuple(places), goals, whole, is_counted, root[0][0] in self.tables.aims)


def _is_injective(partial: Partial) -> bool:
    return len(set(partial.values())) == len(partial)


def _split(factors: Sequence[Factor]) -> list[Mapping[int, Partial]]:
    """The labels of factors: each maps the number of a factor to its function. Functions that are not injective are split."""
    names = sorted({label for factor in factors for label in factor.after})
    pending = [{number: f.after[name] for number, f in enumerate(factors) if name in f.after} for name in names]
    found: list[Mapping[int, Partial]] = []
    while pending and len(found) + len(pending) <= MOST_FOUND:
        row = pending.pop()
        wide = next((number for number, partial in row.items() if not _is_injective(partial)), None)
        if wide is None:
            found.append(row)
        else:
            pending += [{**row, wide: {place: later}} for place, later in row[wide].items()]
    return found + pending


@frozen
class Size:
    """Limits on one pattern: the states of the search that fills its database, and the entries of that."""

    states: int
    entries: int


SMALL = Size(1 << 20, 1 << 20)

MOST_FACTORS = 16
"""Factors of one pattern: with more, labels are costly."""

MOST_PATTERNS = 8


@frozen
class Pattern:
    """Factors that are counted, and others, its context. A move costs 1 if it changes a counted factor or its label is paid;
    `paid` is None if all labels are."""

    counted: tuple[Factor, ...]
    context: tuple[Factor, ...]
    paid: frozenset[int] | None
    keeps_context: bool = True
    """Whether the database tells the places of the context apart."""

    @property
    def factors(self) -> tuple[Factor, ...]:
        """All that a search for the distances follows: what restricts most moves first."""
        return *self.context, *sorted(self.counted, key=lambda factor: -len(factor.restricted))

    def pays(self, label: int) -> bool:
        """Whether moves of a label cost 1 whatever they change."""
        return self.paid is None or label in self.paid

    @property
    def kept(self) -> tuple[Factor, ...]:
        """Those whose places the database tells apart."""
        return self.factors if self.keeps_context else self.factors[len(self.context) :]

    @property
    def states(self) -> int:
        return _states_of(self.factors)

    @property
    def entries(self) -> int:
        return _states_of(self.kept)


def _states_of(factors: Iterable[Factor]) -> int:
    return prod(len(factor.places) for factor in factors)


Sum = tuple[Pattern, ...]
"""Patterns whose summed distances no move lowers by more than 1 (additive pattern databases: Felner, Korf and Hanan 2004)."""


def patterns_of(factors: Sequence[Factor], size: Size = SMALL) -> list[Sum]:
    """All patterns of a size worth trying; one factor alone adds nothing to its own distances."""
    found: list[Sum] = []
    for variable in dict.fromkeys(factor.variable for factor in factors if factor.is_aim):
        of_variable = [factor for factor in factors if factor.variable == variable]
        counted = [factor for factor in of_variable if factor.is_counted]
        if counted:
            sums = _sums(counted, _context(counted, [factor for factor in factors if factor not in counted]), size)
        else:
            sums = [(Pattern(tuple(part), (), None),) for part in _windows(of_variable, size)]
        found += [each for each in sums if each and any(len(pattern.factors) > 1 for pattern in each)]
    return found


def _sums(counted: Sequence[Factor], context: tuple[Factor, ...], size: Size) -> list[Sum]:
    """Sums of patterns of parts of the counted factors: in each, another part also pays for what moves its context alone. Where
    nothing does, the databases may leave the context out."""
    moving = frozenset[int]().union(*(factor.moving for factor in counted))
    own = frozenset[int]().union(*(factor.moving for factor in context)) - moving
    room = _room(counted, context, size.entries)
    larger = min(_room(counted, (), size.entries), _room(counted, context, size.states))
    is_left_out = not own and room < min(larger, len(counted))
    parts = _parts(counted, larger if is_left_out else room)
    plain = [Pattern(part, context, frozenset(), not is_left_out) for part in parts]
    if not own:
        return [tuple(plain)]
    return [(*plain[:at], Pattern(part, context, own), *plain[at + 1 :]) for at, part in enumerate(parts)]


def _context(counted: Sequence[Factor], others: Sequence[Factor]) -> tuple[Factor, ...]:
    """The factor that restricts most of the labels that move the counted factors."""
    moving = frozenset[int]().union(*(factor.moving for factor in counted))
    arcs = [(len(other.restricted & moving), number) for number, other in enumerate(others) if other.restricted & moving]
    return (others[max(arcs)[1]],) if arcs else ()


def _parts(counted: Sequence[Factor], room: int) -> list[tuple[Factor, ...]]:
    """The fewest parts: the last `room` factors, those before them, …; empty if they are too many."""
    if not 0 < len(counted) <= room * MOST_PATTERNS:
        return []
    # Measured on a hundred fifteen puzzles, parts of six: the mean estimate is 42.0 from the last on, 41.0 from the first on.
    return [tuple(counted[max(end - room, 0) : end]) for end in range(len(counted), 0, -room)]


def _windows(factors: Sequence[Factor], size: Size) -> list[Sequence[Factor]]:
    """The fewest windows that cover all factors, each as long as the room allows; empty if none fit."""
    room = _room(factors, (), min(size.states, size.entries))
    number = -(-len(factors) // room) if room else 0
    if not 0 < number <= MOST_PATTERNS:
        return []
    begins = [round((len(factors) - room) * at / max(number - 1, 1)) for at in range(number)]
    return [factors[begin : begin + room] for begin in begins]


def _room(factors: Sequence[Factor], context: Sequence[Factor], most: int) -> int:
    """The number of factors that fit into one pattern of `most` states with a context, whichever of them are chosen."""
    states, room = _states_of(context), 0
    for factor in sorted(factors, key=lambda factor: -len(factor.places)):
        states *= len(factor.places)
        if states > most or room + len(context) == MOST_FACTORS:
            break
        room += 1
    return room
