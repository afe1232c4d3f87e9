"""Terms with every definition written out where it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import field

from ..grammar.classes import define
from . import terms as t
from .game import Case, Definition
from .types import Truth

MOST_PARTS = 20_000

Names = Mapping[str, t.Term]


class TooLong(Exception):
    """A term has too many parts when it is written out."""


@define
class WriterOut:
    """Writes terms out. What they bind is named by how deep it is bound: equal texts become equal terms, and no name of one
    text is taken for that of another."""

    definitions: Mapping[str, Definition]
    parts: int = field(default=0, init=False)

    def term(self, term: t.Term, names: Names, depth: int = 0) -> t.Term:
        """A term in which names stand for other terms, inside so many binders. Raises `TooLong`."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise TooLong
        match term:
            case t.Local(name):
                return names.get(name, term)
            case t.Invoke(name, arguments):
                definition = self.definitions[name]
                given = [self.term(argument, names, depth) for argument in arguments]
                inner = dict(zip((parameter for parameter, _ in definition.parameters), given, strict=True))
                return self._cases(definition.value, definition.cases, inner, depth)
            case t.Closure(start, origin, bound):
                fresh = f"#{depth}"
                new, _ = self._bound(bound, {**names, origin: t.Local(fresh, bound.type)}, depth + 1)
                return attrs.evolve(term, start=self.term(start, names, depth), origin=fresh, bound=new)
            case t.Quantified() | t.Sum() | t.ExtremeOf() | t.ExtremeBy() | t.Those() | t.Image():
                new, inside = self._bound(term.bound, names, depth)
                return self._fields(term, inside, depth + 1, bound=new)
            case _:
                return self._fields(term, names, depth)

    def _cases(self, value: t.Term, cases: Sequence[Case], names: Names, depth: int) -> t.Term:
        """The value of the exception that applies, or else the default."""
        found = self.term(value, names, depth)
        for case in reversed(cases):
            applies = self.term(case.when, names, depth)
            instead = self._cases(case.value, case.exceptions, names, depth)
            found = t.If(applies, instead, found, found.type, span=case.span)
        return found

    def _bound(self, bound: t.Bound, names: Names, depth: int) -> tuple[t.Bound, Names]:
        fresh = f"#{depth}"
        inside = {**names, bound.name: t.Local(fresh, bound.type)}
        where = None if bound.where is None else self.term(bound.where, inside, depth + 1)
        return attrs.evolve(bound, name=fresh, domain=self.term(bound.domain, names, depth), where=where), inside

    def _fields(self, term: t.Term, names: Names, depth: int, **known: Any) -> t.Term:
        changed: dict[str, Any] = {}
        for attribute in attrs.fields(type(term)):
            if attribute.name not in known and attribute.name not in ("span", "type"):
                changed[attribute.name] = self._field(getattr(term, attribute.name), names, depth)
        return attrs.evolve(term, **changed, **known)

    def _field(self, value: object, names: Names, depth: int) -> object:
        if isinstance(value, tuple):
            return tuple(self._field(part, names, depth) for part in value)
        return self.term(value, names, depth) if isinstance(value, t.Term) else value


def conjunction(parts: Sequence[t.Term]) -> t.Term:
    """All of some conditions."""
    return parts[0] if len(parts) == 1 else t.And(tuple(parts), Truth())
