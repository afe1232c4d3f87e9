"""Marked cells: those that a set of cells has, or on which a piece lies. In large spaces they are few, and play keeps them.

A loop over cells whose test no other cell can pass searches only them. What the test says of any other cell is found by
partial evaluation: the variable has its least value there, and all else is unknown.
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

from .concrete_algebra import compare

FEWEST_CELLS = 64
"""Of spaces with fewer cells, none are marked: to search them all takes no longer."""


class _Cell(Enum):
    """The cell of which a test is made."""

    TESTED = "tested"


_Known = int | _Cell | None
"""A value, the cell that is tested, or what is not known."""


def has_marks(instance: Instance, variable: Variable) -> bool:
    """Whether the marked cells of a variable are kept: of sets of cells, and of layers of pieces."""
    match variable.index:
        case types.Cell(space) if variable.is_set or variable.is_layer:
            window = instance.windows[space]
            return not window.unbounded and window.size >= FEWEST_CELLS
        case _:
            return False


def marks_sought(instance: Instance, binder: terms.Binder) -> str | None:
    """The variable on whose marked cells alone the test of a bound can be passed; None where there is none.

    The domain is the space or one of its parts, in which cells stand in order.
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
    """Whether the test of a bound is just whether an element is in a set of cells."""
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
    """What terms say of a cell that is not marked."""

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
        """A junction of truth values; `settles` is the one that decides it."""
        found = [self.value(part, env) for part in parts]
        if any(isinstance(value, int) and bool(value) == bool(settles) for value in found):
            return settles
        return 1 - settles if all(isinstance(value, int) for value in found) else None

    def _compared(self, operator: Comparison, left: _Known, right: _Known) -> int | None:
        """A comparison; the cell that is tested is known not to be nowhere."""
        if isinstance(left, int) and isinstance(right, int):
            return compare(operator, left, right)
        nowhere = self.instance.none(self.variable.index) if self.variable.index is not None else 0
        if {left, right} == {nowhere, _Cell.TESTED} and operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            return int(operator is Comparison.UNEQUAL)
        return None
