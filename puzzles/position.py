"""A position: a validated state of a game from which play goes on, and the question asked of it."""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import frozen
from rulewright.grammar.tree.puzzles import Ask, Goal, Puzzle
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.score_breakdown import describe_item, score_items


@frozen
class Position:
    """What a puzzle denotes. `question` is None when it asks nothing."""

    puzzle: Puzzle
    engine: Engine
    state: State
    question: Question | None = None

    @property
    def asked(self) -> Engine:
        """The engine on which play ends at the question's horizon."""
        if self.question is None or self.question.horizon is None:
            return self.engine
        return self.engine.with_horizon(self.question.horizon)

    @cached_property
    def root(self) -> State:
        """Where the question begins: the state, but for a choice at which nothing can be done, which play passes over."""
        engine = self.asked
        if engine.over(self.state) or engine.legal(self.state):
            return self.state
        from rulewright.rules.play.reference_engine import ReferenceEngine

        return ReferenceEngine(engine).passed_on(self.state)

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """The legal actions as players write them."""
        return tuple(format_move(self.engine, self.state, move) for move in self.engine.legal(self.state))

    @property
    def score(self) -> int:
        """The score of the position as it stands."""
        return self.engine.score(self.state)

    @property
    def score_items(self) -> tuple[str, ...]:
        """The items of the score in words, each with its cell, tile and rule."""
        return tuple(describe_item(self.engine, item) for item in score_items(self.engine, self.state))

    @property
    def objective(self) -> str:
        """The value that the question is about, as written: `score`, or an expression."""
        return objective_text(self.puzzle.ask)


def objective_text(ask: Ask | None) -> str:
    """The objective of an `ask:` as written; `score` where it names none."""
    if ask is not None and ask.goal is Goal.WIN:
        return f"win for {ask.player}"
    if ask is None or ask.value is None:
        return "score" if ask is None or ask.until is None else f"{ask.point}s"
    from rulewright.grammar.printing.print_expressions import print_expression

    return print_expression(ask.value)
