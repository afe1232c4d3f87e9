"""Edits of an item: clauses of an action, exceptions of a definition, cells of a table, tiles of a set, statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from rulewright.base.diagnostics import Label, suggest
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules, statements

Node = TypeVar("Node")
Sequel = modules.Procedure | modules.Whenever
"""An item whose parts are statements."""
Required = TypeVar("Required", modules.Action, modules.Pattern, modules.Rule)
Line = TypeVar("Line", modules.TileLine, modules.PieceLine)
Valued = modules.Score | modules.Invariant | modules.Partition

CLAUSES = "use `require`, `effect`, `add parameter`, `notation`, or `replace` or `drop` with a label"
CASES = "use `LABEL: … when …`, `replace value: …`, or `replace` or `drop` with a label"
CONDITIONS = "use `require`, or `replace` or `drop` with a label"
STATEMENTS = "use a statement, or `replace` or `drop` with a label"
CELLS = "use `column[row] = number` or `add row KEY: …`"
TILES = "use a tile, `add` with a tile, or `drop NAME`"
ONCE = "once"
"""The label of `once per turn`, by which it can be dropped."""


class EditError(Exception):
    """An edit that does not fit its target."""

    def __init__(self, message: str, span: Span, help: str = "", labels: tuple[Label, ...] = ()) -> None:
        super().__init__(message)
        self.message, self.span, self.help, self.labels = message, span, help, labels


def name_of(part: Any) -> str:
    """The label, the name or the key by which an edit names a part."""
    return str(next(getattr(part, field) for field in ("label", "name", "key") if hasattr(part, field)))


def replaced(parts: Sequence[Node], name: str, new: Node | None, span: Span) -> tuple[Node, ...]:
    """The parts with the one of that name replaced, or dropped if `new` is None. Raises `EditError`."""
    at = parts.index(_named(parts, name, span))
    return (*parts[:at], *(() if new is None else (new,)), *parts[at + 1 :])


def _named(parts: Sequence[Node], name: str, span: Span) -> Node:
    """The part with a name. Raises `EditError` if there is none."""
    for part in parts:
        if name_of(part) == name:
            return part
    raise EditError(f"there is no `{name}` to change here", span, suggest(name, map(name_of, parts)))


def _fresh(parts: Sequence[Node], new: Node, span: Span) -> tuple[Node, ...]:
    """The parts and one more. Raises `EditError` if its name is taken."""
    if name_of(new) in map(name_of, parts):
        raise EditError(f"`{name_of(new)}` already exists", span, "use `replace` to change it")
    return (*parts, new)


def condition_of(edit: modules.Replace) -> modules.Requirement:
    """The new condition or value of a clause; `replace value: E` holds the expression alone. Raises `EditError`."""
    match edit.value:
        case modules.Requirement() as requirement:
            return requirement
        case modules.Effect() | modules.Parameter() | modules.Case():
            raise EditError("a statement cannot replace a condition or a value", edit.span, "write an expression")
        case expression:
            return modules.Requirement(edit.label, expression, span=edit.span)


# Actions and procedures -----------------------------------------------------------------------------------------------


def edit_action(action: modules.Action, edit: modules.Edit) -> modules.Action:
    """Apply an edit to an action. Raises `EditError`."""
    match edit:
        case modules.Effect(labelled):
            return evolve(action, effects=_effects(_fresh(_body(action), labelled, edit.span)))
        case modules.AddParameter(parameter):
            return evolve(action, parameters=_fresh(action.parameters, parameter, edit.span))
        case modules.Notation():
            return evolve(action, notation=edit)
        case modules.Drop(label):
            return _drop_from_action(action, label, edit.span)
        case modules.Replace(label, modules.Parameter() as parameter):
            return evolve(action, parameters=replaced(action.parameters, parameter.name, parameter, edit.span))
        case modules.Replace(label, modules.Effect(labelled)):
            return evolve(action, effects=_effects(_edit_body(_body(action), label.split("."), labelled, edit.span)))
        case modules.Requirement() | modules.Replace():
            return edit_required(action, edit)
        case _:
            raise EditError("this line is not allowed in a change to an action", edit.span, CLAUSES)


def edit_required(item: Required, edit: modules.Edit) -> Required:
    """Add, replace or drop a requirement of a rule or pattern. Raises `EditError`."""
    match edit:
        case modules.Requirement():
            requirements = _fresh(item.requirements, edit, edit.span)
        case modules.Drop(label):
            requirements = replaced(item.requirements, label, None, edit.span)
        case modules.Replace(label):
            requirements = _replaced_requirement(item.requirements, label, edit)
        case _:
            message = f"this line is not allowed in a change to a {type(item).__name__.lower()}"
            raise EditError(message, edit.span, CONDITIONS)
    return evolve(item, requirements=requirements)


def _replaced_requirement(
    requirements: tuple[modules.Requirement, ...], label: str, edit: modules.Replace
) -> tuple[modules.Requirement, ...]:
    """The requirements with one replaced; it keeps its `after`, and its message and citation unless these are given."""
    new = condition_of(edit)
    if old := next((requirement for requirement in requirements if requirement.label == label), None):
        message, cite = new.message or old.message, new.cite or old.cite
        new = evolve(new, message=message, cite=cite, after=old.after, span=edit.span)
    return replaced(requirements, label, new, edit.span)


def _drop_from_action(action: modules.Action, label: str, span: Span) -> modules.Action:
    if any(r.label == label for r in action.requirements):
        return evolve(action, requirements=replaced(action.requirements, label, None, span))
    path = label.split(".")
    if any(e.labelled.label == path[0] for e in action.effects):
        return evolve(action, effects=_effects(_edit_body(_body(action), path, None, span)))
    if action.once and label == ONCE:
        return evolve(action, once="")
    known = [r.label for r in action.requirements] + [e.labelled.label for e in action.effects] + [ONCE] * bool(action.once)
    raise EditError(f"`{action.name}` has no `{label}` to drop", span, suggest(label, known))


def _body(action: modules.Action) -> tuple[statements.Labelled, ...]:
    return tuple(effect.labelled for effect in action.effects)


def _effects(body: Sequence[statements.Labelled]) -> tuple[modules.Effect, ...]:
    return tuple(modules.Effect(labelled, span=labelled.span) for labelled in body)


def edit_procedure(procedure: Sequel, edit: modules.Edit) -> Sequel:
    """Replace, drop or add a labelled statement; `each.inner` is a statement inside another. Raises `EditError`."""
    match edit:
        case statements.Labelled(label):
            body = _fresh(procedure.body, edit, edit.span) if label else (*procedure.body, edit)
        case modules.Effect(labelled):
            body = _fresh(procedure.body, labelled, edit.span)
        case modules.Replace(label, modules.Effect(labelled)):
            body = _edit_body(procedure.body, label.split("."), labelled, edit.span)
        case modules.Drop(label):
            body = _edit_body(procedure.body, label.split("."), None, edit.span)
        case _:
            raise EditError("this line is not allowed in a change to a procedure", edit.span, STATEMENTS)
    return evolve(procedure, body=body)


def _edit_body(
    body: tuple[statements.Labelled, ...], path: Sequence[str], new: statements.Labelled | None, span: Span
) -> tuple[statements.Labelled, ...]:
    """The body with the statement at a path of labels replaced, or dropped if `new` is None."""
    label, *below = path
    if not below:
        named = None if new is None else evolve(new, label=label)
        return replaced(body, label, named, span)
    outer = next((labelled for labelled in body if labelled.label == label), None)
    match outer.statement if outer else None:
        case (statements.ForEach(_, inner) | statements.Block(inner)) as block:
            statement: statements.Statement = evolve(block, body=_edit_body(inner, below, new, span))
        case statements.When(_, inner, otherwise) as branch if any(part.label == below[0] for part in otherwise):
            statement = evolve(branch, otherwise=_edit_body(otherwise, below, new, span))
        case statements.When(_, inner) as branch:
            statement = evolve(branch, body=_edit_body(inner, below, new, span))
        case _:
            raise EditError(
                f"there is no `{'.'.join(path)}` to change here", span, suggest(label, [part.label for part in body])
            )
    assert outer is not None
    return replaced(body, label, evolve(outer, statement=statement), span)


# Definitions, scores, invariants --------------------------------------------------------------------------------------


def edit_define(item: modules.Define, edit: modules.Edit) -> modules.Define:
    """Apply an edit to a definition: `replace value: E`, `replace LABEL: E when C`, `drop LABEL`, or an added exception."""
    match edit:
        case modules.Case(label):
            *above, own = label.split(".")
            cases = _add_case(item.cases, above, evolve(edit, label=own), edit.span)
        case modules.Replace("value"):
            said = condition_of(edit)
            return evolve(item, value=said.condition, cite=said.cite or item.cite, span=edit.span)
        case modules.Replace(label, modules.Case() as case):
            cases = _edit_cases(item.cases, label.split("."), case, edit.span)
        case modules.Replace(label):
            cases = _edit_cases(item.cases, label.split("."), condition_of(edit).condition, edit.span)
        case modules.Drop(label):
            cases = _edit_cases(item.cases, label.split("."), None, edit.span)
        case _:
            raise EditError("this line is not allowed in a change to a definition", edit.span, CASES)
    return evolve(item, cases=cases)


def _add_case(cases: tuple[modules.Case, ...], above: Sequence[str], new: modules.Case, span: Span) -> tuple[modules.Case, ...]:
    """The exceptions with one more, or with one more exception to the one at a path of labels."""
    if not above:
        return _fresh(cases, new, span)
    outer = _named(cases, above[0], span)
    inner = _add_case(outer.exceptions, above[1:], new, span)
    return replaced(cases, above[0], evolve(outer, exceptions=inner), span)


def _edit_cases(cases: tuple[modules.Case, ...], path: Sequence[str], new: Any, span: Span) -> tuple[modules.Case, ...]:
    old = _named(cases, path[0], span)
    if len(path) > 1:
        inner: modules.Case | None = evolve(old, exceptions=_edit_cases(old.exceptions, path[1:], new, span))
    elif new is None:
        inner = None
    elif isinstance(new, modules.Case):
        inner = evolve(new, label=old.label, exceptions=new.exceptions or old.exceptions, cite=new.cite or old.cite)
    else:
        inner = evolve(old, value=new, span=span)
    return replaced(cases, path[0], inner, span)


def edit_valued(item: Valued, edit: modules.Edit) -> Valued:
    """Replace the value of a score or partition, or the condition of an invariant. Raises `EditError`."""
    if not isinstance(edit, modules.Replace) or edit.label != "value":
        raise EditError("this line is not allowed here", edit.span, "use `replace value: …`")
    said = condition_of(edit)
    match item:
        case modules.Score():
            return evolve(item, value=said.condition, cite=said.cite or item.cite, span=edit.span)
        case modules.Partition():
            return evolve(item, value=said.condition, span=edit.span)
        case modules.Invariant():
            message, cite = said.message or item.message, said.cite or item.cite
            return evolve(item, condition=said.condition, message=message, cite=cite, span=edit.span)


def edit_look(look: modules.Look, edit: modules.Edit) -> modules.Look:
    """Change a look. Raises `EditError`."""
    if not isinstance(edit, modules.Restyle):
        raise EditError("this line is not allowed in a change to a look", edit.span, f"use `change look {look.name}: …`")
    return evolve(look, appearance=look.appearance.restyled(edit.appearance), span=edit.span)


# Tables and tiles -----------------------------------------------------------------------------------------------------


def edit_table(table: modules.Table, edit: modules.Edit) -> modules.Table:
    """Set a cell, `tokens[1] = 5`, or add a row, `add row 5: 3 2`. Raises `EditError`."""
    match edit:
        case modules.SetCell():
            return _set_cell(table, edit)
        case modules.AddRow(row):
            if len(row.values) != len(table.columns):
                message = f"wrong number of values in this row: expected {len(table.columns)}, found {len(row.values)}"
                raise EditError(message, edit.span, "give one value for each column: " + ", ".join(table.columns))
            return evolve(table, rows=_fresh(table.rows, row, edit.span))
        case _:
            raise EditError("this line is not allowed in a change to a table", edit.span, CELLS)


def _set_cell(table: modules.Table, edit: modules.SetCell) -> modules.Table:
    if edit.column not in table.columns:
        message = f"the table `{table.name}` has no column `{edit.column}`"
        raise EditError(message, edit.span, suggest(edit.column, table.columns))
    at = table.columns.index(edit.column)
    row = next((row for row in table.rows if row.key == edit.key), None)
    if row is None:
        help = suggest(str(edit.key), [name_of(row) for row in table.rows])
        help += f"; `add row {edit.key}: …` adds one" if help else ""
        raise EditError(f"the table `{table.name}` has no row `{edit.key}`", edit.span, help)
    new = evolve(row, values=(*row.values[:at], edit.value, *row.values[at + 1 :]))
    return evolve(table, rows=replaced(table.rows, name_of(row), new, edit.span))


def edit_pieces(pieces: modules.Pieces, edit: modules.Edit) -> modules.Pieces:
    """Change the count or the drawing of a piece, add one, or drop one. Raises `EditError`."""
    match edit:
        case modules.PieceLine(name):
            _known_line(name, pieces.lines, edit.span)
            return evolve(pieces, lines=replaced(pieces.lines, name, edit, edit.span))
        case modules.AddPiece(line):
            return evolve(pieces, lines=_fresh(pieces.lines, line, edit.span))
    known = {line.name: line for line in pieces.lines}
    kept = tuple(modules.TileLine(line.name, line.count, span=line.span) for line in pieces.lines)
    edited = edit_tiles(modules.Tiles(pieces.name, kept), edit)
    lines = (_piece(line, known.get(line.name)) for line in edited.lines)
    return evolve(pieces, lines=tuple(lines))


def _piece(line: modules.TileLine, before: modules.PieceLine | None) -> modules.PieceLine:
    """A line of a tile set as one of pieces: its features become the cells of a row. Raises `EditError`."""
    if any(feature.markers for feature in line.features) or len(line.features) > 1:
        raise EditError(
            "this is not a row of cells", line.features[-1].span, "write the names of the cells, as in `boat x2 hull bow`"
        )
    rows = tuple(modules.PatternRow((f.name, *f.sides), span=f.span) for f in line.features)
    return modules.PieceLine(line.name, line.count, rows or (before.rows if before else ()), span=line.span)


def _known_line(name: str, lines: Sequence[Line], span: Span) -> Line:
    """The line with a name. Raises `EditError` if there is none."""
    found = next((line for line in lines if line.name == name), None)
    if found is None:
        help = suggest(name, [line.name for line in lines])
        help += f"; `add {name} …` adds a kind" if help else ""
        raise EditError(f"there is no `{name}` to change here", span, help)
    return found


def edit_tiles(tiles: modules.Tiles, edit: modules.Edit) -> modules.Tiles:
    """Change the count and face of a tile by rewriting its line, add a line, or drop one. Raises `EditError`."""
    match edit:
        case modules.TileLine(name, _, features):
            old = _known_line(name, tiles.lines, edit.span)
            new = evolve(edit, features=features or old.features)
            lines = replaced(tiles.lines, name, new, edit.span)
        case modules.AddTile(line):
            lines = _fresh(tiles.lines, line, edit.span)
        case modules.Drop(label):
            lines = replaced(tiles.lines, label, None, edit.span)
        case _:
            raise EditError("this line is not allowed in a change to a tile set", edit.span, TILES)
    return evolve(tiles, lines=lines)
