"""Hints: the first action of the best plan from the current state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import usage_error
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.grammar.tree.puzzles import Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import describe_turn
from rulewright.rules.play.visibility import visible_values
from rulewright.solver.result import Limits, Result, Status

from .game_session import GameSession

if TYPE_CHECKING:
    from rulewright.studies.verified_plan import PlanStep
from .opponents import Opponents, best_question

HINT_LIMITS = Limits(seconds=5.0, workers=2)

RETRY = "take an action and ask again: closer to the end, a plan is easier to find"


def hint_question(game: GameSession, opponents: Opponents | None) -> Question:
    """The question a hint answers: that of the puzzle, or best play against the computer. Raises `RulesError` if there is
    neither."""
    engine, state = game.engine, game.state
    question = game.start.question if opponents is None else best_question(engine, opponents.player)
    if engine.over(state):
        raise usage_error(describe_turn(engine, state), "`undo` takes back the last action, `quit` exits")
    if question is None or (not question.values and question.until is None):
        raise usage_error("the game has no score, so there is nothing to optimise")
    if question.others is Others.GIVEN:
        raise usage_error("the question is asked with given plans, which players need not follow here", "`solve` does")
    return question


def hint_lines(game: GameSession, result: Result, steps: Sequence[PlanStep]) -> Iterator[Line]:
    """The first step of a plan, and whether it is proved optimal."""
    if result.status is Status.IMPOSSIBLE:
        yield line(Styled("the goal cannot be reached from here", Style.WARNING))
        return
    if not steps:
        yield line(Styled("no plan was found in time", Style.WARNING), f": {RETRY}")
        return
    yield line(
        Styled("hint", Style.GOOD),
        f"  {game.legal.index(steps[0].move) + 1} {escape(steps[0].text)}",
        Styled("" if result.status is Status.OPTIMAL else "  (not proved to be best)", Style.WARNING),
    )
    if _hides(game):
        yield line(Styled("      the plan uses information that is hidden from the players", Style.FAINT))


def _hides(game: GameSession) -> bool:
    """Whether some information is hidden from the player to move."""
    seen = visible_values(game.engine, game.state, game.engine.player(game.state))
    return any(part.value is None and part.size and part.variable not in game.start.viewer.open_zones for part in seen)
