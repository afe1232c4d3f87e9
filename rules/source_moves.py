"""The loops that list one action's legal moves, as Python text: each requirement is tested as soon as its names are bound."""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve, field

from ..grammar.classes import define
from . import terms
from .blocks import Block, Code, Kind, Writer
from .evaluator import Evaluator
from .game import Action, Parameter, Requirement
from .moves import free_names, weight
from .source import CodeSet, Source

WORDS = re.compile(r"\w+")


@define
class MovesWriter:
    """Writes the loops that list one action's legal moves, each requirement tested as soon as its names are bound."""

    evaluator: Evaluator[Code, CodeSet]
    source: Source
    writer: Writer
    number: int
    action: Action
    pending: list[Requirement] = field(factory=list)
    found: int = 0

    def write(self) -> None:
        self.pending = list(self.action.requirements)
        depth = len(self.writer.stack)
        if self._admit({}, ()):
            self._nest(0, {})
        while len(self.writer.stack) > depth:
            self.writer.close()

    def prepare(self) -> None:
        """Compute what an only parameter's elements must pass before anything else: other actions may ask the same."""
        if len(self.action.parameters) != 1:
            return
        parameter = self.action.parameters[0]
        domain = self._domain(parameter, {})
        own = [r.condition for r in self.action.requirements if parameter.name in free_names(r.condition)]
        for item, _ in domain.items or ():
            self.writer.share(self._all(own, {parameter.name: self.writer.share(item)}))

    def _domain(self, parameter: Parameter, env: dict[str, Any]) -> CodeSet:
        """What a parameter ranges over; of a space only the occupied cells, where its test shows that no other can pass."""
        bound = terms.Bound(parameter.name, parameter.domain, parameter.where, parameter.type, span=parameter.span)
        return self.evaluator.bound(bound, env)[0]

    def _ready(self, bound: tuple[str, ...]) -> list[terms.Term]:
        """The conditions whose names are all bound; they are taken off the list."""
        names = {p.name for p in self.action.parameters}
        ready = [r for r in self.pending if not (free_names(r.condition) & names) - set(bound)]
        self.pending = [r for r in self.pending if r not in ready]
        return [r.condition for r in ready]

    def _all(self, conditions: list[terms.Term], env: dict[str, Any], *first: Code) -> Code:
        tests = [lambda c=c: self.evaluator.value(c, env) for c in sorted(conditions, key=weight)]
        return self.evaluator.algebra.conjunction([*(lambda c=c: c for c in first), *tests])

    def _admit(self, env: dict[str, Any], bound: tuple[str, ...], *more: terms.Term) -> bool:
        """Open an `if` of all conditions ready now; False when they can never hold."""
        code = self._all([*more, *self._ready(bound)], env)
        if code.known is None:
            self.writer.open(f"if {self.writer.recall(code).text}:", Kind.GUARD)
        return code.known != 0

    def _nest(self, at: int, env: dict[str, Any]) -> None:
        parameters = self.action.parameters
        if at == len(parameters):
            self._found(env)
            return
        parameter = parameters[at]
        domain = self._domain(parameter, env)
        if domain.items is None and at == len(parameters) - 2 and self._transposes(parameters[at + 1], parameter.name):
            inner = self._domain(parameters[at + 1], env)
            if inner.items is not None:
                self._transposed(at, domain, inner, env)
                return
        bound = tuple(p.name for p in parameters[: at + 1])
        pending = self.pending
        where = [parameter.where] if parameter.where is not None else []
        if domain.items is not None:
            for item, guard in domain.items:
                self.pending = list(pending)
                depth = len(self.writer.stack)
                if guard is not None:
                    self.writer.open(f"if {guard.text}:", Kind.GUARD)
                inner_env = {**env, parameter.name: self.writer.share(item)}
                if self._admit(inner_env, bound, *where):
                    self._nest(at + 1, inner_env)
                while len(self.writer.stack) > depth:
                    self.writer.close()
            return
        depth, before = len(self.writer.stack), self.found
        elements, element = self._distinct(domain), self.source.element(domain)
        loop = self.writer.open(f"for {element.text} in {elements.text}:", Kind.LOOP)
        inner_env = {**env, parameter.name: element}
        if self._admit(inner_env, bound, *where):
            self._nest(at + 1, inner_env)
        while len(self.writer.stack) > depth:
            self.writer.close()
        if self.found == before:
            self.writer.stack[-1].lines.remove(loop)

    def _found(self, env: dict[str, Any]) -> None:
        arguments = "".join(f", {env[p.name].text}" for p in self.action.parameters)
        self.writer.line(f"out.append(({self.number}{arguments},))")
        self.found += 1

    def _distinct(self, domain: CodeSet) -> Code:
        zone = domain.text
        return self.writer.share(Code(f"({zone} if len({zone}) < 2 else dict.fromkeys({zone}))", domain.level))

    def _transposes(self, inner: Parameter, outer: str) -> bool:
        return outer not in free_names(inner.domain) and (inner.where is None or outer not in free_names(inner.where))

    def _transposed(self, at: int, domain: CodeSet, inner: CodeSet, env: dict[str, Any]) -> None:
        """The inner parameter's elements are tested before the outer loop, as far as they can be."""
        outer_parameter, inner_parameter = self.action.parameters[at : at + 2]
        before = tuple(p.name for p in self.action.parameters[:at])
        own = self._ready((*before, inner_parameter.name))
        if inner_parameter.where is not None:
            own.insert(0, inner_parameter.where)
        prepared: list[tuple[Code, Code]] = []
        for item, guard in inner.items or ():
            cell = self.writer.share(item)
            first = () if guard is None else (guard,)
            code = self._all(own, {**env, inner_parameter.name: cell}, *first)
            if code.known != 0:
                prepared.append((cell, self.writer.share(code)))
        elements = self._distinct(domain)
        outer, depth = self.writer.stack[-1], len(self.writer.stack)
        element = evolve(self.source.element(domain), level=depth + 1)
        loop, ahead = Block(f"for {element.text} in {elements.text}:", Kind.LOOP), Block("", Kind.BODY)
        self.writer.stack += [ahead, loop]
        where = [outer_parameter.where] if outer_parameter.where is not None else []
        alive = self._admit({**env, outer_parameter.name: element}, (*before, outer_parameter.name), *where)
        outer.lines += ahead.lines
        rest = self._ready((*before, outer_parameter.name, inner_parameter.name))
        tests = []
        for cell, ok in prepared if alive else ():
            # What the tests of one cell need is looked up ahead of the loop, if the cell will do at all.
            self.writer.stack[depth] = ahead = Block("", Kind.GUARD)
            both = {**env, outer_parameter.name: element, inner_parameter.name: cell}
            code = self._all(rest, both)
            names = set(ahead.shared.values())
            parts = code.parts if code.conjunct else (code,)
            fixed = [p for p in parts if p.level < depth and names.isdisjoint(WORDS.findall(p.text))]
            inside, self.writer.stack[depth:] = self.writer.stack[depth:], []
            test = self.writer.share(self._all([], {}, ok, *fixed))
            self.writer.stack += inside
            if test.known == 0:
                continue
            ahead.header = f"if {test.text} and {domain.text}:"
            outer.lines.append(ahead)
            tests.append(test)
            looped = " and ".join(c.text for c in (test, *parts) if c.known is None and c not in fixed)
            self.writer.open(f"if {looped or 'True'}:", Kind.GUARD)
            self._found(both)
            self.writer.close()
        some = " or ".join(t.text for t in tests)
        outer.lines.append(loop if any(t.known for t in tests) else Block(f"if {some}:", Kind.GUARD, [loop]))
        del self.writer.stack[depth:]
