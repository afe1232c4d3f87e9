"""Change impact analysis: the effect of a rule change on puzzles, and the changed clauses that cause it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, partial

from rulewright.base.deadline import limited
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.grammar.tree.puzzles import Goal, Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.linking.from_modules import link_book
from rulewright.rules.linking.project import Combination, Project
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.merging.rulebook import Family
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from rulewright.workers.executor import Executor, Job

from .verified_plan import REPLAYING

ChangeSet = tuple[Place, ...]
"""Clauses that change together, independently of all others."""


@frozen
class Outcome:
    """The result of a position under some rules: legal actions and score items as texts, the score, and the answer.

    `answer` is a proved optimum; None if nothing is asked, or it is impossible or not proved in time. `plan` is one of the
    plans that reach it. For a question of who wins, `is_of_a_win` holds and the answer is 1, 0 or -1.
    """

    legal: tuple[str, ...]
    score: int
    items: tuple[str, ...]
    answer: int | Fraction | None
    status: Status | None
    plan: tuple[Move, ...] = field(default=(), eq=False)
    is_of_a_win: bool = False

    @classmethod
    def of(cls, position: Position, result: Result | None) -> Outcome:
        """The outcome of a position, with the result of solving its question, if it asks one."""
        now = cls(position.legal_actions, position.score, position.score_items, None, None)
        if result is None:
            return now
        best, plan = (result.value, result.plan) if result.status is Status.OPTIMAL else (None, ())
        is_of_a_win = position.question is not None and position.question.goal is Goal.WIN and result.expectation is None
        return evolve(now, answer=best, status=result.status, plan=tuple(plan), is_of_a_win=is_of_a_win)

    @property
    def is_decided(self) -> bool:
        """Whether the question, if there is one, is answered with proof."""
        return self.status in (None, Status.OPTIMAL, Status.IMPOSSIBLE)

    @property
    def is_reached(self) -> bool:
        return self.status is not Status.IMPOSSIBLE


@frozen
class Contribution:
    """The change of an outcome caused by one change set alone; an empty set stands for all of them together.

    `answer` and `score` are differences; `reached` is 1 if a goal became reachable and -1 if it became unreachable; `legal` and
    `items` say whether the legal actions and the items of the score differ.
    """

    change_set: ChangeSet
    answer: int | Fraction = 0
    score: int = 0
    reached: int = 0
    legal: bool = False
    items: bool = False

    @property
    def is_nothing(self) -> bool:
        return not (self.answer or self.score or self.reached or self.legal or self.items)

    @classmethod
    def of(cls, change_set: ChangeSet, before: Outcome, after: Outcome) -> Contribution:
        """The difference of two outcomes."""
        known = before.answer is not None and after.answer is not None
        answers = (after.answer or 0) - (before.answer or 0) if known else 0
        reached = after.is_reached - before.is_reached if before.is_decided and after.is_decided else 0
        legal, items = set(after.legal) != set(before.legal), after.items != before.items
        return cls(change_set, answers, after.score - before.score, reached, legal, items)

    def without(self, others: Sequence[Contribution]) -> Contribution:
        """The residual: this contribution minus those of single change sets."""
        return Contribution(
            (),
            self.answer - sum(other.answer for other in others),
            self.score - sum(other.score for other in others),
            self.reached - sum(other.reached for other in others),
            self.legal and not any(other.legal for other in others),
            self.items and not any(other.items for other in others),
        )


@frozen
class Impact:
    """The outcomes of a puzzle under the old and the new rules; `refused` is the error if it cannot be set up under one of
    them."""

    puzzle: str
    before: Outcome | None
    after: Outcome | None
    refused: str = ""
    contributions: tuple[Contribution, ...] = ()

    @property
    def is_nothing(self) -> bool:
        return self.before == self.after and not self.refused

    @property
    def legal_changes(self) -> tuple[list[str], list[str]]:
        """The actions that became legal, and those that became illegal."""
        if self.before is None or self.after is None:
            return [], []
        old, new = self.before.legal, self.after.legal
        return [text for text in new if text not in old], [text for text in old if text not in new]


@define
class ImpactAnalysis:
    """Evaluates puzzles under two sets of rules, and under the first with single change sets of the second applied."""

    one: Combination
    other: Combination
    seconds: float

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison.of(self.one.book, self.other.book)

    @cached_property
    def change_sets(self) -> tuple[ChangeSet, ...]:
        """The change sets that lead from the first rules to the second."""
        return tuple(self.comparison.steps())

    @cached_property
    def games(self) -> tuple[Game, Game]:
        """Both games, linked. Raises `RulesError`."""
        return self.one.linked, self.other.linked

    def impact(self, puzzle: Puzzle, before: Outcome | None = None, after: Outcome | None = None) -> Impact:
        """The impact on a puzzle, with the contribution of each change set; known outcomes may be passed in."""
        outcomes: list[Outcome | None] = []
        refused = ""
        for game, known in zip(self.games, (before, after), strict=True):
            try:
                outcomes.append(known or self._outcome(puzzle, game))
            except RulesError as error:
                outcomes.append(None)
                refused = refused or error.diagnostics[0].message
        before, after = outcomes
        if before is None or after is None or before == after:
            return Impact(puzzle.name, before, after, refused)
        return Impact(puzzle.name, before, after, "", tuple(self._contributions(puzzle, before, after)))

    def _contributions(self, puzzle: Puzzle, before: Outcome, after: Outcome) -> Iterator[Contribution]:
        whole = Contribution.of((), before, after)
        if len(self.change_sets) == 1:
            yield evolve(whole, change_set=self.change_sets[0])
            return
        found = [alone for one in self.change_sets if (alone := self._alone(one, puzzle, before)) is not None]
        yield from (contribution for contribution in found if not contribution.is_nothing)
        if not (rest := whole.without(found)).is_nothing:
            yield rest

    def _alone(self, change_set: ChangeSet, puzzle: Puzzle, before: Outcome) -> Contribution | None:
        """The contribution of a change set applied alone; None if that gives no valid game or position."""
        game = self.between(change_set)
        if game is None:
            return None
        try:
            return Contribution.of(change_set, before, self._outcome(puzzle, game))
        except RulesError:
            return None

    @cached_property
    def between(self) -> Callable[[ChangeSet], Game | None]:
        """The first rules with a change set applied; None if that gives no valid game."""
        return cache(self._linked)

    def _linked(self, change_set: ChangeSet) -> Game | None:
        modules = (*self.one.family.modules, *self.other.family.modules)
        family = Family(tuple({module.header.span.source: module for module in modules}.values()), {}, self.other.family.limits)
        try:
            return link_book(family, self.comparison.between(change_set), self.other.roots)
        except RulesError:
            return None

    def _outcome(self, puzzle: Puzzle, game: Game) -> Outcome:
        with limited(self.seconds + REPLAYING, "the puzzle was set up and answered"):
            position = set_up_position(puzzle, game)
            if position.question is None:
                return Outcome.of(position, None)
            return Outcome.of(position, answer(position.asked, position.root, position.question, Limits(self.seconds)))


@define
class RuleSubstitution:
    """Evaluates puzzles as their modules change from one combination to another.

    Modules that a puzzle names but neither combination contains stay on both sides.
    """

    project: Project
    one: Combination
    other: Combination
    seconds: float
    _analyses: dict[tuple[str, ...], ImpactAnalysis] = field(factory=dict, init=False, repr=False)

    def impact(self, puzzle: Puzzle) -> Impact:
        """The impact on a puzzle; refused under both if its modules cannot be combined."""
        try:
            return self.analysis(puzzle).impact(puzzle)
        except RulesError as error:
            return Impact(puzzle.name, None, None, error.diagnostics[0].message)

    def analysis(self, puzzle: Puzzle) -> ImpactAnalysis:
        """The analysis of both combinations, with the puzzle's own modules added. Raises `RulesError`."""
        known = {name for combination in (self.one, self.other) for name in combination.family.ancestors}
        beside = tuple((name, span) for name, span in puzzle.rules if name not in known)
        names = tuple(name for name, _ in beside)
        if names not in self._analyses:
            one, other = (self.project.beside(combination, beside) for combination in (self.one, self.other))
            self._analyses[names] = ImpactAnalysis(one, other, self.seconds)
        return self._analyses[names]


def impacts(substitution: RuleSubstitution, puzzles: Sequence[Puzzle], executor: Executor) -> Iterator[Impact]:
    """The impact on each puzzle, in order."""
    project = substitution.project.portable()
    make = partial(RuleSubstitution, project, substitution.one, substitution.other, substitution.seconds)
    return executor.in_order(Job(make, RuleSubstitution.impact, opened=substitution), puzzles)
