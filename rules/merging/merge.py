"""Merges modules into one rulebook: collects their items, finds conflicts, and applies their edits to the syntax trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules

from . import item_edits
from .edit_conflicts import Claim, Place, claim_of, kinds_of, report_conflict, settled
from .expand_like import expand_likes
from .flow_edits import edit_flow, edit_phase, without_actions
from .rulebook import Family, ItemKind, Key, Rulebook, Trait, declared


@frozen
class Declaration:
    """A module's declaration of an item."""

    module: str
    item: Any

    @property
    def span(self) -> Span:
        span: Span = self.item.span
        return span


@define
class Said:
    """The declarations and claims of all modules, in linking order; `drops` are the modules that drop each item."""

    vocabularies: list[modules.Vocabulary] = field(factory=list)
    declarations: dict[Key, list[Declaration]] = field(factory=dict)
    drops: dict[Key, list[str]] = field(factory=dict)
    claims: list[Claim] = field(factory=list)


def merge(family: Family, sink: Sink) -> Rulebook:
    """Merge the modules. Reports RW102 (defined twice), RW103 (no such target), RW104 (conflict), RW105 (edit)."""
    said = _collect(family, sink)
    sink.stop()
    claims = settled(said.claims, family, sink)
    sink.stop()
    book = Rulebook()
    _add_vocabularies(book, said, sink)
    _add_items(book, said, family, sink)
    sink.stop()
    edits = _edits_that_reach(claims, book, said, family, sink)
    for key, found in edits.items():
        if key.kind is not ItemKind.ACTION:
            _apply(book, key, found, sink)
    sink.stop()
    expand_likes(book, {key.name: found for key, found in edits.items() if key.kind is ItemKind.ACTION}, sink)
    _offer_no_dropped(book, sink)
    _check_labels(book, sink)
    sink.stop()
    return book


# Declarations and claims ----------------------------------------------------------------------------------------------


def _collect(family: Family, sink: Sink) -> Said:
    said = Said()
    for module in family.modules:
        for item in module.items:
            if isinstance(item, modules.Vocabulary):
                said.vocabularies.append(item)
            for key, node in declared(item):
                said.declarations.setdefault(key, []).append(Declaration(module.header.name, node))
    for module in family.modules:
        name = module.header.name
        for item in module.items:
            match item:
                case modules.Change():
                    if (target := _target(item, name, said, family, sink)) is not None:
                        said.claims += [claim_of(name, target, edit) for edit in item.edits]
                case modules.DropItem():
                    if (target := _dropped(item, name, said, family, sink)) is not None:
                        said.claims.append(Claim(name, item, (Place(target, (), True),)))
                        said.drops.setdefault(target, []).append(name)
    return said


def _target(change: modules.Change, module: str, said: Said, family: Family, sink: Sink) -> Key | None:
    """The target item of a change; None after an error (RW103)."""
    named = [key for key in said.declarations if key.name == ("" if change.target == "flow" else change.target)]
    found = [key for key in named if Trait.CHANGED in key.kind.traits and change.kind in ("", key.kind.value)]
    known = family.ancestors[module] | {module}
    found = [key for key in found if any(d.module in known for d in said.declarations[key])] or found
    found = [key for key in found if all(key.kind in kinds_of(edit) for edit in change.edits)] or found
    if change.edits:  # looks are changed by `change look NAME: …`
        found = [key for key in found if key.kind is not ItemKind.LOOK] or found
    if len(found) > 1:
        listed = " and ".join(f"`{key}`" for key in found)
        labels = [Label(said.declarations[key][0].span, f"`{key}`") for key in found]
        help = f"name the kind as well: `change {found[0]}:`"
        sink.error("RW103", f"ambiguous change: it may mean {listed}", change.span, *labels, help=help)
        return None
    if not found:
        whole = next((key for key in named if change.kind in ("", key.kind.value) and Trait.SOLE not in key.kind.traits), None)
        if whole is not None:
            help = f"use `drop {whole}`, and write it again"
            sink.error("RW103", f"a `{whole.kind.value}` such as `{whole.name}` has no parts to change", change.span, help=help)
            return None
        kinds_wanted = {key.name or "flow" for key in said.declarations if Trait.CHANGED in key.kind.traits}
        title = f"{change.kind} {change.target}".strip()
        _no_target(title, change.target, kinds_wanted, change.span, sink)
        return None
    return found[0] if _may_change(found[0], module, change.span, said, family, sink) else None


def _dropped(drop: modules.DropItem, module: str, said: Said, family: Family, sink: Sink) -> Key | None:
    kinds = {kind.value: kind for kind in ItemKind if Trait.LASTING not in kind.traits}
    if drop.kind not in kinds:
        sink.error("RW103", f"a `{drop.kind}` cannot be dropped", drop.span, help=suggest(drop.kind, kinds))
        return None
    key = Key(kinds[drop.kind], drop.name)
    if key not in said.declarations:
        names = {other.name for other in said.declarations if other.kind is key.kind}
        _no_target(str(key), drop.name, names, drop.span, sink)
        return None
    return key if _may_change(key, module, drop.span, said, family, sink, own=False) else None


def _may_change(key: Key, module: str, span: Span, said: Said, family: Family, sink: Sink, own: bool = True) -> bool:
    """Whether a module extends one that declares the item; it may change, but not drop, its own items."""
    declaring = said.declarations[key]
    if any(d.module in family.ancestors[module] or (own and d.module == module) for d in declaring):
        return True
    first = declaring[0]
    if first.module == module:
        message, help = f"`{module}` drops its own declaration", "delete both"
    else:
        message = f"`{module}` does not extend `{first.module}`, which declares `{key}`"
        help = f"write `extends {first.module}`"
    sink.error("RW103", message, span, Label(first.span, "declared here"), help=help)
    return False


def _no_target(what: str, name: str, candidates: set[str], span: Span, sink: Sink) -> None:
    help = suggest(name, candidates, "name an item of a module that this module extends")
    sink.error("RW103", f"there is no `{what}` to change", span, help=help)


# Items ----------------------------------------------------------------------------------------------------------------


def _add_vocabularies(book: Rulebook, said: Said, sink: Sink) -> None:
    for item in said.vocabularies:
        for member in item.names:
            _once(book.members, (item.kind, member), f"{item.kind} {member}", item.span, sink)
        before = book.vocabularies.get(item.kind)
        names = (*before.names, *item.names) if before else item.names
        book.vocabularies[item.kind] = modules.Vocabulary(item.kind, names, span=before.span if before else item.span)


def _add_items(book: Rulebook, said: Said, family: Family, sink: Sink) -> None:
    """Add the declared items, except those dropped by a module that extends the declaring one."""
    called: dict[str, Span] = {}
    run: dict[str, Span] = {}
    for key, declarations in said.declarations.items():
        overruling = set(said.drops.get(key, ()))
        if Trait.SOLE in key.kind.traits:
            overruling |= {declaration.module for declaration in declarations}
        holding = [d for d in declarations if not any(d.module in family.ancestors[other] for other in overruling)]
        if not holding:
            dropping = (c for c in said.claims if isinstance(c.says, modules.DropItem) and c.places[0].key == key)
            book.dropped[key] = next(dropping).span
            continue
        first, *others = holding
        for other in others:
            if Trait.SOLE in key.kind.traits and other.module != first.module:
                message = f"`{first.module}` and `{other.module}` both say what the {key.kind.value} are"
                report_conflict(message, (first.module, first.span), (other.module, other.span), sink)
            else:
                _report_twice(_title(key), first.span, other.span, sink)
        if Trait.CALLED in key.kind.traits:
            _once(called, key.name, key.name, first.span, sink)
        if Trait.RUN in key.kind.traits:
            _once(run, key.name, key.name, first.span, sink)
        book.put(key, first.item)


def _title(key: Key) -> str:
    return key.name if Trait.CALLED in key.kind.traits else str(key)


# Changes --------------------------------------------------------------------------------------------------------------


def _edits_that_reach(
    claims: list[Claim], book: Rulebook, said: Said, family: Family, sink: Sink
) -> dict[Key, list[modules.Edit]]:
    """The edits of each remaining item, without those of modules that a module dropping the item extends. Reports RW103."""
    found: dict[Key, list[modules.Edit]] = {}
    for claim in claims:
        if isinstance(claim.says, modules.DropItem):
            continue
        key = claim.places[0].key
        if any(claim.module in family.ancestors[dropping] for dropping in said.drops.get(key, ())):
            continue
        if key in book.dropped:
            label = Label(book.dropped[key], "dropped here")
            sink.error("RW103", f"there is no `{key}` to change", claim.span, label, help="delete this change")
            continue
        found.setdefault(key, []).append(claim.says)
    return found


EDITED_BY: Mapping[ItemKind, Callable[[Any, Any], Any]] = {
    ItemKind.DEFINE: item_edits.edit_define,
    ItemKind.INVARIANT: item_edits.edit_valued,
    ItemKind.LOOK: item_edits.edit_look,
    ItemKind.PARTITION: item_edits.edit_valued,
    ItemKind.PATTERN: item_edits.edit_required,
    ItemKind.PIECES: item_edits.edit_pieces,
    ItemKind.PROCEDURE: item_edits.edit_procedure,
    ItemKind.RULE: item_edits.edit_required,
    ItemKind.SCORE: item_edits.edit_valued,
    ItemKind.TABLE: item_edits.edit_table,
    ItemKind.TILES: item_edits.edit_tiles,
    ItemKind.WHENEVER: item_edits.edit_procedure,
}
"""What makes an edit in an item. Actions are edited when they are written out (`expand_like`)."""


def _apply(book: Rulebook, key: Key, edits: list[modules.Edit], sink: Sink) -> None:
    item = book.get(key)
    try:
        match item:
            case modules.Flow():
                item = edit_flow(item, edits)
            case modules.Phase():
                item = edit_phase(item, edits)
            case _:
                item = reduce(EDITED_BY[key.kind], edits, item)
    except item_edits.EditError as error:
        sink.error("RW105", error.message, error.span, help=error.help)
        return
    book.put(key, item)


def _offer_no_dropped(book: Rulebook, sink: Sink) -> None:
    """Remove dropped actions from the choices of the flow and of its phases."""
    dropped = {key.name: span for key, span in book.dropped.items() if key.kind is ItemKind.ACTION}
    for key in [key for key in book.all_keys() if key.kind in (ItemKind.FLOW, ItemKind.PHASE)] if dropped else ():
        item = book.get(key)
        try:
            book.put(key, evolve(item, body=without_actions(item.body, set(dropped))))
        except item_edits.EditError as error:
            labels = [Label(span, "dropped here") for span in dropped.values()]
            sink.error("RW105", error.message, error.span, *labels, help=error.help)


# Labels ---------------------------------------------------------------------------------------------------------------


def _check_labels(book: Rulebook, sink: Sink) -> None:
    """Report RW102 if two clauses of an item share a name, or two tile sets a kind of tile; RW118 for a misplaced `after`."""
    sets: tuple[modules.Tiles | modules.Pieces, ...] = (*book.tiles.values(), *book.pieces.values())
    _check_unique("", [(kinds.name, kinds.span) for kinds in sets], sink)
    _check_unique("tile ", [(line.name, line.span) for kinds in sets for line in kinds.lines], sink)
    for action in book.actions.values():
        _check_unique(f"{action.name}.", [(p.name, p.span) for p in action.parameters], sink)
        clauses = [(r.label, r.span) for r in action.requirements]
        clauses += [(effect.labelled.label, effect.span) for effect in action.effects]
        _check_unique(f"{action.name}.", clauses, sink)
    conditions: tuple[modules.Rule | modules.Pattern, ...] = (*book.rules.values(), *book.patterns.values())
    for required in conditions:
        _check_unique(f"{required.name}.", [(r.label, r.span) for r in required.requirements], sink)
        for requirement in required.requirements:
            if requirement.after:
                help = "write it without `after`, or move it to the actions"
                sink.error("RW118", "only an action can require something `after` its effects", requirement.span, help=help)
    sequels: tuple[item_edits.Sequel, ...] = (*book.procedures.values(), *book.whenevers.values())
    for item in sequels:
        _check_unique(f"{item.name}.", [(part.label, part.span) for part in item.body if part.label], sink)
    for definition in book.defines.values():
        _check_unique(f"{definition.name}.", _case_labels(definition.cases, ""), sink)
    for table in book.tables.values():
        _check_unique(f"{table.name}.", [(column, table.span) for column in table.columns], sink)


def _case_labels(cases: tuple[modules.Case, ...], prefix: str) -> Iterator[tuple[str, Span]]:
    for case in cases:
        yield prefix + case.label, case.span
        yield from _case_labels(case.exceptions, f"{prefix}{case.label}.")


def _check_unique(prefix: str, labels: Iterable[tuple[str, Span]], sink: Sink) -> None:
    seen: dict[str, Span] = {}
    for label, span in labels:
        _once(seen, label, prefix + label, span, sink)


def _once(names: dict[Any, Span], name: Any, title: str, span: Span, sink: Sink) -> None:
    if name in names:
        _report_twice(title, names[name], span, sink)
    names.setdefault(name, span)


def _report_twice(name: str, first: Span, again: Span, sink: Sink) -> None:
    sink.error(
        "RW102",
        f"`{name}` is defined twice",
        again,
        Label(first, "first defined here"),
        label="defined again here",
        help="rename one of them, or use `change` to modify the first",
    )
