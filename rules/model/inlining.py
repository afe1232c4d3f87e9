"""Inlining: replaces every call of a definition in a term by the definition's body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from rulewright.base.records import define, field

from . import terms
from .game import Case, Definition
from .types import Truth

MOST_PARTS = 20_000

Names = Mapping[str, terms.Term]


class TooLong(Exception):
    """A term has too many parts after inlining."""


@define
class Inliner:
    """Inlines definitions. Bound names are replaced by their depth (de Bruijn levels), which makes alpha-equivalent terms equal
    and prevents capture."""

    definitions: Mapping[str, Definition]
    parts: int = field(default=0, init=False)

    def term(self, term: terms.Term, names: Names, depth: int = 0) -> terms.Term:
        """A term with definitions inlined and `names` substituted, inside `depth` binders. Raises `TooLong`."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise TooLong
        match term:
            case terms.Local(name):
                return names.get(name, term)
            case terms.Invoke(name, arguments):
                definition = self.definitions[name]
                given = [self.term(argument, names, depth) for argument in arguments]
                inner = dict(zip((parameter for parameter, _ in definition.parameters), given, strict=True))
                return self._cases(definition.value, definition.cases, inner, depth)
            case terms.Let(name, value, body):
                return self.term(body, {**names, name: self.term(value, names, depth)}, depth)
            case terms.Closure(start, origin, binder):
                fresh = f"#{depth}"
                new, _ = self._binder(binder, {**names, origin: terms.Local(fresh, binder.type)}, depth + 1)
                return attrs.evolve(term, start=self.term(start, names, depth), origin=fresh, binder=new)
            case terms.Quantified() | terms.Sum() | terms.ExtremeOf() | terms.ExtremeBy() | terms.Those() | terms.Image():
                new, inside = self._binder(term.binder, names, depth)
                return self._fields(term, inside, depth + 1, binder=new)
            case _:
                return self._fields(term, names, depth)

    def _cases(self, value: terms.Term, cases: Sequence[Case], names: Names, depth: int) -> terms.Term:
        """The value of the exception that applies, else the default."""
        found = self.term(value, names, depth)
        for case in reversed(cases):
            applies = self.term(case.when, names, depth)
            instead = self._cases(case.value, case.exceptions, names, depth)
            found = terms.If(applies, instead, found, found.type, span=case.span)
        return found

    def _binder(self, binder: terms.Binder, names: Names, depth: int) -> tuple[terms.Binder, Names]:
        fresh = f"#{depth}"
        inside = {**names, binder.name: terms.Local(fresh, binder.type)}
        where = None if binder.where is None else self.term(binder.where, inside, depth + 1)
        return attrs.evolve(binder, name=fresh, domain=self.term(binder.domain, names, depth), where=where), inside

    def _fields(self, term: terms.Term, names: Names, depth: int, **known: Any) -> terms.Term:
        changed: dict[str, Any] = {}
        for attribute in attrs.fields(type(term)):
            if attribute.name not in known and attribute.name not in ("span", "type"):
                changed[attribute.name] = self._field(getattr(term, attribute.name), names, depth)
        return attrs.evolve(term, **changed, **known)

    def _field(self, value: object, names: Names, depth: int) -> object:
        if isinstance(value, tuple):
            return tuple(self._field(part, names, depth) for part in value)
        return self.term(value, names, depth) if isinstance(value, terms.Term) else value


def conjunction(parts: Sequence[terms.Term]) -> terms.Term:
    """The conjunction of conditions, at least one."""
    return parts[0] if len(parts) == 1 else terms.And(tuple(parts), Truth())
