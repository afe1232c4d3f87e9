"""The round graph: the abstract state graph with all moves of one repetition of a choice drawn together.

In a round the same choice is made again and again. What a round does to hands, piles and counters is told by where it ends; of
the way there it only matters which kinds it lays, and how many steps its marker can make at most. So what pays for steps is
counted by the round, and what has no order within a round has none here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model.state import POINT
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.flow_graph import ChoicePoint, Jump
from rulewright.rules.static.dataflow import flat
from rulewright.solver.cpsat.model.abstract_graph import AbstractStateGraph, Edge
from rulewright.solver.cpsat.model.guarded_values import Unsupported

from .marker_moves import MarkerMove

MOST_ROUNDS = 60_000
"""How many rounds there may be, those of each layer counted."""


@frozen
class Round:
    """From a node of the abstract state graph to another: the kinds laid, sorted, and the most steps of the marker.

    The steps that lay a tile are counted too. `marker` is the column of the marker that moves; None where none does.
    """

    source: int
    target: int
    laid: tuple[int, ...]
    steps: int
    marker: int | None


Layers = tuple[tuple[Round, ...], ...]
"""The rounds that may be the n-th of a play, for each n. A play is a path from node 0 to where no round follows."""


def round_layers(engine: Engine, graph: AbstractStateGraph, moves: Mapping[int, MarkerMove]) -> Layers:
    """All plays as paths of rounds. Raises `Unsupported`."""
    contraction = _Contraction(engine, graph, moves)
    layers: list[tuple[Round, ...]] = []
    front = {0}
    while layer := tuple(one for node in sorted(front) for one in contraction.rounds(node)):
        layers.append(layer)
        if sum(map(len, layers)) > MOST_ROUNDS:
            raise Unsupported(f"more than {MOST_ROUNDS:,} turns even when the board is forgotten")
        front = {one.target for one in layer}
    return tuple(layers)


def most_laid(layers: Layers) -> list[int]:
    """For each layer the most tiles that can have been laid by its end."""
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
"""What matters of a way through a round: the kinds laid and the marker that moved."""


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
            if any(isinstance(clause.effect, ef.Stop | ef.Finish) for clause in flat(action.effects))
        )

    def rounds(self, start: int) -> tuple[Round, ...]:
        """The rounds from a node; of those that differ in the number of steps only, the one with the most."""
        found = self._rounds.get(start)
        if found is None:
            ends = self._ends(start)
            found = self._rounds[start] = tuple(
                Round(start, target, laid, steps, marker) for (target, (laid, marker)), steps in ends.items()
            )
        return found

    def _ends(self, start: int) -> dict[tuple[int, Way], int]:
        """Longest paths from a node through moves of the same round, by where they end and what they lay."""
        levels, edges = self.graph.levels, self._edges
        ways: dict[int, dict[Way, int]] = {start: {((), None): 0}}
        ends: dict[tuple[int, Way], int] = {}
        pending = {start}
        while pending:
            node = min(pending, key=levels.__getitem__)  # all ways to it are known: a level is the longest way from the root
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
        """A way with one more move, and whether that is a step."""
        action = edge.move[0]
        move = None if action is None else self.moves.get(action)
        if move is None:
            return way, 0
        laid, marker = way
        mover = move.column(self.engine, self.graph.nodes[edge.source])
        if marker not in (None, mover):
            raise Unsupported("a turn in which several markers move")
        if move.tile is None:
            return (laid, mover), 1
        kind = edge.move[1 + move.tile]
        if kind is None:
            raise Unsupported("tiles laid from where it is not known what there is")
        return (tuple(sorted((*laid, kind))), mover), 1

    def _is_inner(self, edge: Edge) -> bool:
        """Whether the same choice is made again after a move, with nothing in between."""
        action, nodes = edge.move[0], self.graph.nodes
        point = nodes[edge.source][POINT]
        is_action = action is not None and action >= 0 and action not in self._stopping
        return is_action and point in self._again and nodes[edge.target][POINT] == point


def _comes_again(engine: Engine, choice: ChoicePoint) -> bool:
    """Whether a choice is made again after an action that does not stop, with nothing in between."""
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
