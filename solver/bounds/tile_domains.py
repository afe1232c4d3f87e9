"""The domain of a cell: the kinds of tile that may ever be laid there, given the tiles around it.

Derived from the requirements of the actions that lay tiles, with all of the state but one board abstracted away. On an
append-only board a requirement that the tiles already laid violate stays violated, so domains only shrink.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import HUGE, AbstractAlgebra, AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis

from .dependency_memo import DependencyMemo, RecordingBoard
from .translation_symmetry import TRANSLATABLE, is_within, translatable_cells


@frozen
class LayingAction:
    """An action that lays a tile, with the names of the parameters that are the tile and its cell."""

    action: Action
    tile: str
    cell: str


Environment = dict[str, AbstractValue]

Conjunct = tuple[terms.Term, Environment]
"""A conjunct of the requirements, with the elements that enclosing quantifiers bind; each reads few cells."""


@define
class TileDomains:
    """Domains of cells on one board, as sets of bits: bit n stands for kind n.

    Each conjunct is memoised by the cells that it reads, in one memo for all `translatable` cells and one for every other cell.
    """

    engine: Engine
    space: str
    laying_actions: tuple[LayingAction, ...]
    kinds: tuple[int, ...]
    translatable: frozenset[int] = frozenset()
    _memos: dict[int, list[list[DependencyMemo[int]]]] = field(factory=dict)
    _all: int = 0
    _known: dict[tuple[int, int], tuple[list[Conjunct], Environment]] = field(factory=dict)

    def domain(self, board: bytes, cell: int) -> int:
        """The kinds that may ever be laid on a vacant cell."""
        key, base = (TRANSLATABLE, cell) if cell in self.translatable else (cell, 0)
        memos_by_action = self._memos.get(key)
        if memos_by_action is None:
            memos_by_action = self._memos[key] = [
                [DependencyMemo() for _ in self.conjuncts(laying, cell)] for laying in self.laying_actions
            ]
            self._all = sum(1 << kind for kind in self.kinds)
        union = 0
        for number, memos in enumerate(memos_by_action):
            allowed = self._all
            for at, memo in enumerate(memos):
                known = memo.lookup(board, base)
                if known is None:
                    known, cells_read = self._evaluate(board, cell, number, at)
                    if key == TRANSLATABLE and not self._is_local(cell, cells_read):
                        self.translatable = frozenset()
                        self._memos.clear()
                        return self.domain(board, cell)
                    memo.store(cells_read, known, base)
                allowed &= known
                if not allowed:
                    break
            union |= allowed
        return union

    def _is_local(self, cell: int, cells_read: Iterable[int]) -> bool:
        window = self.engine.instance.windows[self.space]
        return all(is_within(window, cell, near) for near in cells_read)

    def _evaluate(self, board: bytes, cell: int, number: int, at: int) -> tuple[int, dict[int, int]]:
        """The kinds for which a conjunct of an action may hold, and the cells that were read for it."""
        recording = RecordingBoard(board)
        laying = self.laying_actions[number]
        known = self._known.get((number, cell))
        if known is None:
            known = self._known[number, cell] = self.conjuncts(laying, cell), unknown_parameters(self.engine, laying.action)
        conjuncts, unknown = known
        term, elements = conjuncts[at]
        environment = {**unknown, laying.cell: exactly(cell), **elements}
        return self._allowed(term, self.evaluator(recording), laying.tile, environment, self._all), recording.cells_read

    def _allowed(
        self,
        term: terms.Term,
        evaluator: Evaluator[AbstractValue, AbstractSet],
        tile: str,
        environment: Environment,
        kinds: int,
    ) -> int:
        """The kinds among some for which a condition may hold."""
        match term:
            case terms.And(parts):
                for part in parts:
                    kinds = self._allowed(part, evaluator, tile, environment, kinds)
                return kinds
            case terms.Or(parts):
                found = 0
                for part in parts:
                    found |= self._allowed(part, evaluator, tile, environment, kinds & ~found)
                return found
            case _ if not kinds:
                return 0
            case _ if tile not in locals_in(term):
                return 0 if evaluator.value(term, environment).never else kinds
            case _:
                asked = [kind for kind in self.kinds if kinds >> kind & 1]
                holds = self._for_each(term, evaluator, tile, environment, asked)
                return sum(1 << kind for kind, found in zip(asked, holds, strict=True) if not found.never)

    def _for_each(
        self,
        term: terms.Term,
        evaluator: Evaluator[AbstractValue, AbstractSet],
        tile: str,
        environment: Environment,
        kinds: list[int],
    ) -> list[AbstractValue]:
        """The value of a term for each kind; a side of a comparison that does not mention the tile is evaluated once."""
        if tile not in locals_in(term):
            return [evaluator.value(term, environment)] * len(kinds)
        match term:
            case terms.Compare(operator, left, right):
                sides = [self._for_each(side, evaluator, tile, environment, kinds) for side in (left, right)]
                return [evaluator.algebra.compare(operator, one, other) for one, other in zip(*sides, strict=True)]
            case _:
                return [evaluator.value(term, {**environment, tile: exactly(kind)}) for kind in kinds]

    def evaluator(self, board: Sequence[int]) -> Evaluator[AbstractValue, AbstractSet]:
        """Abstract values of terms of which only the board is known."""
        algebra = AbstractAlgebra(self.engine.instance, self.engine.layout, {self.space: board}, frozenset(self.kinds))
        return Evaluator(self.engine.instance, algebra)

    def conjuncts(self, laying: LayingAction, cell: int) -> list[Conjunct]:
        """The requirements of an action, split at `and` and at `every` over elements that are known."""
        evaluator = self.evaluator(bytes(self.engine.instance.windows[self.space].size + 1))
        environment = {**unknown_parameters(self.engine, laying.action), laying.cell: exactly(cell)}
        found: list[Conjunct] = []
        pending: list[Conjunct] = [(r.condition, {}) for r in reversed(laying.action.requirements)]
        while pending:
            term, elements = pending.pop()
            match term:
                case terms.And(parts):
                    pending += [(part, elements) for part in reversed(parts)]
                case terms.Quantified(Quantifier.EVERY, bound, body) if laying.tile not in locals_in(bound.domain):
                    domain = evaluator.set(bound.domain, {**environment, **elements})
                    if domain.items is None:
                        found.append((term, elements))
                        continue
                    one = body if bound.where is None else terms.Or((terms.Not(bound.where, body.type), body), body.type)
                    pending += [(one, {**elements, bound.name: item}) for item, _ in reversed(domain.items)]
                case _:
                    found.append((term, elements))
        return found


def unknown_parameters(engine: Engine, action: Action) -> Environment:
    """The parameters of an action, each with any value of its type."""
    environment: Environment = {}
    for parameter in action.parameters:
        allowed = engine.instance.domain(parameter.type)
        environment[parameter.name] = AbstractValue(allowed.start, allowed.stop) if allowed else AbstractValue(-HUGE, HUGE)
    return environment


def tile_domains(engine: Engine, analysis: DataflowAnalysis, space: str, kinds: Iterable[int]) -> TileDomains | None:
    """The domains of the cells of a board for the kinds still to come.

    None when a tile can come to the board by any effect but that of an action whose parameters are the tile and its cell.
    """
    laying_actions: list[LayingAction] = []
    named = {name for choice in engine.choices for name in choice.actions}
    puts = [clause for clause in analysis.clauses if isinstance(clause.effect, effects.Put) and clause.effect.space == space]
    for name in sorted(named):
        action = engine.game.actions[name]
        for clause in action.effects:
            match clause.effect:
                case effects.Put(terms.Local(tile), where, terms.Local(cell)) if where == space:
                    laying_actions.append(LayingAction(action, tile, cell))
                    puts.remove(clause)
                case _:
                    pass
    if puts:
        return None
    conditions = [requirement.condition for laying in laying_actions for requirement in laying.action.requirements]
    translatable = translatable_cells(engine, space, conditions)
    return TileDomains(engine, space, tuple(laying_actions), tuple(sorted(kinds)), translatable)
