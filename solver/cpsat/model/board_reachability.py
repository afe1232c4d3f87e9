"""Where tiles can be laid by when, as far as the number of tiles laid until then decides."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.base.records import frozen
from rulewright.rules.model import effects
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.evaluator import near_directions
from rulewright.rules.static.dataflow import DataflowAnalysis

from .abstract_graph import Skeleton
from .symbolic_store import Slot


@frozen
class Reach:
    """`steps[board][cell]` is how many tiles it takes to come there, `laid[level]` how many there can be by the next level."""

    steps: dict[str, dict[int, int]]
    laid: tuple[int, ...]

    @classmethod
    def of(cls, engine: Engine, analysis: DataflowAnalysis, root: State, skeleton: Skeleton) -> Reach:
        """Of boards on which every tile is laid beside another; of others nothing is said."""
        laid = _laid(engine, skeleton)
        steps: dict[str, dict[int, int]] = {}
        for board in analysis.append_only_boards:
            beside = analysis.lays_beside(board, root)
            if beside is None:
                continue
            window = engine.instance.windows[board]
            wave = [cell for cell, tile in enumerate(root[engine.layout.columns[board].start]) if tile]
            found = dict.fromkeys(wave, 0)
            for distance in range(1, laid[-1] + 1):
                near = {window.steps[d][cell] for cell in wave for d in near_directions(window, beside)}
                wave = [cell for cell in near if cell < window.size and cell not in found]
                found |= dict.fromkeys(wave, distance)
            steps[board] = found
        return cls(steps, laid)

    def admits(self, cells: Iterable[Slot], level: int) -> bool:
        """Whether tiles can be laid there by a move of a level."""
        for board, cell, _ in cells:
            if board in self.steps and cell is not None and self.steps[board].get(cell, self.laid[-1] + 1) > self.laid[level]:
                return False
        return True


def _laid(engine: Engine, skeleton: Skeleton) -> tuple[int, ...]:
    """For each level, the most tiles that moves up to it have laid, itself among them."""
    actions = list(engine.game.actions.values())
    most = [0] * len(skeleton.nodes)
    found = [0] * max(skeleton.depth, 1)
    for edge in sorted(skeleton.edges, key=lambda edge: skeleton.levels[edge.source]):
        number = edge.move[0]
        lays = sum(_puts(clause) for clause in actions[number].effects) if number is not None and number >= 0 else 0
        count = most[edge.source] + lays
        most[edge.target] = max(most[edge.target], count)
        level = skeleton.levels[edge.source]
        found[level] = max(found[level], count)
    for level in range(1, len(found)):
        found[level] = max(found[level], found[level - 1])
    return tuple(found)


def _puts(clause: effects.EffectClause) -> int:
    match clause.effect:
        case effects.Put():
            return 1
        case effects.ForEach(_, body):
            return 1000 * sum(map(_puts, body))
        case effects.When(_, body, otherwise):
            return max(sum(map(_puts, body)), sum(map(_puts, otherwise)))
        case _:
            return 0
