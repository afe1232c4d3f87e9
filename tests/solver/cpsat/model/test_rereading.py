"""Which variables effects read after changing them: only reads that something encoded depends on count."""

from __future__ import annotations

import pytest

from rulewright.solver.cpsat.model.rereading import reread_variables
from tests.rules.playing import linked

RULES = """
module row:
    "Stones count one another."

players 1

space row: square grid 3 x 1 of tiles

tiles stones:
    stone  x3

state:
    bag:   set of tiles
    first: 0..9
    later: 0..9

action tell(home in row):
    effect first: first := 1
    effect later: {later}

flow:
    choose tell

score later: later
"""

BRANCHES = {
    "for c in row where first = 1 and occupied(c): later += 1": {"first"},
    "for c in row where occupied(c): later += 1": set(),
    "for n in 1..3 where first = 1: later += 1": set(),
    "if first = 1 and occupied(home): later += 1": {"first"},
    "if first = 1: later += 1": set(),
    "later += first": set(),
    "if first = 1: take home to bag": {"first"},
}
"""An effect, and what it reads again, if only the numbers are tracked: a board decides, or is changed."""


@pytest.mark.parametrize("later", BRANCHES)
def test_what_is_read_again(later: str) -> None:
    game = linked(RULES.format(later=later))
    (action,) = game.actions.values()
    assert reread_variables(game, action.effects, frozenset({"first", "later"})) == BRANCHES[later]
