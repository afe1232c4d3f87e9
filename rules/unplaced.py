"""The cautious reading of rules alone: where a space has no bounds, nothing is known of its cells but which is the origin.

A game that is only checked has no windows yet that tiles could lie in; what is true of the one cell that stands for such a
space need not be true of others.
"""

from __future__ import annotations

from . import terms as t
from .evaluator import Env, Evaluator
from .possible import HUGE, Possible, PossibleSet, anything
from .types import Cell


class Unplaced(Evaluator[Possible, PossibleSet]):
    """For `Cautious` over sample windows. What it says to hold always or never does in windows of any size."""

    def value(self, term: t.Term, env: Env) -> Possible:
        """What may be said of a term without knowing where its cells lie."""
        match term:
            case t.Coordinate(space) if self._is_open(space):
                return Possible(-HUGE, HUGE)
            case t.Distance(space) if self._is_open(space):
                return Possible(-1, HUGE)
            case t.Step(space) if self._is_open(space):
                return self._cell(space)
            case _:
                return Evaluator.value(self, term, env)

    def set(self, term: t.Term, env: Env) -> PossibleSet:
        """The same of a set."""
        match term:
            case t.Cells(space) | t.Line(space) if self._is_open(space):
                return PossibleSet(None, self._cell(space))
            case t.Neighbours(space) if self._is_open(space):
                return PossibleSet(None, self._cell(space), len(self.ground.windows[space].directions))
            case _:
                return Evaluator.set(self, term, env)

    def only_occupied(self, bound: t.Bound) -> bool:
        """Never of an open space: how many cells have a tile is not known, nor which."""
        open = isinstance(bound.domain, t.Cells) and self._is_open(bound.domain.space)
        return not open and Evaluator.only_occupied(self, bound)

    def _is_open(self, space: str) -> bool:
        return self.ground.windows[space].unbounded

    def _cell(self, space: str) -> Possible:
        found = anything(self.ground, Cell(space))
        assert isinstance(found, Possible)
        return found
