"""Evaluation where little is known: cells, directions, players and members of enumerations are guessed, the rest is abstract.

The effects of rules depend on which cell is meant far more than on numbers and truths. A guess holds for its term wherever
that is evaluated, until an effect changes the state. Every state is covered by the guesses that are right for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly

MOST_GUESSES = 4096
"""The most values of a term that is guessed."""

GuessKey = tuple[object, ...]
"""A term, the values of the names in it, and the number of effects before."""


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

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        if isinstance(term, PLAIN) or not isinstance(term.type, GUESSED):
            return Evaluator.value(self, term, env)
        names = _known_names(term, env)
        if names is None:
            return Evaluator.value(self, term, env)
        key = (term, names, self.effects)
        made = self.guesses.made.get(key)
        if made is None:
            found = Evaluator.value(self, term, env)
            values = range(found.low, found.high + 1) if found.exact is None else sorted(found.exact)
            if len(values) > MOST_GUESSES:
                return found
            made = self.guesses.settle(key, values)
        return exactly(made)

    def set(self, term: terms.Term, env: Env) -> AbstractSet:
        """A set; the start of a closure is not guessed, since many cells have the same closure."""
        if isinstance(term, terms.Closure):
            names = _known_names(term.start, env)
            is_made = names is not None and (term.start, names, self.effects) in self.guesses.made
            start = self.value(term.start, env) if is_made else Evaluator.value(self, term.start, env)
            return self.algebra.closure(start, lambda here: self._those(term.binder, {**env, term.origin: here}))
        return Evaluator.set(self, term, env)

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

    @property
    def first_guesses(self) -> dict[GuessKey, int]:
        """The guesses made before any effect."""
        return {key: value for key, value in self.guesses.made.items() if key[2] in (0, NO_EFFECT)}


NO_EFFECT = -1


class Impossible(Exception):
    """No state agrees with the guesses."""


def _known_names(term: terms.Term, env: Env) -> tuple[Any, ...] | None:
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
