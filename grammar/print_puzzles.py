"""Puzzles as rows: what is said first, the position, the question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from . import scenarios as p
from .print_expressions import Level, print_at, print_expression
from .read_puzzles import coordinate_text
from .rows import STEP, Row


def puzzle_rows(puzzle: p.Puzzle) -> Iterator[Row]:
    """The whole puzzle."""
    span = puzzle.span
    yield Row(0, f"puzzle {puzzle.name}:", span)
    if puzzle.text:
        yield Row(STEP, f'"{puzzle.text}"', span, vague=True)
    yield Row(STEP, f"rules {' + '.join(name for name, _ in puzzle.rules)}", puzzle.rules[0][1])
    if puzzle.players is not None:
        yield Row(STEP, f"players {puzzle.players}", span, vague=True)
    if puzzle.allow_impossible:
        yield Row(STEP, "allow impossible position", span, vague=True)
    for index, drawing in enumerate(puzzle.drawings):
        yield from _drawing_rows(drawing, puzzle.drawings[index + 1 :], puzzle)
    for index, setting in enumerate(puzzle.settings):
        yield Row(STEP, _setting(setting), setting.span, gap=index == 0)
    if puzzle.start:
        text = f"start: {puzzle.start.point} of {puzzle.start.player}"
        yield Row(STEP, text, puzzle.start.span, gap=not puzzle.settings)
    if puzzle.ask:
        yield Row(STEP, f"ask: {_ask(puzzle.ask)}", puzzle.ask.span, gap=True)
    if puzzle.answer is not None:
        yield Row(STEP, f"answer: {puzzle.answer}", span, vague=True, gap=puzzle.ask is None)
    if puzzle.positions:
        yield Row(STEP, f"positions: {', '.join(map(str, puzzle.positions.counts))}", puzzle.positions.span)
    for plan in puzzle.plans:
        yield Row(STEP, f"{'accept' if plan.accepted else 'refuse'}: {', '.join(plan.actions)}", plan.span)


def _drawing_rows(drawing: p.Drawing, later: tuple[p.Drawing, ...], puzzle: p.Puzzle) -> Iterator[Row]:
    levels = drawing.level or sum(other.space == drawing.space for other in puzzle.drawings) > 1
    yield Row(STEP, f"{drawing.space}{f' level {drawing.level}' if levels else ''}:", drawing.span, gap=True)
    shift = max(0, 2 * STEP - min(drawing.indents, default=0)) if min(drawing.indents, default=0) <= STEP else 0
    width = max((len(_cell(cell)) for row in drawing.rows for cell in row), default=0) + 2
    for number, row in enumerate(drawing.rows):
        indent = drawing.indents[number] if number < len(drawing.indents) else 0
        text = "".join(_cell(cell).ljust(width) for cell in row).rstrip()
        yield Row(indent + shift, text, row[0].span if row else drawing.span, free=True)
    if drawing.origin and not any(other.space == drawing.space and other.origin for other in later):
        yield Row(STEP, f"origin {drawing.origin[0]},{drawing.origin[1]}", puzzle.span, vague=True)


def _cell(cell: p.DrawnCell) -> str:
    return (cell.tile or ".") + "".join(f"@{player}" for player in cell.players)


def _setting(setting: p.Setting) -> str:
    index = f" {_value(setting.index)}" if setting.index is not None else ""
    values = ", ".join(map(_value, setting.values)) or "none"
    return f"{setting.name}{index}: {values}{' open' if setting.open_to_all else ''}"


def _value(value: p.Value) -> str:
    match value:
        case p.Piece(tile, count):
            return tile if count == 1 else f"{tile} x{count}"
        case p.Coordinate():
            return coordinate_text(value)
        case p.Word(text):
            return text
        case p.Amount(number):
            return str(number)
        case p.Rest(seed):
            return f"rest, seed {seed}"
        case _:
            assert_never(value)


def _ask(ask: p.Ask) -> str:
    horizon = "until end"
    if ask.turns is not None:
        horizon = f"for {ask.turns} {ask.point}{'' if ask.turns == 1 else 's'}"
    match ask.goal:
        case p.Goal.MAXIMISE | p.Goal.MINIMISE:
            return f"{ask.goal.value} {_asked(ask)} {horizon}"
        case p.Goal.REACH:
            return f"reach {_asked(ask)} >= {ask.threshold} {horizon}"
        case p.Goal.COUNT_BEST:
            return "count best" if ask.turns is None else f"count best {horizon}"
        case _:
            assert_never(ask.goal)


def _asked(ask: p.Ask) -> str:
    if ask.value is None:
        return "score"
    return print_at(ask.value, Level.RANGE) if ask.goal is p.Goal.REACH else print_expression(ask.value)
