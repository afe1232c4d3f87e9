"""Marked cells: those in a set of cells, or covered by a piece. In large spaces they are few, and play tracks them.

A loop over cells whose test only marked cells can pass searches only those. Partial evaluation shows whether another cell can
pass: there the variable has its least value, and all else is unknown.
"""

from __future__ import annotations

from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import least_value
from rulewright.rules.model.traversal import variables_in

from .cell_test import TESTED, CellTest

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
