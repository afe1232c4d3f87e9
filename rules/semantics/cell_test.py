"""What a condition asks of a cell: a test at one cell, partially evaluated; the tiles that pass; the cells that are marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import least_value
from rulewright.rules.model.traversal import nodes_of, variables_in
from rulewright.rules.model.types import SetOperator

from .algebra import compare


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

    def value(self, term: terms.Term, env: Mapping[str, Known]) -> Known:
        instance = self.instance
        match term:
            case terms.Constant(value):
                return value
            case terms.Absent(type=type):
                return instance.absent(type)
            case terms.Local(name):
                return env.get(name)
            case terms.Read(variable, (index,)) if variable == self.variable.name:
                return self.held if self.value(index, env) is TESTED else None
            case terms.Compare(operator, left, right):
                return self._compared(operator, self.value(left, env), self.value(right, env))
            case terms.Lookup(map, key, None) if isinstance(at := self.value(key, env), int):
                return instance.map(map)(at)
            case terms.Lookup(map, key, terms.Constant(picked)) if isinstance(at := self.value(key, env), int):
                return instance.map(map, picked)(at)
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
                return self.value(terms.Membership(item, instance.game.definitions[name].value, type=term.type), env)
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


# Marked cells ---------------------------------------------------------------------------------------------------------
# Those in a set of cells, or covered by a piece. In large spaces they are few, and play tracks them.
#
# A loop over cells whose test only marked cells can pass searches only those. Partial evaluation shows whether another cell
# can pass: there the variable has its least value, and all else is unknown.


FEWEST_CELLS = 64
"""Spaces with fewer cells are not tracked: searching all their cells is as fast."""


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
        if is_kept and variable.name in read:
            unmarked = CellTest(instance, variable, least_value(instance, variable), is_in_space=True)
            if unmarked.value(where, {name: TESTED}) == 0:
                return variable.name
    return None


# Which tiles may lie on a cell that passes a condition ----------------------------------------------------------------
# Which tiles may lie on a cell that passes a condition, by the form of the condition.
#
# If only few tiles may, only their cells are searched: play tracks cells by kind of tile.


Kinds = frozenset[int]
"""Kinds of tile by number; 0 stands for no tile."""


def passing_kinds(instance: Instance, binder: terms.Binder, board: str) -> Kinds:
    """The kinds of tile that may lie on a cell of a board that passes the test of a binder."""
    key = (binder.name, binder.where, board)
    if key not in instance.passing:
        where, kinds = binder.where, frozenset(range(len(instance.game.tiles) + 1))
        if where is not None:
            tests = {kind: CellTest(instance, instance.game.variables[board], kind) for kind in kinds}
            kinds = frozenset(kind for kind, test in tests.items() if test.value(where, {binder.name: TESTED}) != 0)
        instance.passing[key] = kinds
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
    actions = [(action.every_requirement, action.effects) for action in game.actions.values()]
    domains = [(each.domain, each.where) for action in game.actions.values() for each in action.parameters]
    scores = [score.value for score in game.scores]
    found: dict[str, dict[Kinds, None]] = {}
    for node in nodes_of(game.definitions, actions, domains, list(game.procedures.values()), list(game.flow), scores):
        if isinstance(node, terms.Binder) and (sought := sought_by(instance, node)) is not None:
            found.setdefault(sought.board, {})[sought.kinds] = None
    return {board: tuple(groups)[:MOST_GROUPS] for board, groups in found.items()}
