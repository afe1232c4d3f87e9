"""Prints modules as rows, in a canonical order within each item, with aligned columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules
from rulewright.grammar.tree.statements import Labelled

from .print_declarations import (
    drawing_rows,
    format_rows,
    piece_rows,
    print_cell,
    print_criteria,
    print_look,
    print_need,
    print_notation,
    print_parameter,
    print_parameters,
    print_pieces,
    print_tile,
    space_rows,
    state_head,
    state_type,
    table_rows,
    tile_rows,
)
from .print_expressions import print_expression, print_range
from .print_statements import behind, flow_rows, labelled_rows, print_statement, statement_rows
from .rows import INDENT, WIDTH, PrintedRow, aligned

_SHORT = 24  # in characters: longer case values are not aligned in a column
_TOGETHER = (
    *(modules.Vocabulary, modules.Players, modules.Space, modules.Partition),
    *(modules.Look, modules.Need, modules.Expected, modules.DropItem),
)


def module_rows(module: modules.Module) -> Iterator[PrintedRow]:
    """The whole module."""
    header = module.header
    yield from _head_rows(header, f"module {header.name}:")
    if header.edition:
        yield PrintedRow(INDENT, f"edition {header.edition.number}", header.edition.span)
    if header.extends:
        names = ", ".join(name for name, _ in header.extends)
        yield PrintedRow(INDENT, f"extends {names}", header.extends[0][1])
    previous: modules.Item | None = None
    for item in module.items:
        together = any(isinstance(item, kind) and isinstance(previous, kind) for kind in _TOGETHER)
        yield from behind(item_rows(item), gap=not together)
        previous = item


def item_rows(item: modules.Item) -> Iterator[PrintedRow]:  # noqa: PLR0912
    """One item with its block."""
    span = item.span
    match item:
        case modules.Vocabulary(kind, names):
            named = f"{kind} {', '.join(names)}" if kind in {"terrain", "marker"} else f"enum {kind}: {', '.join(names)}"
            yield PrintedRow(0, named, span)
        case modules.Players(low, high):
            yield PrintedRow(0, f"players {low}" if low == high else f"players {low}..{high}", span)
        case modules.Space():
            yield from space_rows(item)
        case modules.Partition(name, parameter, space, value):
            yield PrintedRow(0, f"partition {name} of {parameter} in {space}: {print_expression(value)}", span)
        case modules.Pattern() | modules.Pieces():
            yield from _pattern_rows(item) if isinstance(item, modules.Pattern) else _pieces_rows(item)
        case modules.Tiles(name, lines, player):
            yield PrintedRow(0, f"tiles {name}{'' if player is None else f' of {player}'}:", span)
            yield from tile_rows(lines)
        case modules.Table():
            yield from table_rows(item)
        case modules.State(lines):
            yield PrintedRow(0, "state:", span)
            cells = [(state_head(line), state_type(line)) for line in lines]
            for line, text in zip(lines, aligned(cells, (1,)), strict=True):
                yield PrintedRow(INDENT, text, line.span, tail=_cite(line.cite))
        case modules.Define():
            yield from _define_rows(item)
        case modules.Action() | modules.Rule():
            yield from _action_rows(item) if isinstance(item, modules.Action) else _rule_rows(item)
        case modules.Procedure() | modules.Whenever() | modules.Phase() | modules.Flow():
            yield from _sequel_rows(item)
        case modules.Score(name, value, cite, index):
            yield PrintedRow(0, f"score {name}{index and f' of {index}'}: {print_expression(value)}", span, tail=_cite(cite))
        case modules.Winner(criteria, cite):
            yield PrintedRow(0, f"winner: {print_criteria(criteria)}", span, tail=_cite(cite))
        case modules.Rank():
            yield from _rank_rows(item)
        case modules.Invariant(label, condition, message, cite):
            yield from _condition_rows(f"invariant {label}:", condition, message, cite, 0, span)
        case modules.Expected(code, name, reason):
            yield PrintedRow(0, f'expect {code} of {name}: "{reason}"', span)
        case modules.Look(name, appearance):
            yield PrintedRow(0, f"look {name}: {print_look(appearance)}", span)
        case modules.Format():
            yield from format_rows(item)
        case (
            modules.NeededSpace() | modules.NeededDefinition() | modules.NeededRule() | modules.NeededPattern()
            | modules.NeededPieces() | modules.NeededVariable() | modules.NeededNames()
        ):  # fmt: skip
            yield PrintedRow(0, f"needs {print_need(item)}".rstrip(), span)
        case modules.Change():
            yield from _change_rows(item)
        case modules.DropItem(kind, name):
            yield PrintedRow(0, f"drop {_of_kind(kind, name)}", span)
        case _:
            assert_never(item)


def _change_rows(change: modules.Change) -> Iterator[PrintedRow]:
    """A change, on one line if its edit fits there, else with a block."""
    head = f"change {_of_kind(change.kind, change.target)}:"
    match change.edits:
        case (modules.Restyle(appearance),):
            yield PrintedRow(0, f"{head} {print_look(appearance)}", change.span)
        case (modules.SetCell() as only,):
            yield PrintedRow(0, f"{head} {_set_cell(only)}", change.span)
        case edits:
            yield PrintedRow(0, head, change.span)
            yield from edit_rows(edits, INDENT)


def _sequel_rows(item: modules.Procedure | modules.Whenever | modules.Phase | modules.Flow) -> Iterator[PrintedRow]:
    """The rows of a sequence of statements or flow."""
    match item:
        case modules.Procedure(name, parameters=parameters):
            head = f"procedure {name}{print_parameters(parameters)}:"
        case modules.Whenever(name):
            head = f"whenever {name}: {print_pattern(item)}:"
        case modules.Phase(name):
            head = f"phase {name}:"
        case modules.Flow():
            head = "flow:"
        case _:
            assert_never(item)
    yield from _head_rows(item, head)
    if isinstance(item, modules.Phase | modules.Flow):
        yield from flow_rows(item.body, INDENT)
    else:
        yield from statement_rows(item.body, INDENT)


def print_pattern(whenever: modules.Whenever) -> str:
    """The pattern that triggers a `whenever`. The last operand must not extend over `where`."""
    pattern = whenever.pattern
    if whenever.where is None:
        return print_statement(pattern)
    last = next(name for name in ("source", "turned", "zone", "target", "cell") if getattr(pattern, name, None) is not None)
    closed: dict[str, Any] = {last: expressions.Name(print_range(getattr(pattern, last)))}
    return f"{print_statement(evolve(pattern, **closed))} where {print_expression(whenever.where)}"


def _of_kind(kind: str, name: str) -> str:
    return f"{kind} {name}".strip()


def _cite(clause: str) -> str:
    return f"cite {clause}" if clause else ""


def _head_rows(item: Any, head: str) -> Iterator[PrintedRow]:
    """The first line of an item, and the text and the cite below it if it has them."""
    yield PrintedRow(0, head, item.span)
    if text := getattr(item, "text", ""):
        yield PrintedRow(INDENT, f'"{text}"', item.span, vague=True)
    if cite := getattr(item, "cite", ""):
        yield PrintedRow(INDENT, f"cite {cite}", item.span, vague=True)


def _rank_rows(rank: modules.Rank) -> Iterator[PrintedRow]:
    yield from _head_rows(rank, f"rank by {print_expression(rank.value)}:")
    ends = [tuple("" if end is None else str(end) for end in (line.low, line.high)) for line in rank.lines]
    width = max((len(low) for low, _ in ends), default=0)
    cells = [(f'"{line.name}"', f"{low:>{width}}..{high}") for line, (low, high) in zip(rank.lines, ends, strict=True)]
    for line, text in zip(rank.lines, aligned(cells, (1,)), strict=True):
        yield PrintedRow(INDENT, text, line.span)


# Definitions


def _define_rows(define: modules.Define) -> Iterator[PrintedRow]:
    head = f"define {define.name}{print_parameters(define.parameters)}"
    value = print_expression(define.value)
    if not define.text and not define.cases and (not define.cite or len(head) + len(value) + 3 <= WIDTH):
        yield PrintedRow(0, f"{head} = {value}", define.span, tail=_cite(define.cite))
        return
    yield from _head_rows(define, f"{head}:")
    yield PrintedRow(INDENT, f"= {value}", define.value.span)
    yield from _case_rows(define.cases, INDENT)


def _case_rows(cases: tuple[modules.Case, ...], indent: int) -> Iterator[PrintedRow]:
    width = max((len(case.label) for case in cases), default=0)
    values = [print_expression(case.value) for case in cases]
    longest = max(map(len, values), default=0)
    for case, value in zip(cases, values, strict=True):
        padded = value.ljust(longest) if longest <= _SHORT else value
        yield from _one_case(f"{case.label}:".ljust(width + 1) + f" {padded}", case, indent)


def _one_case(head: str, case: modules.Case, indent: int) -> Iterator[PrintedRow]:
    text = f"{head} when {print_expression(case.when)}"
    if not case.exceptions:
        yield PrintedRow(indent, text, case.span, tail=_cite(case.cite))
        return
    cite = f" {_cite(case.cite)}" if case.cite else ""
    yield PrintedRow(indent, f"{text}{cite}:", case.span)
    yield from _case_rows(case.exceptions, indent + INDENT)


def _condition_rows(
    head: str, condition: expressions.Expression, message: str, cite: str, indent: int, span: Span
) -> Iterator[PrintedRow]:
    """A condition with its message and cite: on one line if there is room and no cite."""
    value = print_expression(condition)
    otherwise = f'else "{message}"' if message else ""
    line = f"{head} {value} {otherwise}".rstrip()
    if not cite and indent + len(line) <= WIDTH:
        yield PrintedRow(indent, line, span)
        return
    yield PrintedRow(indent, head, span)
    yield PrintedRow(indent + INDENT, value, condition.span)
    for part in filter(None, (otherwise, _cite(cite))):
        yield PrintedRow(indent + INDENT, part, span, vague=True)


# Patterns


def _pattern_rows(pattern: modules.Pattern) -> Iterator[PrintedRow]:
    options = ", turned" * pattern.turned + ", mirrored" * pattern.mirrored
    yield from _head_rows(pattern, f"pattern {pattern.name} in {pattern.space}{options}:")
    yield from drawing_rows(pattern.rows, INDENT, pattern.span)
    for requirement in pattern.requirements:
        yield from _requirement_rows("require", requirement, INDENT, requirement.span)


def _pieces_rows(pieces: modules.Pieces) -> Iterator[PrintedRow]:
    yield from _head_rows(pieces, f"pieces {print_pieces(pieces)}:")
    yield from piece_rows(pieces.lines)


# Actions


def _action_rows(action: modules.Action) -> Iterator[PrintedRow]:
    base = "base " * action.base
    yield from _head_rows(action, f"{base}action {action.name}{print_parameters(action.parameters)}:")
    if action.notation:
        yield PrintedRow(INDENT, f"notation {print_notation(action.notation)}", action.notation.span)
    if action.once:
        yield PrintedRow(INDENT, f"once per {action.once}", action.span, vague=True)
    if action.like:
        bound = ", ".join(f"{one.parameter} = {print_range(one.value)}" for one in action.like.bindings)
        like = f"like {action.like.action}{' with ' * bool(bound)}{bound}{':' * bool(action.like.edits)}"
        yield PrintedRow(INDENT, like, action.like.span)
        yield from edit_rows(action.like.edits, 2 * INDENT)
    for requirement in action.requirements:
        yield from _requirement_rows("require", requirement, INDENT, requirement.span)
    for effect in action.effects:
        yield from labelled_rows(effect.labelled, INDENT, f"effect {effect.labelled.label}:")


def _rule_rows(rule: modules.Rule) -> Iterator[PrintedRow]:
    yield from _head_rows(rule, f"rule {rule.name}{print_parameters(rule.parameters)}:")
    for requirement in rule.requirements:
        yield from _requirement_rows("require", requirement, INDENT, requirement.span)


def _requirement_rows(word: str, requirement: modules.Requirement, indent: int, span: Span) -> Iterator[PrintedRow]:
    match requirement:
        case modules.Requirement(label, expressions.Call(function), "", after=False) if (word, label) == ("require", function):
            yield PrintedRow(indent, f"require {print_expression(requirement.condition)}", span, tail=_cite(requirement.cite))
            return
    head = f"{word} {requirement.label}{' after' * (word == 'require' and requirement.after)}:"
    yield from _condition_rows(head, requirement.condition, requirement.message, requirement.cite, indent, span)


# Changes


def edit_rows(edits: tuple[modules.Edit, ...], indent: int) -> Iterator[PrintedRow]:
    """The edits of a block."""
    for edit in edits:
        yield from _edit_rows(edit, indent)


def _edit_rows(edit: modules.Edit, indent: int) -> Iterator[PrintedRow]:  # noqa: PLR0912
    span = edit.span
    match edit:
        case modules.Replace():
            yield from _replace_rows(edit, indent)
        case modules.Drop(label):
            yield PrintedRow(indent, f"drop {label}", span)
        case modules.AddParameter(parameter):
            yield PrintedRow(indent, f"add parameter {print_parameter(parameter)}", span)
        case modules.AddTile(line):
            yield PrintedRow(indent, f"add {print_tile(line)}", span)
        case modules.AddPiece(line):
            yield PrintedRow(indent, f"add {line.name} x{line.count}:", span)
            yield from drawing_rows(line.rows, indent + INDENT, line.span)
        case modules.PieceLine(name, count, rows):
            yield PrintedRow(indent, f"{name} x{count}:", span)
            yield from drawing_rows(rows, indent + INDENT, span)
        case modules.AddRow(row):
            yield PrintedRow(indent, f"add row {row.key}: {' '.join(map(print_cell, row.values))}", span)
        case modules.ReplacePoint(point, body):
            yield PrintedRow(indent, f"replace {point}:", span)
            yield from flow_rows(body, indent + INDENT)
        case modules.DropChoice(action, point):
            yield PrintedRow(indent, f"drop {action} from {point}", span)
        case modules.AddChoice(action, point):
            yield PrintedRow(indent, f"add {action} to {point}", span)
        case modules.Insert(before, point, procedure):
            yield PrintedRow(indent, f"{'before' if before else 'after'} {point}: {procedure}", span)
        case modules.InsertFlow(before, point, body):
            yield PrintedRow(indent, f"{'before' if before else 'after'} {point}:", span)
            yield from flow_rows(body, indent + INDENT)
        case modules.SetCell():
            yield PrintedRow(indent, _set_cell(edit), span)
        case modules.Requirement():
            yield from _requirement_rows("require", edit, indent, span)
        case modules.Effect(labelled):
            yield from labelled_rows(labelled, indent, f"effect {labelled.label}:")
        case modules.Case(label, value):
            yield from _one_case(f"{label}: {print_expression(value)}", edit, indent)
        case modules.TileLine():
            yield PrintedRow(indent, print_tile(edit), span)
        case Labelled(label):
            yield from labelled_rows(edit, indent, f"{label}:" if label else "")
        case modules.Restyle(appearance):
            yield PrintedRow(indent, print_look(appearance), span)
        case modules.Notation():
            yield PrintedRow(indent, f"notation {print_notation(edit)}", span)
        case _:
            assert_never(edit)


def _replace_rows(replace: modules.Replace, indent: int) -> Iterator[PrintedRow]:
    head = f"replace {replace.label}:"
    match replace.value:
        case modules.Requirement() as requirement:
            yield from _requirement_rows("replace", requirement, indent, replace.span)
        case modules.Effect(labelled):
            yield from labelled_rows(labelled, indent, head)
        case modules.Parameter() as parameter:
            yield PrintedRow(indent, f"replace parameter {print_parameter(parameter)}", replace.span)
        case modules.Case() as case:
            yield from _one_case(f"{head} {print_expression(case.value)}", case, indent)
        case _ as value:
            yield PrintedRow(indent, f"{head} {print_expression(value)}", replace.span)


def _set_cell(cell: modules.SetCell) -> str:
    return f"{cell.column}[{cell.key}] = {print_expression(cell.value)}"
