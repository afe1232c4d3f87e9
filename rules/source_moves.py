"""The loops that list one action's legal moves, as Python text: each requirement is tested as soon as its names are bound."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from . import terms
from .blocks import Block, Code, Kind, Writer
from .evaluator import Evaluator
from .game import Action, Parameter, Requirement
from .moves import free_names, weight
from .source import CodeSet


@define
class MovesWriter:
    """Writes the loops that list one action's legal moves, each requirement tested as soon as its names are bound."""

    evaluator: Evaluator[Code, CodeSet]
    writer: Writer
    number: int
    action: Action
    pending: list[Requirement] = field(factory=list)
    found: int = 0

    def write(self) -> None:
        self.pending = list(self.action.requirements)
        depth = len(self.writer.stack)
        if len(self.action.parameters) == 1:
            self._prepare(self.action.parameters[0])
        if self._admit({}, ()):
            self._nest(0, {})
        while len(self.writer.stack) > depth:
            self.writer.close()

    def _prepare(self, parameter: Parameter) -> None:
        """Compute what an only parameter's elements must pass before anything else: other actions may ask the same."""
        domain = self.evaluator.set(parameter.domain, {})
        own = [r.condition for r in self.pending if parameter.name in free_names(r.condition)]
        for item, _ in domain.items or ():
            self.writer.share(self._all(own, {parameter.name: self.writer.share(item)}))

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
        domain = self.evaluator.set(parameter.domain, env)
        if domain.items is None and at == len(parameters) - 2 and self._transposes(parameters[at + 1], parameter.name):
            inner = self.evaluator.set(parameters[at + 1].domain, env)
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
        name = self.writer.fresh("e")
        loop = self.writer.open(f"for {name} in {self._distinct(domain)}:", Kind.LOOP)
        inner_env = {**env, parameter.name: Code(name, self.writer.top, simple=True)}
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

    def _distinct(self, domain: CodeSet) -> str:
        return f"({domain.text} if len({domain.text}) < 2 else dict.fromkeys({domain.text}))"

    def _transposes(self, inner: Any, outer: str) -> bool:
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
        outer = self.writer.stack[-1]
        loop = self.writer.open("", Kind.LOOP)
        name = self.writer.fresh("e")
        loop.header = f"for {name} in {self._distinct(domain)}:"
        self.writer.stack.pop()
        self.writer.stack.append(Block("", Kind.GUARD))
        self.writer.stack.append(loop)
        element = Code(name, self.writer.top, simple=True)
        depth = len(self.writer.stack)
        where = [outer_parameter.where] if outer_parameter.where is not None else []
        alive = self._admit({**env, outer_parameter.name: element}, (*before, outer_parameter.name), *where)
        rest = self._ready((*before, outer_parameter.name, inner_parameter.name))
        at_loop = outer.lines.index(loop)
        outer.lines[at_loop:at_loop] = self.writer.stack[depth - 2].lines
        for cell, ok in prepared if alive else ():
            guard_block = Block(f"if {ok.text} and {domain.text}:", Kind.GUARD)
            self.writer.stack[depth - 2] = guard_block
            both = {**env, outer_parameter.name: element, inner_parameter.name: cell}
            code = self._all(rest, both, ok)
            if guard_block.lines:
                at_loop = next(i for i, line in enumerate(outer.lines) if line is loop)
                outer.lines.insert(at_loop, guard_block)
            self.writer.open(f"if {code.text}:", Kind.GUARD)
            self._found(both)
            self.writer.close()
        while len(self.writer.stack) > depth:
            self.writer.close()
        self.writer.stack[-2:] = []
