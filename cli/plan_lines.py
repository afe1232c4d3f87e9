"""A plan for people and for scripts: numbered actions, turn by turn, each with who does it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from ..grammar.classes import frozen
from ..rules.compile import STOP, compile_value
from ..rules.engine import Engine, Horizon, Move, State
from ..rules.layout import COUNTED
from ..rules.questions import Question
from ..rules.writing import STOP_WORD, write_move
from .state_json import value_as_json
from .text import Line, Style, Styled, escape, line

FOREVER = 10**9


@frozen
class Step:
    """One action of a plan, legal where it stands: `turn` counts from 1, `score` is what is asked for, after the action."""

    turn: int
    player: int
    text: str
    action: str
    arguments: dict[str, Any]
    score: int


def steps_of(engine: Engine, state: State, plan: Sequence[Move], question: Question) -> Iterator[Step]:
    """The steps of a plan from a state. Raises ValueError at an action that is not legal."""
    engine = _counting(engine, state)
    worth = worth_of(engine, question)
    for move in plan:
        if move not in engine.legal(state):
            raise ValueError(f"{write_move(engine, state, move)} is not legal")
        player, text, turn = engine.player(state), write_move(engine, state, move), state[COUNTED] + 1
        name, arguments = _parts(engine, move)
        state = engine.apply(state, move)
        yield Step(turn, player, text, name, arguments, worth(state))


def plan_lines(steps: Sequence[Step], players: int, label: str) -> Iterator[Line]:
    """The steps numbered, with the score at the end of each turn, and a heading unless turns are single actions."""
    turns = [list(group) for _, group in groupby(steps, key=lambda step: (step.turn, step.player))]
    headed = any(len(turn) > 1 for turn in turns)
    width = max((len(step.text) for step in steps), default=0)
    number = 0
    for turn in turns:
        who = f"player {turn[0].player}" if players > 1 else ""
        if headed:
            yield line(Styled(f"turn {turn[0].turn}{', ' if who else ''}{who}", Style.STRONG))
        for step in turn:
            number += 1
            score = Styled(f"   {label} {step.score}", Style.FAINT) if step is turn[-1] else ""
            before = f"{who}  " if who and not headed else ""
            yield line(f"{number:4}  {before}{escape(step.text).ljust(width)}", score)


def worth_of(engine: Engine, question: Question) -> Callable[[State], int]:
    """The value that is asked for, in a state."""
    values = [compile_value(engine.ground, engine.layout, value) for value in question.values]
    return lambda state: sum(value(state) for value in values)


def step_as_json(step: Step) -> dict[str, Any]:
    return {
        "player": step.player,
        "turn": step.turn,
        "text": step.text,
        "action": step.action,
        "arguments": step.arguments,
        "score": step.score,
    }


def _counting(engine: Engine, state: State) -> Engine:
    """The same game, with the turns counted in the state: those that a horizon counts, else the innermost point's."""
    choice = engine.choice(state)
    if engine.horizon is not None or choice is None or not choice.points:
        return engine
    return engine.with_horizon(Horizon(choice.points[-1], FOREVER))


def _parts(engine: Engine, move: Move) -> tuple[str, dict[str, Any]]:
    if move == STOP:
        return STOP_WORD, {}
    action = list(engine.game.actions.values())[move[0]]
    pairs = zip(action.parameters, move[1:], strict=True)
    return action.name, {parameter.name: value_as_json(engine, parameter.type, value) for parameter, value in pairs}
