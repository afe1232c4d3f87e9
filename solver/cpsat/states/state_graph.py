"""The graph of all states that play can reach from a root, if they are few."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.records import define, field, frozen
from rulewright.base.spans import NO_SPAN
from rulewright.rules.model.moves import Move
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.play.engine import Engine
from rulewright.solver.cpsat.model.guarded_values import Unsupported

MOST_STATES = 60_000
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
    _numbers: dict[State, int] = field(factory=dict)
    _played: int = 0

    @classmethod
    def of(cls, engine: Engine, root: State, is_end: Callable[[State], bool], fewest_moves: bool = False) -> StateGraph:
        """Play every legal move in every state until `is_end` holds. Raises `Unsupported` if there are too many.

        For the `fewest_moves` to an end, play goes no farther than to the first ends, and no move leads back: each path has
        as many moves as its last state is far from the root.
        """
        graph = cls([root], numbers={root: 0})
        layer = range(1)
        while layer and not (fewest_moves and graph.ends):
            ends = {number for number in layer if is_end(graph.states[number])}
            graph.ends += sorted(ends)
            if not (fewest_moves and ends):
                for source in layer:
                    if source not in ends and not engine.over(graph.states[source]):
                        graph._play(engine, source, layer.stop if fewest_moves else 0)
            layer = range(layer.stop, len(graph.states))
        return graph

    def _play(self, engine: Engine, source: int, oldest: int) -> None:
        """Add the steps from a state to others, those before the `oldest` left out."""
        state, targets = self.states[source], dict[int, Move]()
        for move in engine.legal(state):
            self._played += 1
            target = engine.apply(state, move)
            number = self._numbers.setdefault(target, len(self.states))
            if number == len(self.states):
                self.states.append(target)
            if number >= oldest:
                targets.setdefault(number, move)
            if number >= MOST_STATES or self._played > MOST_MOVES:
                what = f"more than {MOST_STATES:,} states or {MOST_MOVES:,} moves"
                raise Unsupported(what, NO_SPAN if state[POINT] == OVER else engine.choices[state[POINT]].span)
        self.steps += (Step(source, target, move) for target, move in targets.items())
