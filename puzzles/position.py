"""A position: a validated state of a game from which play continues, and the question asked about it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Name
from rulewright.grammar.tree.puzzles import Ask, Goal, Puzzle
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move

if TYPE_CHECKING:
    from rulewright.rules.play.given_plans import ReducedGame


@frozen
class Position:
    """The meaning of a puzzle. `question` is None if it asks nothing; it is about `reduced`, if set, a reduction to another
    game."""

    puzzle: Puzzle
    engine: Engine
    state: State
    question: Question | None = None
    reduced: ReducedGame | None = None

    @property
    def has_score(self) -> bool:
        """Whether the score counts, if there is one: not in a puzzle that asks for something else."""
        ask = self.puzzle.ask
        named = {"score", *(score.name for score in self.engine.game.scores)}
        is_plain = ask is None or (ask.value is None and ask.goal is not Goal.LEAST)
        return is_plain or any(isinstance(node, Name) and node.text in named for node in nodes_in(ask))

    @property
    def asked(self) -> Engine:
        """The engine of the question: play ends at its horizon, and given plans are followed."""
        return self._at_horizon(self.engine if self.reduced is None else self.reduced.engine)

    @cached_property
    def root(self) -> State:
        """The root of the question: the state after passing over a choice without a legal action."""
        return _passed_on(self.asked, self.state if self.reduced is None else self.reduced.state(self.state))

    @property
    def played(self) -> Engine:
        """The engine for free play, up to the horizon of the question."""
        return self._at_horizon(self.engine)

    @property
    def begun(self) -> State:
        """The state in which free play begins."""
        return _passed_on(self.played, self.state)

    def played_move(self, move: Move) -> Move:
        """The free-play equivalent of a move of the question's engine."""
        return move if self.reduced is None else self.reduced.original_move(move)

    def _at_horizon(self, engine: Engine) -> Engine:
        if self.question is None or self.question.horizon is None:
            return engine
        return engine.with_horizon(self.question.horizon)

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
        from rulewright.rules.play.scores import describe_item, score_items

        return tuple(describe_item(self.engine, item) for item in score_items(self.engine, self.state))

    @property
    def objective(self) -> str:
        """The value asked for, as written: `score`, or an expression."""
        return objective_text(self.puzzle.ask)


def _passed_on(engine: Engine, state: State) -> State:
    if engine.over(state) or engine.legal(state):
        return state
    from rulewright.rules.play.reference_engine import ReferenceEngine

    return ReferenceEngine(engine).passed_on(state)


def objective_text(ask: Ask | None) -> str:
    """The objective of an `ask:` as written; `score` if it names none."""
    from rulewright.grammar.printing.print_expressions import print_expression
    from rulewright.grammar.printing.print_puzzles import question_text

    if ask is not None and ask.goal is Goal.WIN:
        return question_text(ask)
    if ask is None or ask.value is None:
        return "score" if ask is None or ask.until is None else f"{ask.point}s"
    return print_expression(ask.value)
