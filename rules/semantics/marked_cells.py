"""Marked cells: those in a set of cells, or covered by a piece. In large spaces they are few, and play tracks them.

A loop over cells whose test only marked cells can pass searches only those. Partial evaluation shows whether another cell can
pass: there the variable has its least value, and all else is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import least_value
from rulewright.rules.model.traversal import variables_in

from .arithmetic import compare

FEWEST_CELLS = 64
"""Spaces with fewer cells are not tracked: searching all their cells is as fast."""


class _Cell(Enum):
    """Stands for the cell under test."""

    TESTED = "tested"


_Known = int | _Cell | None
"""A value, the cell under test, or None if unknown."""


def has_marks(instance: Instance, variable: Variable) -> bool:
    """Whether the marked cells of a variable are tracked: for sets of cells, and for layers of pieces."""
    match variable.index:
        case types.Cell(space) if variable.is_set or variable.is_layer:
            window = instance.windows[space]
            return not window.unbounded and window.size >= FEWEST_CELLS
        case _:
            return False


def marks_sought(instance: Instance, binder: terms.Binder) -> str | None:
    """The variable on whose marked cells alone the test of a binder can hold; None if there is none.

    The domain must be a space or a part of one, whose cells are in order.
    """
    match binder:
        case terms.Binder(_, terms.AllCells() | terms.Row(terms.PartsOf()), where, types.Cell(space)) if where is not None:
            key = (binder.name, where, space)
            if key not in instance.marks_sought:
                instance.marks_sought[key] = _sought(instance, binder.name, where, space)
            return instance.marks_sought[key]
        case _:
            return None


def tests_membership(binder: terms.Binder, variable: str) -> bool:
    """Whether the test of a binder is exactly membership in a set of cells."""
    match binder.where:
        case terms.Read(read, (terms.Local(name),)):
            return read == variable and name == binder.name
        case _:
            return False


def _sought(instance: Instance, name: str, where: terms.Term, space: str) -> str | None:
    read = variables_in(instance.game.definitions, where)
    for variable in instance.game.variables.values():
        is_kept = variable.index == types.Cell(space) and has_marks(instance, variable)
        if is_kept and variable.name in read and _Unmarked(instance, variable).value(where, {name: _Cell.TESTED}) == 0:
            return variable.name
    return None


@frozen
class _Unmarked:
    """Partial evaluation of terms at an unmarked cell."""

    instance: Instance
    variable: Variable

    def value(self, term: terms.Term, env: Mapping[str, _Known]) -> _Known:
        match term:
            case terms.Constant(value):
                return value
            case terms.Absent(type):
                return self.instance.absent(type)
            case terms.Local(name):
                return env.get(name)
            case terms.Read(variable, (index,)) if variable == self.variable.name:
                return least_value(self.instance, self.variable) if self.value(index, env) is _Cell.TESTED else None
            case terms.Compare(operator, left, right):
                return self._compared(operator, self.value(left, env), self.value(right, env))
            case terms.TableCell(table, column, key):
                at = self.value(key, env)
                return self.instance.column(table, column)(at) if isinstance(at, int) else None
            case terms.AspectOf(pattern, aspect, place):
                at = self.value(place, env)
                return self.instance.aspect(pattern, aspect)(at) if isinstance(at, int) else None
            case terms.Not(operand):
                found = self.value(operand, env)
                return int(not found) if isinstance(found, int) else None
            case terms.And(parts):
                return self._settled(parts, env, 0)
            case terms.Or(parts):
                return self._settled(parts, env, 1)
            case terms.Let(name, given, body):
                return self.value(body, {**env, name: self.value(given, env)})
            case terms.Invoke(name, arguments) if not self.instance.game.definitions[name].cases:
                definition = self.instance.game.definitions[name]
                known = [self.value(argument, env) for argument in arguments]
                return self.value(definition.value, dict(zip((n for n, _ in definition.parameters), known, strict=True)))
            case _:
                return None

    def _settled(self, parts: tuple[terms.Term, ...], env: Mapping[str, _Known], settles: int) -> int | None:
        """A conjunction or disjunction of truth values; `settles` is the value that decides it."""
        found = [self.value(part, env) for part in parts]
        if any(isinstance(value, int) and bool(value) == bool(settles) for value in found):
            return settles
        return 1 - settles if all(isinstance(value, int) for value in found) else None

    def _compared(self, operator: Comparison, left: _Known, right: _Known) -> int | None:
        """A comparison; the cell under test is known not to be nowhere."""
        if isinstance(left, int) and isinstance(right, int):
            return compare(operator, left, right)
        nowhere = self.instance.none(self.variable.index) if self.variable.index is not None else 0
        if {left, right} == {nowhere, _Cell.TESTED} and operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            return int(operator is Comparison.UNEQUAL)
        return None
