"""Evaluates terms of the rules to terms of the core: the meaning of the rules, with what the core says by itself left to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Extreme
from rulewright.rules.model import effects, game, terms, types
from rulewright.rules.semantics.algebra import Env, Thunk
from rulewright.rules.semantics.evaluator import Evaluator

from .algebra import CoreAlgebra, Tables
from .program import Definition, Effect
from .store import CoreExecutor, CoreStore
from .terms import Call, Term


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
            case terms.Invoke(name, arguments):
                definition = self.instance.game.definitions[name]
                return self._at(term, lambda: self.algebra.invoke(definition, [self.any(a, env) for a in arguments], _uncalled))
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

    def _first_extreme(self, extreme: Extreme, binder: terms.Binder, by: terms.Term, none: int, env: Env) -> Term:
        domain, test, key, _ = self._loop(binder, by, env)
        return self.algebra.first(extreme, domain, test, key, none)


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
    if isinstance(definition.type, types.SetOf):
        names = [name for name, _ in definition.parameters]
        body = evaluator.whole(definition.value, dict(zip(names, given, strict=True)))
    else:
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


def _uncalled(arguments: Sequence[Any]) -> Term:
    raise AssertionError("the core calls definitions")
