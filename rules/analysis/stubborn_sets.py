"""Stubborn sets: of all legal actions, enough to keep a shortest plan (Valmari 1989; Wehrle and Helmert 2014).

While a slot is not at a value that the goal needs there, each plan has an action that writes it. Where actions commute
(`commutation.py`), any of them may come first: nothing else need be tried now, which fixes one order of each plan.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from rulewright.base.records import evolve, frozen
from rulewright.rules.model.state import State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import Lit, Refused
from rulewright.rules.symbolic.symbolic_state import Slot

from .accesses import Access, FreeState, GroundAction
from .commutation import CommutingActions, users_of
from .commuting_loop import PlayLoop, is_clock, value_at_root

MOST_ACTIONS = 2_000
"""Ground actions: with more, accesses take long to find."""


@frozen
class StubbornSets:
    """What they are read off: actions that commute, and the values that the goal needs at single slots."""

    actions: tuple[GroundAction, ...]
    goals: Mapping[Slot, frozenset[int]]

    @property
    def writers(self) -> Mapping[Slot, Sequence[int]]:
        """The numbers of the actions that change each slot that actions access."""
        users = users_of(self.actions)
        return {slot: [one for one in here if self.actions[one].accesses[slot].writes] for slot, here in users.items()}

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State, until: Term, seconds: float) -> StubbornSets:
        """Those of a question for the fewest moves. Raises `Refused` if there are none, also after so many seconds."""
        loop = PlayLoop.of(engine, root)
        if loop.most_turns is not None:
            raise Refused("a horizon", loop.choice.span)
        free = FreeState.of(engine, analysis, root)
        actions = free.actions_until(loop.choice.actions, MOST_ACTIONS, time.monotonic() + seconds)
        if free.is_wider:
            raise Refused("a parameter whose domain says which action comes next", loop.choice.span)
        goal = free.evaluated(until)
        clocks = _clocks(loop, free, goal, actions)
        accessed = [evolve(action, accesses=_without(action.accesses, clocks)) for action in actions]
        values = {slot: known for slot, known in free.values.items() if slot not in clocks}
        at_root = {slot: value_at_root(engine, root, slot) for slot in values}
        return cls(CommutingActions.of(accessed, at_root, values).actions, _goals(free, goal, clocks))


def _clocks(loop: PlayLoop, free: FreeState, goal: Lit, actions: Sequence[GroundAction]) -> frozenset[Slot]:
    """The slots that count actions and may end play: all orders of a plan have the same values there. Raises `Refused` if
    anything else but the goal ends play."""
    clocks: set[Slot] = set()
    for path in loop.endings:
        over = free.circuit.all_of(lit if held else -lit for term, held in path for lit in [free.evaluated(term)])
        for part in free.conjuncts(-over):
            if part == -goal:
                continue
            slots = {slot for slot, _ in free.separated(part) or ()}
            if not slots or not all(_is_common_clock(slot, actions) for slot in slots):
                raise Refused("play that ends before the goal", loop.choice.span)
            clocks |= slots
    return frozenset(clocks)


def _is_common_clock(slot: Slot, actions: Sequence[GroundAction]) -> bool:
    """Whether all actions count alike in a slot and are legal at the same values of it, so that any may come at any time."""
    return is_clock(slot, actions) and len({action.accesses[slot].allowed for action in actions}) == 1


def _goals(free: FreeState, goal: Lit, clocks: frozenset[Slot]) -> Mapping[Slot, frozenset[int]]:
    """The values that a goal needs at single slots besides clocks. Raises `Refused` if there are none."""
    found: dict[Slot, frozenset[int]] = {}
    for part in free.conjuncts(goal):
        for slot, values in free.separated(part) or ():
            if slot not in clocks:
                found[slot] = found.get(slot, values) & values
    if not found:
        raise Refused("a goal that joins several variables")
    return found


def _without(accesses: Mapping[Slot, Access], clocks: frozenset[Slot]) -> Mapping[Slot, Access]:
    return {slot: access for slot, access in accesses.items() if slot not in clocks}
