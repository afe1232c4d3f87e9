"""Answers to questions that give the plans of some players: a line of play that breaks a given plan is no answer."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.given_plans import progress, void
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.result import Result, Status

MOST_SHOWN = 6
"""Moves of a line of play that a message shows."""


def without_void_lines(engine: Engine, root: State, question: Question, result: Result) -> Result:
    """The result if its plan keeps to the given plans; if not, and time ran out, an `UNKNOWN` result without a plan.

    Raises `RulesError` RW386 if every line of play provably breaks a given plan.
    """
    states = [root]
    for move in result.plan:
        states.append(engine.apply(states[-1], move))
    if not engine.value(void(), states[-1]):
        return result
    if result.status is Status.OPTIMAL:
        raise _broken(engine, states, result.plan, question)
    return evolve(result, status=Status.UNKNOWN, score=None, plan=())


def _broken(engine: Engine, states: list[State], plan: tuple[Move, ...], question: Question) -> RulesError:
    *line, last = states[:-1]
    player = engine.player(last)
    texts = [format_move(engine, state, move) for state, move in zip(line, plan, strict=False)]
    before = f"after `{', '.join(['…'] * (len(texts) > MOST_SHOWN) + texts[-MOST_SHOWN:])}`" if texts else "at the start"
    message = "no line of play follows the given plans"
    done, all = progress(engine, last, player)
    fails = "has ended" if done == all else f"continues with action {done + 1}, which is not legal there"
    help = f"the longest possible line: {before}, the plan of player {player} {fails}"
    return RulesError((Diagnostic("RW386", message, (Label(question.span),), help),))
