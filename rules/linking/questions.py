"""Links the question of a puzzle: an objective over the state of a game, a goal and a horizon."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.diagnostics import Diagnostic, Label, RulesError, did_you_mean
from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import expressions, puzzles
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.standing import outcome
from rulewright.rules.model.state import FOREVER, Horizon, Move, State
from rulewright.rules.model.traversal import parts_of, points_of
from rulewright.rules.model.types import Number, Player, Truth, Type

NUMBER, PLAYER, TRUTH = Number(), Player(), Truth()

MOVE = "move"
"""The name for counting moves instead of a point of the flow."""

_NOTHING = terms.Constant(0, type=NUMBER)


@frozen
class Before:
    """A state, and the point of the flow to which play comes from it before the first choice."""

    point: str
    state: State


@frozen
class Question(Located):
    """The objective is the sum of `values`; play runs to the horizon, or to the end of the game.

    With the goal `LEAST` play runs until a condition holds, at a choice or at the end. The cost of a plan is the sum of
    `values` or, if there are none, what it `counts`: moves, or the turns of a horizon too far away to end play.

    `player` is the player named first: if `others` play against someone, it is that player (None: the player to move). With
    `own_turns`, that player has so many turns of their own, which the horizon only counts; without a horizon, so many moves.
    To reach a condition (`reaches_condition`) is to reach 1, its value when it holds.
    `in_expectation`, chance is random; else its outcomes are known. `open_state` names what all players see for the question's
    sake, `secret_state` what each sees as the rules say; `is_dealt`: the position is one of those that chance may have dealt
    before the first choice; it is one of those to which play may come from `before`, where the puzzle starts there. `unrolled`
    names what chance has drawn by then in every game, but not in the position.
    With `replies`, the other players choose at random, by these weights of the legal moves of a state.
    """

    goal: puzzles.Goal
    values: tuple[terms.Term, ...]
    threshold: int = 0
    horizon: Horizon | None = None
    until: terms.Term | None = None
    others: puzzles.Others = puzzles.Others.TOGETHER
    player: int | None = None
    in_expectation: bool = False
    counts: bool = False
    reaches_condition: bool = False
    open_state: tuple[str, ...] = ()
    secret_state: tuple[str, ...] = ()
    is_dealt: bool = False
    before: Before | None = None
    unrolled: tuple[str, ...] = ()
    own_turns: int | None = None
    replies: Callable[[State, list[Move]], Sequence[int]] | None = None

    @property
    def terms(self) -> tuple[terms.Term, ...]:
        """The terms that the question reads: its values, and the condition of a shortest plan."""
        return self.values if self.until is None else (*self.values, self.until)

    @property
    def sign(self) -> int:
        """-1 if less is better: what is then maximised is the negated value."""
        return -1 if self.goal in (puzzles.Goal.MINIMISE, puzzles.Goal.LEAST) else 1

    @property
    def is_against(self) -> bool:
        """Whether others play against the player who asks."""
        return self.others is puzzles.Others.AGAINST

    @property
    def counts_plans(self) -> bool:
        """Whether the number of best plans is asked for."""
        return self.counts or self.goal is puzzles.Goal.COUNT_BEST

    @property
    def sums_over_a_board(self) -> bool:
        """Whether a value is a sum over cells of a board, as `ReachableStates.board_sums` requires."""
        return any(isinstance(value, terms.Fold) and isinstance(value.binder.domain, terms.AllCells) for value in self.values)

    @property
    def counts_moves(self) -> bool:
        return self.until is not None and not self.values and self.horizon is None

    @property
    def counts_turns(self) -> bool:
        return self.until is not None and not self.values and self.horizon is not None


_ASKED_OF_OTHERS = (puzzles.Goal.MAXIMISE, puzzles.Goal.MINIMISE, puzzles.Goal.REACH, puzzles.Goal.WIN)


def question_of(game: model.Game, ask: puzzles.Ask, players: int | None = None) -> Question:
    """The question of a puzzle for a number of players, by default the fewest.

    Raises `RulesError`: RW330 (no such point, no turns), RW371 (nobody wins), RW372 (not allowed with `against`), RW382
    (not allowed in expectation), and the errors of resolution.
    """
    players = game.players.low if players is None else players
    others = _others(ask)
    if others is puzzles.Others.AGAINST and ask.goal not in _ASKED_OF_OTHERS:
        message = f"`{others.value}` is not allowed in this question"
        help = "ask for the greatest or the least value, or leave it out to let all players cooperate"
        raise RulesError((Diagnostic("RW372", message, (Label(ask.others.span if ask.others else ask.span),), help),))
    in_expectation = _in_expectation(ask)
    has_own_turns = ask.goal is puzzles.Goal.WIN and ask.turns is not None
    if has_own_turns and others is puzzles.Others.GIVEN:
        message = f"`{others.value}` is not allowed where own turns are counted"
        raise RulesError((Diagnostic("RW372", message, (Label(ask.span),), "ask `reach …` for a number of turns"),))
    if in_expectation and (ask.goal not in _ASKED_OF_OTHERS or others is puzzles.Others.GIVEN or has_own_turns):
        raise _no_expectation(ask)
    points = points_of(game.flow)
    if ask.goal is puzzles.Goal.WIN:
        return _win(game, ask, points, players)
    if ask.until is not None:
        return _shortest_plan(game, ask, ask.until, points, players)
    if ask.turns is not None:
        _check_horizon(ask, points)
    horizon = None if ask.turns is None else Horizon(ask.point, ask.turns)
    is_condition = ask.goal is puzzles.Goal.REACH and ask.threshold is None
    values = (_one_where(game, ask, players),) if is_condition else _values(game, ask.value, players)
    threshold = 1 if is_condition else ask.threshold or 0
    player = _first_named(values, ask.span)
    return Question(
        ask.goal, values, threshold, horizon, None, others, player, in_expectation, False, is_condition, span=ask.span
    )


def _check_horizon(ask: puzzles.Ask, points: tuple[str, ...]) -> None:
    """Raises `RulesError` RW330 if the question counts none of these points, or counts to 0."""
    if ask.point not in points:
        message = f"the flow has no point `{ask.point}` to count"
        help = did_you_mean(ask.point, points) or (f"points of the flow: {', '.join(points)}" if points else "")
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))
    if ask.turns == 0:
        message = f"0 {ask.point}s leave nothing to play"
        help = f"ask for 1 {ask.point}; `rulewright score` prints the value of a position as it is"
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))


def _no_expectation(ask: puzzles.Ask) -> RulesError:
    """RW382: a question that has no expectation, or none that is supported."""
    given = ask.others is not None and ask.others.play is puzzles.Others.GIVEN
    message = f"`{puzzles.Others.GIVEN.value if given else ask.goal.value}` cannot be asked in expectation"
    help = "ask `maximise …`, `minimise …`, or `reach …`, whose answer is then a probability"
    return RulesError((Diagnostic("RW382", message, (Label(ask.span),), help),))


def _others(ask: puzzles.Ask) -> puzzles.Others:
    """How the other players play: together, or against the player who is to win, unless the question says otherwise."""
    if ask.others is not None:
        return ask.others.play
    return puzzles.Others.AGAINST if ask.goal is puzzles.Goal.WIN else puzzles.Others.TOGETHER


def _in_expectation(ask: puzzles.Ask) -> bool:
    return ask.chance is not None and ask.chance.known is puzzles.Chance.EXPECTED


def _win(game: model.Game, ask: puzzles.Ask, points: tuple[str, ...], players: int) -> Question:
    """`win for 1`: 1, 0 or -1 at the end, for a win, a draw or a loss. `lose for 1`, and `win for 1 in 2 turns`: whether that
    can be reached."""
    assert ask.player is not None
    if not 1 <= ask.player <= players:
        raise RulesError((Diagnostic("RW370", f"there is no player {ask.player}", (Label(ask.span),), who_plays(players)),))
    if not game.winner:
        help = "add `winner: most …` to the rules, or ask `maximise score until end`"
        raise RulesError((Diagnostic("RW371", "the rules do not define a winner", (Label(ask.span),), help),))
    value = outcome(game.winner, terms.Constant(ask.player, type=PLAYER, span=ask.span))
    in_expectation = _in_expectation(ask)
    won = Question(ask.goal, (value,), 0, None, None, _others(ask), ask.player, in_expectation, span=ask.span)
    if ask.loses:
        value = terms.Arithmetic(_NOTHING, ((expressions.Operator.MINUS, value),), span=value.span)
    if not ask.loses and ask.turns is None:
        return won
    if ask.turns is not None and (ask.point != MOVE or not ask.turns):
        _check_horizon(ask, (MOVE, *points))
    counts_moves = ask.turns is None or (ask.point == MOVE and MOVE not in points)
    limit = None if counts_moves else Horizon(ask.point, FOREVER)
    reached = evolve(won, goal=puzzles.Goal.REACH, values=(value,), threshold=1, reaches_condition=True)
    return evolve(reached, horizon=limit, own_turns=ask.turns)


def who_plays(players: int) -> str:
    """The numbers of players, as a help."""
    return "there is only player 1" if players == 1 else f"the players are 1 to {players}"


def _first_named(values: tuple[terms.Term, ...], asked: Span) -> int | None:
    """The player whose number occurs first in the question."""
    for value in values:
        pending: list[object] = [value]
        while pending:
            here = pending.pop()
            if isinstance(here, terms.Constant) and here.type == PLAYER and here.span.source == asked.source:
                return here.value
            pending += reversed(list(parts_of(here)))
    return None


def _shortest_plan(
    game: model.Game, ask: puzzles.Ask, until: expressions.Expression, points: tuple[str, ...], players: int
) -> Question:
    """`fewest moves until …`, `fewest turns until …`, `least EXPRESSION until …`, and counts of such plans."""
    if ask.value is None and ask.point not in (MOVE, *points):
        message = f"the flow has no point `{ask.point}` to count"
        help = did_you_mean(ask.point, (MOVE, *points)) or f"count `{MOVE}s`" + "".join(f", `{point}s`" for point in points)
        raise RulesError((Diagnostic("RW330", message, (Label(ask.span),), help),))
    values = () if ask.value is None else _values(game, ask.value, players)
    horizon = None if values or ask.point == MOVE else Horizon(ask.point, FOREVER)
    condition = resolve_question(game, until, TRUTH, players)
    return Question(ask.goal, values, 0, horizon, condition, _others(ask), counts=ask.counts, span=ask.span)


def _values(game: model.Game, expression: expressions.Expression | None, players: int) -> tuple[terms.Term, ...]:
    """The summands of the objective; if the score is asked for, the scores themselves."""
    match expression:
        case None:
            return tuple(score.value for score in game.scores)
        case expressions.Name(name) if name == model.SCORE and name in _scores(game):
            return tuple(score.value for score in game.scores)
        case _:
            return _summands(resolve_question(game, expression, players=players))


def _one_where(game: model.Game, ask: puzzles.Ask, players: int) -> terms.Term:
    """1 if the condition to reach holds, else 0."""
    condition = ask.value if ask.value is not None else expressions.Name(model.SCORE, span=ask.span)
    term = resolve_question(game, condition, TRUTH, players)
    return terms.If(term, terms.Constant(1, type=NUMBER), _NOTHING, type=NUMBER, span=term.span)


def _summands(term: terms.Term) -> tuple[terms.Term, ...]:
    """The summands of a sum, so that each gets its own bound, as the scores of a game do."""
    match term:
        case terms.Arithmetic(first, rest) if all(
            operator in (expressions.Operator.PLUS, expressions.Operator.MINUS) for operator, _ in rest
        ):
            found = list(_summands(first))
            for operator, other in rest:
                if operator is expressions.Operator.PLUS:
                    found += _summands(other)
                else:
                    found.append(terms.Arithmetic(_NOTHING, ((operator, other),), span=term.span))
            return tuple(found)
        case _:
            return (term,)


def _scores(game: model.Game) -> dict[str, terms.Term]:
    """The value of each score by name, without names that are also variables."""
    values = [score.value for score in game.scores]
    first, *others = values or [_NOTHING]
    total = terms.Arithmetic(first, tuple((expressions.Operator.PLUS, other) for other in others))
    found = {model.SCORE: total if others else first} | {score.name: score.value for score in game.scores}
    return {name: value for name, value in found.items() if name not in game.variables}


def resolve_question(
    game: model.Game, expression: expressions.Expression, type: Type = NUMBER, players: int | None = None
) -> terms.Term:
    """A number or condition over the state: `score`, the name of a score, or any expression in the names of the game.

    Players may be named by number, up to `players` (by default the fewest).

    Raises `RulesError` as linking does (RW110, RW200 and others).
    """
    from .resolve_questions import resolved  # and all that resolves terms, which few questions need

    return resolved(game, _scores(game), expression, type, players)
