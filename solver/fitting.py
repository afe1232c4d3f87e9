"""Which tiles could ever be laid on a cell, as far as the tiles around it decide: read off the requirements of the actions.

A board that only grows keeps what it has, so a requirement that is broken by tiles already lying stays broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine
from ..rules.evaluator import Evaluator
from ..rules.game import Action
from ..rules.possible import Cautious, Possible, exactly


@define
class _Noting(Sequence[int]):
    """A board that notes which cells are looked at, in order."""

    tiles: Sequence[int]
    looked: dict[int, int] = field(factory=dict)

    def __getitem__(self, cell: int) -> int:  # type: ignore[override]
        tile = self.looked[cell] = self.tiles[cell]
        return tile

    def __len__(self) -> int:
        return len(self.tiles)


@define(eq=False)
class _Look:
    """A node of a decision tree: which cell is looked at next, and what follows from the tile there."""

    cell: int
    after: dict[int, _Look | int] = field(factory=dict)


@define
class Fitting:
    """`fits(board, cell)`: which kinds may ever be laid there, with everything but the board forgotten, as a set of bits.

    The answer depends only on the cells looked at on the way to it, so it is kept in a tree of such looks.
    """

    engine: Engine
    space: str
    layers: tuple[tuple[Action, str, str], ...]
    kinds: tuple[int, ...]
    _trees: dict[int, _Look | int] = field(factory=dict)

    def fits(self, board: bytes, cell: int) -> int:
        """Bit n stands for the kind n."""
        node = self._trees.get(cell)
        while isinstance(node, _Look):
            node = node.after.get(board[node.cell])
        return self._learn(board, cell) if node is None else node

    def _learn(self, board: bytes, cell: int) -> int:
        noting = _Noting(board)
        answer = 0
        for kind in self.kinds:
            if any(self._able(layer, noting, cell, kind) for layer in self.layers):
                answer |= 1 << kind
        path = list(noting.looked.items())
        known = self._trees.get(cell)
        if known is None:
            self._trees[cell] = _branch(path, answer)
        for at, (near, tile) in enumerate(path):
            if not isinstance(known, _Look):
                break
            assert known.cell == near
            if tile not in known.after:
                known.after[tile] = _branch(path[at + 1 :], answer)
                break
            known = known.after[tile]
        return answer

    def _able(self, layer: tuple[Action, str, str], board: Sequence[int], cell: int, kind: int) -> bool:
        action, tile_name, cell_name = layer
        kinds = frozenset(range(1, len(self.engine.game.tiles) + 1))
        reading = Evaluator(self.engine.ground, Cautious(self.engine.ground, self.engine.layout, {self.space: board}, kinds))
        env: dict[str, Possible] = {}
        for parameter in action.parameters:
            allowed = self.engine.ground.domain(parameter.type)
            env[parameter.name] = Possible(allowed.start, allowed.stop) if allowed else Possible(-(10**9), 10**9)
        env[tile_name], env[cell_name] = exactly(kind), exactly(cell)
        return not any(reading.value(requirement.condition, env).never for requirement in action.requirements)


def _branch(path: list[tuple[int, int]], answer: int) -> _Look | int:
    node: _Look | int = answer
    for cell, tile in reversed(path):
        node = _Look(cell, {tile: node})
    return node


def fitting(engine: Engine, analysis: Analysis, space: str, kinds: Iterable[int]) -> Fitting | None:
    """The reading of a board for the kinds still to come.

    None where tiles come to lie in another way than by an action that names tile and cell.
    """
    layers: list[tuple[Action, str, str]] = []
    named = {name for choice in engine.choices for name in choice.actions}
    puts = [clause for clause in analysis.clauses if isinstance(clause.effect, e.Put) and clause.effect.space == space]
    for name in sorted(named):
        action = engine.game.actions[name]
        for clause in action.effects:
            match clause.effect:
                case e.Put(t.Local(tile), where, t.Local(cell)) if where == space:
                    layers.append((action, tile, cell))
                    puts.remove(clause)
                case _:
                    pass
    if puts:
        return None
    return Fitting(engine, space, tuple(layers), tuple(sorted(kinds)))
