"""Sums over the cells of a board, counted in each part of it: totalizers (Bailleux and Boufkhad 2003) over halves of halves.

One linear constraint over all cells gives conflicts nothing to learn about a part of the board. With these literals clauses
say what few tiles within a part cannot come to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rulewright.base.records import define, field, frozen
from rulewright.rules.symbolic.circuit import FALSE, TRUE, Circuit, LinearExpression, Lit
from rulewright.rules.symbolic.guarded_values import MOST_CASES

from .placements import Placements

Tally = Sequence[tuple[int, Lit]]
"""The values that a sum may take, ascending from 0, each with the literal that the sum is at least as great."""


@frozen
class Part:
    """What lies at a place of the board, whose coordinates these are."""

    place: tuple[int, ...]
    tally: Tally


@define
class Tallies:
    """Counts the tiles laid, of which there are no more than to come, and what the objective gains, once a goal is known."""

    placements: Placements
    circuit: Circuit
    objective: LinearExpression
    _cells: dict[int, int] = field(factory=dict)
    _goals: dict[int, Lit] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Post the limit on the tiles laid."""
        for cell, kinds in self.placements.board.laid.items():
            for found in map(self.circuit.value_set, kinds.values()):
                self._cells.update({} if found is None else {found.domain: cell})
        coming = len(self.placements.board.coming)
        tiles = [Part(self._place(cell), ((0, TRUE), (1, lit))) for cell, lit in self.placements.on.items()]
        for tiles_laid, lit in tally_of(self.circuit, tiles, coming + 1):
            if tiles_laid > coming:
                self.circuit.add_clause(-lit)

    def reaching(self, goal: int) -> Lit:
        """A literal that the objective reaches a goal; just `TRUE` if its gains are not counted."""
        gain, gains = goal - self.objective.constant, self.objective.terms.values()
        if not 0 < gain <= min(MOST_CASES, sum(gains)) or min(gains) <= 0:
            return TRUE
        if goal not in self._goals:
            self._goals[goal] = dict(tally_of(self.circuit, list(self._gains()), gain)).get(gain, FALSE)
        return self._goals[goal]

    def _gains(self) -> Iterator[Part]:
        """The gains of each cell: of those in a part, at most one holds."""
        group: list[Lit] = []
        for lit in self.objective.terms:
            if not all(self._exclude_each_other(lit, other) for other in group):
                yield self._gain(group)
                group = []
            group.append(lit)
        yield self._gain(group)

    def _gain(self, lits: Sequence[Lit]) -> Part:
        worth = self.objective.terms
        values = sorted({worth[lit] for lit in lits})
        at_least = [(value, self.circuit.any_of(lit for lit in lits if worth[lit] >= value)) for value in values]
        return Part(self._place(self._cell(lits[0]) or 0), ((0, TRUE), *at_least))

    def _exclude_each_other(self, one: Lit, other: Lit) -> bool:
        """Whether two literals require different values of one variable."""
        ones, others = (
            [found for part in self.circuit.conjuncts(lit) or (lit,) if (found := self.circuit.value_set(part)) is not None]
            for lit in (one, other)
        )
        return any(first.domain == second.domain and not first.places & second.places for first in ones for second in others)

    def _cell(self, lit: Lit) -> int | None:
        """A cell on which a literal depends; None if it is not found."""
        found = self.circuit.value_set(lit)
        if found is not None:
            return self._cells.get(found.domain)
        parts = self.circuit.conjuncts(lit) or self.circuit.conjuncts(-lit) or ()
        return next((cell for part in parts if (cell := self._cell(part)) is not None), None)

    def _place(self, cell: int) -> tuple[int, ...]:
        return self.placements.steps.window.coordinates[cell]


def tally_of(circuit: Circuit, parts: Sequence[Part], most: int) -> Tally:
    """The sum over some parts, up to `most`, by halves along the axis on which they extend farthest."""
    if len(parts) < 2:
        return parts[0].tally if parts else ((0, TRUE),)
    axes = list(zip(*(part.place for part in parts), strict=True))
    axis = max(range(len(axes)), key=lambda number: max(axes[number]) - min(axes[number]))
    ordered, half = sorted(parts, key=lambda part: (part.place[axis], part.place)), len(parts) // 2
    return _sum(circuit, tally_of(circuit, ordered[:half], most), tally_of(circuit, ordered[half:], most), most)


def _sum(circuit: Circuit, one: Tally, other: Tally, most: int) -> Tally:
    """The sum of two sums, up to `most`; their last values may stand for greater ones."""
    values = sorted({min(first + second, most) for first, _ in one for second, _ in other})
    total = [(0, TRUE), *((value, circuit.new_literal()) for value in values[1:])]
    at_least, above = dict(total), dict(pairwise([*values, most + 1]))
    for (_, lit), (_, higher) in pairwise(total):
        circuit.add_clause(-higher, lit)
    for (first, lit), (_, higher) in pairwise([*one, (most + 1, FALSE)]):
        for (second, other_lit), (_, other_higher) in pairwise([*other, (most + 1, FALSE)]):
            value = min(first + second, most)
            circuit.add_clause(-lit, -other_lit, at_least[value])
            circuit.add_clause(higher, other_higher, -at_least.get(above[value], FALSE))
    return total
