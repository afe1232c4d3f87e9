"""Plans: lists of actions as players write them, replayed from a state on, each one checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..grammar import scenarios as p
from ..grammar.classes import frozen
from ..grammar.diagnostics import Diagnostic, Label, RulesError, Sink
from ..grammar.spans import NOWHERE_IN_TEXT, Span
from ..rules.compile import STOP
from ..rules.engine import Engine
from ..rules.layout import State
from ..rules.writing import read_attempt
from .position import Position

if TYPE_CHECKING:
    from ..rules.explain import Failure


@frozen
class Step:
    """An action of a plan with who chose it, and the state and score that it led to."""

    text: str
    player: int
    state: State
    score: int


class PlanError(RulesError):
    """The action number `index` (from 0) cannot be taken; `failures` says why where rules forbid it."""

    def __init__(self, index: int, diagnostics: tuple[Diagnostic, ...], failures: tuple[Failure, ...] = ()) -> None:
        super().__init__(diagnostics)
        self.index = index
        self.failures = failures


def replay(engine: Engine, state: State, actions: Sequence[str], spans: Sequence[Span] = ()) -> tuple[Step, ...]:
    """The steps of a plan; `spans` are where its actions are written. Raises `PlanError`: RW335, RW336, RW350, RW351."""
    return tuple(walk(engine, state, actions, spans))


def walk(engine: Engine, state: State, actions: Sequence[str], spans: Sequence[Span] = ()) -> Iterator[Step]:
    """The steps of a plan, one by one."""
    for index, text in enumerate(actions):
        span = spans[index] if index < len(spans) else NOWHERE_IN_TEXT
        player = engine.player(state)
        state = _after(engine, state, index, text, span)
        yield Step(text, player, state, engine.score(state))


def _after(engine: Engine, state: State, index: int, text: str, span: Span) -> State:
    place = () if span is NOWHERE_IN_TEXT else (Label(span),)
    if engine.over(state):
        message = f"`{text}` is action {index + 1}, but the game is over after {index}"
        raise PlanError(index, (Diagnostic("RW336", message, place, "end the plan here"),))
    try:
        attempt = read_attempt(engine, state, text, span)
    except RulesError as error:
        raise PlanError(index, error.diagnostics) from error
    move = STOP if attempt is None else (engine.action_numbers[attempt.action.name], *attempt.arguments)
    if move in engine.legal(state):
        return engine.apply(state, move)
    from ..rules.explain import why_not

    failures = why_not(engine, state, attempt)
    reasons = "; ".join(failure.message for failure in failures)
    message = f"action {index + 1}, `{text}`, is not legal: {reasons}"
    rules = tuple(Label(failure.span, f"`{failure.requirement}`") for failure in failures)
    raise PlanError(index, (Diagnostic("RW335", message, (*place, *rules), "take another action"),), failures)


def check_verdicts(position: Position) -> None:
    """Hold a puzzle's own verdicts: RW337 for an `accept` that cannot be played or a `refuse` that can, RW338 for `positions:`
    that count the lines of play of 0, 1, 2, … moves otherwise."""
    sink = Sink()
    for line in position.puzzle.plans:
        check_plan(position, line, sink)
    if position.puzzle.positions is not None:
        check_positions(position, position.puzzle.positions, sink)
    sink.stop()


def check_plan(position: Position, line: p.PlanLine, sink: Sink) -> None:
    """Report RW337 where a plan is to be accepted and cannot be played, or the other way round."""
    error = _refusal(position, line)
    if line.accepted and error is not None:
        sink.error("RW337", f"this plan is to be accepted, but {error}", line.span, help="mend the plan or the rules")
    elif not line.accepted and error is None:
        sink.error("RW337", "this plan is to be refused, but it can be played", line.span, help="mend the rules")


def check_positions(position: Position, positions: p.Positions, sink: Sink) -> None:
    """Report RW338 at the first depth of which there are more or fewer lines of play."""
    for depth, count in enumerate(positions.counts):
        from ..rules.perft import lines_of_play

        found = lines_of_play(position.engine, position.state, depth)
        if found != count:
            message = f"there are {found} lines of play of {depth} moves, not {count}"
            sink.error("RW338", message, positions.span, help="mend the number or the rules")
            return


def _refusal(position: Position, line: p.PlanLine) -> str | None:
    try:
        replay(position.engine, position.state, line.actions)
    except PlanError as error:
        return error.diagnostics[0].message
    return None
