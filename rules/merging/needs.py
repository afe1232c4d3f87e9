"""Checks that the needs of parts of games are met, and generates stand-ins so that a part can be checked alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import expressions, modules, statements

from .rulebook import Family, ItemKind, Rulebook

STAND_INS = "(stand-ins)"
"""The name of the module of stand-ins; no text can contain it."""

_KINDS: Mapping[type[modules.Need], ItemKind] = {
    modules.NeededSpace: ItemKind.SPACE,
    modules.NeededDefinition: ItemKind.DEFINE,
    modules.NeededRule: ItemKind.RULE,
    modules.NeededPattern: ItemKind.PATTERN,
    modules.NeededPieces: ItemKind.PIECES,
    modules.NeededVariable: ItemKind.STATE,
}
"""What a need of a single item is met by."""

_SIZES = {modules.Shape.RING: (3,), modules.Shape.CUBE: (3, 3, 3), modules.Shape.GRAPH: ()}


@frozen
class Needed:
    """An item that a module needs."""

    module: str
    need: modules.Need
    name: str

    @property
    def kind(self) -> str:
        """The keyword that declares such an item."""
        return self.need.kind.value if isinstance(self.need, modules.NeededNames) else _KINDS[type(self.need)].value

    def __str__(self) -> str:
        """The need as written after `needs`."""
        if isinstance(self.need, modules.NeededNames):
            return f"{self.kind} {self.name}".rstrip()
        from rulewright.grammar.printing.print_declarations import print_need

        return print_need(self.need)


def needs_of(family: Family) -> Iterator[Needed]:
    """Every item that a module of the family needs."""
    for module in family.modules:
        for item in module.items:
            if isinstance(item, modules.Need):
                names = (item.names or ("",)) if isinstance(item, modules.NeededNames) else (item.name,)
                yield from (Needed(module.header.name, item, name) for name in names)


def check_needs(family: Family, book: Rulebook, roots: Sequence[str], sink: Sink) -> None:
    """Report RW109 for needs that nothing declares, RW116 for unfit declarations."""
    for needed in needs_of(family):
        found = _declared(needed, book)
        if found is None:
            _report_unmet(needed, family, roots, sink)
            continue
        kind, span = found
        if kind != needed.kind:
            report_unfit(needed, span, f"declare it with `{needed.kind}`, not with `{kind}`", sink)
        elif help := _difference(needed, book):
            report_unfit(needed, span, help, sink)


def _declared(needed: Needed, book: Rulebook) -> tuple[str, Span] | None:
    """The kind and span of the declaration of a needed name: of the needed kind, else of another kind in another module."""
    found: list[tuple[str, Span]] = []
    for key in book.all_keys():
        item = book.get(key)
        if key.name == needed.name and (needed.name or key.kind is ItemKind.FLOW):
            found.append(("define" if key.kind is ItemKind.PARTITION else key.kind.value, item.span))
        if key.kind in (ItemKind.TILES, ItemKind.PIECES):
            found += [("tile", line.span) for line in item.lines if line.name == needed.name]
    if vocabulary := book.vocabularies.get(needed.name):
        found.append(("enum", vocabulary.span))
    others = (one for one in found if one[1].source != needed.need.span.source)
    return next((one for one in found if one[0] == needed.kind), next(others, None))


def _difference(needed: Needed, book: Rulebook) -> str:
    """A help text for a space, pattern or variable that differs from the one needed; empty if none differs."""
    match needed.need:
        case modules.NeededSpace(name, shape, of_tiles, turned):
            space = book.spaces[name]
            if shape is not None and shape is not space.shape:
                return f"make it a {shape.value}"
            if turned and not space.turned:
                return "add `of turned tiles` after its shape"
            return "add `of tiles` after its shape" if of_tiles and not space.of_tiles else ""
        case modules.NeededPattern(name, space, roles):
            pattern = book.patterns[name]
            if pattern.space != space:
                return f"draw it in `{space}`"
            drawn = {role for row in pattern.rows for role in row.roles}
            lost = next((role for role in roles if role not in drawn), "")
            return f"draw a cell with the role `{lost}`" if lost else ""
        case modules.NeededPieces(name, space, owned, roles):
            pieces = book.pieces[name]
            if pieces.space != space:
                return f"declare them in `{space}`"
            if pieces.owned is not owned:
                return f"write `pieces {name}{' of player' * owned} in {space}`"
            drawn = {role for line in pieces.lines for row in line.rows for role in row.roles}
            drawn |= {line.name for line in pieces.lines if not line.rows}
            lost = next((role for role in roles if role not in drawn), "")
            return f"draw a cell with the role `{lost}`" if lost else ""
        case modules.NeededVariable(line):
            there = book.state[line.name]
            same = there.of == line.of and _covers(there.type, line.type)
            return "" if same else f"write `{needed}`".replace("state ", "", 1)
        case _:
            return ""


def _covers(type: modules.WrittenType, needed: modules.WrittenType) -> bool:
    match type, needed:
        case modules.NumberType(low, high), modules.NumberType(least, most):
            return low <= least and most <= high
        case _:
            return type == needed


def report_unfit(needed: Needed, span: Span, help: str, sink: Sink) -> None:
    """RW116: a declaration does not fit a module's need."""
    message = f"this declaration does not match the `{needed}` that `{needed.module}` needs"
    sink.error("RW116", message, span, Label(needed.need.span, "needed here"), help=help)


def _report_unmet(needed: Needed, family: Family, roots: Sequence[str], sink: Sink) -> None:
    message = f"`{needed.module}` needs `{needed}`, but no module declares it"
    for root in family.modules:
        if root.header.name in roots and needed.module in family.ancestors[root.header.name]:
            here = (span for name, span in root.header.extends if needed.module in {name, *family.ancestors[name]})
            help = f"declare it, or pass the need on with `needs {needed}`"
            sink.error("RW109", message, next(here), Label(needed.need.span, "needed here"), help=help)
            return
    help = f"`{needed.module}` is only a part of games; use a module that extends it"
    sink.error("RW109", message, needed.need.span, help=help)


# Stand-ins ------------------------------------------------------------------------------------------------------------


def stand_ins(family: Family, book: Rulebook, roots: Sequence[str]) -> modules.Module:
    """A module that extends the roots and declares, as simply as possible, their unmet needs."""
    drawn: dict[str, int] = {}
    for needed in needs_of(family):
        if isinstance(needed.need, modules.NeededPattern | modules.NeededPieces):
            drawn[needed.need.space] = max(drawn.get(needed.need.space, 3), 2 * len(needed.need.roles))
    missing = {str(needed): needed for needed in needs_of(family) if needed.module in roots and not _declared(needed, book)}
    header = modules.Header(STAND_INS, extends=tuple((root, family.modules[-1].span) for root in roots))
    return modules.Module(header, tuple(_stand_in(needed, drawn, book) for needed in missing.values()))


def _stand_in(needed: Needed, drawn: Mapping[str, int], book: Rulebook) -> modules.Item:
    """The simplest declaration for a need. `drawn` gives the width in columns of spaces that have patterns."""
    name, span = needed.name, needed.need.span
    match needed.need:
        case modules.NeededSpace(_, shape, of_tiles, turned):
            # If any shape will do, a graph: its directions have no names to rely on.
            shape = shape or (modules.Shape.SQUARE if turned or name in drawn else modules.Shape.GRAPH)
            edges = (("1", "2"),) if shape is modules.Shape.GRAPH else ()
            size = (drawn[name], *_SIZES.get(shape, (3, 3))[1:]) if name in drawn else _SIZES.get(shape, (3, 3))
            return modules.Space(name, shape, size, of_tiles, edges=edges, turned=turned, span=span)
        case modules.NeededDefinition(_, parameters, type):
            return modules.Define(name, parameters, _value(type, span), span=span)
        case modules.NeededRule(_, parameters):
            return modules.Rule(name, parameters, (), span=span)
        case modules.NeededPattern(_, space, roles):
            return modules.Pattern(name, space, False, False, (_row(roles or (name,), span),), span=span)
        case modules.NeededPieces(_, space, owned, roles):
            line = modules.PieceLine(f"{name} piece", 1, (_row(roles or (name,), span),), span=span)
            return modules.Pieces(name, space, owned, True, True, (line,), span=span)
        case modules.NeededVariable(line):
            return modules.State((line,), span=span)
        case modules.NeededNames(modules.NameKind.TILE as kind):
            return modules.Tiles(f"{name} {kind.value}", (modules.TileLine(name, 1, span=span),), span=span)
        case modules.NeededNames(modules.NameKind.TILES as kind):
            return modules.Tiles(name, (modules.TileLine(f"{name} {kind.value}", 1, span=span),), span=span)
        case modules.NeededNames(modules.NameKind.ENUM as kind):
            return modules.Vocabulary(name, (f"{name} {kind.value}",), span=span)
        case modules.NeededNames(modules.NameKind.PROCEDURE):
            return modules.Procedure(name, (), span=span)
        case modules.NeededNames(modules.NameKind.PHASE):
            return modules.Phase(name, (), span=span)
        case modules.NeededNames(modules.NameKind.ACTION):
            return modules.Action(name, (), span=span)
        case modules.NeededNames():
            # A part may name the player whose turn it is, and points for which its variables last.
            scopes = sorted({line.scope for line in book.state.values() if line.scope})
            points = tuple(statements.Point(scope, (), span=span) for scope in scopes)
            turns = statements.Each("player", expressions.Name("players", span=span), None, points, span=span)
            return modules.Flow(points if "player" in book.state else (turns,), span=span)
        case _:
            assert_never(needed.need)


def _row(roles: Sequence[str], span: Span) -> modules.PatternRow:
    """One cell of each role with a free column between them, as hexes require."""
    return modules.PatternRow(tuple(cell for role in roles for cell in (role, ""))[:-1], span=span)


def _value(type: modules.WrittenType, span: Span) -> expressions.Expression:
    """An expression of a type."""
    match type:
        case modules.TruthType():
            return expressions.TruthLiteral(False, span=span)
        case modules.NumberType() | modules.NamedType("number"):
            return expressions.NumberLiteral(0, span=span)
        case modules.NamedType("tile"):
            return expressions.Name("nothing", span=span)
        case modules.NamedType("player"):
            return _first(expressions.Name("players", span=span))
        case modules.NamedType(enumeration):
            return _first(expressions.Name(enumeration, span=span))
        case modules.CellType(space):
            return expressions.Subscript("origin", expressions.Name(space, span=span), span=span)
        case modules.DirectionType(space):
            return _first(expressions.Call("directions", (expressions.Name(space, span=span),), span=span))
        case modules.SetType(modules.CellType(space)):
            return expressions.Name(space, span=span)
        case modules.SetType(element):
            return expressions.SetLiteral((_value(element, span),), span=span)
        case modules.PositionsType():
            raise AssertionError("records are written out before needs are met")
        case modules.ZoneType():
            binder = expressions.Binder("one", expressions.Name("box", span=span), span=span)
            return expressions.Those(binder, span=span)
        case _:
            assert_never(type)


def _first(domain: expressions.Expression) -> expressions.Expression:
    span = domain.span
    binder = expressions.Binder("one", domain, span=span)
    return expressions.ExtremeBy(expressions.Extreme.LEAST, binder, None, span=span)
