"""Decomposes a rulebook into clauses and recomposes it.

    book_of(parts_of(book)) == book

A clause is named by its place. Its node omits whatever has its own place: an exception its nested exceptions, an action its
requirements; in a point of the flow, nested points are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import NO_SPAN, Located, Named
from rulewright.grammar.tree import modules, statements
from rulewright.grammar.tree.expressions import Expression, TruthLiteral
from rulewright.rules.merging.edit_conflicts import Path, Place
from rulewright.rules.merging.flow_edits import Body, with_bodies
from rulewright.rules.merging.rulebook import ItemKind, Key, Rulebook


@frozen
class Member(Named):
    """One word of a vocabulary."""


@frozen
class Default:
    """The default of a definition."""

    value: Expression


@frozen
class Once(Located):
    """`once per turn`"""

    point: str


@frozen
class Cell:
    """A cell of a table."""

    key: int | str
    column: str
    value: Expression


Head = (
    modules.Define
    | modules.Action
    | modules.Procedure
    | modules.Rule
    | modules.Whenever
    | modules.Phase
    | modules.Pattern
    | modules.Tiles
    | modules.Pieces
    | modules.Table
    | modules.Rank
    | modules.Flow
)
Whole = (
    modules.Players
    | modules.Space
    | modules.Partition
    | modules.StateLine
    | modules.Score
    | modules.Winner
    | modules.Invariant
    | modules.Look
    | modules.Format
)
Detail = (
    Member
    | Default
    | Once
    | Cell
    | modules.Case
    | modules.Parameter
    | modules.Notation
    | modules.Requirement
    | modules.Effect
    | modules.TileLine
    | modules.PieceLine
    | modules.RankLine
    | statements.Labelled
    | statements.Point
)
Part = Head | Whole | Detail
"""The node of a clause: the head of an item, an item without parts, or a part of one."""

Parts = Mapping[Place, Part]

LISTS: Mapping[type, str] = {
    **dict.fromkeys((modules.Rule, modules.Pattern), "requirements"),
    **dict.fromkeys((modules.Procedure, modules.Whenever), "body"),
    **dict.fromkeys((modules.Tiles, modules.Pieces, modules.Rank), "lines"),
}
"""The items that are a head and a list of parts, with the attribute that holds the list."""


def parts_of(book: Rulebook) -> dict[Place, Part]:
    """Every clause of a rulebook, item by item, in the order of the text."""
    found: dict[Place, Part] = {}
    for vocabulary in book.vocabularies.values():
        key = Key(ItemKind.VOCABULARY, vocabulary.kind)
        for name in vocabulary.names:
            span = book.members.get((vocabulary.kind, name), vocabulary.span)
            found[Place(key, (name,))] = Member(name, span=span)
    for key in book.all_keys():
        for path, part in _parts(book.get(key)):
            found[Place(key, path)] = part
    return found


def _parts(item: Any) -> Iterator[tuple[Path, Part]]:
    match item:
        case modules.Define(_, _, value, cases):
            yield (), evolve(item, value=TruthLiteral(False), cases=())
            yield ("value",), Default(value)
            yield from _cases(cases, ())
        case modules.Action(_, parameters, _, requirements, effects, notation, once):
            yield (), evolve(item, parameters=(), requirements=(), effects=(), notation=None, once="")
            yield from (((f"({p.name})",), p) for p in parameters)
            if notation is not None:
                yield (" notation",), notation
            if once:
                yield ("once",), Once(once, span=item.span)
            yield from (((r.label,), r) for r in requirements)
            yield from (((e.labelled.label,), e) for e in effects)
        case modules.Table(_, _, columns, rows):
            yield (), evolve(item, rows=())
            for row in rows:
                cells = zip(columns, row.values, strict=True)
                yield from (((f"[{row.key}]", column), Cell(row.key, column, value)) for column, value in cells)
        case modules.Flow(body=body) | modules.Phase(body=body):
            points: dict[Path, statements.Point] = {}
            yield (), evolve(item, body=_without_points(body, points))
            yield from points.items()
        case _ if type(item) in LISTS:
            yield (), evolve(item, **{LISTS[type(item)]: ()})
            for number, part in enumerate(getattr(item, LISTS[type(item)]), 1):
                yield (_name(part) or f"#{number}",), part
        case _:
            yield (), item


def _name(part: Any) -> str:
    """The label or the name of a part in a list; empty if its place in the list is its name."""
    return "" if isinstance(part, modules.RankLine) else str(getattr(part, "label", None) or getattr(part, "name", ""))


def _cases(cases: tuple[modules.Case, ...], path: Path) -> Iterator[tuple[Path, modules.Case]]:
    for case in cases:
        here = (*path, case.label)
        yield here, evolve(case, exceptions=())
        yield from _cases(case.exceptions, here)


def _without_points(body: Body, points: dict[Path, statements.Point]) -> Body:
    """The statements with emptied points; the bodies of the points are collected under unique names."""
    new: list[statements.FlowStatement] = []
    for statement in body:
        if isinstance(statement, statements.Point):
            same = sum(point.name == statement.name for point in points.values())
            path = (f"{statement.name}#{same + 1}" if same else statement.name,)
            points[path] = statement
            points[path] = evolve(statement, body=_without_points(statement.body, points))
            new.append(statements.Point(path[0], (), span=statement.span))
        else:
            new.append(with_bodies(statement, lambda inner: _without_points(inner, points)))
    return tuple(new)


# Put together ---------------------------------------------------------------------------------------------------------


def book_of(parts: Parts) -> Rulebook:
    """Compose a rulebook from clauses, in their order. A clause whose item is missing is left out."""
    book = Rulebook()
    items: dict[Key, dict[Path, Part]] = {}
    for place, part in parts.items():
        items.setdefault(place.key, {})[place.path] = part
    for key, found in items.items():
        if key.kind is ItemKind.VOCABULARY:
            members = [part for part in found.values() if isinstance(part, Member)]
            names = tuple(member.name for member in members)
            book.vocabularies[key.name] = modules.Vocabulary(key.name, names, span=members[0].span)
        elif () in found:
            book.put(key, _item(found))
    return book


def _item(parts: dict[Path, Part]) -> Any:
    head, *others = parts.values()
    match head:
        case modules.Define():
            value = next((part.value for part in others if isinstance(part, Default)), head.value)
            return evolve(head, value=value, cases=_cases_below((), parts))
        case modules.Action():
            return evolve(
                head,
                parameters=tuple(part for part in others if isinstance(part, modules.Parameter)),
                notation=next((part for part in others if isinstance(part, modules.Notation)), None),
                once=next((part.point for part in others if isinstance(part, Once)), ""),
                requirements=tuple(part for part in others if isinstance(part, modules.Requirement)),
                effects=tuple(part for part in others if isinstance(part, modules.Effect)),
            )
        case modules.Table():
            return evolve(head, rows=tuple(_rows(head, [part for part in others if isinstance(part, Cell)])))
        case modules.Flow(body=body) | modules.Phase(body=body):
            points = {path[0]: part for path, part in parts.items() if isinstance(part, statements.Point)}
            return evolve(head, body=_with_points(body, points))
        case _ if type(head) in LISTS:
            listed: dict[str, Any] = {LISTS[type(head)]: tuple(others)}
            return evolve(head, **listed)
        case _:
            return head


def _cases_below(path: Path, parts: dict[Path, Part]) -> tuple[modules.Case, ...]:
    return tuple(
        evolve(part, exceptions=_cases_below(below, parts))
        for below, part in parts.items()
        if isinstance(part, modules.Case) and below[:-1] == path
    )


def _rows(table: modules.Table, cells: list[Cell]) -> Iterator[modules.TableRow]:
    """The rows that have all their cells."""
    for key in dict.fromkeys(cell.key for cell in cells):
        values = {cell.column: cell.value for cell in cells if cell.key == key}
        if set(values) == set(table.columns):
            span = values[table.columns[0]].span if table.columns else NO_SPAN
            yield modules.TableRow(key, tuple(values[column] for column in table.columns), span=span)


def _with_points(body: Body, points: Mapping[str, statements.Point]) -> Body:
    new: list[statements.FlowStatement] = []
    for statement in body:
        found = points.get(statement.name, statement) if isinstance(statement, statements.Point) else statement
        new.append(with_bodies(found, lambda inner: _with_points(inner, points)))
    return tuple(new)


def module_of(book: Rulebook, name: str) -> modules.Module:
    """A module with the whole content of a rulebook, which extends nothing."""
    items: list[modules.Item] = list(book.vocabularies.values())
    state: list[modules.StateLine] = []
    for key in book.all_keys():
        item = book.get(key)
        if isinstance(item, modules.StateLine):
            state.append(item)
        else:
            items.append(item)
    if state:
        items.append(modules.State(tuple(state)))
    return modules.Module(modules.Header(name, ""), tuple(items))
