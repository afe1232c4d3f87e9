"""Evaluates terms of the core in a state, as docs/core.md defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, assert_never

from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.rules.semantics.concrete_algebra import arithmetic, compare

from . import terms
from .program import Core
from .spaces import SpaceFunctions
from .terms import Function, Kind, Term

Locals = tuple[Any, ...]
"""The values of the locals, by number."""

Columns = Sequence[Sequence[Any]]
"""The values of each variable, in order: numbers or, for a zone, its tiles."""


class Faulted(Exception):
    """The rules contradict themselves, or an effect is impossible; `span` is the place in the rules."""

    def __init__(self, message: str, span: Span) -> None:
        super().__init__(message)
        self.span = span


@define(eq=False)
class Interpreter:
    """The terms of one core; states are given to each call."""

    core: Core

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each variable."""
        return {variable.name: number for number, variable in enumerate(self.core.variables)}

    @cached_property
    def spaces(self) -> dict[str, SpaceFunctions]:
        return {name: SpaceFunctions.of(self.core, name) for name in self.core.spaces}

    def slot(self, variable: str, index: int | None) -> tuple[int, int | None]:
        """The number of a variable, and the place of an index in its column; None outside of it."""
        number = self.numbers[variable]
        inside = self.core.variables[number].index
        if index is None or inside is None:
            return number, 0
        return number, index - inside.start if index in inside else None

    def value(self, term: Term, state: Columns, env: Locals = ()) -> Any:  # noqa: PLR0912
        """The value of a term, a number or a tuple of them. Raises `Faulted`."""
        match term:
            case terms.Constant(number):
                return number
            case terms.Local(number):
                return env[number]
            case terms.Read(variable, index) | terms.Zone(variable, index):
                number, place = self.slot(variable, None if index is None else self.value(index, state, env))
                if place is not None:
                    return state[number][place]
                return () if isinstance(term, terms.Zone) else self.core.variables[number].none
            case terms.Lookup(name, keys):
                return self._entry(name, [self.value(key, state, env) for key in keys])
            case terms.Row(name, key_term):
                rows, key = self.core.rows[name], self.value(key_term, state, env)
                return rows[key] if 0 <= key < len(rows) else ()
            case terms.Apply(function, space, arguments):
                return self._apply(function, space, [self.value(argument, state, env) for argument in arguments])
            case terms.Not(operand):
                return 1 - self.value(operand, state, env)
            case terms.And(parts):
                return int(all(self.value(part, state, env) for part in parts))
            case terms.Or(parts):
                return int(any(self.value(part, state, env) for part in parts))
            case terms.Choice(condition, then, otherwise):
                return self.value(then if self.value(condition, state, env) else otherwise, state, env)
            case terms.Compare(operator, left, right):
                return compare(operator, self.value(left, state, env), self.value(right, state, env))
            case terms.Arithmetic(operator, left, right):
                return arithmetic(operator, self.value(left, state, env), self.value(right, state, env))
            case terms.Call(name, arguments):
                given = tuple(self.value(argument, state, env) for argument in arguments)
                return self.value(self.core.definitions[name].body, state, given)
            case terms.Fault():
                raise Faulted("two exceptions apply at once", term.span)
            case terms.In(item, domain):
                return int(self.value(item, state, env) in self.value(domain, state, env))
            case terms.Listed(items):
                return _each_once(self.value(item, state, env) for item in items)
            case terms.Interval(low, high):
                return tuple(range(self.value(low, state, env), self.value(high, state, env) + 1))
            case terms.Joined(first, second):
                return (*self.value(first, state, env), *self.value(second, state, env))
            case terms.Let(_, given_term, body):
                return self.value(body, state, (*env, self.value(given_term, state, env)))
            case terms.Filter(_, domain, body):
                return tuple(one for one in self.value(domain, state, env) if self.value(body, state, (*env, one)))
            case terms.Image(_, domain, body):
                return _each_once(self.value(body, state, (*env, one)) for one in self.value(domain, state, env))
            case terms.Closure(_, start, body):
                found = dict.fromkeys([self.value(start, state, env)])
                queue = list(found)
                for here in queue:
                    new = [there for there in _each_once(self.value(body, state, (*env, here))) if there not in found]
                    found |= dict.fromkeys(new)
                    queue += new
                return tuple(found)
            case terms.Fold(_, domain, body):
                return _folded(term, self.value(domain, state, env), lambda one: self.value(body, state, (*env, one)))
            case terms.Top(pile, bottom):
                tiles = self.value(pile, state, env)
                return tiles[-1 if bottom else 0] if tiles else 0
            case _:
                assert_never(term)

    def _entry(self, name: str, keys: Sequence[int]) -> int:
        """The entry of a map."""
        map = self.core.maps[name]
        entries: Any = map.rows if map.keys == 2 else map.rows[0]
        for key in keys:
            if not 0 <= key < len(entries):
                return map.none
            entries = entries[key]
        return entries  # type: ignore[no-any-return]

    def _apply(self, function: Function, name: str, arguments: Sequence[int]) -> int | tuple[int, ...]:
        space = self.spaces[name]
        match function:
            case Function.DISTANCE:
                return space.distance(*arguments)
            case Function.TOWARD:
                return space.toward(*arguments)
            case Function.LINE:
                return space.line(*arguments)
            case Function.LEAP:
                return space.leap(*arguments)
            case Function.TURN:
                return space.turn(*arguments)
            case _:
                assert_never(function)


def _each_once(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(values))


def _folded(fold: terms.Fold, elements: Sequence[int], body: Callable[[int], int]) -> int:
    """The value of a fold over the elements of its set, in order."""
    if not elements:
        return fold.empty
    match fold.kind:
        case Kind.EVERY:
            return int(all(map(body, elements)))
        case Kind.SOME:
            return int(any(map(body, elements)))
        case Kind.SUM:
            return sum(map(body, elements))
        case Kind.LEAST:
            return min(map(body, elements))
        case Kind.GREATEST:
            return max(map(body, elements))
        case Kind.FIRST_LEAST:
            return min(elements, key=body)
        case Kind.FIRST_GREATEST:
            return max(elements, key=body)
        case _:
            assert_never(fold.kind)
