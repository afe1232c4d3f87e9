"""The flow of a game that only repeats one choice."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import frozen
from rulewright.rules.model.moves import FOREVER
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
)
from rulewright.solver.cpsat.model.circuit import Refused

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

    choice: ChoicePoint
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
        case Halt():
            yield FlowPath(path.conditions, path.turns, is_over=True)
        case ChoicePoint() as choice:
            if choice.number != _only_choice(engine):
                raise Refused("a flow with more than one choice: the order of actions matters", choice.span)
            yield path
        case Jump(target):
            yield from _paths(engine, target, path, steps - 1)
        case JumpIfFalse(condition, otherwise):
            for held, target in ((True, at + 1), (False, otherwise)):
                further = FlowPath((*path.conditions, (condition, held)), path.turns)
                yield from _paths(engine, target, further, steps - 1)
        case LeavePoint(point):
            counts = engine.horizon is not None and engine.horizon.point == point
            yield from _paths(engine, at + 1, FlowPath(path.conditions, path.turns + counts), steps - 1)
        case LoopStart(_, (_,)) | LoopNext(_, (_,)):
            yield from _paths(engine, at + 1, path, steps - 1)
        case LoopStart() | LoopNext():
            raise Refused("a flow in which players take turns: the order of actions matters")
        case RunProcedure(procedure):
            raise Refused(f"`{procedure}`, which runs between two actions: the order of actions matters")


def _only_choice(engine: Engine) -> int:
    """The number of the only choice; -1 if there are several."""
    return engine.choices[0].number if len(engine.choices) == 1 else -1
