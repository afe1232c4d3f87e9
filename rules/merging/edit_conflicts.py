"""Conflicts between the edits of modules: edits of one clause that contradict each other, and the module that resolves them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import modules, statements

from .rulebook import Family, ItemKind, Key, Trait

Path = tuple[str, ...]
Says = modules.Edit | modules.DropItem
Addition = (
    modules.Requirement
    | modules.Effect
    | modules.Case
    | modules.AddParameter
    | modules.AddTile
    | modules.AddPiece
    | modules.AddRow
    | modules.AddChoice
    | modules.Insert
    | modules.InsertFlow
    | statements.Labelled
)


@frozen
class Place:
    """The place of a clause: an item and a path of labels in it. `whole` means the entire subtree."""

    key: Key
    path: Path = ()
    whole: bool = False

    def covers(self, other: Place) -> bool:
        """Whether an edit of this place is also an edit of the other place."""
        if self.key != other.key:
            return False
        return other.path[: len(self.path)] == self.path if self.whole else other.path == self.path

    def touches(self, other: Place) -> bool:
        return self.covers(other) or other.covers(self)

    def __str__(self) -> str:
        match self.path:
            case ():
                return str(self.key)
            case (word,) if self.key.kind is ItemKind.VOCABULARY:
                return f"{self.key.name} {word}"
            case (row, column) if self.key.kind is ItemKind.TABLE:
                return f"{self.key.name}.{column}{row}"
            case _:
                parts = [f".{part}" if part[0].isalnum() or part[0] == "_" else part for part in self.path]
                return (self.key.name or self.key.kind.value) + "".join(parts)


@frozen
class Claim:
    """An edit by a module: the first place is its target, the others are places that it relies on."""

    module: str
    says: Says
    places: tuple[Place, ...]

    @property
    def span(self) -> Span:
        return self.says.span

    @property
    def drops(self) -> bool:
        return isinstance(self.says, modules.DropItem | modules.Drop | modules.DropChoice)

    @property
    def adds(self) -> bool:
        """Whether it adds a clause instead of changing an existing one."""
        return isinstance(self.says, Addition)


def claim_of(module: str, key: Key, edit: modules.Edit) -> Claim:
    """The claim of an edit: the places that it changes or relies on."""
    return Claim(module, edit, tuple(Place(k, path, whole) for k, path, whole in _places(key, edit)))


def _places(key: Key, edit: modules.Edit) -> Iterator[tuple[Key, Path, bool]]:  # noqa: PLR0912
    match edit:
        case modules.Replace(_, modules.Parameter(name)) | modules.AddParameter(modules.Parameter(name)):
            yield key, (f"({name})",), False
        case modules.Replace(label, modules.Case(exceptions=())) | modules.Case(label, exceptions=()):
            yield key, tuple(label.split(".")), False
        case modules.Replace(label, modules.Case() | modules.Effect()) | modules.Drop(label) | modules.Case(label):
            yield key, tuple(label.split(".")), True
        case modules.Replace(label) | modules.Requirement(label):
            yield key, tuple(label.split(".")), False
        case modules.Effect(labelled):
            yield key, (labelled.label,), True
        case modules.SetCell(column, row):
            yield key, (f"[{row}]", column), False
        case modules.AddRow(row):
            yield key, (f"[{row.key}]",), True
        case modules.TileLine(name) | modules.AddTile(modules.TileLine(name)):
            yield key, (name,), False
        case modules.PieceLine(name) | modules.AddPiece(modules.PieceLine(name)):
            yield key, (name,), False
        case modules.Restyle():
            yield key, (), False
        case modules.Notation():
            yield key, (" notation",), False
        case modules.AddChoice(action, point):
            yield key, (point, action), False
            yield Key(ItemKind.ACTION, action), (" offered", point), False
        case modules.DropChoice(action, point):
            yield key, (point, action), False
        case modules.ReplacePoint(point):
            yield key, (point,), True
        case modules.Insert(before, point, procedure):
            where = f" {'before' if before else 'after'}"
            yield key, (point, f"{where} {procedure}"), False
            yield Key(ItemKind.PROCEDURE, procedure), (where, point), False
        case modules.InsertFlow(_, point):
            yield key, (point, f" {id(edit)}"), False
        case statements.Labelled(label):
            # Each statement without a label is a separate clause, whoever adds it.
            yield key, (label or f" {id(edit)}",), True
        case _:
            assert_never(edit)


KINDS: Mapping[type, frozenset[ItemKind]] = {
    **dict.fromkeys((modules.TileLine, modules.AddTile), frozenset({ItemKind.TILES, ItemKind.PIECES})),
    **dict.fromkeys((modules.PieceLine, modules.AddPiece), frozenset({ItemKind.PIECES})),
    **dict.fromkeys((modules.SetCell, modules.AddRow), frozenset({ItemKind.TABLE})),
    modules.Requirement: frozenset({ItemKind.ACTION, ItemKind.PATTERN, ItemKind.RULE}),
    **dict.fromkeys((modules.Parameter, modules.AddParameter, modules.Notation), frozenset({ItemKind.ACTION})),
    modules.Effect: frozenset({ItemKind.ACTION, ItemKind.PROCEDURE, ItemKind.WHENEVER}),
    modules.Case: frozenset({ItemKind.DEFINE}),
    **dict.fromkeys((modules.AddChoice, modules.DropChoice), frozenset({ItemKind.FLOW, ItemKind.PHASE})),
    **dict.fromkeys((modules.Insert, modules.InsertFlow, modules.ReplacePoint), frozenset({ItemKind.FLOW, ItemKind.PHASE})),
    modules.Restyle: frozenset({ItemKind.LOOK}),
    statements.Labelled: frozenset({ItemKind.PROCEDURE, ItemKind.WHENEVER}),
}
"""The kinds of item that have the parts that edits add or change, by the class of the edit or of the new part."""


def kinds_of(edit: modules.Edit) -> frozenset[ItemKind]:
    """The kinds of item that an edit can apply to. A condition or value can be replaced wherever a label stands."""
    part = edit.value if isinstance(edit, modules.Replace) else edit
    found = ItemKind.all_that(Trait.CHANGED)
    return found if part is not edit and isinstance(part, modules.Requirement) else KINDS.get(type(part), found)


def settled(claims: Sequence[Claim], family: Family, sink: Sink) -> list[Claim]:
    """The claims without those in conflict. Claims of two unrelated modules are void if a module that extends both resolves it.

    Reports RW104 if none does, and RW105 if one module edits a clause twice.
    """
    void: list[Claim] = []
    for one, other in _touching(claims):
        if one.module == other.module:
            _twice(one, other, sink)
            continue
        if family.related(one.module, other.module):
            continue
        judge = _judge(one, other, claims, family)
        if judge is None:
            _conflict(one, other, sink)
            continue
        void.append(other)
        # Changing or dropping an added clause needs one module that adds it.
        if not (one.adds and not judge.adds and one.places[0] == judge.places[0]):
            void.append(one)
    return [claim for claim in claims if not any(claim is heard for heard in void)]


def _touching(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    by_key: dict[Key, list[Claim]] = {}
    for claim in claims:
        for place in claim.places:
            by_key.setdefault(place.key, []).append(claim)
    for key, found in by_key.items():
        for one, other in combinations(found, 2):
            mine, theirs = ([p for p in claim.places if p.key == key] for claim in (one, other))
            if any(a.touches(b) for a in mine for b in theirs):
                yield one, other


def _judge(one: Claim, other: Claim, claims: Sequence[Claim], family: Family) -> Claim | None:
    """A claim that resolves a conflict: from a module that extends both, on a place that covers the contested one."""
    for claim in claims:
        if {one.module, other.module} <= family.ancestors[claim.module]:
            for mine in claim.places:
                if any(mine.covers(a) and mine.covers(b) for a in one.places for b in other.places if a.touches(b)):
                    return claim
    return None


def _twice(one: Claim, other: Claim, sink: Sink) -> None:
    """Report RW105, unless a module drops a clause and adds another of the same name."""
    if one.drops and other.adds:
        return
    sink.error(
        "RW105",
        f"`{one.module}` changes `{one.places[0]}` twice",
        other.span,
        Label(one.span, "changed here"),
        label="changed again here",
        help="combine the two changes into one",
    )


def _conflict(one: Claim, other: Claim, sink: Sink) -> None:
    a, b = one.places[0], other.places[0]
    if a == b and one.drops == other.drops:
        message = f"`{one.module}` and `{other.module}` both {_verb(one)} `{a}`"
    else:
        message = f"`{one.module}` {_verb(one)}s `{a}`, and `{other.module}` {_verb(other)}s {'it' if a == b else f'`{b}`'}"
    report_conflict(message, (one.module, one.span), (other.module, other.span), sink)


def _verb(claim: Claim) -> str:
    return "drop" if claim.drops else "change"


def report_conflict(message: str, one: tuple[str, Span], other: tuple[str, Span], sink: Sink) -> None:
    """RW104: two unrelated modules, each with its span, contradict each other."""
    sink.error(
        "RW104",
        message,
        other[1],
        Label(one[1], f"changed by `{one[0]}`"),
        label=f"changed by `{other[0]}`",
        help="write a module that extends both and decides what holds, or leave one of them out",
    )
