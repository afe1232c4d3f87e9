"""Modules as rows: canonical order within an item, columns aligned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import assert_never

from . import expressions as e
from . import modules as m
from .print_expressions import print_expression, print_range
from .print_statements import behind, flow_rows, labelled_rows, statement_rows
from .rows import STEP, WIDTH, Row, aligned
from .spans import Span
from .statements import Labelled

_SHORT = 24  # values of cases longer than this are not put in a column
_TOGETHER = (m.Vocabulary, m.Players, m.Space, m.Partition, m.DropItem)


def module_rows(module: m.Module) -> Iterator[Row]:
    """The whole module."""
    header = module.header
    yield Row(0, f"module {header.name}:", header.span)
    yield from _notes(header.text, "", header.span)
    if header.extends:
        names = ", ".join(name for name, _ in header.extends)
        yield Row(STEP, f"extends {names}", header.extends[0][1])
    previous: m.Item | None = None
    for item in module.items:
        together = isinstance(item, _TOGETHER) and type(item) is type(previous)
        yield from behind(item_rows(item), gap=not together)
        previous = item


def item_rows(item: m.Item) -> Iterator[Row]:
    """One item with its block."""
    span = item.span
    match item:
        case m.Vocabulary(kind, names):
            named = f"{kind} {', '.join(names)}" if kind in {"terrain", "marker"} else f"enum {kind}: {', '.join(names)}"
            yield Row(0, named, span)
        case m.Players(low, high):
            yield Row(0, f"players {low}" if low == high else f"players {low}..{high}", span)
        case m.Space():
            yield from _space_rows(item)
        case m.Partition(name, parameter, space, value):
            yield Row(0, f"partition {name} of {parameter} in {space}: {print_expression(value)}", span)
        case m.Tiles(name, lines):
            yield Row(0, f"tiles {name}:", span)
            yield from _tile_rows(lines)
        case m.Table():
            yield from _table_rows(item)
        case m.State(lines):
            yield Row(0, "state:", span)
            cells = [(_state_head(line), _state_type(line)) for line in lines]
            for line, text in zip(lines, aligned(cells, (1,)), strict=True):
                yield Row(STEP, text, line.span)
        case m.Define():
            yield from _define_rows(item)
        case m.Action():
            yield from _action_rows(item)
        case m.Procedure(name, body, text, cite):
            yield Row(0, f"procedure {name}:", span)
            yield from _notes(text, cite, span)
            yield from statement_rows(body, STEP)
        case m.Flow(body):
            yield Row(0, "flow:", span)
            yield from flow_rows(body, STEP)
        case m.Score(name, value, cite):
            yield Row(0, f"score {name}: {print_expression(value)}", span, tail=_cite(cite))
        case m.Rank():
            yield from _rank_rows(item)
        case m.Invariant(label, condition, message, cite):
            yield from _condition_rows(f"invariant {label}:", condition, message, cite, 0, span)
        case m.Change(target, (m.SetCell() as only,), kind):
            yield Row(0, f"change {_of_kind(kind, target)}: {_set_cell(only)}", span)
        case m.Change(target, edits, kind):
            yield Row(0, f"change {_of_kind(kind, target)}:", span)
            yield from edit_rows(edits, STEP)
        case m.DropItem(kind, name):
            yield Row(0, f"drop {_of_kind(kind, name)}", span)
        case _:
            assert_never(item)


def _of_kind(kind: str, name: str) -> str:
    return f"{kind} {name}".strip()


def _cite(clause: str) -> str:
    return f"cite {clause}" if clause else ""


def _notes(text: str, cite: str, span: Span) -> Iterator[Row]:
    if text:
        yield Row(STEP, f'"{text}"', span, vague=True)
    if cite:
        yield Row(STEP, f"cite {cite}", span, vague=True)


# Spaces, tiles, tables


def _space_rows(space: m.Space) -> Iterator[Row]:
    radius = "radius " if space.shape is m.Shape.HEX and len(space.size) == 1 else ""
    size = f" {radius}{' x '.join(map(str, space.size))}" if space.size else ""
    tiles = " of tiles" if space.of_tiles else ""
    neighbours = f", {space.neighbours} neighbours" if space.neighbours else ""
    wrapped = ", wrapped" if space.wrapped else ""
    colon = ":" if space.edges else ""
    yield Row(0, f"space {space.name}: {space.shape.value}{size}{tiles}{neighbours}{wrapped}{colon}", space.span)
    ends: dict[str, list[str]] = {}
    for index, (start, end) in enumerate(space.edges):
        if index and space.edges[index - 1][0] != start:
            yield from _edge_rows(ends, space.span)
            ends = {}
        ends.setdefault(start, []).append(end)
    yield from _edge_rows(ends, space.span)


def _edge_rows(ends: dict[str, list[str]], span: Span) -> Iterator[Row]:
    for start, targets in ends.items():
        yield Row(STEP, f"{start} - {', '.join(targets)}", span, vague=True)


def _tile_rows(lines: tuple[m.TileLine, ...]) -> Iterator[Row]:
    cells = [(line.name, f"x{line.count}", ", ".join(map(print_feature, line.features))) for line in lines]
    for line, text in zip(lines, aligned(cells, (2, 4)), strict=True):
        yield Row(STEP, text, line.span)


def print_tile(line: m.TileLine) -> str:
    """A kind of tile: its name, how many there are, its features."""
    return f"{line.name} x{line.count} {', '.join(map(print_feature, line.features))}".rstrip()


def print_feature(feature: m.Feature) -> str:
    """`land N S (house 2)`"""
    markers = ", ".join(name if number == 1 else f"{name} {number}" for name, number in feature.markers)
    return " ".join((feature.name, *feature.sides, *([f"({markers})"] if markers else [])))


def _table_rows(table: m.Table) -> Iterator[Row]:
    yield Row(0, f"table {table.name} by {table.key}:", table.span)
    head = (f"{table.key}:", *table.columns)
    cells = [head, *((f"{row.key}:", *map(print_cell, row.values)) for row in table.rows)]
    shape = _drawn(table)
    texts = _drawings(cells, shape) if len(shape) > 1 else aligned(cells, (1, *([2] * len(table.columns))))
    yield Row(STEP, texts[0], table.span, vague=True, free=len(shape) > 1)
    for row, text in zip(table.rows, texts[1:], strict=True):
        yield Row(STEP, text, row.span, free=len(shape) > 1)


def _drawn(table: m.Table) -> tuple[int, ...]:
    """How many values stand on each line of a row, when all rows are drawn alike over several lines."""
    shapes = {tuple(Counter(value.span.line for value in row.values).values()) for row in table.rows}
    return shapes.pop() if len(shapes) == 1 else ()


def _drawings(rows: list[tuple[str, ...]], shape: tuple[int, ...]) -> list[str]:
    """Each row over several lines, so many values on each, shorter lines in the middle: a hexagon looks like one."""
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


def print_cell(value: e.Expression) -> str:
    """The cell of a table."""
    text = print_expression(value)
    return text if isinstance(value, e.Number | e.Name | e.TruthLiteral) else f"({text})"


def _rank_rows(rank: m.Rank) -> Iterator[Row]:
    yield Row(0, f"rank by {print_expression(rank.value)}:", rank.span)
    yield from _notes("", rank.cite, rank.span)
    ends = [tuple("" if end is None else str(end) for end in (line.low, line.high)) for line in rank.lines]
    width = max((len(low) for low, _ in ends), default=0)
    cells = [(f'"{line.name}"', f"{low:>{width}}..{high}") for line, (low, high) in zip(rank.lines, ends, strict=True)]
    for line, text in zip(rank.lines, aligned(cells, (1,)), strict=True):
        yield Row(STEP, text, line.span)


# State


def _state_head(line: m.StateLine) -> str:
    return f"{line.name} of {line.index}:" if line.index else f"{line.name}:"


def _state_type(line: m.StateLine) -> str:
    initial = f" = {print_expression(line.initial)}" if line.initial is not None else ""
    plain = line.visibility is m.Visibility.OPEN and line.type != m.ZoneType(ordered=True)
    shown = "" if plain else f", {line.visibility.value}"
    return print_type(line.type) + shown + initial


def print_type(type: m.WrittenType) -> str:
    """The type of a variable."""
    match type:
        case m.TruthType():
            return "truth"
        case m.NumberType(low, high):
            return f"{low}..{high}"
        case m.NamedType(name):
            return name
        case m.CellType(space):
            return f"cell of {space}"
        case m.DirectionType(space):
            return f"direction of {space}"
        case m.ZoneType(ordered):
            return "pile of tiles" if ordered else "set of tiles"
        case _:
            assert_never(type)


# Definitions


def _define_rows(define: m.Define) -> Iterator[Row]:
    parameters = f"({', '.join(map(print_parameter, define.parameters))})" if define.parameters else ""
    head = f"define {define.name}{parameters}"
    value = print_expression(define.value)
    if not define.text and not define.cases and (not define.cite or len(head) + len(value) + 3 <= WIDTH):
        yield Row(0, f"{head} = {value}", define.span, tail=_cite(define.cite))
        return
    yield Row(0, f"{head}:", define.span)
    yield from _notes(define.text, define.cite, define.span)
    yield Row(STEP, f"= {value}", define.value.span)
    yield from _case_rows(define.cases, STEP)


def print_parameter(parameter: m.Parameter) -> str:
    """A parameter with its domain."""
    if parameter.domain is None:
        return parameter.name
    where = f" where {print_expression(parameter.where)}" if parameter.where is not None else ""
    return f"{parameter.name} in {print_range(parameter.domain)}{where}"


def _case_rows(cases: tuple[m.Case, ...], indent: int) -> Iterator[Row]:
    width = max((len(case.label) for case in cases), default=0)
    values = [print_expression(case.value) for case in cases]
    longest = max(map(len, values), default=0)
    for case, value in zip(cases, values, strict=True):
        padded = value.ljust(longest) if longest <= _SHORT else value
        yield from _one_case(f"{case.label}:".ljust(width + 1) + f" {padded}", case, indent)


def _one_case(head: str, case: m.Case, indent: int) -> Iterator[Row]:
    text = f"{head} when {print_expression(case.when)}"
    if not case.exceptions:
        yield Row(indent, text, case.span, tail=_cite(case.cite))
        return
    cite = f" {_cite(case.cite)}" if case.cite else ""
    yield Row(indent, f"{text}{cite}:", case.span)
    yield from _case_rows(case.exceptions, indent + STEP)


def _condition_rows(head: str, condition: e.Expression, message: str, cite: str, indent: int, span: Span) -> Iterator[Row]:
    """A condition with its message and cite: on one line when there is room and no cite."""
    value = print_expression(condition)
    otherwise = f'else "{message}"' if message else ""
    line = f"{head} {value} {otherwise}".rstrip()
    if not cite and indent + len(line) <= WIDTH:
        yield Row(indent, line, span)
        return
    yield Row(indent, head, span)
    yield Row(indent + STEP, value, condition.span)
    for part in filter(None, (otherwise, _cite(cite))):
        yield Row(indent + STEP, part, span, vague=True)


# Actions


def _action_rows(action: m.Action) -> Iterator[Row]:
    parameters = f"({', '.join(map(print_parameter, action.parameters))})" if action.parameters else ""
    yield Row(0, f"action {action.name}{parameters}:", action.span)
    yield from _notes(action.text, action.cite, action.span)
    if action.notation:
        yield Row(STEP, f'notation "{action.notation.text}"', action.notation.span)
    if action.once:
        yield Row(STEP, f"once per {action.once}", action.span, vague=True)
    if action.like:
        yield Row(STEP, f"like {action.like.action}{':' if action.like.edits else ''}", action.like.span)
        yield from edit_rows(action.like.edits, 2 * STEP)
    for requirement in action.requirements:
        yield from _requirement_rows("require", requirement, STEP, requirement.span)
    for effect in action.effects:
        yield from labelled_rows(effect.labelled, STEP, f"effect {effect.labelled.label}:")


def _requirement_rows(word: str, requirement: m.Requirement, indent: int, span: Span) -> Iterator[Row]:
    head = f"{word} {requirement.label}:"
    yield from _condition_rows(head, requirement.condition, requirement.message, requirement.cite, indent, span)


# Changes


def edit_rows(edits: tuple[m.Edit, ...], indent: int) -> Iterator[Row]:
    """The edits of a block."""
    for edit in edits:
        yield from _edit_rows(edit, indent)


def _edit_rows(edit: m.Edit, indent: int) -> Iterator[Row]:
    span = edit.span
    match edit:
        case m.Replace():
            yield from _replace_rows(edit, indent)
        case m.Drop(label):
            yield Row(indent, f"drop {label}", span)
        case m.AddParameter(parameter):
            yield Row(indent, f"add parameter {print_parameter(parameter)}", span)
        case m.AddTile(line):
            yield Row(indent, f"add {print_tile(line)}", span)
        case m.AddRow(row):
            yield Row(indent, f"add row {row.key}: {' '.join(map(print_cell, row.values))}", span)
        case m.ReplacePoint(point, body):
            yield Row(indent, f"replace {point}:", span)
            yield from flow_rows(body, indent + STEP)
        case m.DropChoice(action, point):
            yield Row(indent, f"drop {action} from {point}", span)
        case m.AddChoice(action, point):
            yield Row(indent, f"add {action} to {point}", span)
        case m.Insert(before, point, procedure):
            yield Row(indent, f"{'before' if before else 'after'} {point}: {procedure}", span)
        case m.InsertFlow(before, point, body):
            yield Row(indent, f"{'before' if before else 'after'} {point}:", span)
            yield from flow_rows(body, indent + STEP)
        case m.SetCell():
            yield Row(indent, _set_cell(edit), span)
        case m.Requirement():
            yield from _requirement_rows("require", edit, indent, span)
        case m.Effect(labelled):
            yield from labelled_rows(labelled, indent, f"effect {labelled.label}:")
        case m.Case(label, value):
            yield from _one_case(f"{label}: {print_expression(value)}", edit, indent)
        case m.TileLine():
            yield Row(indent, print_tile(edit), span)
        case Labelled(label):
            yield from labelled_rows(edit, indent, f"{label}:" if label else "")
        case m.Notation(text):
            yield Row(indent, f'notation "{text}"', span)
        case _:
            assert_never(edit)


def _replace_rows(replace: m.Replace, indent: int) -> Iterator[Row]:
    head = f"replace {replace.label}:"
    match replace.value:
        case m.Requirement() as requirement:
            yield from _requirement_rows("replace", requirement, indent, replace.span)
        case m.Effect(labelled):
            yield from labelled_rows(labelled, indent, head)
        case m.Parameter() as parameter:
            yield Row(indent, f"replace parameter {print_parameter(parameter)}", replace.span)
        case m.Case() as case:
            yield from _one_case(f"{head} {print_expression(case.value)}", case, indent)
        case _ as value:
            yield Row(indent, f"{head} {print_expression(value)}", replace.span)


def _set_cell(cell: m.SetCell) -> str:
    return f"{cell.column}[{cell.key}] = {print_expression(cell.value)}"
