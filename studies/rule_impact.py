"""What two sets of rules make of the same positions, and which of their differences makes it so."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cached_property
from multiprocessing import get_context

from attrs import evolve, field

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.linking.from_modules import link_book
from rulewright.rules.linking.project import Combination
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.merging.module_order import Family
from rulewright.rules.model.game import Game
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.score_breakdown import describe_item, score_items
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.budget import Limits
from rulewright.solver.result import Status

Step = tuple[Place, ...]
"""Clauses that are changed together."""


@frozen
class Outcome:
    """What a position comes to: actions, the score and its items as texts, and the answer.

    `answer` is proved, or None: not in the time, nothing is asked, or it cannot be reached.
    """

    legal: tuple[str, ...]
    score: int
    items: tuple[str, ...]
    answer: int | None
    status: Status | None

    @property
    def is_decided(self) -> bool:
        """Whether nothing is left open."""
        return self.status in (None, Status.OPTIMAL, Status.IMPOSSIBLE)

    @property
    def is_reached(self) -> bool:
        return self.status is not Status.IMPOSSIBLE


@frozen
class Share:
    """What a step does to a position by itself; of an empty step, what only all of them together do.

    `reached` is 1 where a question has the answer yes now, -1 where it has it no more; `items`: the score is counted otherwise.
    """

    step: Step
    answer: int = 0
    score: int = 0
    reached: int = 0
    legal: bool = False
    items: bool = False

    @property
    def is_nothing(self) -> bool:
        return not (self.answer or self.score or self.reached or self.legal or self.items)

    @classmethod
    def of(cls, step: Step, before: Outcome, after: Outcome) -> Share:
        """What lies between two outcomes."""
        known = before.answer is not None and after.answer is not None
        answers = (after.answer or 0) - (before.answer or 0) if known else 0
        reached = after.is_reached - before.is_reached if before.is_decided and after.is_decided else 0
        legal, items = set(after.legal) != set(before.legal), after.items != before.items
        return cls(step, answers, after.score - before.score, reached, legal, items)

    def without(self, others: Sequence[Share]) -> Share:
        """What is left when the others have had theirs."""
        return Share(
            (),
            self.answer - sum(other.answer for other in others),
            self.score - sum(other.score for other in others),
            self.reached - sum(other.reached for other in others),
            self.legal and not any(other.legal for other in others),
            self.items and not any(other.items for other in others),
        )


@frozen
class Effect:
    """What the differences do to a puzzle. Where it cannot be set up under one of the rules, `refused` says why."""

    puzzle: str
    before: Outcome | None
    after: Outcome | None
    refused: str = ""
    shares: tuple[Share, ...] = ()

    @property
    def is_nothing(self) -> bool:
        return self.before == self.after and not self.refused


@define
class Measure:
    """Poses puzzles under two sets of rules and those between them, and has them answered."""

    one: Combination
    other: Combination
    seconds: float
    _between: dict[Step, Game | None] = field(factory=dict, init=False, repr=False)

    @cached_property
    def comparison(self) -> Comparison:
        return Comparison.of(self.one.book, self.other.book)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What can be changed by itself."""
        return tuple(self.comparison.steps())

    @cached_property
    def _games(self) -> tuple[Game, Game]:
        return self.one.linked, self.other.linked

    def effect(self, puzzle: Puzzle) -> Effect:
        """What the differences do to a puzzle, and the share of each."""
        outcomes: list[Outcome | None] = []
        refused = ""
        for game in self._games:
            try:
                outcomes.append(self._outcome(puzzle, game))
            except RulesError as error:
                outcomes.append(None)
                refused = refused or error.diagnostics[0].message
        before, after = outcomes
        if before is None or after is None or before == after:
            return Effect(puzzle.name, before, after, refused)
        return Effect(puzzle.name, before, after, "", tuple(self._shares(puzzle, before, after)))

    def _shares(self, puzzle: Puzzle, before: Outcome, after: Outcome) -> Iterator[Share]:
        whole = Share.of((), before, after)
        if len(self.steps) == 1:
            yield evolve(whole, step=self.steps[0])
            return
        found = [share for step in self.steps if (share := self._alone(step, puzzle, before)) is not None]
        yield from (share for share in found if not share.is_nothing)
        if not (rest := whole.without(found)).is_nothing:
            yield rest

    def _alone(self, step: Step, puzzle: Puzzle, before: Outcome) -> Share | None:
        """What a step does by itself; None where it makes no game, or none in which the position can stand."""
        game = self.between(step)
        if game is None:
            return None
        try:
            return Share.of(step, before, self._outcome(puzzle, game))
        except RulesError:
            return None

    def between(self, step: Step) -> Game | None:
        """The first rules with a step changed; None where that makes no game."""
        if step not in self._between:
            self._between[step] = self._linked(step)
        return self._between[step]

    def _linked(self, step: Step) -> Game | None:
        modules = (*self.one.family.modules, *self.other.family.modules)
        family = Family(tuple({module.header.span.source: module for module in modules}.values()), {}, self.other.family.limits)
        try:
            return link_book(family, self.comparison.between(step), self.other.roots)
        except RulesError:
            return None

    def _outcome(self, puzzle: Puzzle, game: Game) -> Outcome:
        position = set_up_position(puzzle, game)
        engine, state = position.engine, position.state
        legal = tuple(format_move(engine, state, move) for move in engine.legal(state))
        score, items = engine.score(state), tuple(describe_item(engine, item) for item in score_items(engine, state))
        if position.question is None:
            return Outcome(legal, score, items, None, None)
        result = answer(position.asked, state, position.question, Limits(self.seconds))
        proved = result.score if result.status is Status.OPTIMAL else None
        return Outcome(legal, score, items, proved, result.status)


def effects(measure: Measure, puzzles: Sequence[Puzzle], workers: int) -> Iterator[Effect]:
    """The effects on puzzles, in their order, worked out in one process or several."""
    if workers == 1 or len(puzzles) < 2:
        yield from map(measure.effect, puzzles)
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _take_up, (measure,))
    try:
        yield from pool.map(_effect, puzzles)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_taken_up: list[Measure] = []
"""The measure of a worker process."""


def _take_up(measure: Measure) -> None:
    # The parent stops the work when the user interrupts.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _taken_up[:] = [measure]


def _effect(puzzle: Puzzle) -> Effect:
    return _taken_up[0].effect(puzzle)
