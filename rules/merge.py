"""Several modules become one rulebook: items side by side, changes applied, conflicts found. Still trees, no meaning."""

from __future__ import annotations

from itertools import combinations
from typing import Any, TypeVar

import attrs
from attrs import define, field

from ..grammar import modules as tree
from ..grammar.diagnostics import Label, Sink, suggest
from ..grammar.spans import Span
from .edits import (
    EditError,
    condition_of,
    edit_action,
    edit_define,
    edit_flow,
    edit_procedure,
    edit_table,
    edit_tiles,
    expand_like,
)
from .order import Family

Node = TypeVar("Node")
Claim = tuple[str, tree.Edit]
Changes = dict[str, list[Claim]]
"""The edits of each item, in linking order, each with the module that makes it."""

DEEPEST_LIKE = 16
"""How many actions may be like each other in a chain."""


@define
class Rulebook:
    """The items of all modules by kind and name, in linking order."""

    vocabularies: dict[str, tree.Vocabulary] = field(factory=dict)
    players: tree.Players | None = None
    spaces: dict[str, tree.Space] = field(factory=dict)
    partitions: dict[str, tree.Partition] = field(factory=dict)
    tiles: dict[str, tree.Tiles] = field(factory=dict)
    tables: dict[str, tree.Table] = field(factory=dict)
    state: dict[str, tree.StateLine] = field(factory=dict)
    defines: dict[str, tree.Define] = field(factory=dict)
    actions: dict[str, tree.Action] = field(factory=dict)
    procedures: dict[str, tree.Procedure] = field(factory=dict)
    flow: tree.Flow | None = None
    scores: dict[str, tree.Score] = field(factory=dict)
    rank: tree.Rank | None = None
    invariants: dict[str, tree.Invariant] = field(factory=dict)


def merge(family: Family, sink: Sink) -> Rulebook:
    """Put the modules together. Reports RW102 (defined twice), RW103 (no such target), RW104 (conflict), RW105 (edit)."""
    book = Rulebook()
    names: dict[str, Span] = {}
    changes: Changes = {}
    targets: dict[str, Span] = {}
    drops: list[tree.DropItem] = []
    for module in family.modules:
        for item in module.items:
            match item:
                case tree.Change(target, edits):
                    targets.setdefault(target, item.span)
                    changes.setdefault(target, []).extend((module.header.name, edit) for edit in edits)
                case tree.DropItem():
                    drops.append(item)
                case _:
                    _add(book, item, names, family, sink)
    _drop_all(book, drops, changes, family, sink)
    sink.stop()
    changes = _settled(changes, family, sink)
    sink.stop()
    for target, claims in changes.items():
        _apply(book, target, [edit for _, edit in claims], targets[target], sink)
    sink.stop()
    _expand_likes(book, changes, sink)
    sink.stop()
    return book


def _add(book: Rulebook, item: Any, names: dict[str, Span], family: Family, sink: Sink) -> None:
    def claim(name: str, span: Span) -> bool:
        if name in names:
            sink.error(
                "RW102",
                f"`{name}` is defined twice",
                span,
                Label(names[name], "first defined here"),
                label="defined again here",
                help="give one of them another name, or say `change` to alter the first",
            )
            return False
        names[name] = span
        return True

    def overrule(what: str, before: Any) -> None:
        """What a game has once may be said again by a module that extends the one that said it."""
        if before is None:
            return
        one, other = family.name_of(before.span.source), family.name_of(item.span.source)
        if one != other and not family.related(one, other):
            _conflict(f"`{one}` and `{other}` both say what the {what} are", (one, before), (other, item), sink)

    match item:
        case tree.Vocabulary(kind, members):
            for member in members:
                claim(f"{kind} {member}", item.span)
            before = book.vocabularies.get(kind)
            merged = (*before.names, *members) if before else members
            book.vocabularies[kind] = tree.Vocabulary(kind, merged, span=before.span if before else item.span)
        case tree.Players():
            overrule("players", book.players)
            book.players = item
        case tree.Space(name):
            if claim(name, item.span):
                book.spaces[name] = item
        case tree.Partition(name):
            if claim(name, item.span):
                book.partitions[name] = item
        case tree.Tiles(name, lines):
            for line in lines:
                claim(f"tile {line.name}", line.span)
            if claim(f"tiles {name}", item.span):
                book.tiles[name] = item
        case tree.Table(name):
            if claim(name, item.span):
                book.tables[name] = item
        case tree.State(lines):
            for state_line in lines:
                if claim(state_line.name, state_line.span):
                    book.state[state_line.name] = state_line
        case tree.Define(name):
            if claim(name, item.span):
                book.defines[name] = item
        case tree.Action(name):
            if claim(f"action {name}", item.span):
                book.actions[name] = item
        case tree.Procedure(name):
            if claim(f"procedure {name}", item.span):
                book.procedures[name] = item
        case tree.Flow():
            if claim("flow", item.span):
                book.flow = item
        case tree.Score(name):
            if claim(f"score {name}", item.span):
                book.scores[name] = item
        case tree.Rank():
            overrule("ranks", book.rank)
            book.rank = item
        case tree.Invariant(name):
            if claim(f"invariant {name}", item.span):
                book.invariants[name] = item
        case _:
            raise TypeError(item)


def _kinds(book: Rulebook) -> dict[str, dict[str, Any]]:
    return {
        "space": book.spaces,
        "tiles": book.tiles,
        "table": book.tables,
        "define": book.defines,
        "action": book.actions,
        "procedure": book.procedures,
        "score": book.scores,
        "invariant": book.invariants,
    }


def _drop(book: Rulebook, drop: tree.DropItem, sink: Sink) -> None:
    kinds = _kinds(book)
    if drop.kind not in kinds:
        sink.error("RW103", f"a `{drop.kind}` cannot be dropped", drop.span, help=suggest(drop.kind, set(kinds)))
    elif drop.name not in kinds[drop.kind]:
        _no_target(f"{drop.kind} {drop.name}", drop.name, set(kinds[drop.kind]), drop.span, sink)
    else:
        del kinds[drop.kind][drop.name]


def _no_target(what: str, name: str, candidates: set[str], span: Span, sink: Sink) -> None:
    help = suggest(name, candidates, "name an item of a module that this one extends")
    sink.error("RW103", f"there is no `{what}` to change", span, help=help)


def _key(edit: tree.Edit) -> str:
    """The clause that an edit settles: two unrelated modules may not settle one clause."""
    match edit:
        case tree.Replace(label) | tree.Drop(label) | tree.Case(label) | tree.Requirement(label):
            return label
        case tree.Effect(labelled):
            return labelled.label
        case tree.AddParameter(parameter):
            return f"parameter {parameter.name}"
        case tree.SetCell(column, key):
            return f"{column}[{key}]"
        case tree.TileLine(name):
            return f"tile {name}"
        case tree.Notation():
            return "notation"
        case tree.AddChoice(action, point):
            return f"{action} to {point}"
        case tree.Insert(before, point, procedure):
            return f"{'before' if before else 'after'} {point} {procedure}"
        case _:
            return edit.label


def _settled(changes: Changes, family: Family, sink: Sink) -> Changes:
    """The edits that hold: where unrelated modules change one clause, only those of a module that extends them.

    Reports RW104 where there is none.
    """
    return {target: _settled_edits(target, edits, family, sink) for target, edits in changes.items()}


def _settled_edits(target: str, edits: list[Claim], family: Family, sink: Sink) -> list[Claim]:
    by_key: dict[str, list[Claim]] = {}
    for module, edit in edits:
        by_key.setdefault(_key(edit), []).append((module, edit))
    overruled: list[tree.Edit] = []
    for key, claims in by_key.items():
        for (one, first), (other, second) in combinations(claims, 2):
            if one == other or family.related(one, other):
                continue
            judges = {judge for judge, _ in claims if {one, other} <= family.ancestors[judge]}
            if judges:
                overruled += _overruled(claims, judges)
                continue
            _conflict(f"`{one}` and `{other}` both change `{target}.{key}`", (one, first), (other, second), sink)
    return [(module, edit) for module, edit in edits if not any(edit is heard for heard in overruled)]


def _overruled(claims: list[Claim], judges: set[str]) -> list[tree.Edit]:
    """The edits of a clause that a judge makes void; what adds the clause stays when the judge alters or drops it."""
    alters = any(isinstance(edit, tree.Replace | tree.Drop) for module, edit in claims if module in judges)
    others = [edit for module, edit in claims if module not in judges]
    added = next((e for e in others if alters and not isinstance(e, tree.Replace | tree.Drop | tree.SetCell)), None)
    return [edit for edit in others if edit is not added]


def _conflict(message: str, one: tuple[str, Any], other: tuple[str, Any], sink: Sink) -> None:
    sink.error(
        "RW104",
        message,
        other[1].span,
        Label(one[1].span, f"`{one[0]}` says this"),
        label=f"`{other[0]}` says this",
        help="write a module that extends both and says what holds, or leave one of them out",
    )


def _drop_all(book: Rulebook, drops: list[tree.DropItem], changes: Changes, family: Family, sink: Sink) -> None:
    """Drop items; what a module changes that the dropping one extends is gone with them. Reports RW104."""
    dropped: dict[tuple[str, str], tree.DropItem] = {}
    for drop in drops:
        module, before = family.name_of(drop.span.source), dropped.setdefault((drop.kind, drop.name), drop)
        other = family.name_of(before.span.source)
        if before is not drop and not family.related(module, other):
            _conflict(f"`{other}` and `{module}` both drop `{drop.name}`", (other, before), (module, drop), sink)
            continue
        for changing, edit in changes.get(drop.name, []):
            if changing != module and not family.related(changing, module):
                message = f"`{module}` drops `{drop.name}`, which `{changing}` changes"
                _conflict(message, (module, drop), (changing, edit), sink)
        _drop(book, drop, sink)
        left = [(m, e) for m, e in changes.pop(drop.name, []) if m not in family.ancestors[module]]
        if left:
            changes[drop.name] = left


def _apply(book: Rulebook, target: str, edits: list[tree.Edit], span: Span, sink: Sink) -> None:
    name = target.rsplit(" ", maxsplit=1)[-1]

    def edit(found: dict[str, Node], apply: Any) -> None:
        try:
            found[name] = apply(found[name], edits)
        except EditError as error:
            sink.error("RW105", error.message, error.span, help=error.help)

    if target == "flow" and book.flow is not None:
        try:
            book.flow = edit_flow(book.flow, edits)
        except EditError as error:
            sink.error("RW105", error.message, error.span, help=error.help)
    elif name in book.defines:
        edit(book.defines, edit_define)
    elif name in book.tables:
        edit(book.tables, edit_table)
    elif name in book.tiles:
        edit(book.tiles, edit_tiles)
    elif name in book.procedures:
        edit(book.procedures, edit_procedure)
    elif name in book.scores:
        edit(book.scores, _edit_valued)
    elif name in book.invariants:
        edit(book.invariants, _edit_valued)
    elif name not in book.actions:
        known = set().union(*_kinds(book).values()) | {"flow"}
        _no_target(target, name, known, span, sink)


def _edit_valued(item: Any, edits: list[tree.Edit]) -> Any:
    for edit in edits:
        match edit:
            case tree.Replace("value"):
                said = condition_of(edit)
                cite = said.cite or item.cite
                if isinstance(item, tree.Score):
                    item = attrs.evolve(item, value=said.condition, cite=cite, span=edit.span)
                else:
                    message = said.message or item.message
                    item = attrs.evolve(item, condition=said.condition, message=message, cite=cite, span=edit.span)
            case _:
                raise EditError("this cannot be said here", edit.span, "say `replace value: …`")
    return item


def _expand_likes(book: Rulebook, changes: Changes, sink: Sink) -> None:
    """Build every action after all changes are known, so that a change to an action reaches those that are like it."""
    plain: dict[str, tree.Action] = {}
    done: dict[str, tree.Action] = {}
    chain: dict[str, int] = {}
    refused: set[str] = set()

    def build(name: str, path: tuple[str, ...]) -> tree.Action | None:
        if name in done or name in refused:
            return done.get(name)
        action = book.actions[name]
        try:
            if action.like is not None:
                model = action.like.action
                if max(len(path), chain.get(model, 0)) >= DEEPEST_LIKE:
                    message = f"the chain of `like` is longer than {DEEPEST_LIKE}"
                    raise EditError(message, action.like.span, "write its clauses out")
                if model in (*path, name):
                    raise EditError(f"`{name}` is like itself", action.like.span, "name another action")
                if model not in book.actions:
                    raise EditError(f"there is no action `{model}`", action.like.span, suggest(model, set(book.actions)))
                base = build(model, (*path, name))
                if base is None:
                    refused.add(name)
                    return None
                chain[name] = chain.get(model, 0) + 1
                action = expand_like(action, base, plain[model])
            plain[name] = action
            done[name] = edit_action(action, [edit for _, edit in changes.get(name, [])])
        except EditError as error:
            sink.error("RW105", error.message, error.span, help=error.help)
            refused.add(name)
            return None
        return done[name]

    for name in list(book.actions):
        build(name, ())
    book.actions = {name: done[name] for name in book.actions if name in done}
