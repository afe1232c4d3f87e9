"""Relaxed reachability of cells: on which of them a tile can be laid by which level, given the tiles laid by then."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import accumulate

from rulewright.base.records import frozen
from rulewright.rules.model import effects
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.set_evaluator import near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.rules.symbolic.move_grounding import AbstractStateGraph
from rulewright.rules.symbolic.symbolic_state import Slot

MANY = 1000
"""Stands for the number of tiles that a loop may lay: more than there are."""


@frozen
class BoardReachability:
    """`distance[board][cell]` is the tiles it takes to lay one there, `laid[level]` the most laid after a move of that level.

    Boards whose tiles need not be laid beside others are left out: all their cells are in reach.
    """

    distance: dict[str, dict[int, int]]
    laid: list[int]

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State, graph: AbstractStateGraph) -> BoardReachability:
        """Breadth-first search from the tiles that lie on each board at the root."""
        laid = _most_laid(engine, graph)
        distance: dict[str, dict[int, int]] = {}
        for board in analysis.append_only_boards:
            beside = analysis.lays_beside(board, root)
            if beside is None:
                continue
            window = engine.instance.windows[board]
            frontier = [cell for cell, tile in enumerate(root[engine.layout.columns[board].start]) if tile]
            found = dict.fromkeys(frontier, 0)
            for steps in range(1, laid[-1] + 1):
                near = {window.steps[way][cell] for cell in frontier for way in near_directions(window, beside)}
                frontier = [cell for cell in near if cell < window.size and cell not in found]
                found |= dict.fromkeys(frontier, steps)
            distance[board] = found
        return cls(distance, laid)

    def admits(self, cells: Iterable[Slot], level: int) -> bool:
        """Whether a move of a level can lay tiles on all of the cells."""
        for board, cell, _ in cells:
            distance = self.distance.get(board)
            if distance is not None and cell is not None and (cell not in distance or distance[cell] > self.laid[level]):
                return False
        return True


def _most_laid(engine: Engine, graph: AbstractStateGraph) -> list[int]:
    """For each level, the most tiles that a play can have laid after its move of the level."""
    actions = list(engine.game.actions.values())
    most = [0] * len(graph.nodes)
    laid = [0] * max(graph.depth, 1)
    for edge in sorted(graph.edges, key=lambda edge: graph.levels[edge.source]):
        number = edge.move[0]
        body = actions[number].effects if number is not None and number >= 0 else ()
        lays = _most_laid_by(body, engine.game.spaces)
        count = most[edge.source] + lays
        most[edge.target] = max(most[edge.target], count)
        level = graph.levels[edge.source]
        laid[level] = max(laid[level], count)
    return list(accumulate(laid, max))


def _most_laid_by(clauses: Iterable[effects.EffectClause], boards: Collection[str]) -> int:
    """The most tiles that effects lay."""
    most = 0
    for clause in clauses:
        match clause.effect:
            case effects.ForEach(_, body):
                most += MANY * _most_laid_by(body, boards)
            case effects.Keep(_, _, body):
                most += _most_laid_by(body, boards)
            case effects.When(_, body, otherwise):
                most += max(_most_laid_by(body, boards), _most_laid_by(otherwise, boards))
            case effect:
                most += effects.cell_laid(effect, *boards) is not None
    return most
