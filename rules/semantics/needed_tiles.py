"""Which tiles may stand on a cell that passes a condition, as the form of the condition shows."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance

from .concrete_algebra import compare

Kinds = frozenset[int]
"""Kinds of tile by number; 0 stands for no tile."""


def passing_kinds(instance: Instance, binder: terms.Binder, board: str) -> Kinds:
    """The kinds of tile that may stand on a cell of a board where the test of a bound is passed."""
    key = (binder.name, binder.where, board)
    if key not in instance.passing:
        instance.passing[key] = _Condition(instance, board).kinds(binder.where, binder.name)
    return instance.passing[key]


def most_passing(instance: Instance, binder: terms.Binder) -> int | None:
    """How many cells can pass the test of a bound at most, by the tiles in the box; None where an empty cell may."""
    match binder.type:
        case types.Cell(board) if board in instance.game.variables and instance.game.variables[board].is_board:
            kinds = passing_kinds(instance, binder, board)
            return None if 0 in kinds else sum(instance.number_of(instance.game.tiles[kind - 1]) for kind in kinds)
        case _:
            return None


@define
class _Condition:
    instance: Instance
    board: str
    known: dict[tuple[str, str], Kinds] = field(factory=dict)

    @property
    def any(self) -> Kinds:
        return frozenset(range(len(self.instance.game.tiles) + 1))

    def kinds(self, where: terms.Term | None, name: str) -> Kinds:
        """The kinds that may stand on the cell called `name` where a condition holds."""
        match where:
            case terms.And(parts):
                return self.any.intersection(*(self.kinds(part, name) for part in parts))
            case terms.Or(parts):
                return frozenset().union(*(self.kinds(part, name) for part in parts))
            case terms.Membership(terms.Read(variable, (terms.Local(cell),)), terms.SetLiteral(items)) if (
                variable == self.board and cell == name
            ):
                members = [item.value for item in items if isinstance(item, terms.Constant)]
                return frozenset(members) if len(members) == len(items) else self.any
            case terms.Compare(operator, seen, terms.Constant(value)):
                return self._compared(operator, seen, value, name)
            case terms.Compare(Comparison.EQUAL | Comparison.UNEQUAL as operator, terms.Constant(value), seen):
                return self._compared(operator, seen, value, name)
            case terms.Let(local, _, body) if local != name:
                return self.kinds(body, name)
            case terms.Invoke(definition) if not self.instance.game.definitions[definition].cases:
                return self.any.intersection(*self._through(where, name))
            case _:
                return self.any

    def _through(self, call: terms.Invoke, name: str) -> Iterator[Kinds]:
        """What the definition that is called says of the cell as each of its parameters."""
        definition = self.instance.game.definitions[call.definition]
        for (parameter, _), argument in zip(definition.parameters, call.arguments, strict=True):
            if isinstance(argument, terms.Local) and argument.name == name:
                key = definition.name, parameter
                if key not in self.known:
                    self.known[key] = self.kinds(definition.value, parameter)
                yield self.known[key]

    def _compared(self, operator: Comparison, seen: terms.Term, value: int, name: str) -> Kinds:
        """The kinds of which what is seen of them compares so with a number."""
        match seen:
            case terms.Read():
                return self._where(operator, seen, name, {kind: kind for kind in self.any}, value)
            case terms.MarkerCount(terms.Read() as tile, terms.Constant(marker)):
                count = self.instance.marker(marker)
                return self._where(operator, tile, name, {kind: count(kind) for kind in self.any}, value)
            case terms.Side(terms.Read() as tile, terms.Constant(side, types.Direction(space))) if space:
                terrain = self.instance.side(space, side)
                return self._where(operator, tile, name, {kind: terrain(kind) for kind in self.any}, value)
            case _:
                return self.any

    def _where(self, operator: Comparison, tile: terms.Read, name: str, seen: dict[int, int], value: int) -> Kinds:
        match tile:
            case terms.Read(variable, (terms.Local(cell),)) if variable == self.board and cell == name:
                return frozenset(kind for kind, found in seen.items() if compare(operator, found, value))
            case _:
                return self.any
