"""Replay of plans: each action is parsed as players write it, checked against the legal moves, and applied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.rules.model.state import Move, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import move_of, parse_attempt
from rulewright.rules.play.why_illegal import Failure, why_not


@frozen
class Ply:
    """One action by one player, with the state and score after it."""

    text: str
    player: int
    state: State
    score: int


class PlanError(RulesError):
    """Action `index` (from 0) cannot be taken; `failures` are the requirements that forbid it, if any."""

    def __init__(self, index: int, diagnostics: tuple[Diagnostic, ...], failures: tuple[Failure, ...] = ()) -> None:
        super().__init__(diagnostics)
        self.index = index
        self.failures = failures


class UnreadableAction(PlanError):
    """Action `index` is not written as a move. Requirements are not checked: the rules have no such action or argument."""


def replay(engine: Engine, state: State, actions: Sequence[str], spans: Sequence[Span] = ()) -> tuple[Ply, ...]:
    """Every ply of a plan; `spans` are the places of its actions in the text. Raises `PlanError`: RW335, RW336, RW350,
    RW351."""
    return tuple(plies(engine, state, actions, spans))


def plies(engine: Engine, state: State, actions: Sequence[str], spans: Sequence[Span] = ()) -> Iterator[Ply]:
    """Iterates over the plies of a plan, as `replay`."""
    for index, text in enumerate(actions):
        span = spans[index] if index < len(spans) else NO_SPAN
        player = engine.player(state)
        state = engine.apply(state, legal_move(engine, state, index, text, span))
        yield Ply(text, player, state, engine.score(state))


def legal_move(engine: Engine, state: State, index: int, text: str, span: Span = NO_SPAN) -> Move:
    """The legal move denoted by action `index` (from 0) of a plan, as players write it. Raises `PlanError`, as `replay`."""
    place = () if span is NO_SPAN else (Label(span),)
    if engine.over(state):
        message = f"`{text}` is action {index + 1}, but the game is over after {index}"
        raise PlanError(index, (Diagnostic("RW336", message, place, "end the plan here"),))
    try:
        attempt = parse_attempt(engine, state, text, span)
    except RulesError as error:
        raise UnreadableAction(index, error.diagnostics) from error
    move = move_of(engine, attempt)
    # Interpreting one move is faster than compiling the list of all moves, and independent of it.
    failures = why_not(engine, state, attempt)
    if not failures:
        return move
    reasons = "; ".join(failure.message for failure in failures)
    message = f"action {index + 1}, `{text}`, is not legal: {reasons}"
    rules = tuple(Label(failure.span, f"`{failure.requirement}`") for failure in failures)
    raise PlanError(index, (Diagnostic("RW335", message, (*place, *rules), "choose another action"),), failures)
