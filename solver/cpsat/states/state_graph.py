"""The graph of all states that play can reach from a root, if they are few."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import NO_SPAN
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.guarded_values import Unsupported

MOST_STATES = 50_000
MOST_MOVES = 250_000


@frozen
class Step:
    """The first legal move from one state to another one, by their numbers."""

    source: int
    target: int
    move: Move


@define
class StateGraph:
    """States in the order found, breadth first from the root at place 0, and their steps; `ends` are those where play ends.

    States are compared whole, not by hash. No state is left out by a bound, by dominance or by symmetry.
    """

    states: list[State] = field(factory=list)
    steps: list[Step] = field(factory=list)
    ends: list[int] = field(factory=list)

    @classmethod
    def of(cls, engine: Engine, root: State, is_end: Callable[[State], bool]) -> StateGraph:
        """Play every legal move in every state until `is_end` holds. Raises `Unsupported` if there are too many."""
        graph = cls([root])
        numbers = {root: 0}
        played = 0
        for source, state in enumerate(graph.states):  # grows meanwhile
            if is_end(state):
                graph.ends.append(source)
            if is_end(state) or engine.over(state):
                continue
            targets = dict[int, Move]()
            for move in engine.legal(state):
                played += 1
                target = engine.apply(state, move)
                number = numbers.setdefault(target, len(graph.states))
                if number == len(graph.states):
                    graph.states.append(target)
                targets.setdefault(number, move)
                if number >= MOST_STATES or played > MOST_MOVES:
                    what = f"more than {MOST_STATES:,} states or {MOST_MOVES:,} moves"
                    raise Unsupported(what, NO_SPAN if state[POINT] == OVER else engine.choices[state[POINT]].span)
            graph.steps += (Step(source, target, move) for target, move in targets.items())
        return graph
