"""Plans, their alternatives and expectations, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rulewright.api.state_data import value_as_json
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.puzzles.plan_replay import Ply
from rulewright.puzzles.position import Position
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import STOP_WORD, format_move
from rulewright.solver.result import Expectation
from rulewright.studies.verified_plan import PlanStep

from .state_view import standings_as_json

if TYPE_CHECKING:
    from rulewright.cli.documents.answers import Counting, FirstMove, Plans, Step, Uniqueness
    from rulewright.cli.documents.answers import Expectation as ExpectationDocument
    from rulewright.cli.documents.answers import Fraction as FractionDocument
    from rulewright.cli.documents.positions import Course
    from rulewright.studies.alternative_plans import AlternativePlans, KeyAndDuals


def plan_lines(steps: Sequence[PlanStep], players: int, objective: str) -> Iterator[Line]:
    """The numbered steps, with a heading for each turn unless turns are single moves; after a turn, the value of a named
    objective."""
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
            value = Styled(f"   {objective} {step.value}", Style.FAINT) if objective and step is turn[-1] else ""
            before = f"{who}  " if who and not headed else ""
            yield line(f"{number:4}  {before}{escape(step.text).ljust(width)}", value)


def step_as_json(position: Position, step: PlanStep) -> Step:
    """A move with its text, action and arguments, and the objective after it as `score`."""
    name, arguments = _action(position.engine, position.played_move(step.move))
    return {
        "player": step.player,
        "turn": step.turn,
        "text": step.text,
        "action": name,
        "arguments": arguments,
        "score": step.value,
    }


def _action(engine: Engine, move: Move) -> tuple[str, dict[str, Any]]:
    """The name of the action, and its arguments by parameter."""
    if move == STOP:
        return STOP_WORD, {}
    action = list(engine.game.actions.values())[move[0]]
    pairs = zip(action.parameters, move[1:], strict=True)
    return action.name, {parameter.name: value_as_json(engine, parameter.type, value) for parameter, value in pairs}


def course_as_json(engine: Engine, state: State, plies: Sequence[Ply]) -> Course:
    """The plies of a game that led to a state, and the state's result."""
    score = engine.score(state)
    return {
        "over": engine.over(state),
        "score": score,
        "rank": engine.rank(score) or None,
        **standings_as_json(engine, state),
        "actions": [{"player": ply.player, "text": ply.text, "score": ply.score} for ply in plies],
    }


# In expectation -----------------------------------------------------------------------------------------------------


def fraction_text(value: Fraction) -> str:
    """`70/9, about 7.778`; a whole number as such."""
    return str(value) if value.denominator == 1 else f"{value}, about {float(value):.4g}"


def fraction_as_json(value: Fraction) -> FractionDocument:
    """A fraction as text, as two numbers and as a decimal. The numbers may be too long for readers other than Python."""
    return {
        "text": str(value),
        "numerator": value.numerator,
        "denominator": value.denominator,
        "decimal": float(value),
    }


def first_moves(expectation: Expectation, engine: Engine, state: State) -> list[tuple[str, Fraction]]:
    """The possible first moves, as players write them, each with its expected value."""
    return [(format_move(engine, state, move), value) for move, value in expectation.first]


def expectation_as_json(expectation: Expectation, engine: Engine, state: State) -> ExpectationDocument:
    """The value, and that of every first move, best first."""
    moves = first_moves(expectation, engine, state)
    first: list[FirstMove] = [{"text": text, "expected": fraction_as_json(value)} for text, value in moves]
    return {"expectation": fraction_as_json(expectation.value), "first_moves": first}


def expectation_lines(
    expectation: Expectation, steps: Sequence[PlanStep], engine: Engine, state: State, most: int
) -> Iterator[Line]:
    """The plan up to the first chance event, or `most` of the first moves with their values."""
    if not most:
        for number, step in enumerate(steps, 1):
            yield line(f"{number:4}  {escape(step.text)}")
        if steps:
            yield line(Styled("the best continuation depends on chance", Style.FAINT))
        return
    moves = first_moves(expectation, engine, state)[:most]
    width = max((len(text) for text, _ in moves), default=0)
    for text, value in moves:
        yield line(f"      {escape(text).ljust(width)}", Styled(f"   {fraction_text(value)}", Style.FAINT))


# Alternatives ---------------------------------------------------------------------------------------------------------


def plans_as_json(position: Position, found: AlternativePlans) -> Plans:
    """The listed plans, whether they are all, and their number."""
    plans = [[step_as_json(position, step) for step in plan] for plan in found.plans]
    return {"plans": plans, "all_plans": found.is_complete, "count": found.number, **counting_as_json(found)}


def counting_as_json(found: AlternativePlans | None) -> Counting:
    """What counts as one plan, and why plans are not counted; both null if plans were not examined."""
    order, uncounted = (None, None) if found is None else (found.order, found.uncounted)
    return {
        "counted_as": None if order is None else order.value,
        "uncounted": None if uncounted is None else uncounted.value,
    }


def uniqueness_as_json(found: KeyAndDuals | None) -> Uniqueness | None:
    """The key, its cooks and the duals; null if not settled in time."""
    if found is None:
        return None
    return {
        "plan": found.is_unique,
        "key": found.key.text,
        "cooks": list(found.key.others),
        "duals": [{"action": dual.number, "text": dual.text, "others": list(dual.others)} for dual in found.duals],
        "up_to_order": found.up_to_order,
    }


def uniqueness_lines(others: AlternativePlans | None) -> Iterator[Line]:
    """The key, its cooks, and the duals of later moves."""
    found, why = (None, None) if others is None else (others.uniqueness, others.uncounted)
    if found is None:
        reason = "" if why is None else f": {why.value}"
        yield line(Styled("not settled", Style.WARNING), f" whether another plan is as good{reason}")
        return
    key = escape(found.key.text)
    if found.key.others:
        yield line(Styled("cooked", Style.WARNING), f": {key} is not the only key; others: {_listed(found.key.others)}")
    else:
        yield line(Styled("key", Style.GOOD), f": {key}, the only key")
    for dual in found.duals:
        yield line(
            Styled("dual", Style.WARNING), f": in place of action {dual.number}, {escape(dual.text)}: {_listed(dual.others)}"
        )
    if found.is_unique:
        order = ", up to the order of commuting actions" if found.up_to_order else ""
        yield line(Styled("unique", Style.GOOD), f": no other plan is as good{order}")
    elif not found.up_to_order:
        yield line("too many plans to tell which differ only in the order of their actions")


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(escape, texts))
