"""Faults planted by hand in the argument that the order of actions is free: enumeration notices each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from rulewright.rules.analysis import commutation, commuting_loop
from rulewright.rules.analysis.accesses import Access, GroundAction
from rulewright.rules.analysis.commutation import CommutingActions
from rulewright.rules.symbolic.symbolic_state import Slot
from rulewright.solver.cpsat.order_free import from_question
from rulewright.solver.cpsat.order_free.from_question import ActionSet
from tests.rules.playing import linked
from tests.solver.cpsat.order_free.test_against_enumeration import agreement_on
from tests.solver.shortest.questions import asked

GAME = """module asked:
    "Lights on a row of four."

space board: square grid 4 x 1

state:
    lit of board: truth
    dial:         0..2
    weight:       0..20

action act(to in board):
    "Act on a cell."
{body}

procedure set_up:
    none: weight := 0

flow:
    set_up
    repeat{until}:
        turn:
            choose act

score worth: weight + (count c in board where lit of c)
"""

ALONE = 'require dark: not lit of to and (every c in around(to): not lit of c) else "no"\neffect light: lit of to := yes'
ONE_WAY = 'require dark: not lit of to and not lit of step(to, E) else "no"\neffect light: lit of to := yes'
ENABLED_BY_ONE = (
    'require dark: not lit of to else "no"\nrequire next: weight >= column(to) else "no"\neffect light: lit of to := yes\n'
)
ENABLED_BY_ONE += "effect weigh: weight += 1"
WEIGHED = 'require few: weight <= 3 else "no"\neffect weigh: weight += 1 + column(to)'
PRESSED = "effect turn: lit of to := not lit of to\neffect weigh: weight += 1"
MOST = "maximise score until end"


def _all_legal_at_root(actions: Sequence[GroundAction], at_root: Mapping[Slot, int]) -> tuple[GroundAction, ...]:
    return tuple(
        action for action in actions if all(at_root[slot] in access.allowed for slot, access in action.accesses.items())
    )


def _least_limit(at_root: int, values: Sequence[int], steps: Mapping[int, int], writers: Mapping[int, Access]) -> int | None:
    return min(max(access.allowed) + steps[number] for number, access in writers.items())


FAULTS: dict[str, tuple[Any, str, Any, str, str, str]] = {
    "an action that is made illegal": (CommutingActions, "_check_readers", lambda self: None, ONE_WAY, "", MOST),
    "only one of two excludes the other": (CommutingActions, "_spoils", lambda self, one, other: True, ONE_WAY, "", MOST),
    "an action that is made legal": (commutation, "_possible", _all_legal_at_root, ENABLED_BY_ONE, "", MOST),
    "limits that differ": (commutation, "_counter_limit", _least_limit, WEIGHED, "", MOST),
    "no conflicts": (from_question, "clique_rows", lambda conflicts: (), ALONE, "", MOST),
    "play is not over": (ActionSet, "require_an_end", lambda self: None, ALONE, "", "minimise score until end"),
    "play is over": (
        commuting_loop, "_not_over", lambda loop, free, actions, at_root: (list(actions), True),
        PRESSED, " until weight >= 3", MOST,
    ),
    "no action is legal when play is over": (
        commuting_loop, "_forbids_all", lambda free, condition, actions: True,
        PRESSED, " until weight >= 3", MOST,
    ),
    "twice is once": (
        CommutingActions, "period", lambda self, number: 1,
        PRESSED, " until weight >= 3", "fewest moves until lit of origin of board",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fault_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, name, wrong, body, until, ask = FAULTS[fault]
    text = GAME.format(body="\n".join(f"    {line}" for line in body.splitlines()), until=until)
    position = asked(linked(text), ask)
    assert agreement_on(position, text) in ("agrees", "refused")
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(AssertionError):
        agreement_on(position, text)
