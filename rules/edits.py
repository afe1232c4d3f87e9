"""One change to one item of a rulebook: trees in, tree out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import attrs

from ..grammar import modules as tree
from ..grammar import statements
from ..grammar.diagnostics import suggest
from ..grammar.spans import Span

Node = TypeVar("Node")


CLAUSES = "say `require`, `effect`, `add parameter`, `notation`, or `replace` or `drop` and a label"
CASES = "say `LABEL: … when …`, `replace value: …`, or `replace` or `drop` and a label"
STATEMENTS = "say a statement, or `replace` or `drop` and a label"
FLOW = "say `add ACTION to POINT`, or `before` or `after` and a point or procedure"


class EditError(Exception):
    """An edit that does not fit its target."""

    def __init__(self, message: str, span: Span, help: str = "") -> None:
        super().__init__(message)
        self.message, self.span, self.help = message, span, help


def _replaced(
    items: Sequence[Node], label: str, new: Node | None, span: Span, label_of: Callable[[Node], str]
) -> tuple[Node, ...]:
    """The items with the one of that label replaced, or dropped when `new` is None."""
    labels = [label_of(item) for item in items]
    if label not in labels:
        raise EditError(f"there is no `{label}` here to change", span, suggest(label, labels))
    at = labels.index(label)
    return (*items[:at], *(() if new is None else (new,)), *items[at + 1 :])


def _fresh(items: Sequence[Node], new: Node, label: str, span: Span, label_of: Callable[[Node], str]) -> tuple[Node, ...]:
    if any(label_of(item) == label for item in items):
        raise EditError(f"there is a `{label}` already", span, "say `replace` to change it")
    return (*items, new)


def _effect_label(effect: tree.Effect) -> str:
    return effect.labelled.label


def _label(item: Any) -> str:
    return str(item.label)


def _name(item: Any) -> str:
    return str(item.name)


def condition_of(edit: tree.Replace) -> tree.Requirement:
    """The condition or value that a clause is replaced with; `replace value: E` holds the expression alone."""
    match edit.value:
        case tree.Requirement() as requirement:
            return requirement
        case tree.Effect() | tree.Parameter() | tree.Case():
            raise EditError("this cannot stand in place of a condition or value", edit.span, "write an expression")
        case expression:
            return tree.Requirement(edit.label, expression, span=edit.span)


def edit_action(action: tree.Action, edits: Sequence[tree.Edit]) -> tree.Action:
    """Apply edits to an action in order."""
    for edit in edits:
        match edit:
            case tree.Requirement(label):
                new = _fresh(action.requirements, edit, label, edit.span, _label)
                action = attrs.evolve(action, requirements=new)
            case tree.Effect(labelled):
                effects = _fresh(action.effects, edit, labelled.label, edit.span, _effect_label)
                action = attrs.evolve(action, effects=effects)
            case tree.AddParameter(parameter):
                parameters = _fresh(action.parameters, parameter, parameter.name, edit.span, _name)
                action = attrs.evolve(action, parameters=parameters)
            case tree.Notation():
                action = attrs.evolve(action, notation=edit)
            case tree.Drop(label):
                action = _drop_from_action(action, label, edit.span)
            case tree.Replace(label, tree.Parameter() as parameter):
                parameters = _replaced(action.parameters, parameter.name, parameter, edit.span, _name)
                action = attrs.evolve(action, parameters=parameters)
            case tree.Replace(label, tree.Effect(labelled) as effect):
                named = attrs.evolve(effect, labelled=attrs.evolve(labelled, label=label))
                effects = _replaced(action.effects, label, named, edit.span, _effect_label)
                action = attrs.evolve(action, effects=effects)
            case tree.Replace(label):
                requirement = condition_of(edit)
                old = next((r for r in action.requirements if r.label == label), None)
                message = requirement.message or (old.message if old else "")
                cite = requirement.cite or (old.cite if old else "")
                new_one = attrs.evolve(requirement, label=label, message=message, cite=cite, span=edit.span)
                new = _replaced(action.requirements, label, new_one, edit.span, _label)
                action = attrs.evolve(action, requirements=new)
            case _:
                raise EditError("this cannot be said in the change of an action", edit.span, CLAUSES)
    return action


def _drop_from_action(action: tree.Action, label: str, span: Span) -> tree.Action:
    if any(r.label == label for r in action.requirements):
        return attrs.evolve(action, requirements=_replaced(action.requirements, label, None, span, _label))
    if any(e.labelled.label == label for e in action.effects):
        return attrs.evolve(action, effects=_replaced(action.effects, label, None, span, _effect_label))
    known = [r.label for r in action.requirements] + [e.labelled.label for e in action.effects]
    raise EditError(f"`{action.name}` has no `{label}` to drop", span, suggest(label, known))


def expand_like(action: tree.Action, model: tree.Action, before: tree.Action) -> tree.Action:
    """An action said to be like another, written out: the model's clauses, edited, then its own.

    `before` is the model as it was before other modules changed it: what they dropped need not be dropped again.
    """
    assert action.like is not None
    gone = _labels(before) - _labels(model)
    edits = [kept for edit in action.like.edits if (kept := _without_model(edit, gone)) is not None]
    edited = edit_action(attrs.evolve(model, name=action.name), edits)
    own = {p.name for p in action.parameters}
    return attrs.evolve(
        action,
        like=None,
        parameters=action.parameters or edited.parameters if own else edited.parameters,
        requirements=(*edited.requirements, *action.requirements),
        effects=(*edited.effects, *action.effects),
        once=action.once or model.once,
        cite=action.cite or model.cite,
    )


def _labels(action: tree.Action) -> set[str]:
    return {r.label for r in action.requirements} | {e.labelled.label for e in action.effects}


def _without_model(edit: tree.Edit, gone: set[str]) -> tree.Edit | None:
    """An edit of a clause that is gone: nothing is left to drop, and what would replace it is added."""
    match edit:
        case tree.Drop(label) if label in gone:
            return None
        case tree.Replace(label, tree.Effect() as effect) if label in gone:
            return attrs.evolve(effect, labelled=attrs.evolve(effect.labelled, label=label))
        case tree.Replace(label, tree.Requirement() as requirement) if label in gone:
            return requirement
        case _:
            return edit


def edit_define(item: tree.Define, edits: Sequence[tree.Edit]) -> tree.Define:
    """Apply edits to a definition: `replace value: E`, `replace LABEL: E when C`, `drop LABEL`, or one more exception."""
    for edit in edits:
        match edit:
            case tree.Case(label):
                item = attrs.evolve(item, cases=_fresh(item.cases, edit, label, edit.span, _label))
            case tree.Replace("value"):
                said = condition_of(edit)
                item = attrs.evolve(item, value=said.condition, cite=said.cite or item.cite, span=edit.span)
            case tree.Replace(label, tree.Case() as case):
                item = attrs.evolve(item, cases=_edit_cases(item.cases, label.split("."), case, edit.span))
            case tree.Replace(label):
                value = condition_of(edit).condition
                item = attrs.evolve(item, cases=_edit_cases(item.cases, label.split("."), value, edit.span))
            case tree.Drop(label):
                item = attrs.evolve(item, cases=_edit_cases(item.cases, label.split("."), None, edit.span))
            case _:
                raise EditError("this cannot be said in the change of a definition", edit.span, CASES)
    return item


def _edit_cases(cases: tuple[tree.Case, ...], path: list[str], new: Any, span: Span) -> tuple[tree.Case, ...]:
    old = next((case for case in cases if case.label == path[0]), None)
    if old is None:
        raise EditError(f"there is no `{path[0]}` here to change", span, suggest(path[0], [c.label for c in cases]))
    if len(path) > 1:
        inner: tree.Case | None = attrs.evolve(old, exceptions=_edit_cases(old.exceptions, path[1:], new, span))
    elif new is None:
        inner = None
    elif isinstance(new, tree.Case):
        inner = attrs.evolve(new, label=old.label, exceptions=new.exceptions or old.exceptions, cite=new.cite or old.cite)
    else:
        inner = attrs.evolve(old, value=new, span=span)
    return _replaced(cases, path[0], inner, span, _label)


def edit_table(table: tree.Table, edits: Sequence[tree.Edit]) -> tree.Table:
    """Set cells: `tokens[1] = 5`."""
    for edit in edits:
        match edit:
            case tree.SetCell(column, key, value):
                if column not in table.columns:
                    raise EditError(f"table `{table.name}` has no column `{column}`", edit.span, suggest(column, table.columns))
                at = table.columns.index(column)
                if not any(row.key == key for row in table.rows):
                    keys = [str(row.key) for row in table.rows]
                    raise EditError(f"table `{table.name}` has no row `{key}`", edit.span, suggest(str(key), keys))
                rows = tuple(
                    attrs.evolve(row, values=(*row.values[:at], value, *row.values[at + 1 :])) if row.key == key else row
                    for row in table.rows
                )
                table = attrs.evolve(table, rows=rows)
            case _:
                raise EditError("only cells can be changed in a table", edit.span, "write `column[row] = number`")
    return table


def edit_tiles(tiles: tree.Tiles, edits: Sequence[tree.Edit]) -> tree.Tiles:
    """Change a tile's count and faces by writing its line again, add a line, or drop one."""
    for edit in edits:
        match edit:
            case tree.TileLine(name, _, features):
                old = next((line for line in tiles.lines if line.name == name), None)
                if old is None:
                    tiles = attrs.evolve(tiles, lines=(*tiles.lines, edit))
                else:
                    new = attrs.evolve(edit, features=features or old.features)
                    tiles = attrs.evolve(tiles, lines=_replaced(tiles.lines, name, new, edit.span, _name))
            case tree.Drop(label):
                tiles = attrs.evolve(tiles, lines=_replaced(tiles.lines, label, None, edit.span, _name))
            case _:
                raise EditError("this cannot be said in the change of a tile set", edit.span, "write a tile, or `drop NAME`")
    return tiles


def edit_procedure(procedure: tree.Procedure, edits: Sequence[tree.Edit]) -> tree.Procedure:
    """Replace, drop or add labelled statements."""
    for edit in edits:
        match edit:
            case statements.Labelled(label):
                body = _fresh(procedure.body, edit, label, edit.span, _label) if label else (*procedure.body, edit)
            case tree.Effect(labelled):
                body = _fresh(procedure.body, labelled, labelled.label, edit.span, _label)
            case tree.Replace(label, tree.Effect(labelled)):
                named = attrs.evolve(labelled, label=label)
                body = _replaced(procedure.body, label, named, edit.span, _label)
            case tree.Drop(label):
                body = _replaced(procedure.body, label, None, edit.span, _label)
            case _:
                raise EditError("this cannot be said in the change of a procedure", edit.span, STATEMENTS)
        procedure = attrs.evolve(procedure, body=body)
    return procedure


def edit_flow(flow: tree.Flow, edits: Sequence[tree.Edit]) -> tree.Flow:
    """Add an action to the choices of a point, or run a procedure before or after a point or procedure."""
    for edit in edits:
        found = [0]
        match edit:
            case tree.AddChoice(action, point):
                body = _add_choice(flow.body, action, point, False, found)
            case tree.Insert(before, point, procedure):
                body = _insert(flow.body, before, point, statements.Run(procedure, span=edit.span), found)
            case tree.Replace("flow", _) | _:
                raise EditError("this cannot be said in the change of the flow", edit.span, FLOW)
        if not found[0]:
            raise EditError(f"the flow has no `{point}`", edit.span, suggest(point, _flow_names(flow.body)))
        flow = attrs.evolve(flow, body=body)
    return flow


def _children(node: Any, walk: Callable[[Any], Any]) -> Any:
    match node:
        case statements.Branch(_, body, otherwise):
            return attrs.evolve(node, body=walk(body), otherwise=walk(otherwise))
        case statements.Repeat() | statements.Each() | statements.Point():
            return attrs.evolve(node, body=walk(node.body))
        case _:
            return node


def _add_choice(body: Any, action: str, point: str, inside: bool, found: list[int]) -> Any:
    new = []
    for node in body:
        here = inside or (isinstance(node, statements.Point) and node.name == point)
        if isinstance(node, statements.Choose) and inside:
            found[0] += 1
            new.append(attrs.evolve(node, actions=(*node.actions, action)))
        else:
            new.append(_children(node, partial(_add_choice, action=action, point=point, inside=here, found=found)))
    return tuple(new)


def _insert(body: Any, before: bool, point: str, run: statements.Run, found: list[int]) -> Any:
    new: list[Any] = []
    for node in body:
        match node:
            case statements.Point(name, inner) if name == point:
                found[0] += 1
                inner = (run, *inner) if before else (*inner, run)
                new.append(attrs.evolve(node, body=inner))
            case statements.Run(name) if name == point:
                found[0] += 1
                new += [run, node] if before else [node, run]
            case _:
                new.append(_children(node, lambda b: _insert(b, before, point, run, found)))
    return tuple(new)


def _flow_names(body: Any) -> list[str]:
    names: list[str] = []
    for node in body:
        match node:
            case statements.Point(name):
                names.append(name)
            case statements.Run(name):
                names.append(name)
            case _:
                pass
        for inner in (getattr(node, "body", ()), getattr(node, "otherwise", ())):
            names += _flow_names(inner)
    return names
