"""Rules that differ from the accepted ones: the change sets between the two, each of which can be accepted by itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from rulewright.base.records import define, field, frozen
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.to_text import print_module
from rulewright.rules.clauses.clause_diff import Difference
from rulewright.rules.clauses.decompose import module_of
from rulewright.rules.linking.from_modules import combine
from rulewright.rules.linking.project import Combination
from rulewright.studies.rule_impact import ChangeSet, ImpactAnalysis


@frozen
class Change:
    """A snapshot's path, its accepted text and its present text; None for a missing text."""

    path: Path
    before: str | None
    after: str | None


@define(eq=False)
class RulesChange:
    """A changed snapshot of linked rules, with the old and the new rules. `seconds` limits the solving of each question."""

    change: Change
    old: Combination
    new: Combination
    seconds: float
    accepted: set[ChangeSet] = field(factory=set, init=False)

    @classmethod
    def of(cls, change: Change, new: Combination, seconds: float) -> RulesChange:
        """The change from the accepted text of a snapshot to the present rules."""
        assert change.before is not None
        accepted = parse_module(change.before, str(change.path))
        name = accepted.header.name
        return cls(change, Combination(*combine({name: accepted}), (name,)), new, seconds)

    @cached_property
    def analysis(self) -> ImpactAnalysis:
        return ImpactAnalysis(self.old, self.new, self.seconds)

    @cached_property
    def change_sets(self) -> tuple[ChangeSet, ...]:
        """The change sets with an impact, then one with all other changed clauses."""
        listed = {place for change_set in self.analysis.change_sets for place in change_set}
        rest = tuple(d.place for d in self.analysis.comparison.differences if d.place not in listed)
        return (*self.analysis.change_sets, *([rest] if rest else []))

    def differences(self, change_sets: Iterable[ChangeSet]) -> tuple[Difference, ...]:
        """The differences contained in some change sets."""
        places = {place for change_set in change_sets for place in change_set}
        return tuple(d for d in self.analysis.comparison.differences if d.place in places)

    def with_accepted(self, change_sets: Iterable[ChangeSet]) -> Change | None:
        """The snapshot with these change sets accepted in addition to earlier ones; None if none of them belongs to it."""
        fresh = set(change_sets) & set(self.change_sets)
        if not fresh:
            return None
        self.accepted |= fresh
        if self.accepted >= set(self.change_sets):
            return self.change
        book = self.analysis.comparison.between([place for change_set in self.accepted for place in change_set])
        return Change(self.change.path, self.change.before, print_module(module_of(book, self.new.roots[0])))
