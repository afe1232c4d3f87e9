"""Partial evaluation of a test at one cell, of which only the value of one variable is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.instance import Instance

from .arithmetic import compare


class _Cell(Enum):
    """Stands for the cell under test."""

    TESTED = "tested"


TESTED = _Cell.TESTED

Known = int | _Cell | None
"""A value, the cell under test, or None if unknown."""


@define(eq=False)
class CellTest:
    """Evaluates terms where a variable, or a board, has the value `held` at the cell under test; all else is unknown.

    `is_in_space`: the cell is known not to be nowhere.
    """

    instance: Instance
    variable: Variable
    held: int
    is_in_space: bool = False
    _called: dict[tuple[str, tuple[Known, ...]], Known] = field(factory=dict, init=False)

    def value(self, term: terms.Term, env: Mapping[str, Known]) -> Known:  # noqa: PLR0912
        instance = self.instance
        match term:
            case terms.Constant(value):
                return value
            case terms.Absent(type):
                return instance.absent(type)
            case terms.Local(name):
                return env.get(name)
            case terms.Read(variable, (index,)) if variable == self.variable.name:
                return self.held if self.value(index, env) is TESTED else None
            case terms.Compare(operator, left, right):
                return self._compared(operator, self.value(left, env), self.value(right, env))
            case terms.TableCell(table, column, key) if isinstance(at := self.value(key, env), int):
                return instance.column(table, column)(at)
            case terms.AspectOf(pattern, aspect, place) if isinstance(at := self.value(place, env), int):
                return instance.aspect(pattern, aspect)(at)
            case terms.MarkerCount(tile, terms.Constant(marker)) if isinstance(at := self.value(tile, env), int):
                return instance.marker(marker)(at)
            case terms.Side(tile, terms.Constant(side, types.Direction(space))) if isinstance(at := self.value(tile, env), int):
                return instance.side(space, side)(at) if space else None
            case terms.Not(operand):
                return self._compared(Comparison.EQUAL, self.value(operand, env), 0)
            case terms.And(parts):
                return self._settled([self.value(part, env) for part in parts], 0)
            case terms.Or(parts):
                return self._settled([self.value(part, env) for part in parts], 1)
            case terms.Membership(item, terms.SetLiteral(items)):
                wanted = self.value(item, env)
                return self._settled([self._compared(Comparison.EQUAL, wanted, self.value(one, env)) for one in items], 1)
            case terms.Membership(item, terms.Invoke(name, ())):
                return self.value(terms.Membership(item, instance.game.definitions[name].value, term.type), env)
            case terms.Let(name, given, body):
                return self.value(body, {**env, name: self.value(given, env)})
            case terms.Invoke(name, arguments) if not instance.game.definitions[name].cases:
                return self._invoked(name, tuple(self.value(argument, env) for argument in arguments))
            case _:
                return None

    def _invoked(self, name: str, given: tuple[Known, ...]) -> Known:
        """The value of a definition; a set, as a whole, is unknown."""
        if (name, given) not in self._called:
            definition = self.instance.game.definitions[name]
            env = dict(zip((parameter for parameter, _ in definition.parameters), given, strict=True))
            self._called[name, given] = self.value(definition.value, env)
        return self._called[name, given]

    def _settled(self, parts: Sequence[Known], settles: int) -> int | None:
        """A conjunction or disjunction of truth values; `settles` is the value that decides it."""
        if any(isinstance(value, int) and bool(value) == bool(settles) for value in parts):
            return settles
        return 1 - settles if all(isinstance(value, int) for value in parts) else None

    def _compared(self, operator: Comparison, left: Known, right: Known) -> int | None:
        if isinstance(left, int) and isinstance(right, int):
            return compare(operator, left, right)
        nowhere = self.instance.none(self.variable.index) if self.variable.index is not None else 0
        if self.is_in_space and {left, right} == {nowhere, TESTED} and operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            return int(operator is Comparison.UNEQUAL)
        return None
