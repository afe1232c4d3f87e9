"""Evaluates terms of the rules to terms of the core: the meaning of the rules, with what the core says by itself left to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from rulewright.base.records import define, evolve, field
from rulewright.base.spans import Span
from rulewright.rules.model import effects, game, terms
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.semantics.algebra import Env, Thunk
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Executor, Store, ZoneEnd

from .algebra import CoreAlgebra, Tables
from .program import Deal, Definition, Effect, End, For, If, Origin, Place, Shuffle, Transfer, Write
from .terms import Call, Constant, Read, Term, Zone

# Effects of the rules as effects of the core, which know their clause -------------------------------------------------


Block = Callable[[], None]


class Cause(TypedDict):
    """What every effect is given."""

    span: Span
    origin: Origin


@define
class CoreExecutor(Executor[Term, Term]):
    """Carries out clauses, so that the store collects their effects."""

    store: CoreStore

    def _effect(self, clause: EffectClause, env: Env) -> None:
        outer = self.store.origin
        self.store.origin = outer.inside(clause)
        super()._effect(clause, env)
        self.store.origin = outer


@define
class CoreStore(Store[Term, Term]):
    """Collects effects in the order in which they happen, each after the names that it uses."""

    algebra: CoreAlgebra
    origin: Origin = Origin("")
    effects: list[Effect] = field(factory=list)
    _taken: Place = Place("", None)

    def assign(self, variable: str, index: Term | None, value: Term, clause: EffectClause) -> None:
        self._emit(Write(self._place(variable, index), value, **self._cause))

    def remove(self, source: ZoneEnd[Term], tile: Term, clause: EffectClause) -> None:
        self._taken = self._end(source)

    def clear(self, space: str, cell: Term, clause: EffectClause) -> Term:
        self._taken = self._place(space, cell)
        return Read(space, cell, span=self.origin.span)

    def put(self, space: str, cell: Term, tile: Term, clause: EffectClause) -> None:
        self._emit(Transfer(self._taken, self._place(space, cell), tile, **self._cause))

    def add(self, target: ZoneEnd[Term], tile: Term) -> None:
        self._emit(Transfer(self._taken, self._end(target), tile, **self._cause))

    def deal(self, number: Term | None, source: ZoneEnd[Term], target: ZoneEnd[Term]) -> None:
        many = self.algebra.size(Zone(*source.zone)) if number is None else number
        self._emit(Deal(many, self._end(source), self._end(target), **self._cause))

    def shuffle(self, variable: str, index: Term | None) -> None:
        self._emit(Shuffle(self._place(variable, index), **self._cause))

    def when(self, condition: Term, then: Block, otherwise: Block | None) -> None:
        if isinstance(condition, Constant):
            chosen = then if condition.value else otherwise
            if chosen is not None:
                chosen()
            return
        self._emit_names()
        blocks = self._block(then), () if otherwise is None else self._block(otherwise)
        self.effects.append(If(condition, *blocks, **self._cause))

    def for_each(self, domain: Term, where: Callable[[Term], Term] | None, body: Callable[[Term], None]) -> None:
        """The test of an element is evaluated when its turn comes."""
        self._emit_names()
        element = self.algebra.local()

        def tested() -> None:
            assert where is not None
            self.when(where(element), lambda: body(element), None)

        block = self._block((lambda: body(element)) if where is None else tested)
        self.effects.append(For(element.number, domain, block, **self._cause))

    def kept(self, domain: Term) -> Term:
        return self.algebra.name(domain)

    def end(self, game: bool) -> None:
        self._emit(End(game, **self._cause))

    def _block(self, body: Block) -> tuple[Effect, ...]:
        outer, self.effects = self.effects, []
        body()
        found, self.effects = self.effects, outer
        return tuple(found)

    def _emit_names(self) -> None:
        self.effects += self.algebra.names
        self.algebra.names.clear()

    def _emit(self, effect: Effect) -> None:
        self._emit_names()
        self.effects.append(effect)

    @property
    def _cause(self) -> Cause:
        return {"span": self.origin.span, "origin": self.origin}

    def _place(self, variable: str, index: Term | None, bottom: bool = False) -> Place:
        return Place(variable, index, bottom, span=self.origin.span)

    def _end(self, end: ZoneEnd[Term]) -> Place:
        return self._place(end.variable, end.index, end.bottom)


# Evaluates terms of the rules to terms of the core --------------------------------------------------------------------


@define
class CoreEvaluator(Evaluator[Term, Term]):
    """Definitions are called, also those of sets; a variable or zone has a value at every index."""

    algebra: CoreAlgebra

    @classmethod
    def of(cls, tables: Tables) -> CoreEvaluator:
        """An evaluator for a part of the game, whose locals count from 0."""
        return cls(tables.instance, CoreAlgebra(tables))

    def whole(self, term: terms.Term, env: Env) -> Term:
        """A value or set that is evaluated by itself."""
        return self.algebra.scope(lambda: self.any(term, env))

    def value(self, term: terms.Term, env: Env) -> Term:
        return self._at(term, lambda: super(CoreEvaluator, self).value(term, env))

    def set(self, term: terms.Term, env: Env) -> Term:
        match term:
            case terms.If(condition, then, otherwise):
                parts = (lambda: self.set(then, env)), (lambda: self.set(otherwise, env))
                return self._at(term, lambda: self.algebra.choice(self.value(condition, env), *parts))
            case _:
                return self._at(term, lambda: super(CoreEvaluator, self).set(term, env))

    def read(self, variable: str, index: Term | None) -> Term:
        return self.algebra.read(variable, index)

    def once(self, domain: Term) -> Term:
        return self.algebra.share(domain)

    def zone(self, variable: str, index: Term | None) -> Term:
        return self.algebra.zone(variable, index)

    def member(self, value: Term, members: terms.Term, env: Env) -> Term:
        """A test of the elements of a definition is a definition of its own."""
        if not isinstance(members, terms.Invoke) or not self._is_test(members):
            return super().member(value, members, env)
        name, arguments = test_name(members.definition), [self.any(argument, env) for argument in members.arguments]
        self.algebra.tables.called[name] = None
        return Call(name, (value, *arguments), span=members.span)

    def _at(self, term: terms.Term, make: Callable[[], Term]) -> Term:
        """What is made from a term, with its place."""
        algebra = self.algebra
        before, algebra.span = algebra.span, term.span
        found = make()
        algebra.span = before
        return found

    def _named(self, name: str, given: terms.Term, body: terms.Term, env: Env) -> Env:
        return {**env, name: self.algebra.share(self.any(given, env))}

    def _value_of(self, case: game.Case, env: Env) -> Thunk[Term]:
        return lambda: evolve(self.value(case.value, env), cases=(case,))

    def _first_extreme(self, kind: terms.Kind, binder: terms.Binder, by: terms.Term, none: int, env: Env) -> Term:
        domain, test, key, _ = self._loop(binder, by, env)
        return self.algebra.fold(kind, domain, test, key, none)


TEST = "in "
"""How the name of a definition begins that tests membership in the set of another; no text can contain it."""


def test_name(definition: str) -> str:
    """The name of the definition that tests membership in a set."""
    return f"{TEST}{definition}"


def name_of_set(called: str) -> str | None:
    """The definition of a set in which a definition tests membership; None for any other."""
    return called.removeprefix(TEST) if called.startswith(TEST) else None


def definition_of(tables: Tables, definition: game.Definition) -> Definition:
    """A definition, called with its parameters as the first locals."""
    evaluator = CoreEvaluator.of(tables)
    given = [evaluator.algebra.local() for _ in definition.parameters]
    body = evaluator.algebra.scope(lambda: evaluator.definition(definition, given))
    return Definition(len(given), body, _parts_of(definition, evaluator, given), span=definition.span)


def _parts_of(definition: game.Definition, evaluator: CoreEvaluator, given: Sequence[Term]) -> tuple[Term, ...]:
    """The requirements of a rule."""
    if not definition.reasons or not isinstance(definition.value, terms.And):
        return ()
    env = dict(zip((name for name, _ in definition.parameters), given, strict=True))
    return tuple(evaluator.whole(part, env) for part in definition.value.parts)


def test_of(tables: Tables, definition: game.Definition) -> Definition:
    """Whether the first local is an element of a definition's set."""
    evaluator = CoreEvaluator.of(tables)
    item, *given = [evaluator.algebra.local() for _ in range(len(definition.parameters) + 1)]
    names = [name for name, _ in definition.parameters]
    env = dict(zip(names, given, strict=True))
    body = evaluator.algebra.scope(lambda: evaluator.member(item, definition.value, env))
    return Definition(1 + len(given), body, span=definition.span)


def effects_of(evaluator: CoreEvaluator, clauses: Sequence[effects.EffectClause], env: Env) -> tuple[Effect, ...]:
    """The effects of some clauses, in order."""
    store = CoreStore(evaluator.algebra)
    CoreExecutor(evaluator, store).run(clauses, env)
    return tuple(store.effects)
