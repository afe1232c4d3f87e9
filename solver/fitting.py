"""Which tiles could ever be laid on a cell, as far as the tiles around it decide: read off the requirements of the actions.

A board that only grows keeps what it has, so a requirement that is broken by tiles already lying stays broken.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field

from ..grammar.classes import define, frozen
from ..grammar.expressions import Quantifier
from ..rules import effects as e
from ..rules import terms as t
from ..rules.analysis import Analysis
from ..rules.engine import Engine
from ..rules.evaluator import Evaluator
from ..rules.game import Action
from ..rules.moves import free_names
from ..rules.possible import HUGE, Cautious, Possible, PossibleSet, exactly
from .alike import ALIKE, alike_cells, is_near
from .looks import Noting, Remembered


@frozen
class Layer:
    """An action that lays a tile: the names of its tile and cell."""

    action: Action
    tile: str
    cell: str


Env = dict[str, Possible]

Part = tuple[t.Term, Env]
"""A condition that must not be broken, with the elements it speaks of; each looks at few cells."""


@define
class Fitting:
    """`fits(board, cell)`: which kinds may ever be laid there, with everything but the board forgotten, as a set of bits.

    Whether a part of a requirement can hold depends only on the cells looked at on the way to the answer, so it is kept in a
    tree of such looks: one for every cell, or one for those `alike`, where the rules tell cells apart only by what is near.
    """

    engine: Engine
    space: str
    layers: tuple[Layer, ...]
    kinds: tuple[int, ...]
    alike: frozenset[int] = frozenset()
    _trees: dict[int, list[list[Remembered[int]]]] = field(factory=dict)
    _all: int = 0
    _pairs: dict[tuple[int, int], dict[int, int]] = field(factory=dict)
    _known: dict[tuple[int, int], tuple[list[Part], Env]] = field(factory=dict)

    def fits(self, board: bytes, cell: int) -> int:
        """Bit n stands for the kind n."""
        one, base = (ALIKE, cell) if cell in self.alike else (cell, 0)
        layers = self._trees.get(one)
        if layers is None:
            layers = self._trees[one] = [[Remembered() for _ in self.parts(layer, cell)] for layer in self.layers]
            self._all = sum(1 << kind for kind in self.kinds)
        answer = 0
        for number, trees in enumerate(layers):
            fitting = self._all
            for at, tree in enumerate(trees):
                known = tree.find(board, base)
                if known is None:
                    known, looked = self._read(board, cell, number, at)
                    if one == ALIKE and not all(is_near(self.engine.ground.windows[self.space], cell, near) for near in looked):
                        self.alike = frozenset()
                        self._trees.clear()
                        return self.fits(board, cell)
                    tree.keep(looked, known, base)
                fitting &= known
                if not fitting:
                    break
            answer |= fitting
        return answer

    def together(self, one: int, other: int) -> dict[int, int]:
        """For each kind on one cell the kinds that may come to lie on the other, whichever of the two is laid first."""
        key = (0, other - one) if one in self.alike and other in self.alike else (one, other)
        found = self._pairs.get(key)
        if found is None:
            board = bytearray(self.engine.ground.windows[self.space].size + 1)
            found = self._pairs[key] = dict.fromkeys(self.kinds, 0)
            for kind in self.kinds:
                board[one] = kind
                found[kind] |= self.fits(bytes(board), other)
            board[one] = 0
            for kind in self.kinds:
                board[other] = kind
                mask = self.fits(bytes(board), one)
                for before in self.kinds:
                    if mask >> before & 1:
                        found[before] |= 1 << kind
        return found

    def _read(self, board: bytes, cell: int, number: int, at: int) -> tuple[int, dict[int, int]]:
        """The kinds for which one part of the requirements is not broken, and the cells that were looked at for it."""
        noting = Noting(board)
        layer = self.layers[number]
        known = self._known.get((number, cell))
        if known is None:
            known = self._known[number, cell] = self.parts(layer, cell), self.unknown(layer)
        parts, unknown = known
        term, elements = parts[at]
        env = {**unknown, layer.cell: exactly(cell), **elements}
        return self._allowed(term, self.reading(noting), layer.tile, env, self._all), noting.looked

    def _allowed(self, term: t.Term, reading: Evaluator[Possible, PossibleSet], tile: str, env: Env, kinds: int) -> int:
        """The kinds among some for which a condition may hold."""
        match term:
            case t.And(parts):
                for part in parts:
                    kinds = self._allowed(part, reading, tile, env, kinds)
                return kinds
            case t.Or(parts):
                found = 0
                for part in parts:
                    found |= self._allowed(part, reading, tile, env, kinds & ~found)
                return found
            case _ if not kinds:
                return 0
            case _ if tile not in free_names(term):
                return 0 if reading.value(term, env).never else kinds
            case _:
                asked = [kind for kind in self.kinds if kinds >> kind & 1]
                holds = self._for_each(term, reading, tile, env, asked)
                return sum(1 << kind for kind, found in zip(asked, holds, strict=True) if not found.never)

    def _for_each(
        self, term: t.Term, reading: Evaluator[Possible, PossibleSet], tile: str, env: Env, kinds: list[int]
    ) -> list[Possible]:
        """What a term comes to for each kind; a side of a comparison that does not ask for the tile is read once."""
        if tile not in free_names(term):
            return [reading.value(term, env)] * len(kinds)
        match term:
            case t.Compare(operator, left, right):
                sides = [self._for_each(side, reading, tile, env, kinds) for side in (left, right)]
                return [reading.algebra.compare(operator, one, other) for one, other in zip(*sides, strict=True)]
            case _:
                return [reading.value(term, {**env, tile: exactly(kind)}) for kind in kinds]

    def reading(self, board: Sequence[int]) -> Evaluator[Possible, PossibleSet]:
        cautious = Cautious(self.engine.ground, self.engine.layout, {self.space: board}, frozenset(self.kinds))
        return Evaluator(self.engine.ground, cautious)

    def unknown(self, layer: Layer) -> dict[str, Possible]:
        return unknown(self.engine, layer.action)

    def parts(self, layer: Layer, cell: int) -> list[Part]:
        """The requirements of an action, taken apart at `and` and at `every` over cells that are known."""
        reading = self.reading(bytes(self.engine.ground.windows[self.space].size + 1))
        env = {**self.unknown(layer), layer.cell: exactly(cell)}
        found: list[Part] = []
        pending: list[Part] = [(r.condition, {}) for r in reversed(layer.action.requirements)]
        while pending:
            term, elements = pending.pop()
            match term:
                case t.And(parts):
                    pending += [(part, elements) for part in reversed(parts)]
                case t.Quantified(Quantifier.EVERY, bound, body) if layer.tile not in free_names(bound.domain):
                    domain = reading.set(bound.domain, {**env, **elements})
                    if domain.items is None:
                        found.append((term, elements))
                        continue
                    one = body if bound.where is None else t.Or((t.Not(bound.where, body.type), body), body.type)
                    pending += [(one, {**elements, bound.name: item}) for item, _ in reversed(domain.items)]
                case _:
                    found.append((term, elements))
        return found


def unknown(engine: Engine, action: Action) -> dict[str, Possible]:
    """The parameters of an action, of which nothing is known."""
    env: dict[str, Possible] = {}
    for parameter in action.parameters:
        allowed = engine.ground.domain(parameter.type)
        env[parameter.name] = Possible(allowed.start, allowed.stop) if allowed else Possible(-HUGE, HUGE)
    return env


def fitting(engine: Engine, analysis: Analysis, space: str, kinds: Iterable[int]) -> Fitting | None:
    """The reading of a board for the kinds still to come.

    None where tiles come to lie in another way than by an action that names tile and cell.
    """
    layers: list[Layer] = []
    named = {name for choice in engine.choices for name in choice.actions}
    puts = [clause for clause in analysis.clauses if isinstance(clause.effect, e.Put) and clause.effect.space == space]
    for name in sorted(named):
        action = engine.game.actions[name]
        for clause in action.effects:
            match clause.effect:
                case e.Put(t.Local(tile), where, t.Local(cell)) if where == space:
                    layers.append(Layer(action, tile, cell))
                    puts.remove(clause)
                case _:
                    pass
    if puts:
        return None
    conditions = [requirement.condition for layer in layers for requirement in layer.action.requirements]
    alike = alike_cells(engine, space, conditions)
    return Fitting(engine, space, tuple(layers), tuple(sorted(kinds)), alike)
