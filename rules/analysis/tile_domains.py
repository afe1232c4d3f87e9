"""The domain of a cell: the kinds of tile that may ever be laid there, given the tiles around it.

It derives from the requirements of the actions that lay tiles, with all of the state but one board abstracted away. On an
append-only board a requirement that the tiles already laid violate stays violated, so domains only shrink.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.rules.static.abstract_values import HUGE, AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis

from .translation import MAX_RADIUS, TranslationMemo, translatable_cells


@frozen
class LayingAction:
    """An action that lays a tile, with the names of the parameters for the tile and its cell."""

    action: Action
    tile: str
    cell: str


Environment = dict[str, AbstractValue]

Conjunct = tuple[terms.Term, Environment]
"""A conjunct of the requirements, with the elements that enclosing quantifiers bind; each reads few cells."""


@define
class TileDomains:
    """Domains of the cells of one board, as bit sets: bit n stands for kind n.

    `translatable` cells have the same conjuncts, as long as these read no farther than MAX_RADIUS.
    """

    engine: Engine
    space: str
    laying_actions: tuple[LayingAction, ...]
    kinds: tuple[int, ...]
    memo: TranslationMemo[int]
    translatable: frozenset[int]
    _conjuncts: dict[tuple[str, int], list[Conjunct]] = field(factory=dict)

    @classmethod
    def of(cls, engine: Engine, space: str, laying_actions: tuple[LayingAction, ...], kinds: Iterable[int]) -> TileDomains:
        conditions = tuple(r.condition for laying in laying_actions for r in laying.action.requirements)
        memo: TranslationMemo[int] = TranslationMemo(engine, space, conditions, MAX_RADIUS)
        return cls(engine, space, laying_actions, tuple(sorted(kinds)), memo, translatable_cells(engine, space, conditions))

    def domain(self, board: bytes, cell: int) -> int:
        """The kinds that may ever be laid on a vacant cell, as bits."""
        union = 0
        for laying in self.laying_actions:
            allowed = self._all
            for at, conjunct in enumerate(self.conjuncts(laying, cell)):
                evaluate = partial(self._allowed, laying, cell, conjunct)
                allowed &= self.memo.value(board, cell, evaluate, (laying.action.name, at))
                if not allowed:
                    break
            union |= allowed
        return union

    @property
    def _all(self) -> int:
        return sum(1 << kind for kind in self.kinds)

    def _allowed(self, laying: LayingAction, cell: int, conjunct: Conjunct, board: Sequence[int]) -> int:
        """The kinds for which a conjunct may hold, as bits."""
        term, elements = conjunct
        evaluator = self.evaluator(board)
        environment = {**unknown_parameters(self.engine, laying.action), laying.cell: exactly(cell), **elements}
        if laying.tile not in locals_in(term):
            return 0 if evaluator.value(term, environment).never else self._all
        possible = {kind: evaluator.value(term, {**environment, laying.tile: exactly(kind)}) for kind in self.kinds}
        return sum(1 << kind for kind, holds in possible.items() if not holds.never)

    def evaluator(self, board: Sequence[int]) -> Evaluator[AbstractValue, AbstractSet]:
        """An evaluator that knows nothing but the board."""
        algebra = AbstractAlgebra(self.engine.instance, self.engine.layout, {self.space: board}, frozenset(self.kinds))
        return Evaluator(self.engine.instance, algebra)

    def conjuncts(self, laying: LayingAction, cell: int) -> list[Conjunct]:
        """The requirements of an action, split at `and` and at `every` over known elements."""
        known = self._conjuncts.get((laying.action.name, cell))
        if known is None:
            known = self._conjuncts[laying.action.name, cell] = self._split(laying, cell)
        return known

    def _split(self, laying: LayingAction, cell: int) -> list[Conjunct]:
        evaluator = self.evaluator(bytes(self.engine.instance.windows[self.space].size + 1))
        environment = {**unknown_parameters(self.engine, laying.action), laying.cell: exactly(cell)}
        found: list[Conjunct] = []
        pending: list[Conjunct] = [(r.condition, {}) for r in reversed(laying.action.requirements)]
        while pending:
            term, elements = pending.pop()
            match term:
                case terms.And(parts):
                    pending += [(part, elements) for part in reversed(parts)]
                case terms.Fold(terms.Kind.EVERY, bound, body) if laying.tile not in locals_in(bound.domain):
                    domain = evaluator.set(bound.domain, {**environment, **elements})
                    if domain.items is None:
                        found.append((term, elements))
                        continue
                    one = body if bound.where is None else terms.Or((terms.Not(bound.where), body))
                    pending += [(one, {**elements, bound.name: item}) for item, _ in reversed(domain.items)]
                case _:
                    found.append((term, elements))
        return found


def unknown_parameters(engine: Engine, action: Action) -> Environment:
    """The parameters of an action, each bound to the whole range of its type."""
    environment: Environment = {}
    for parameter in action.parameters:
        allowed = engine.instance.domain(parameter.type)
        environment[parameter.name] = AbstractValue(allowed.start, allowed.stop) if allowed else AbstractValue(-HUGE, HUGE)
    return environment


def tile_domains(engine: Engine, analysis: DataflowAnalysis, space: str, kinds: Iterable[int]) -> TileDomains | None:
    """The domains of the cells of a board for the kinds still to come.

    None if a tile can reach the board other than by an action whose parameters are the tile and its cell.
    """
    laying_actions: list[LayingAction] = []
    puts = [clause for clause in analysis.clauses if effects.cell_laid(clause.effect, space) is not None]
    for action in sorted(analysis.offered, key=lambda action: action.name):
        for clause in action.effects:
            match clause.effect:
                case effects.Transfer(terms.Local(tile), _, effects.Location(where, (terms.Local(cell),))) if where == space:
                    laying_actions.append(LayingAction(action, tile, cell))
                    puts.remove(clause)
    if puts:
        return None
    return TileDomains.of(engine, space, tuple(laying_actions), kinds)
