"""Labels are names: within an item, each says one thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from ..grammar import modules as tree
from ..grammar.diagnostics import Label, Sink
from ..grammar.spans import Span
from .rulebook import Rulebook

Named = tuple[str, Span]


def check_labels(book: Rulebook, sink: Sink) -> None:
    """Report RW102 where two clauses of an item have one name, and where two tile sets have a kind of one name."""
    kinds = [(line.name, line.span) for tiles in book.tiles.values() for line in tiles.lines]
    _check("tile ", kinds, sink)
    for action in book.actions.values():
        _check(f"{action.name}.", [(p.name, p.span) for p in action.parameters], sink)
        clauses = [(r.label, r.span) for r in action.requirements]
        clauses += [(effect.labelled.label, effect.span) for effect in action.effects]
        _check(f"{action.name}.", clauses, sink)
    for procedure in book.procedures.values():
        _check(f"{procedure.name}.", [(part.label, part.span) for part in procedure.body if part.label], sink)
    for definition in book.defines.values():
        _check(f"{definition.name}.", _cases(definition.cases, ""), sink)
    for table in book.tables.values():
        _check(f"{table.name}.", [(column, table.span) for column in table.columns], sink)


def _cases(cases: tuple[tree.Case, ...], prefix: str) -> Iterator[Named]:
    for case in cases:
        yield prefix + case.label, case.span
        yield from _cases(case.exceptions, f"{prefix}{case.label}.")


def _check(prefix: str, named: Iterable[Named], sink: Sink) -> None:
    seen: dict[Hashable, Span] = {}
    for name, span in named:
        if name in seen:
            report_twice(prefix + name, seen[name], span, sink)
        seen.setdefault(name, span)


def report_twice(name: str, first: Span, again: Span, sink: Sink) -> None:
    """RW102: what has this name is there already."""
    sink.error(
        "RW102",
        f"`{name}` is defined twice",
        again,
        Label(first, "first defined here"),
        label="defined again here",
        help="give one of them another name, or say `change` to alter the first",
    )
