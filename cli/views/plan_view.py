"""Plans, their alternatives and expectations, solutions of problems, sensitivities, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, written_as_one
from rulewright.solver.result import Expectation, MixedChoice
from rulewright.studies.verified_plan import PlanStep

from .paths import place_text

if TYPE_CHECKING:
    from rulewright.solver.plans.plan_graph import Uncounted
    from rulewright.studies.alternative_plans import KeyAndDuals
    from rulewright.studies.sensitivity import Perturbation, Sensitivity


def plan_lines(steps: Sequence[PlanStep], players: int, objective: str) -> Iterator[Line]:
    """The numbered steps, those that continue others on their lines, with a heading for each turn unless turns are single
    lines; after a turn, the value of a named objective."""
    groups = groupby(steps, key=lambda step: (step.turn, step.player))
    turns = [
        (turn, written_as_one((step.text, step.continues) for step in turn)) for turn in (list(group) for _, group in groups)
    ]
    headed = any(len(rows) > 1 for _, rows in turns)
    width = max((len(row) for _, rows in turns for row in rows), default=0)
    number = 0
    for turn, rows in turns:
        who = f"player {turn[0].player}" if players > 1 else ""
        if headed:
            yield line(Styled(f"turn {turn[0].turn}{', ' if who else ''}{who}", Style.STRONG))
        for at, row in enumerate(rows, 1):
            number += 1
            value = Styled(f"   {objective} {turn[-1].value}", Style.FAINT) if objective and at == len(rows) else ""
            before = f"{who}  " if who and not headed else ""
            yield line(f"{number:4}  {before}{escape(row).ljust(width)}", value)


# In expectation -----------------------------------------------------------------------------------------------------


def fraction_text(value: Fraction) -> str:
    """`70/9, about 7.778`; a whole number as such."""
    return str(value) if value.denominator == 1 else f"{value}, about {float(value):.4g}"


def first_moves(expectation: Expectation, engine: Engine, state: State) -> list[tuple[str, Fraction]]:
    """The possible first moves, as players write them, each with its expected value."""
    return [(format_move(engine, state, move), value) for move, value in expectation.first]


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


MOST_CHOICES = 24
"""Choices of a player's strategy that are printed, without `--all`."""


def strategy_lines(choices: Sequence[MixedChoice], engine: Engine, most: int) -> Iterator[Line]:
    """For each player, what they see at each choice, and how often they take which action there."""
    for player, own in groupby(mixtures(choices, engine), key=itemgetter(0)):
        known = [(", ".join(sees), shares) for _, sees, shares in own]
        shown = known[: most or MOST_CHOICES]
        yield line(Styled(f"player {player}", Style.STRONG))
        width = max(len(sees) for sees, _ in shown)
        for sees, shares in shown:
            often = ", ".join(text if share == 1 else f"{text} {share}" for text, share in shares if share)
            yield line(f"      {escape(sees).ljust(width)}{'   ' * bool(width)}{escape(often)}")
        if len(shown) < len(known):
            yield line(Styled(f"      and at {len(known) - len(shown):,} more choices: `--all {len(known)}`", Style.FAINT))


def mixtures(choices: Sequence[MixedChoice], engine: Engine) -> Iterator[tuple[int, list[str], list[tuple[str, Fraction]]]]:
    """For each choice its player, what they see that tells it from their others, and each action with its probability."""
    from rulewright.rules.play.visibility import told_apart

    for player, own in groupby(choices, key=lambda choice: choice.player):
        known = list(own)
        for choice, sees in zip(known, told_apart(engine, player, [choice.state for choice in known]), strict=True):
            yield player, sees, [(format_move(engine, choice.state, move), share) for move, share in choice.moves]


# Alternatives ---------------------------------------------------------------------------------------------------------


def uniqueness_lines(found: KeyAndDuals | None, why: Uncounted | None) -> Iterator[Line]:
    """The key, its cooks, and the duals of later moves; or why they are not known."""
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


# Sensitivity (`--why`) ------------------------------------------------------------------------------------------------


def sensitivity_lines(found: Sequence[Sensitivity], goal: Goal) -> Iterator[Line]:
    """The perturbations with a gain, greatest first; then the number without a gain, and the open ones."""
    gains = [one for one in by_gain(found) if one.gain]
    if not gains:
        yield line("no change tried would improve the answer")
    else:
        yield line(Styled("changes that would improve the answer", Style.STRONG))
    width = max((len(_change(one)) for one in gains), default=0)
    for one in gains:
        origin = Styled(escape(_origin(one.perturbation)), Style.FAINT)
        yield line(f"  {escape(_change(one)).ljust(width)}  {_gained(one, goal)}  ", origin)
    nothing = sum(one.gain == 0 for one in found)
    if nothing and gains:
        yield line(f"  {counted(nothing, 'other change')} would gain nothing")
    unplayable = [f"{_change(one)} ({one.problem})" for one in found if one.problem]
    unsettled = [_change(one) for one in found if one.gain is None and not one.problem]
    if unplayable:
        yield line(f"  cannot be played: {', '.join(map(escape, unplayable))}")
    if unsettled:
        yield line(f"  not settled in time: {', '.join(map(escape, unsettled))}")


def _gained(found: Sensitivity, goal: Goal) -> str:
    """`19, +2`, `at least 19, +2`, or `5, -1` if less is better."""
    match goal:
        case Goal.REACH:
            return "reached"
        case Goal.MINIMISE | Goal.LEAST:
            return f"{'' if found.proved else 'at most '}{found.score}, -{found.gain}"
        case Goal.MAXIMISE | Goal.COUNT_BEST | Goal.WIN:
            return f"{'' if found.proved else 'at least '}{found.score}, +{found.gain}"


def _change(found: Sensitivity) -> str:
    return f"{found.perturbation.name} {found.perturbation.change}"


def _origin(perturbation: Perturbation) -> str:
    return f"{place_text(perturbation.span)}  {perturbation.message}".strip()


def by_gain(found: Sequence[Sensitivity]) -> list[Sensitivity]:
    """Sorted by gain, greatest first, open ones last."""
    return sorted(found, key=lambda one: -1 if one.gain is None else one.gain, reverse=True)
