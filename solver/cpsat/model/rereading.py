"""Tracked variables that a list of effects reads after changing them: the graph only has their values before the list."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import define
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model.game import Game
from rulewright.rules.static.dataflow import flat, reads


def reread_variables(game: Game, clauses: Sequence[ef.EffectClause], tracked: frozenset[str]) -> frozenset[str]:
    """The tracked variables that the effects change and later read, if the read affects what the model encodes."""
    walk = _Walk(game, tracked, set())
    while True:
        before = len(walk.found)
        walk.follow(clauses, set())
        if len(walk.found) == before:
            return frozenset(walk.found)


@define
class _Walk:
    """One pass over effects in the order written; a loop may read in one round what it has changed in another."""

    game: Game
    tracked: frozenset[str]
    found: set[str]

    def follow(self, clauses: Sequence[ef.EffectClause], changed: set[str]) -> None:
        """Record reads of the variables changed so far, and add to these the variables that the effects change."""
        for clause in clauses:
            if not any(self._matters(inner.effect) for inner in flat([clause])):
                changed |= _changed_in([clause])
                continue
            match clause.effect:
                case ef.ForEach(binder, body):
                    self._read(reads(self.game, binder.domain), changed)
                    changed |= _changed_in(body)
                    self._read(reads(self.game, binder.where), changed)
                    self.follow(body, changed)
                case ef.Keep(_, value, body):
                    self._read(reads(self.game, value), changed)
                    self.follow(body, changed)
                case ef.When(condition, body, otherwise):
                    self._read(reads(self.game, condition), changed)
                    self.follow(body, changed)
                    self.follow(otherwise, changed)
                case effect:
                    self._read(reads(self.game, effect) | _used(effect), changed)
                    changed |= ef.changed_by(effect)

    def _read(self, names: set[str], changed: set[str]) -> None:
        self.found |= names & changed & self.tracked

    def _matters(self, effect: ef.Effect) -> bool:
        """Whether an effect writes an encoded variable, or branches on an untracked one."""
        match effect:
            case ef.ForEach(binder):
                return not reads(self.game, binder) <= self.tracked
            case ef.Keep(_, value):
                return not reads(self.game, value) <= self.tracked
            case ef.When(condition):
                return not reads(self.game, condition) <= self.tracked
            case _:
                return not ef.changed_by(effect) <= self.tracked - self.found


def _changed_in(clauses: Sequence[ef.EffectClause]) -> set[str]:
    return {name for clause in flat(clauses) for name in ef.changed_by(clause.effect)}


def _used(effect: ef.Effect) -> set[str]:
    """The variables on which an effect depends besides its terms."""
    match effect:
        case ef.Deal(_, source) | ef.Shuffle(source):
            return {source.variable}
        case ef.Assign(target, assignment) if assignment is not Assignment.SET:
            return {target.variable}
        case _:
            return set()
