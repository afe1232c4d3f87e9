"""Players controlled by the computer: by a policy, or by best play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.api.policies import policy_from, read_policy
from rulewright.api.start import best_question
from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import define, frozen
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.grammar.tree.puzzles import OUTCOMES, Goal, Others
from rulewright.puzzles.checks import hidden_variables
from rulewright.puzzles.plan_replay import Ply
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State, describe_turn
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.visibility import visible_values
from rulewright.rules.semantics.rng import mix
from rulewright.solver.playouts.policies import Choose, Kind, Policy, choosing
from rulewright.solver.result import Limits, Result, Status

from .game_session import GameSession

if TYPE_CHECKING:
    from rulewright.studies.verified_plan import PlanStep


BEST = "best"
"""The name of best play, in place of a policy."""

INSTEAD = Policy(Kind.SEARCH, 2)
"""The fallback policy if best play is not found in time."""


@frozen
class Reply:
    """An action of the computer, and a remark on it."""

    ply: Ply
    remark: str = ""

    @property
    def line(self) -> Line:
        """The player, the action and the remark."""
        who = Styled(f"player {self.ply.player}", Style.STRONG)
        return line(who, f"  {escape(self.ply.text)}", Styled(f"   {self.remark}" if self.remark else "", Style.FAINT))


@define
class Opponents:
    """All players but one, controlled by `policy`, or with None by the best play found in the given seconds per move."""

    game: GameSession
    player: int
    policy: Policy | None
    seconds: float
    seed: int

    @classmethod
    def named(cls, name: str, game: GameSession, player: int, seconds: float, seed: int) -> Opponents:
        """The opponents with a policy of this name, or `best`. Raises `RulesError` if there is no such policy."""
        policy = None if name == BEST else policy_from(read_policy(name), game.start)
        return cls(game, player, policy, seconds, seed)

    @property
    def sees(self) -> tuple[str, ...]:
        """The variables of which these players see what the other player may not."""
        if self.policy is not None and self.policy.is_blind:
            return ()
        return tuple(variable.name for variable in hidden_variables(self.game.engine))

    @property
    def are_to_move(self) -> bool:
        state = self.game.state
        return not self.game.engine.over(state) and self.game.engine.player(state) != self.player

    def replies(self) -> Iterator[Reply]:
        """Play until the other player is to move, or the game is over. The same position after the same number of actions
        gets the same reply."""
        while self.are_to_move:
            engine, state = self.game.engine, self.game.state
            move, remark = self._chosen(engine, state)
            self.game.take(format_move(engine, state, move))
            yield Reply(self.game.plies[-1], remark)

    def undo(self, number: int) -> None:
        """Undo `number` actions of the other player, with all replies. Raises `RulesError` if there is none."""
        own = [at for at, ply in enumerate(self.game.plies) if ply.player == self.player]
        taken = own[-number:] if number else []
        self.game.undo(len(self.game.plies) - taken[0] if taken else 0)

    def redo(self, number: int) -> None:
        """Redo `number` actions of the other player, with the replies given before. Raises `RulesError`."""
        tree, again = self.game.tree, 0
        self.game.redo(min(1, number))
        while tree.current.latest is not None:
            again += not self.are_to_move
            if again == number:
                return
            tree.redo()

    def _chosen(self, engine: Engine, state: State) -> tuple[Move, str]:
        if self.policy is not None:
            return self._by_policy(state), ""
        from rulewright.solver.answer.portfolio import answer

        question = best_question(engine, engine.player(state))
        try:
            result = answer(engine, state, question, Limits(self.seconds)) if question.values else None
        except RulesError as error:
            return self._by_policy(state), f"{error.diagnostics[0].message}: chosen by {INSTEAD.name}"
        if result is None or not result.plan:
            return self._by_policy(state), f"best play not found in {self.seconds:g} s: chosen by {INSTEAD.name}"
        return result.plan[0], _expected(result, question)

    def _by_policy(self, state: State) -> Move:
        chance = mix(self.seed + len(self.game.plies))
        return self._choose(state, self.game.legal, chance)[0]

    @cached_property
    def _choose(self) -> Choose:
        return choosing(self.policy or INSTEAD, self.game.engine)


def _expected(result: Result, question: Question) -> str:
    """A text on the value of best play, or that it is not proved."""
    if result.status is not Status.OPTIMAL or result.score is None:
        return "not proved to be best"
    if question.goal is Goal.WIN:
        return f"a {OUTCOMES[result.score].value}, with best play"
    return f"{result.score} with best play"


# Hints: the first action of the best plan from the current state ------------------------------------------------------


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
