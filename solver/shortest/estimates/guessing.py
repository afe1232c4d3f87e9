"""Evaluation where little is known: cells, directions, players and members of enumerations are guessed, the rest is abstract.

The effects of rules depend on which cell is meant far more than on numbers and truths. A guess holds for its term wherever
that is evaluated, until an effect changes the state. Every state is covered by the guesses that are right for it. Terms that
read an element of a loop are not guessed: for each of n elements one of m values would make m to the power of n guesses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import Function
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly

from .partial_state import MOST_FOUND, NO_INDEX, Slot

GuessKey = tuple[Any, tuple[tuple[str, int], ...], int]
"""A term, or the name of a parameter; the values of the names in it; and the number of effects before."""


@define
class Fork:
    """A guessed term: its values, which of them it has now, and the guesses made before it."""

    key: GuessKey
    values: Sequence[int]
    known: Mapping[GuessKey, int]
    picked: int = 0


@define
class Guesses:
    """A depth-first enumeration of all ways to guess: a tree that unfolds as values are needed. `made` has the current
    guesses."""

    made: dict[GuessKey, int] = field(factory=dict)
    forks: list[Fork] = field(factory=list)

    def settle(self, key: GuessKey, values: Sequence[int]) -> int:
        """Guess a value of a term: the first, with a fork if there are several."""
        if len(values) > 1:
            self.forks.append(Fork(key, values, dict(self.made)))
        self.made[key] = values[0]
        return values[0]

    def advance(self) -> bool:
        """Backtrack to the last fork with another value, and take it. False if there is none."""
        while self.forks:
            fork = self.forks[-1]
            fork.picked += 1
            if fork.picked < len(fork.values):
                self.made = {**fork.known, fork.key: fork.values[fork.picked]}
                return True
            self.forks.pop()
        return False


GUESSED = types.Cell | types.Direction | types.Player | types.Enumeration | types.Place
PLAIN = terms.Constant | terms.Local | terms.Origin


@define
class GuessingEvaluator(Evaluator[AbstractValue, AbstractSet]):
    """Evaluates terms, guessing some of them. `effects` counts the effects so far."""

    guesses: Guesses = field(factory=Guesses)
    effects: int = 0
    seen: set[Slot] = field(factory=set)
    """The slots read before any effect, except of elements of loops."""
    _elements_bound: list[AbstractValue] = field(factory=list)
    """The elements of the loops being evaluated, told from equal values by identity."""

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        key = self._key(term, env)
        if key is None:
            return Evaluator.value(self, term, env)
        made = self.guesses.made.get(key)
        if made is None:
            found = Evaluator.value(self, term, env)
            values = values_of(found)
            if len(values) > MOST_FOUND:
                return found
            made = self.guesses.settle(key, values)
        return exactly(made)

    def _key(self, term: terms.Term, env: Env) -> GuessKey | None:
        """The key of a term; None if it is not guessed."""
        if isinstance(term, PLAIN) or not isinstance(term.type, GUESSED):
            return None
        names = _known_names(term, env)
        return None if names is None or self._reads_element(term, env) else (term, names, self.effects)

    def assume(self, condition: terms.Term, env: Env) -> None:
        """Guess only what lets a condition hold. Raises `Impossible` if it cannot."""
        for part in conjuncts(condition):
            if isinstance(part, terms.Compare) and part.operator is Comparison.EQUAL and isinstance(part.left.type, GUESSED):
                self._equate(part.left, part.right, env)
            if self.value(part, env).never:
                raise Impossible

    def _equate(self, first: terms.Term, second: terms.Term, env: Env) -> None:
        """Guess one value for both of two terms, as far as they are guessed."""
        made = self.guesses.made
        keys = [self._key(term, env) for term in (first, second)]
        one, other = (
            exactly(made[key]) if key in made else Evaluator.value(self, term, env)
            for term, key in zip((first, second), keys, strict=True)
        )
        values = [value for value in values_of(one) if may_be(other, value)]
        if not values:
            raise Impossible
        for key in keys:
            if key is not None and key not in made and len(values) <= MOST_FOUND:
                values = [self.guesses.settle(key, values)]

    def set(self, term: terms.Term, env: Env) -> AbstractSet:
        """A set; the start of a closure is not guessed, since many cells have the same closure."""
        if isinstance(term, terms.Closure):
            names = _known_names(term.start, env)
            is_made = names is not None and (term.start, names, self.effects) in self.guesses.made
            start = self.value(term.start, env) if is_made else Evaluator.value(self, term.start, env)
            return self.algebra.closure(start, lambda here: self.following(term, here, env))
        return Evaluator.set(self, term, env)

    def following(self, closure: terms.Closure, here: AbstractValue, env: Env) -> AbstractSet:
        """The elements that one step of a closure leads to."""
        return self._those(closure.binder, {**env, closure.origin: here})

    def domain_and_test(self, binder: terms.Binder, env: Env, *others: terms.Term) -> tuple[AbstractSet, Function | None]:
        domain, test = Evaluator.domain_and_test(self, binder, env, *others)
        return domain, None if test is None else self._with_element(test)

    def _loop(self, binder: terms.Binder, body: terms.Term, env: Env) -> tuple[AbstractSet, Function | None, Function, int]:
        domain, test, function, uses = Evaluator._loop(self, binder, body, env)
        return domain, test, self._with_element(function), uses

    def _with_element(self, function: Function) -> Function:
        """A function of an element, which is known as one while it is evaluated."""

        def of_element(value: AbstractValue) -> AbstractValue:
            element = evolve(value)
            self._elements_bound.append(element)
            try:
                return function(element)
            finally:
                self._elements_bound.pop()

        return of_element

    def _reads_element(self, term: terms.Term, env: Env) -> bool:
        return bool(self._elements_bound) and any(
            env.get(name) is element for name in locals_in(term) for element in self._elements_bound
        )

    def argument(self, parameter: Parameter, env: Env) -> AbstractValue:
        """An element of the domain of a parameter, guessed if possible. Raises `Impossible` if the domain is empty."""
        key = (parameter.name, (), NO_EFFECT)
        made = self.guesses.made.get(key)
        if made is None:
            domain = self.set(parameter.domain, env)
            values = self._elements(domain, parameter.type)
            if values is None:
                return domain.element
            if not values:
                raise Impossible
            made = self.guesses.settle(key, values)
        return exactly(made)

    def _elements(self, domain: AbstractSet, type: types.Type) -> Sequence[int] | None:
        if domain.items is not None and all(item.low == item.high for item, _ in domain.items):
            return sorted({item.low for item, inside in domain.items if not inside.never})
        return self._all_of(type) if isinstance(type, GUESSED) else None

    def _all_of(self, type: types.Type) -> Sequence[int]:
        """The values of a type, including none."""
        domain = self.instance.domain(type)
        if isinstance(type, types.Cell | types.Place):
            return range(domain.start, domain.stop + 1)
        return domain if isinstance(type, types.Player) else range(domain.start - 1, domain.stop)

    def read(self, variable: str, index: AbstractValue | None) -> AbstractValue:
        if not (self.effects or self._elements_bound) and (index is None or index.low == index.high):
            self.seen.add((variable, NO_INDEX if index is None else index.low))
        return Evaluator.read(self, variable, index)

    @property
    def first_guesses(self) -> dict[GuessKey, int]:
        """The guesses made before any effect."""
        return {key: value for key, value in self.guesses.made.items() if key[2] in (0, NO_EFFECT)}


NO_EFFECT = -1


class Impossible(Exception):
    """No state agrees with the guesses."""


def pins(guesses: Mapping[GuessKey, int]) -> dict[Slot, int]:
    """The slots whose values before any effect are guessed."""
    found = {}
    for (term, names, effects), value in guesses.items():
        if effects or not isinstance(term, terms.Read):
            continue
        match term.index:
            case ():
                found[term.variable, NO_INDEX] = value
            case (terms.Local(name),) if name in dict(names):
                found[term.variable, dict(names)[name]] = value
            case (terms.Constant(index),):
                found[term.variable, index] = value
    return found


def values_of(value: AbstractValue) -> Sequence[int]:
    """All numbers that an abstract value covers."""
    return range(value.low, value.high + 1) if value.exact is None else sorted(value.exact)


def may_be(value: AbstractValue, number: int) -> bool:
    """Whether an abstract value covers a number."""
    return value.low <= number <= value.high and (value.exact is None or number in value.exact)


def _known_names(term: terms.Term, env: Env) -> tuple[tuple[str, int], ...] | None:
    """The values of the names that a term may read; None if one is not known."""
    found = []
    for name in sorted(locals_in(term)):
        value = env.get(name)
        if value is None:
            continue
        if not isinstance(value, AbstractValue) or value.low != value.high:
            return None
        found.append((name, value.low))
    return tuple(found)
