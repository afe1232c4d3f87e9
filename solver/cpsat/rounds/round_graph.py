"""The round graph: the abstract state graph with all moves of one repetition of a choice contracted.

In a round the same choice is made again and again. Its end node tells what the round does to hands, piles and counters; of the
way there only the kinds laid and the most steps of the marker matter. So the resources that steps cost are counted per round,
and moves without an order within a round have none here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model.state import POINT
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import ChoicePoint, Jump
from rulewright.rules.static.dataflow import flat
from rulewright.rules.symbolic.circuit import Refused
from rulewright.rules.symbolic.move_grounding import AbstractStateGraph, Edge

from .marker_moves import MarkerMove

MOST_ROUNDS = 60_000
"""The most rounds, summed over all layers."""


@frozen
class Round:
    """An edge between two nodes of the abstract state graph: the kinds laid, sorted, and the most steps of the marker.

    Steps that lay a tile count too. `marker` is the column of the moving marker; None if none moves.
    """

    source: int
    target: int
    laid: tuple[int, ...]
    steps: int
    marker: int | None


Layers = tuple[tuple[Round, ...], ...]
"""For each n, the rounds that may be the n-th of a play. A play is a path from node 0 to a node without further rounds."""


def round_layers(engine: Engine, graph: AbstractStateGraph, moves: Mapping[int, MarkerMove]) -> Layers:
    """All plays as paths of rounds. Raises `Refused`."""
    contraction = _Contraction(engine, graph, moves)
    layers: list[tuple[Round, ...]] = []
    front = {0}
    while layer := tuple(one for node in sorted(front) for one in contraction.rounds(node)):
        layers.append(layer)
        if sum(map(len, layers)) > MOST_ROUNDS:
            raise Refused(f"more than {MOST_ROUNDS:,} turns even without the board")
        front = {one.target for one in layer}
    return tuple(layers)


def most_laid(layers: Layers) -> list[int]:
    """For each layer, the most tiles that can have been laid by its end."""
    most = {0: 0}
    found: list[int] = []
    for layer in layers:
        after: dict[int, int] = {}
        for one in layer:
            after[one.target] = max(after.get(one.target, 0), most[one.source] + len(one.laid))
        most = after
        found.append(max((*found[-1:], *most.values())))
    return found


Way = tuple[tuple[int, ...], int | None]
"""The relevant part of a way through a round: the kinds laid and the marker that moved."""


@define
class _Contraction:
    engine: Engine
    graph: AbstractStateGraph
    moves: Mapping[int, MarkerMove]
    _edges: dict[int, list[Edge]] = field(factory=lambda: defaultdict(list))
    _again: frozenset[int] = field(init=False)
    _stopping: frozenset[int] = field(init=False)
    _rounds: dict[int, tuple[Round, ...]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        engine = self.engine
        for edge in self.graph.edges:
            self._edges[edge.source].append(edge)
        self._again = frozenset(choice.number for choice in engine.choices if _comes_again(engine, choice))
        self._stopping = frozenset(
            engine.action_numbers[action.name]
            for action in engine.game.actions.values()
            if any(isinstance(clause.effect, ef.End) for clause in flat(action.effects))
        )

    def rounds(self, start: int) -> tuple[Round, ...]:
        """The rounds from a node; of rounds that differ only in their steps, the one with the most."""
        found = self._rounds.get(start)
        if found is None:
            ends = self._ends(start)
            found = self._rounds[start] = tuple(
                Round(start, target, laid, steps, marker) for (target, (laid, marker)), steps in ends.items()
            )
        return found

    def _ends(self, start: int) -> dict[tuple[int, Way], int]:
        """The longest paths from a node through moves of one round, by end node and `Way`."""
        levels, edges = self.graph.levels, self._edges
        ways: dict[int, dict[Way, int]] = {start: {((), None): 0}}
        ends: dict[tuple[int, Way], int] = {}
        pending = {start}
        while pending:
            node = min(pending, key=levels.__getitem__)  # all ways to it are known: levels are longest distances from the root
            pending.remove(node)
            for edge in edges[node]:
                is_inner = self._is_inner(edge)
                for way, steps in ways[node].items():
                    after, more = self._extended(edge, way)
                    if is_inner:
                        known = ways.setdefault(edge.target, {})
                        known[after] = max(known.get(after, 0), steps + more)
                        pending.add(edge.target)
                    else:
                        ends[edge.target, after] = max(ends.get((edge.target, after), 0), steps + more)
        return ends

    def _extended(self, edge: Edge, way: Way) -> tuple[Way, int]:
        """A way extended by a move, and the steps that the move adds, 0 or 1."""
        action = edge.move[0]
        move = None if action is None else self.moves.get(action)
        if move is None:
            return way, 0
        laid, marker = way
        mover = move.column(self.engine, self.graph.nodes[edge.source])
        if marker not in (None, mover):
            raise Refused("a turn in which several markers move")
        if move.tile is None:
            return (laid, mover), 1
        kind = edge.move[1 + move.tile]
        if kind is None:
            raise Refused("tiles laid from a place whose contents are unknown")
        return (tuple(sorted((*laid, kind))), mover), 1

    def _is_inner(self, edge: Edge) -> bool:
        """Whether a move leads back to the same choice with nothing in between."""
        action, nodes = edge.move[0], self.graph.nodes
        point = nodes[edge.source][POINT]
        is_action = action is not None and action >= 0 and action not in self._stopping
        return is_action and point in self._again and nodes[edge.target][POINT] == point


def _comes_again(engine: Engine, choice: ChoicePoint) -> bool:
    """Whether an action that does not stop leads back to its choice with nothing in between."""
    at = choice.resume
    for _ in engine.flow:
        match engine.flow[at]:
            case Jump(target):
                at = target
            case ChoicePoint(number):
                return number == choice.number
            case _:
                return False
    return False
