"""Prints puzzles as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rulewright.grammar.tree import expressions, puzzles

from .print_expressions import print_expression
from .rows import INDENT, PrintedRow


def puzzle_rows(puzzle: puzzles.Puzzle) -> Iterator[PrintedRow]:
    """The whole puzzle."""
    span = puzzle.span
    yield PrintedRow(0, f"puzzle {puzzle.name}:", span)
    if puzzle.text:
        yield PrintedRow(INDENT, f'"{puzzle.text}"', span, vague=True)
    if puzzle.edition:
        yield PrintedRow(INDENT, f"edition {puzzle.edition.number}", puzzle.edition.span)
    yield PrintedRow(INDENT, f"rules {' + '.join(name for name, _ in puzzle.rules)}", puzzle.rules[0][1])
    if puzzle.players is not None:
        yield PrintedRow(INDENT, f"players {puzzle.players}", span, vague=True)
    if puzzle.allow_impossible:
        yield PrintedRow(INDENT, "allow impossible position", span, vague=True)
    if puzzle.grade:
        yield PrintedRow(INDENT, f"grade {puzzle.grade.number}", puzzle.grade.span)
    if puzzle.themes:
        yield PrintedRow(INDENT, f"themes {', '.join(puzzle.themes.names)}", puzzle.themes.span)
    for index, drawing in enumerate(puzzle.drawings):
        yield from _drawing_rows(drawing, puzzle.drawings[index + 1 :], puzzle)
    for index, setting in enumerate(puzzle.settings):
        yield PrintedRow(INDENT, _setting(setting), setting.span, gap=index == 0)
    if puzzle.start:
        text = f"start: {'before ' * puzzle.start.is_before}{puzzle.start.point} of {puzzle.start.player}"
        yield PrintedRow(INDENT, text, puzzle.start.span, gap=not puzzle.settings)
    if puzzle.ask:
        yield PrintedRow(INDENT, f"ask: {ask_text(puzzle.ask)}", puzzle.ask.span, gap=True)
    if puzzle.answer is not None:
        yield PrintedRow(INDENT, f"answer: {puzzles.answer_text(puzzle.answer)}", span, vague=True, gap=puzzle.ask is None)
    for given in puzzle.given:
        yield PrintedRow(INDENT, f"plan of {given.player}: {', '.join(given.actions)}", given.span)
    if puzzle.positions:
        yield PrintedRow(INDENT, f"positions: {', '.join(map(str, puzzle.positions.counts))}", puzzle.positions.span)
    for plan in puzzle.plans:
        yield PrintedRow(INDENT, f"{'accept' if plan.accepted else 'refuse'}: {', '.join(plan.actions)}", plan.span)


def _drawing_rows(drawing: puzzles.Drawing, later: tuple[puzzles.Drawing, ...], puzzle: puzzles.Puzzle) -> Iterator[PrintedRow]:
    levels = drawing.level or sum(other.space == drawing.space for other in puzzle.drawings) > 1
    yield PrintedRow(INDENT, f"{drawing.space}{f' level {drawing.level}' if levels else ''}:", drawing.span, gap=True)
    shift = max(0, 2 * INDENT - min(drawing.indents, default=0)) if min(drawing.indents, default=0) <= INDENT else 0
    width = max((len(cell_text(cell)) for row in drawing.rows for cell in row), default=0) + 2
    for number, row in enumerate(drawing.rows):
        indent = drawing.indents[number] if number < len(drawing.indents) else 0
        text = "".join(cell_text(cell).ljust(width) for cell in row).rstrip()
        yield PrintedRow(indent + shift, text, row[0].span if row else drawing.span, free=True)
    if drawing.origin and not any(other.space == drawing.space and other.origin for other in later):
        yield PrintedRow(INDENT, f"origin {drawing.origin[0]},{drawing.origin[1]}", puzzle.span, vague=True)


def cell_text(cell: puzzles.DrawnCell) -> str:
    """A cell of a drawing: `cape`, `cape@1`, `cape/2`, `hook/m1`, `.`, `+`."""
    way = f"{'m' * cell.mirrored}{cell.turn or ''}"
    turn = f"/{way}" if way else ""
    return (cell.tile or ".") + turn + "".join(f"@{player}" for player in cell.players)


def _setting(setting: puzzles.Setting) -> str:
    index = "".join(f" {value_text(index)}" for index in setting.of)
    values = ", ".join(map(value_text, setting.values)) or "none"
    return f"{setting.name}{index}: {values}{' open' if setting.open_to_all else ''}"


def value_text(value: puzzles.Value) -> str:
    """A value of a setting: `cape x2`, `(3,1)`, `red`, `7`."""
    match value:
        case puzzles.Piece(tile, count):
            return tile if count == 1 else f"{tile} x{count}"
        case puzzles.Coordinate():
            return puzzles.coordinate_text(value)
        case puzzles.Word(text):
            return text
        case puzzles.Amount(number):
            return str(number)
        case puzzles.LyingPiece(kind, cell, way, player):
            return f"{kind} {value_text(cell)}{' ' * bool(way)}{way}{f'@{player}' if player else ''}"
        case puzzles.Rest(seed):
            return "rest" if seed is None else f"rest, seed {seed}"
        case _:
            assert_never(value)


def ask_text(ask: puzzles.Ask) -> str:
    """A question: `maximise score for 2 turns against best play`."""
    others = "" if ask.others is None else f" {ask.others.play.value}"
    chance = "" if ask.chance is None else f" {ask.chance.known.value}"
    return question_text(ask) + others + chance + ("" if ask.open_cards is None else " with open cards")


def question_text(ask: puzzles.Ask) -> str:
    """A question without its closing words on the other players, chance and hidden state."""
    horizon = "until end"
    if ask.turns is not None:
        horizon = f"for {ask.turns} {ask.point}{'' if ask.turns == 1 else 's'}"
    match ask.goal:
        case puzzles.Goal.MAXIMISE | puzzles.Goal.MINIMISE:
            return f"{ask.goal.value} {_asked(ask)} {horizon}"
        case puzzles.Goal.REACH:
            return f"reach {_asked(ask)} {horizon}"
        case puzzles.Goal.COUNT_BEST:
            return f"count best {horizon}"
        case puzzles.Goal.LEAST:
            assert ask.until is not None
            cost = f"fewest {ask.point}s" if ask.value is None else f"least {print_expression(ask.value)}"
            return f"{'count ' if ask.counts else ''}{cost} until {print_expression(ask.until)}"
        case puzzles.Goal.WIN:
            own = "" if ask.turns is None else f" in {horizon.removeprefix('for ')}"
            return f"{'lose' if ask.loses else 'win'} for {ask.player}{own}"
        case _:
            assert_never(ask.goal)


def _asked(ask: puzzles.Ask) -> str:
    value = expressions.Name("score", span=ask.span) if ask.value is None else ask.value
    if ask.threshold is not None:
        threshold = expressions.NumberLiteral(ask.threshold, span=ask.span)
        value = expressions.Compare(expressions.Comparison.AT_LEAST, value, threshold, span=ask.span)
    return print_expression(value)
