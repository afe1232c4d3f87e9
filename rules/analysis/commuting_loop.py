"""A play loop whose actions commute: what an order-free model and an increasing order are read off.

`CommutingActions` shows that the plans are the multisets in which each action is legal in the state that the others leave. What
must hold *between* two actions is looked at here: that play is not over yet, and that an action is next by the domain of a
parameter (the piece over the first free cell), a condition dropped if it joins several values. Play cannot be over too early if
no action is legal once it is, as on a full board. If only a counter that each action changes can end play too early, each
action requires that it has not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf

from rulewright.base.records import evolve, frozen
from rulewright.rules.model.state import COUNTED, FOREVER, OVER, POINT, Move, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics import flow_graph
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.circuit import TRUE, Lit, Refused
from rulewright.rules.symbolic.symbolic_state import Slot

from .accesses import MOST_ACTIONS, TURNS, Access, FreeState, GroundAction
from .commutation import CommutingActions


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


MOST_STEPS = 50
"""The most instructions of the flow between two choices."""

Conditions = tuple[tuple[Term, bool], ...]
"""Conditions of the flow, and whether each held."""


@frozen
class FlowPath:
    """A path of the flow from an action to the next choice, or to the end of play.

    `turns` is the number of times that it leaves the point that a horizon counts.
    """

    conditions: Conditions = ()
    turns: int = 0
    is_over: bool = False


@frozen
class PlayLoop:
    """One choice, made until play is over: on one of the paths `endings`, when no action is legal, or, with `stop`, at will.

    `most_turns` is the horizon, of which each action takes one turn; None if the horizon is endless or missing.
    """

    choice: flow_graph.ChoicePoint
    endings: tuple[Conditions, ...]
    most_turns: int | None

    @classmethod
    def of(cls, engine: Engine, root: State) -> PlayLoop:
        """The loop at the root. Raises `Refused` if the flow is more than such a loop."""
        if root[POINT] == OVER:
            raise Refused("a position in which play is over")
        choice = engine.choices[root[POINT]]
        paths = list(_paths(engine, choice.resume, FlowPath(), MOST_STEPS))
        onward = [path for path in paths if not path.is_over]
        if not all(path.is_over for path in _paths(engine, choice.leave, FlowPath(), MOST_STEPS)):
            raise Refused("a choice that is repeated after no action was chosen", choice.span)
        turns = {path.turns for path in onward}
        horizon = engine.horizon
        if horizon is not None and turns not in (set(), {1}):
            raise Refused(f"a horizon of `{horizon.point}`, which does not advance once with each action", choice.span)
        most = None if horizon is None or horizon.times >= FOREVER else horizon.times
        return cls(choice, tuple(path.conditions for path in paths if path.is_over), most)


def _paths(engine: Engine, at: int, path: FlowPath, steps: int) -> Iterator[FlowPath]:
    """The paths from an instruction. Raises `Refused`."""
    if not steps:
        raise Refused("a flow that runs on without a choice")
    match engine.flow[at]:
        case flow_graph.Halt():
            yield FlowPath(path.conditions, path.turns, is_over=True)
        case flow_graph.ChoicePoint() as choice:
            if choice.number != _only_choice(engine):
                raise Refused("a flow with more than one choice: the order of actions matters", choice.span)
            yield path
        case flow_graph.Jump(target):
            yield from _paths(engine, target, path, steps - 1)
        case flow_graph.JumpIfFalse(condition, otherwise):
            for held, target in ((True, at + 1), (False, otherwise)):
                further = FlowPath((*path.conditions, (condition, held)), path.turns)
                yield from _paths(engine, target, further, steps - 1)
        case flow_graph.LeavePoint(point):
            counts = engine.horizon is not None and engine.horizon.point == point
            yield from _paths(engine, at + 1, FlowPath(path.conditions, path.turns + counts), steps - 1)
        case flow_graph.LoopStart(_, (_,)) | flow_graph.LoopNext(_, (_,)):
            yield from _paths(engine, at + 1, path, steps - 1)
        case flow_graph.LoopStart() | flow_graph.LoopNext():
            raise Refused("a flow in which players take turns: the order of actions matters")
        case flow_graph.RunProcedure(procedure):
            raise Refused(f"`{procedure}`, which runs between two actions: the order of actions matters")


def _only_choice(engine: Engine) -> int:
    """The number of the only choice; -1 if there are several."""
    return engine.choices[0].number if len(engine.choices) == 1 else -1


def increasing_order(engine: Engine, analysis: DataflowAnalysis, root: State, seconds: float) -> tuple[Move, ...]:
    """The actions of all plans, in the order in which they need be tried. Raises `Refused` if there is no such order, also
    after so many seconds, `Refused`, `ModelTooLarge`."""
    plays = CommutingLoop.of(engine, analysis, root, seconds)
    if not plays.is_exact:
        raise Refused("play that may be over before the last action", plays.loop.choice.span)
    actions = plays.commuting.actions
    for number, action in enumerate(actions):
        if plays.commuting.most_uses(number) is None:
            raise Refused("an action that may be repeated without limit", action.span)
    return tuple(action.move for action in actions)
