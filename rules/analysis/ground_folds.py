"""The elements of a fold as terms over single values of the state; all else in them is known before play.

A box is closed if four edges are drawn, which are found from one of its corners by steps that no automorphism keeps: turned, it
is named by another corner. As conditions on edges, the boxes are mapped to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, evolve
from rulewright.rules.model import terms, types
from rulewright.rules.semantics.play_errors import PlayError

from .tabulation import Tabulation

Env = Mapping[str, int]

TRUE, FALSE = (terms.Constant(value, type=types.Truth()) for value in (1, 0))


class NotGround(Exception):
    """A term reads more than single values, or may fail."""


@define(eq=False)
class Grounding:
    """Replaces what is known before play by its value, given values for all free names."""

    tabulation: Tabulation

    def elements(self, fold: terms.Fold) -> Sequence[tuple[terms.Term, terms.Term]]:
        """The condition and the value of each element of a fold without free names; empty if they are not ground."""
        known, binder = self.tabulation.elements, fold.binder
        if fold not in known:
            try:
                environments: list[Env] = [{binder.name: value} for value in self._known(binder.domain, {}) or ()]
                known[fold] = [(self.term(binder.where or TRUE, env), self.term(fold.body, env)) for env in environments]
            except NotGround:
                known[fold] = ()
        return known[fold]

    def term(self, term: terms.Term, env: Env) -> terms.Term:
        """A term without names. Raises `NotGround`."""
        if isinstance(term.type, types.SetOf):
            raise NotGround
        if (known := self._known(term, env)) is not None:
            return terms.Constant(int(known), type=term.type)
        match term:
            case terms.Let(name, value, body):
                return self.term(body, {**env, name: self._fixed(value, env)})
            case terms.Invoke(name, arguments) if not (definition := self._definition(name)).cases:
                names = (parameter for parameter, _ in definition.parameters)
                return self.term(definition.value, dict(zip(names, (self._fixed(one, env) for one in arguments), strict=True)))
            case terms.And(parts):
                return self._joined(term, parts, env, FALSE)
            case terms.Or(parts):
                return self._joined(term, parts, env, TRUE)
            case _:
                return rebuilt(term, lambda part: self.term(part, env))

    def _joined(self, term: terms.And | terms.Or, parts: tuple[terms.Term, ...], env: Env, decisive: terms.Term) -> terms.Term:
        """A conjunction or disjunction without the parts that are known; those after a decisive one are not looked at."""
        left = list[terms.Term]()
        for part in parts:
            found = self.term(part, env)
            if found == decisive:
                return decisive
            if not isinstance(found, terms.Constant):
                left += found.parts if isinstance(found, terms.And | terms.Or) and type(found) is type(term) else [found]
        if not left:
            return FALSE if decisive is TRUE else TRUE
        return left[0] if len(left) == 1 else evolve(term, parts=_in_order(left))

    def _definition(self, name: str) -> Any:
        return self.tabulation.engine.game.definitions[name]

    def _fixed(self, term: terms.Term, env: Env) -> int:
        match self.term(term, env):
            case terms.Constant(value):
                return value
            case _:
                raise NotGround

    def _known(self, term: terms.Term, env: Env) -> Any:
        """The value of a term that play does not change; None if it may."""
        names = self.tabulation.names(term)
        if names is None:
            return None
        try:
            return self.tabulation.value(term, tuple(names), tuple(env[name] for name in names))
        except PlayError as error:
            raise NotGround from error


def rebuilt(term: terms.Term, change: Callable[[terms.Term], terms.Term]) -> terms.Term:
    """A ground term with its parts changed. Raises `NotGround` for what is none."""
    match term:
        case terms.Read(_, index):
            return evolve(term, index=tuple(map(change, index)))
        case terms.Paired(first, second):
            return evolve(term, first=change(first), second=change(second))
        case terms.And(parts) | terms.Or(parts):
            return evolve(term, parts=_in_order(map(change, parts)))
        case terms.Not(operand):
            return evolve(term, operand=change(operand))
        case terms.Compare(_, left, right):
            return evolve(term, left=change(left), right=change(right))
        case terms.If(condition, then, otherwise):
            return evolve(term, condition=change(condition), then=change(then), otherwise=change(otherwise))
        case _:
            raise NotGround


def _in_order(parts: Iterable[terms.Term]) -> tuple[terms.Term, ...]:
    """The parts of a conjunction in an order of their own, each once."""
    return tuple(sorted(set(parts), key=hash))
