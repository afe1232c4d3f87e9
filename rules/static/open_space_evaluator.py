"""Abstract interpretation of rules without a position: in an unbounded space no cell is known except the origin.

A game that is only checked has sample windows. What holds for the single cell of an unbounded space need not hold for others.
"""

from __future__ import annotations

from rulewright.rules.model import terms
from rulewright.rules.model.types import Cell
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_algebra import anything
from .abstract_values import HUGE, AbstractSet, AbstractValue


class OpenSpaceEvaluator(Evaluator[AbstractValue, AbstractSet]):
    """An evaluator for `AbstractAlgebra` over sample windows, whose results hold in windows of any size."""

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        """The value of a term for cells anywhere."""
        match term:
            case terms.Coordinate(space) if self._is_open(space):
                return AbstractValue(-HUGE, HUGE)
            case terms.Distance(space) if self._is_open(space):
                return AbstractValue(-1, HUGE)
            case terms.Step(space) | terms.Leap(space) if self._is_open(space):
                return self._cell(space)
            case _:
                return Evaluator.value(self, term, env)

    def set(self, term: terms.Term, env: Env) -> AbstractSet:
        """The value of a set for cells anywhere."""
        match term:
            case terms.AllCells(space) | terms.Line(space) if self._is_open(space):
                return AbstractSet(None, self._cell(space))
            case terms.Neighbours(space) if self._is_open(space):
                return AbstractSet(None, self._cell(space), len(self.instance.windows[space].directions))
            case _:
                return Evaluator.set(self, term, env)

    def only_occupied(self, binder: terms.Binder) -> bool:
        """Always False for an open space, whose occupied cells are unknown."""
        open = isinstance(binder.domain, terms.AllCells) and self._is_open(binder.domain.space)
        return not open and Evaluator.only_occupied(self, binder)

    def _is_open(self, space: str) -> bool:
        return self.instance.windows[space].unbounded

    def _cell(self, space: str) -> AbstractValue:
        found = anything(self.instance, Cell(space))
        assert isinstance(found, AbstractValue)
        return found
