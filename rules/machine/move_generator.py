"""Code that lists the legal moves of one action: each requirement is tested as soon as its names are bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack

from attrs import field

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, Parameter, Requirement
from rulewright.rules.model.traversal import locals_in, term_size
from rulewright.rules.semantics.evaluator import Evaluator

from .algebra import Machine
from .set_code import Many
from .writer import Number

Env = dict[str, Number]


@define
class Listing:
    """Writes the loops over the parameters of an action; `found` writes what is done with the arguments of a legal move."""

    evaluator: Evaluator[Number, Many]
    action: Action
    found: Callable[[list[Number]], None]
    pending: list[Requirement] = field(factory=list)

    @property
    def machine(self) -> Machine:
        machine = self.evaluator.algebra
        assert isinstance(machine, Machine)
        return machine

    def write(self) -> None:
        self.pending = list(self.action.requirements)
        with self._under({}, self._ready(())) as alive:
            if alive:
                self._nest(0, {})

    def _ready(self, bound: Sequence[str]) -> list[terms.Term]:
        """The requirements whose names are all bound, the lightest first; they are taken off the list."""
        names = {p.name for p in self.action.parameters}
        ready = [r for r in self.pending if not (locals_in(r.condition) & names) - set(bound)]
        self.pending = [r for r in self.pending if r not in ready]
        return sorted((r.condition for r in ready), key=term_size)

    def _all(self, conditions: Sequence[terms.Term], env: Env, *first: Number) -> Number:
        tests = [lambda c=c: self.evaluator.value(c, env) for c in conditions]
        return self.machine.conjunction([*(lambda f=f: f for f in first), *tests])

    def _under(self, env: Env, conditions: Sequence[terms.Term], *first: Number) -> _Guarded:
        return _Guarded(self.machine, self._all(conditions, env, *first))

    def _nest(self, at: int, env: Env) -> None:
        parameters = self.action.parameters
        if at == len(parameters):
            self.found([env[p.name] for p in parameters])
            return
        parameter = parameters[at]
        domain = self.evaluator.set(parameter.domain, env)
        bound = [p.name for p in parameters[: at + 1]]
        where = [] if parameter.where is None else [parameter.where]
        pending = self.pending
        if domain.items is not None:
            for item, guard in domain.items:
                self.pending = list(pending)
                value = self.machine.text.named(item)
                self._further(at, {**env, parameter.name: value}, [*where, *self._ready(bound)], guard)
            return
        prepared = self._prepared(at, env) if at == len(parameters) - 2 else None
        pending = self.pending

        def turn(value: Number) -> None:
            self.pending = list(pending)
            inner = {**env, parameter.name: value}
            if prepared is None:
                self._further(at, inner, [*where, *self._ready(bound)], None)
                return
            with self._under(inner, [*where, *self._ready(bound)]) as alive:
                if alive:
                    last = self.pending
                    for cell, test in prepared:
                        self.pending = list(last)
                        both = {**inner, parameters[at + 1].name: cell}
                        rest = self._ready([*bound, parameters[at + 1].name])
                        with self._under(both, rest, test) as still:
                            if still:
                                self._nest(at + 2, both)

        self._distinct(domain, turn)

    def _further(self, at: int, env: Env, conditions: Sequence[terms.Term], guard: Number | None) -> None:
        first = () if guard is None else (guard,)
        with self._under(env, conditions, *first) as alive:
            if alive:
                self._nest(at + 1, env)

    def _prepared(self, at: int, env: Env) -> list[tuple[Number, Number]] | None:
        """The elements of the last parameter and whether they pass, before the loop over the one before it begins.

        None where they depend on it, or are too many to be written out.
        """
        outer, inner = self.action.parameters[at : at + 2]
        if outer.name in locals_in(inner.domain):
            return None
        with self.machine.text.aside() as kept:
            domain = self.evaluator.set(inner.domain, env)
        if domain.items is None:
            return None
        self.machine.text.insert(kept)
        own = self._ready([p.name for p in self.action.parameters[:at]] + [inner.name])
        if inner.where is not None:
            if outer.name in locals_in(inner.where):
                self.pending.append(_as_requirement(inner))
            else:
                own.insert(0, inner.where)
        found = []
        for item, guard in domain.items:
            value = self.machine.text.named(item)
            first = () if guard is None else (guard,)
            test = self._all(own, {**env, inner.name: value}, *first)
            if test.known != 0:
                found.append((value, self.machine.text.named(test, "p")))
        return found

    def _distinct(self, domain: Many, body: Callable[[Number], None]) -> None:
        """Each element once: of a sorted set equal ones stand side by side, of others those before are looked through."""
        text = self.machine.text
        if not domain.repeats:
            self.machine.for_each(domain, None, body, 2, ordered=True)
            return
        if domain.sorted:
            before = text.fresh("p")
            text.line(f"{before} = -1")

            def new(value: Number) -> None:
                with text.block(f"if {value.text} != {before}:"):
                    text.line(f"{before} = {value.text}")
                    body(value)

            self.machine.for_each(domain, None, new, 2, ordered=True)
            return
        listed = self.machine.image(domain, None, lambda value: value, 2)
        self.machine.for_each(listed, None, body, 2, ordered=True)


def _as_requirement(parameter: Parameter) -> Requirement:
    assert parameter.where is not None
    return Requirement(parameter.name, parameter.where, "")


@define
class _Guarded(AbstractContextManager[bool]):
    """An `if` around what follows, or nothing when the condition is known; False when it never holds."""

    machine: Machine
    condition: Number
    stack: ExitStack = field(factory=ExitStack)

    def __enter__(self) -> bool:
        if self.condition.known is None:
            self.stack.enter_context(self.machine.text.block(f"if {self.condition.text}:"))
        return self.condition.known != 0

    def __exit__(self, *error: object) -> None:
        self.stack.close()
