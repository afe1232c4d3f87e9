"""What there is beside the plan found: the other best plans, how many they are, and whether the key is the only one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..grammar.classes import frozen
from ..rules.engine import Engine, Move, State
from ..rules.questions import Question
from ..rules.writing import write_move
from ..solver.limits import Limits
from .plan_lines import Step, step_as_json, steps_of
from .text import Line, Style, Styled, escape, line

if TYPE_CHECKING:
    from ..solver.plans import Uniqueness


@frozen
class Choice:
    """Action number `index` of the plan (from 1) as written, and what is as good in its place."""

    index: int
    text: str
    others: tuple[str, ...]


@frozen
class OnlyOne:
    """The key and its cooks, the later actions with their duals; `up_to_order` as in `Uniqueness`."""

    key: Choice
    duals: tuple[Choice, ...]
    up_to_order: bool


@frozen
class Others:
    """Best plans, of which there are `number` (None: not known, or no end of them when `endless`)."""

    plans: tuple[tuple[Step, ...], ...]
    number: int | None
    endless: bool
    only: OnlyOne | None

    @property
    def every(self) -> bool:
        return self.number == len(self.plans)


def other_plans(
    engine: Engine, state: State, question: Question, plan: Sequence[Move], goal: int, most: int, limits: Limits
) -> Others:
    """What can be said within limits of the plans that are worth the goal; `most` are listed."""
    from ..solver.plans import best_plans

    found = best_plans(engine, state, question, goal, limits)
    listed = tuple(tuple(steps_of(engine, state, other, question)) for other in found.first(most))
    uniqueness = found.uniqueness(plan)
    only = None if uniqueness is None else _only_one(engine, state, plan, uniqueness)
    return Others(listed, found.number, found.endless, only)


def _only_one(engine: Engine, state: State, plan: Sequence[Move], uniqueness: Uniqueness) -> OnlyOne:
    choices: list[Choice] = []
    for index, move in enumerate(plan):
        moves = uniqueness.cooks if index == 0 else [dual.move for dual in uniqueness.duals if dual.index == index]
        others = tuple(write_move(engine, state, other) for other in moves)
        choices.append(Choice(index + 1, write_move(engine, state, move), others))
        state = engine.apply(state, move)
    key, *later = choices
    return OnlyOne(key, tuple(choice for choice in later if choice.others), uniqueness.up_to_order)


def only_one_as_json(only: OnlyOne | None) -> dict[str, Any] | None:
    if only is None:
        return None
    return {
        "plan": not only.key.others and not only.duals,
        "key": only.key.text,
        "cooks": list(only.key.others),
        "duals": [{"action": dual.index, "text": dual.text, "others": list(dual.others)} for dual in only.duals],
        "up_to_order": only.up_to_order,
    }


def plans_as_json(others: Others) -> dict[str, Any]:
    plans = [[step_as_json(step) for step in plan] for plan in others.plans]
    return {"plans": plans, "all_plans": others.every, "count": others.number}


def only_one_lines(only: OnlyOne | None) -> Iterator[Line]:
    """The key, cooks and duals, in words."""
    if only is None:
        yield line(Styled("not settled in time: ", Style.WARNING), "whether another plan is as good")
        return
    key = escape(only.key.text)
    if only.key.others:
        yield line(Styled("cooked", Style.WARNING), f": {key} is not the only key: {_list(only.key.others)}")
    else:
        yield line(Styled("key", Style.GOOD), f": {key}, the only key")
    for dual in only.duals:
        yield line(
            Styled("dual", Style.WARNING), f": in place of action {dual.index}, {escape(dual.text)}: {_list(dual.others)}"
        )
    if not only.key.others and not only.duals:
        order = ", but for the order of actions that commute" if only.up_to_order else ""
        yield line(Styled("unique", Style.GOOD), f": no other plan is as good{order}")
    elif not only.up_to_order:
        yield line("there are too many plans to tell which differ only in the order of their actions")


def _list(texts: Sequence[str]) -> str:
    return ", ".join(map(escape, texts))
