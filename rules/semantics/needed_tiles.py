"""Which tiles may lie on a cell that passes a condition, by the form of the condition.

If only few tiles may, only their cells are searched: play tracks cells by kind of tile.
"""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.model.types import SetOperator

from .cell_test import TESTED, CellTest

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
    actions = [(action.parameters, action.every_requirement, action.effects) for action in game.actions.values()]
    scores = [score.value for score in game.scores]
    found: dict[str, dict[Kinds, None]] = {}
    for node in nodes_of(game.definitions, actions, list(game.procedures.values()), list(game.flow), scores):
        if isinstance(node, terms.Binder) and (sought := sought_by(instance, node)) is not None:
            found.setdefault(sought.board, {})[sought.kinds] = None
    return {board: tuple(groups)[:MOST_GROUPS] for board, groups in found.items()}
