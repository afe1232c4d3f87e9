"""Traversal: the parts of a node, all nodes below it, the variables it reads, the points of a flow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rulewright.base.records import define, evolve, field, reader

from . import terms
from .game import Branch, Case, Definition, Each, Flow, Point, Repeat
from .types import Type


def parts_of(node: object) -> tuple[object, ...] | list[object]:
    """The items of a tuple or list, or the fields of a node without span and type; empty for anything else."""
    kind: Any = type(node)
    if kind is tuple or kind is list:
        return node  # type: ignore[return-value]
    return reader(kind, "span", "type")(node)


def operands(node: object) -> Iterator[terms.Term]:
    """The terms that a node consists of, those of its binders and places among them, in order."""
    for part in parts_of(node):
        if isinstance(part, terms.Term):
            yield part
        else:
            yield from operands(part)


def nodes_of(definitions: Mapping[str, Definition], *where: object) -> Iterator[object]:
    """The nodes, all nodes below them, and once each the bodies of the definitions that they invoke."""
    pending: list[object] = list(where)
    seen: set[str] = set()
    while pending:
        here = pending.pop()
        yield here
        if isinstance(here, terms.Invoke) and here.definition in definitions and here.definition not in seen:
            seen.add(here.definition)
            definition = definitions[here.definition]
            pending += [definition.value, definition.cases]
        pending += parts_of(here)


def variables_in(definitions: Mapping[str, Definition], *where: object) -> set[str]:
    """The state variables that nodes read, including through the definitions that they invoke."""
    return {node.variable for node in nodes_of(definitions, *where) if isinstance(node, terms.Read)}


def conjuncts(condition: terms.Term) -> tuple[terms.Term, ...]:
    """The parts of a conjunction; any other condition is its own only part."""
    return condition.parts if isinstance(condition, terms.And) else (condition,)


@lru_cache(maxsize=4096)
def locals_in(term: terms.Term) -> frozenset[str]:
    """Every bound name that occurs in a term, including those bound inside it: a superset of its free variables."""
    return frozenset(node.name for node in nodes_of({}, term) if isinstance(node, terms.Local))


def free_names(term: terms.Term) -> dict[str, Type]:
    """The free names of a term with their types, in alphabetical order."""
    bound = {node.name for node in nodes_of({}, term) if isinstance(node, terms.Binder | terms.Let)}
    bound |= {node.origin for node in nodes_of({}, term) if isinstance(node, terms.Closure)}
    found = {node.name: node.type for node in nodes_of({}, term) if isinstance(node, terms.Local)}
    return {name: type for name, type in sorted(found.items()) if name not in bound}


def points_of(flow: tuple[Flow, ...]) -> tuple[str, ...]:
    """The named points of a flow, outermost first."""
    return tuple(dict.fromkeys(node.name for node in flow_nodes(flow) if isinstance(node, Point)))


def flow_nodes(flow: tuple[Flow, ...]) -> Iterator[Flow]:
    """Every node of a flow, outermost first."""
    for node in flow:
        yield node
        if isinstance(node, Repeat | Each | Branch | Point):
            yield from flow_nodes(node.body)
        if isinstance(node, Branch):
            yield from flow_nodes(node.otherwise)


# Inlining -------------------------------------------------------------------------------------------------------------
# Replaces every call of a definition in a term by the definition's body.


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
                return evolve(term, start=self.term(start, names, depth), origin=fresh, binder=new)
            case terms.Fold() | terms.Those() | terms.Image():
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
            found = terms.If(applies, instead, found, type=found.type, span=case.span)
        return found

    def _binder(self, binder: terms.Binder, names: Names, depth: int) -> tuple[terms.Binder, Names]:
        fresh = f"#{depth}"
        inside = {**names, binder.name: terms.Local(fresh, binder.type)}
        where = None if binder.where is None else self.term(binder.where, inside, depth + 1)
        return evolve(binder, name=fresh, domain=self.term(binder.domain, names, depth), where=where), inside

    def _fields(self, term: terms.Term, names: Names, depth: int, **known: Any) -> terms.Term:
        changed: dict[str, Any] = {}
        for attribute in type(term).__attrs_attrs__:
            if attribute.name not in known and attribute.name not in ("span", "type"):
                changed[attribute.name] = self._field(getattr(term, attribute.name), names, depth)
        return evolve(term, **changed, **known)

    def _field(self, value: object, names: Names, depth: int) -> object:
        if isinstance(value, tuple):
            return tuple(self._field(part, names, depth) for part in value)
        return self.term(value, names, depth) if isinstance(value, terms.Term) else value


def conjunction(parts: Sequence[terms.Term]) -> terms.Term:
    """The conjunction of conditions, at least one."""
    return parts[0] if len(parts) == 1 else terms.And(tuple(parts))
