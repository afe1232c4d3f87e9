"""Which tiles may lie on a cell that passes a condition, by the form of the condition.

If only few tiles may, only their cells are searched: play tracks cells by kind of tile.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.model.types import SetOperator

from .arithmetic import compare

Kinds = frozenset[int]
"""Kinds of tile by number; 0 stands for no tile."""


def passing_kinds(instance: Instance, binder: terms.Binder, board: str) -> Kinds:
    """The kinds of tile that may lie on a cell of a board that passes the test of a binder."""
    key = (binder.name, binder.where, board)
    if key not in instance.passing:
        instance.passing[key] = _Condition(instance, board).kinds(binder.where, binder.name)
    return instance.passing[key]


def most_passing(instance: Instance, binder: terms.Binder) -> int | None:
    """The most cells that can pass the test of a binder, given the tiles in the box; None if a vacant cell can."""
    match binder.type:
        case types.Cell(board) if board in instance.game.variables and instance.game.variables[board].is_board:
            kinds = passing_kinds(instance, binder, board)
            return None if 0 in kinds else sum(instance.number_of(instance.game.tiles[kind - 1]) for kind in kinds)
        case _:
            return None


def only_occupied(instance: Instance, binder: terms.Binder) -> bool:
    """Whether the test of a binder over all cells of a board can only hold where a tile lies."""
    is_tested = isinstance(binder.domain, terms.AllCells) and binder.where is not None
    return is_tested and most_passing(instance, binder) is not None


MOST_GROUPS = 8
"""The most groups of kinds by which the cells of a board are tracked."""

USUAL_PARTS = 4
"""The assumed number of parts of a partition."""


@frozen
class Sought:
    """Cells of a board that are searched for by their tiles."""

    board: str
    kinds: Kinds


def sought_by(instance: Instance, binder: terms.Binder) -> Sought | None:
    """What a binder searches for by kind, if that pays: such tiles are few compared to the cells to search.

    None for any other binder, and for unbounded spaces.
    """
    match binder.type:
        case types.Cell(board) if board in instance.game.variables and instance.game.variables[board].is_board:
            most, searched = most_passing(instance, binder), cells_searched(instance, binder.domain, board)
            if most is None or 2 * most > searched or instance.windows[board].unbounded:
                return None
            return Sought(board, passing_kinds(instance, binder, board))
        case _:
            return None


def cells_searched(instance: Instance, domain: terms.Term, board: str) -> int:
    """The number of cells to search in a set that is in cell order and has a membership test; 0 for any other set."""
    match domain:
        case terms.AllCells():
            return min(instance.windows[board].size, instance.number_of_tiles)
        case terms.Row(terms.PartsOf()):
            return instance.windows[board].size // USUAL_PARTS
        case terms.Those(binder):
            return cells_searched(instance, binder.domain, board)
        case terms.SetOperation(SetOperator.BOTH | SetOperator.WITHOUT, first, second):
            return min(cells_searched(instance, part, board) for part in (first, second))
        case terms.Invoke(name):
            return cells_searched(instance, instance.game.definitions[name].value, board)
        case _:
            return 0


def sought_groups(instance: Instance) -> dict[str, tuple[Kinds, ...]]:
    """The groups of kinds that the rules search for, by board."""
    game = instance.game
    actions = [(action.parameters, action.every_requirement, action.effects) for action in game.actions.values()]
    scores = [score.value for score in game.scores]
    found: dict[str, dict[Kinds, None]] = {}
    for node in nodes_of(game.definitions, actions, list(game.procedures.values()), list(game.flow), scores):
        if isinstance(node, terms.Binder) and (sought := sought_by(instance, node)) is not None:
            found.setdefault(sought.board, {})[sought.kinds] = None
    return {board: tuple(groups)[:MOST_GROUPS] for board, groups in found.items()}


@define
class _Condition:
    instance: Instance
    board: str
    known: dict[tuple[str, str], Kinds] = field(factory=dict)

    @property
    def any(self) -> Kinds:
        return frozenset(range(len(self.instance.game.tiles) + 1))

    def kinds(self, where: terms.Term | None, name: str) -> Kinds:
        """The kinds that may lie on the cell named `name` if a condition holds."""
        match where:
            case terms.And(parts):
                return self.any.intersection(*(self.kinds(part, name) for part in parts))
            case terms.Or(parts):
                return frozenset().union(*(self.kinds(part, name) for part in parts))
            case terms.Membership(terms.Read(), terms.Invoke(called, ())):
                return self.kinds(evolve(where, domain=self.instance.game.definitions[called].value), name)
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
        """The kinds that the called definition allows on the cell, for each parameter that it is passed as."""
        definition = self.instance.game.definitions[call.definition]
        for (parameter, _), argument in zip(definition.parameters, call.arguments, strict=True):
            if isinstance(argument, terms.Local) and argument.name == name:
                key = definition.name, parameter
                if key not in self.known:
                    self.known[key] = self.kinds(definition.value, parameter)
                yield self.known[key]

    def _compared(self, operator: Comparison, seen: terms.Term, value: int, name: str) -> Kinds:
        """The kinds whose observed value `seen` compares in this way with a number."""
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
