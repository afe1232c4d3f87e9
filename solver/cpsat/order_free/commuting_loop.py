"""A play loop whose actions commute: what an order-free model and an increasing order are read off.

`CommutingActions` shows that the plans are the multisets in which each action is legal in the state that the others leave. What
must hold *between* two actions is looked at here: that play is not over yet, and that an action is next by the domain of a
parameter (the piece over the first free cell), a condition dropped if it joins several values. Play cannot be over too early if
no action is legal once it is, as on a full board. If only a counter that each action changes can end play too early, each
action requires that it has not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from math import inf

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.rules.model.state import COUNTED, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.cpsat.model.circuit import TRUE, Lit, Refused
from rulewright.solver.cpsat.model.symbolic_state import Slot

from .accesses import MOST_ACTIONS, TURNS, Access, FreeState, GroundAction
from .commutation import CommutingActions
from .play_loop import PlayLoop


@frozen
class CommutingLoop:
    """A play loop whose actions commute.

    `is_exact`: each set of actions that commute can be played, in any order. Otherwise play may be over before the last action,
    or another action may have to come next.
    """

    loop: PlayLoop
    free: FreeState
    commuting: CommutingActions
    is_exact: bool

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State, seconds: float = inf) -> CommutingLoop:
        """The loop at a root. Raises `Refused` if actions are not shown to commute, also after so many seconds,
        `Refused`, `ModelTooLarge`."""
        deadline = time.monotonic() + seconds
        loop = PlayLoop.of(engine, root)
        free = FreeState.of(engine, analysis, root)
        actions: Sequence[GroundAction] = free.actions_until(loop.choice.actions, MOST_ACTIONS, deadline)
        values = dict(free.values)
        at_root = {slot: value_at_root(engine, root, slot) for slot in (*values, TURNS)}
        if loop.most_turns is not None:
            values[TURNS] = tuple(range(loop.most_turns + 1))
            actions = [_guarded(action, TURNS, frozenset(range(loop.most_turns)), 1) for action in actions]
        actions, is_exact = _not_over(loop, free, actions, at_root)
        commuting = CommutingActions.of(actions, at_root, values)
        return cls(loop, free, commuting, is_exact and not free.is_wider)


def value_at_root(engine: Engine, root: State, slot: Slot) -> int:
    """The value of a slot at the root."""
    name, index, kind = slot
    if slot == TURNS:
        return int(root[COUNTED])
    held = root[engine.layout.position(name, index)]
    if kind:
        return int(held.count(kind))
    return int(held[index] if engine.layout.columns[name].over_cells else held)


def _guarded(action: GroundAction, slot: Slot, allowed: frozenset[int], step: int) -> GroundAction:
    """An action restricted to some values of a slot, to which it adds a number."""
    access = Access(allowed, {value: value + step for value in allowed})
    return evolve(action, accesses={**action.accesses, slot: access})


def _not_over(
    loop: PlayLoop, free: FreeState, actions: Sequence[GroundAction], at_root: Mapping[Slot, int]
) -> tuple[list[GroundAction], bool]:
    """The actions with the requirement that no counter has ended play, and whether nothing else may end it too early."""
    is_exact, guarded = True, list(actions)
    for path in loop.endings:
        lits = [lit if held else -lit for term, held in path for lit in [free.evaluated(term)]]
        over = free.circuit.all_of(lits)
        if over == TRUE:
            raise Refused("a choice that is made only once", loop.choice.span)
        if _forbids_all(free, over, guarded):
            continue
        for part in free.conjuncts(-over):
            sets = free.separated(part)
            if sets is None:
                is_exact = False
            for slot, allowed in sets or ():
                if at_root[slot] in allowed and is_clock(slot, guarded):
                    guarded = [_narrowed(action, slot, allowed) for action in guarded]
                else:
                    is_exact = False
    return guarded, is_exact


def _forbids_all(free: FreeState, condition: Lit, actions: Iterable[GroundAction]) -> bool:
    """Whether a condition makes all actions illegal: each requires another value of some slot."""
    held: dict[Slot, frozenset[int]] = {}
    for part in free.conjuncts(condition):
        for slot, values in free.separated(part) or ():
            held[slot] = held.get(slot, values) & values
    return all(
        any(slot in held and not held[slot] & access.allowed for slot, access in action.accesses.items()) for action in actions
    )


def is_clock(slot: Slot, actions: Iterable[GroundAction]) -> bool:
    """Whether each action adds the same number, not 0, to a slot."""
    steps: set[int] = set()
    for action in actions:
        access = action.accesses.get(slot)
        if access is None:
            return False
        steps |= {after - value for value, after in access.after.items()}
    return len(steps) == 1 and 0 not in steps


def _narrowed(action: GroundAction, slot: Slot, allowed: frozenset[int]) -> GroundAction:
    access: Access = action.accesses[slot]
    kept = access.allowed & allowed
    narrower = Access(kept, {value: access.after[value] for value in kept})
    accesses: Mapping[Slot, Access] = {**action.accesses, slot: narrower}
    return evolve(action, accesses=accesses)
