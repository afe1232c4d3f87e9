"""Patterns: groups of factors whose distances are found together, chosen by the causal graph.

If no move changes two factors of a variable, they are divided into patterns whose distances are summed (Felner, Korf and Hanan
2004); else patterns overlap and the greatest distance counts. A factor that is not counted itself joins a pattern as its
context if it restricts moves of the pattern: an arc of the causal graph (Knoblock 1994; Helmert 2006), such as the gap of
sliding tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

from rulewright.base.records import frozen

from .factors import Factor

MOST_STATES = 1 << 20
"""Abstract states of one pattern."""

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

    @property
    def factors(self) -> tuple[Factor, ...]:
        return *self.context, *self.counted

    @property
    def states(self) -> int:
        return prod(len(factor.places) for factor in self.factors)


Sum = tuple[Pattern, ...]
"""Patterns whose summed distances no move lowers by more than 1."""


def patterns_of(factors: Sequence[Factor]) -> list[Sum]:
    """All patterns worth trying; one factor alone adds nothing to its own distances."""
    found: list[Sum] = []
    for variable in dict.fromkeys(factor.variable for factor in factors if factor.is_aim):
        of_variable = [factor for factor in factors if factor.variable == variable]
        counted = [factor for factor in of_variable if factor.is_counted]
        if counted:
            sums = _sums(counted, _context(counted, [factor for factor in factors if factor not in counted]))
        else:
            sums = [(Pattern(tuple(part), (), None),) for part in _windows(of_variable)]
        found += [each for each in sums if each and any(len(pattern.factors) > 1 for pattern in each)]
    return found


def _sums(counted: Sequence[Factor], context: tuple[Factor, ...]) -> list[Sum]:
    """Sums of patterns of parts of the counted factors: in each, another part also pays for what moves its context alone."""
    parts = [tuple(part) for part in _parts(counted, context)]
    moving = frozenset[int]().union(*(factor.moving for factor in counted))
    own = frozenset[int]().union(*(factor.moving for factor in context)) - moving
    plain = [Pattern(part, context, frozenset()) for part in parts]
    if not own:
        return [tuple(plain)]
    return [(*plain[:at], Pattern(part, context, own), *plain[at + 1 :]) for at, part in enumerate(parts)]


def _context(counted: Sequence[Factor], others: Sequence[Factor]) -> tuple[Factor, ...]:
    """The factor that restricts most of the labels that move the counted factors."""
    moving = frozenset[int]().union(*(factor.moving for factor in counted))
    arcs = [(len(other.restricted & moving), number) for number, other in enumerate(others) if other.restricted & moving]
    return (others[max(arcs)[1]],) if arcs else ()


def _parts(counted: Sequence[Factor], context: Sequence[Factor]) -> list[Sequence[Factor]]:
    """The fewest parts that the room allows, of nearly equal length; empty if none fit."""
    room = _room(counted, context)
    number = -(-len(counted) // room) if room else 0
    if not 0 < number <= MOST_PATTERNS:
        return []
    ends = [round(len(counted) * at / number) for at in range(number + 1)]
    return [counted[begin:end] for begin, end in pairwise(ends)]


def _windows(factors: Sequence[Factor]) -> list[Sequence[Factor]]:
    """The fewest windows that cover all factors, each as long as the room allows; empty if none fit."""
    room = _room(factors, ())
    number = -(-len(factors) // room) if room else 0
    if not 0 < number <= MOST_PATTERNS:
        return []
    begins = [round((len(factors) - room) * at / max(number - 1, 1)) for at in range(number)]
    return [factors[begin : begin + room] for begin in begins]


def _room(factors: Sequence[Factor], context: Sequence[Factor]) -> int:
    """The number of factors that fit into one pattern, whichever of them are chosen."""
    states, room = prod(len(factor.places) for factor in context), 0
    for factor in sorted(factors, key=lambda factor: -len(factor.places)):
        states *= len(factor.places)
        if states > MOST_STATES or room + len(context) == MOST_FACTORS:
            break
        room += 1
    return room
