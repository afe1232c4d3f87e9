"""Prints declarations: spaces, tiles, tables, state, parameters, drawings, looks, criteria, and what is needed of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules
from rulewright.grammar.tree.declarations import Choice, Field, Format, Glyph
from rulewright.grammar.tree.looks import Appearance

from .print_expressions import print_closed, print_expression, print_range
from .rows import INDENT, PrintedRow, aligned

# Spaces, tiles, tables


def _of_tiles(space: modules.Space | modules.NeededSpace) -> str:
    return f" of {'turned ' * space.turned}tiles" if space.of_tiles else ""


def space_rows(space: modules.Space) -> Iterator[PrintedRow]:
    """The rows of a space."""
    if space.base:
        made = f"ports of {space.base}, {space.per_side} a side" if space.per_side else f"edges of {space.base}"
        yield PrintedRow(0, f"space {space.name}: {made}", space.span)
        return
    radius = "radius " if space.shape is modules.Shape.HEX and len(space.size) == 1 else ""
    size = f" {radius}{' x '.join(map(str, space.size))}" if space.size else ""
    neighbours = f", {space.neighbours} neighbours" if space.neighbours else ""
    wrapped = ", wrapped" * space.wrapped + ", slanted" * space.slanted
    corners = f", cells {'..'.join(space.corners)}" if space.corners else ""
    colon = ":" if space.edges else ""
    text = f"space {space.name}: {space.shape.value}{size}{_of_tiles(space)}{neighbours}{wrapped}{corners}{colon}"
    yield PrintedRow(0, text, space.span)
    ends: dict[str, list[str]] = {}
    for index, (start, end) in enumerate(space.edges):
        if index and space.edges[index - 1][0] != start:
            yield from _edge_rows(ends, space.span)
            ends = {}
        ends.setdefault(start, []).append(end)
    yield from _edge_rows(ends, space.span)


def _edge_rows(ends: dict[str, list[str]], span: Span) -> Iterator[PrintedRow]:
    for start, targets in ends.items():
        yield PrintedRow(INDENT, f"{start} - {', '.join(targets)}", span, vague=True)


def tile_rows(lines: tuple[modules.TileLine, ...]) -> Iterator[PrintedRow]:
    """The rows of kinds of tile."""
    cells = [(line.name, f"x{line.count}", ", ".join(map(print_feature, line.features))) for line in lines]
    for line, text in zip(lines, aligned(cells, (2, 4)), strict=True):
        yield PrintedRow(INDENT, text, line.span)


def print_tile(line: modules.TileLine) -> str:
    """A kind of tile: its name, count and features."""
    return f"{line.name} x{line.count} {', '.join(map(print_feature, line.features))}".rstrip()


def print_feature(feature: modules.Feature) -> str:
    """`land N S (house 2)`"""
    markers = ", ".join(name if number == 1 else f"{name} {number}" for name, number in feature.markers)
    return " ".join((feature.name, *feature.sides, *([f"({markers})"] if markers else [])))


def table_rows(table: modules.Table) -> Iterator[PrintedRow]:
    """The rows of a table."""
    yield PrintedRow(0, f"table {table.name} by {table.key}:", table.span)
    head = (f"{table.key}:", *table.columns)
    cells = [head, *((f"{row.key}:", *map(print_cell, row.values)) for row in table.rows)]
    shape = _drawn(table)
    texts = _drawings(cells, shape) if len(shape) > 1 else aligned(cells, (1, *([2] * len(table.columns))))
    yield PrintedRow(INDENT, texts[0], table.span, vague=True, free=len(shape) > 1)
    for row, text in zip(table.rows, texts[1:], strict=True):
        yield PrintedRow(INDENT, text, row.span, free=len(shape) > 1)


def _drawn(table: modules.Table) -> tuple[int, ...]:
    """The number of values on each line of a row, if all rows are drawn alike over several lines."""
    shapes = {tuple(Counter(value.span.line for value in row.values).values()) for row in table.rows}
    return shapes.pop() if len(shapes) == 1 else ()


def _drawings(rows: list[tuple[str, ...]], shape: tuple[int, ...]) -> list[str]:
    """Each row over several lines, `shape` giving the number of values on each; shorter lines are centred, so a hexagon
    looks like one."""
    margin = max(len(head) for head, *_ in rows) + 1
    pitch = max(len(value) for _, *values in rows for value in values) + 2
    pitch += pitch % 2
    texts: list[str] = []
    for head, *values in rows:
        lines: list[str] = []
        for count in shape:
            here = values[sum(shape[: len(lines)]) :][:count]
            blank = " " * ((max(shape) - count) * pitch // 2)
            lines.append(
                ((head if not lines else "").ljust(margin) + blank + "".join(value.ljust(pitch) for value in here)).rstrip()
            )
        texts.append("\n".join(lines))
    return texts


def print_cell(value: expressions.Expression) -> str:
    """The cell of a table."""
    text = print_expression(value)
    return text if isinstance(value, expressions.NumberLiteral | expressions.Name | expressions.TruthLiteral) else f"({text})"


# State


def state_head(line: modules.StateLine) -> str:
    """A variable's line before its type."""
    return " of ".join((line.name, *line.of)) + ":"


def state_type(line: modules.StateLine) -> str:
    """A variable's type, visibility, scope and initial value."""
    initial = f" = {print_expression(line.initial)}" if line.initial is not None else ""
    plain = line.visibility is modules.Visibility.OPEN and line.type != modules.ZoneType(ordered=True)
    shown = "" if plain else f", {line.visibility.value}"
    lasts = f", for this {line.scope}" if line.scope else ""
    return print_type(line.type) + shown + lasts + initial


def print_type(type: modules.WrittenType) -> str:
    """The type of a variable."""
    match type:
        case modules.TruthType():
            return "truth"
        case modules.NumberType(low, high):
            return f"{low}..{high}"
        case modules.NamedType(name):
            return name
        case modules.CellType(space):
            return f"cell of {space}"
        case modules.DirectionType(space):
            return f"direction of {space}"
        case modules.SetType(element):
            if isinstance(element, modules.CellType):
                return f"set of cells of {element.space}"
            return f"set of {'players' if element.name == 'player' else element.name}"
        case modules.ZoneType(ordered):
            return "pile of tiles" if ordered else "set of tiles"
        case modules.PositionsType(most, names):
            return f"last {most} positions of {', '.join(names)}"
        case _:
            assert_never(type)


# Parameters


def print_parameters(parameters: tuple[modules.Parameter, ...]) -> str:
    """Parameters in parentheses; empty if there are none."""
    if not parameters:
        return ""
    *others, last = parameters
    return f"({', '.join([*(print_parameter(other, last=False) for other in others), print_parameter(last)])})"


def print_parameter(parameter: modules.Parameter, last: bool = True) -> str:
    """A parameter with its domain; unless it is the `last`, its condition must not extend into the next."""
    if parameter.domain is None:
        return parameter.name
    printed = print_expression if last else print_closed
    where = f" where {printed(parameter.where)}" if parameter.where is not None else ""
    return f"{parameter.name} in {print_range(parameter.domain)}{where}{' or none' * parameter.optional}"


def print_notation(notation: modules.Notation) -> str:
    """How an action is written."""
    other = f', "{notation.other}" when {print_expression(notation.when)}' if notation.when is not None else ""
    return f'"{notation.text}"{other}'


# Needs


def print_need(need: modules.Need) -> str:
    """A need, as written after `needs`."""
    match need:
        case modules.NeededSpace(name, shape):
            return f"space {name}{f': {shape.value}' if shape else ''}{_of_tiles(need)}"
        case modules.NeededDefinition(name, parameters, type):
            return f"define {name}{print_parameters(parameters)}: {print_type(type)}"
        case modules.NeededRule(name, parameters):
            return f"rule {name}{print_parameters(parameters)}"
        case modules.NeededPattern(name, space, roles):
            return f"pattern {name} in {space}{': ' * bool(roles)}{', '.join(roles)}"
        case modules.NeededPieces(name, space, owned, roles):
            return f"pieces {name}{' of player' * owned} in {space}{': ' * bool(roles)}{', '.join(roles)}"
        case modules.NeededVariable(line):
            return f"state {state_head(line)} {print_type(line.type)}"
        case modules.NeededNames(named, names):
            return f"{named.value} {', '.join(names)}"
        case _:
            assert_never(need)


def drawing_rows(rows: tuple[modules.PatternRow, ...], indent: int, span: Span) -> Iterator[PrintedRow]:
    """The rows of a drawing, under their levels if there are several; `span` is that of the thing drawn."""
    cells = [[role or "." for role in row.roles] for row in rows]
    texts = aligned(cells, [1] * max(map(len, cells), default=0))
    for before, row, text in zip((None, *rows), rows, texts, strict=False):
        deeper = any(other.level for other in rows)
        if deeper and (before is None or before.level != row.level):
            yield PrintedRow(indent, f"level {row.level}:", span, vague=True)
        yield PrintedRow(indent + INDENT * deeper, text, row.span)


def print_pieces(pieces: modules.Pieces) -> str:
    """The line of a set of pieces: `ships of player in sea, turned`."""
    options = ", turned" * pieces.turned + ", mirrored" * pieces.mirrored
    return f"{pieces.name}{' of player' * pieces.owned} in {pieces.space}{options}"


def piece_rows(lines: tuple[modules.PieceLine, ...]) -> Iterator[PrintedRow]:
    """The rows of pieces. A piece of one row is drawn on its line."""
    heads = aligned([(line.name, f"x{line.count}", print_drawing(line)) for line in lines], (2, 4))
    for line, head in zip(lines, heads, strict=True):
        below = bool(line.rows) and not print_drawing(line)
        yield PrintedRow(INDENT, head + ":" * below, line.span)
        if below:
            yield from drawing_rows(line.rows, 2 * INDENT, line.span)


def print_piece(line: modules.PieceLine) -> str:
    """A kind of piece on one line: its name, count, and cells by rows."""
    levels = [row.level for row in line.rows]
    rows = " / ".join(f"{_row(row)}" for row in line.rows)
    return f"{line.name} x{line.count} {rows}{f' on levels {levels}' * any(levels)}".rstrip()


def print_drawing(line: modules.PieceLine) -> str:
    """The drawing of a piece with one row; empty if it needs a block."""
    return _row(line.rows[0]) if len(line.rows) == 1 and not line.rows[0].level else ""


def _row(row: modules.PatternRow) -> str:
    return " ".join(role or "." for role in row.roles)


def print_look(appearance: Appearance) -> str:
    """The words of an appearance: the label, where it stands, the drawing, then the colour, then the style."""
    said = (appearance.drawing, appearance.colour, appearance.region, appearance.space, appearance.size)
    words = [member.value for member in (appearance.showing, appearance.standing, *said) if member is not None]
    words += [f"around {appearance.around}"] if appearance.around else []
    texts = (("label", appearance.label), ("outline", appearance.outline), ("glyph", appearance.glyph))
    return ", ".join([*(f'{word} "{text}"' for word, text in texts if text), *words])


def print_criteria(criteria: Sequence[modules.Criterion]) -> str:
    """`most savings, then least debts of player`"""
    words = {expressions.Extreme.GREATEST: "most", expressions.Extreme.LEAST: "least"}
    return ", then ".join(f"{words[criterion.extreme]} {print_expression(criterion.value)}" for criterion in criteria)


# Prints formats -------------------------------------------------------------------------------------------------------


def format_rows(format: Format) -> Iterator[PrintedRow]:
    """A format with its lines."""
    yield PrintedRow(0, f"format {format.name} of {format.drawing}:", format.span)
    if format.text:
        yield PrintedRow(INDENT, f'"{format.text}"', format.span, vague=True)
    if format.between is not None:
        yield PrintedRow(INDENT, f'rows "{format.between}"', format.span, vague=True)
    if format.runs:
        yield PrintedRow(INDENT, "runs", format.span, vague=True)
    for glyph in format.glyphs:
        yield PrintedRow(INDENT, _glyph(glyph), glyph.span)
    if format.letters is not None:
        yield PrintedRow(INDENT, f'letters "{format.letters.text}": {format.letters.tiles}', format.letters.span)
    for field in format.fields:
        yield PrintedRow(INDENT, _field(field), field.span)


def _glyph(glyph: Glyph) -> str:
    texts = ", ".join(f'"{text}"' for text in glyph.texts)
    things = (f"{thing.name} of {thing.player}" if thing.player else thing.name for thing in glyph.things)
    return f"glyph {texts}: {', '.join(things) or 'none'}"


def _field(field: Field) -> str:
    choices = ", ".join(map(_choice, field.choices))
    return f"field {f'{field.name}: {choices}' if field.name and choices else field.name or choices}"


def _choice(choice: Choice) -> str:
    return " ".join([f'"{choice.text}"', *(at if isinstance(at, str) else f"({at[0]},{at[1]})" for at in choice.cells)])
