"""Evaluates terms of the core in a state, as docs/core.md defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, assert_never

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import layout_of, occupied_cells
from rulewright.rules.semantics.arithmetic import arithmetic, compare
from rulewright.rules.semantics.play_errors import clash

from . import terms
from .lower import Lowering
from .states import Stored, stored
from .terms import Function, Kind, Term

Locals = tuple[Any, ...]
"""The values of the locals, by number."""

Columns = Sequence[Any]
"""A state, or its columns while they change."""


@define(eq=False)
class Interpreter:
    """The terms of one core; states are given to each call."""

    lowering: Lowering

    @property
    def instance(self) -> Instance:
        return self.lowering.instance

    @cached_property
    def variables(self) -> dict[str, Stored]:
        return stored(self.lowering.variables, layout_of(self.instance))

    def value(self, term: Term, state: Columns, env: Locals = ()) -> Any:  # noqa: PLR0912
        """The value of a term, a number or a sequence of them. Raises `PlayError`."""
        match term:
            case terms.Constant(number):
                return number
            case terms.Local(number):
                return env[number]
            case terms.Read(variable, index) | terms.Zone(variable, index):
                return self.variables[variable].read(state, None if index is None else self.value(index, state, env))
            case terms.Lookup(name, keys):
                return self._entry(name, [self.value(key, state, env) for key in keys])
            case terms.Row(name, key_term):
                rows, key = self.lowering.tables.rows[name], self.value(key_term, state, env)
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
                return self.called(name, given, state)
            case terms.Fault():
                raise clash(*term.cases)
            case terms.In(item, domain):
                return int(self.value(item, state, env) in self.value(domain, state, env))
            case terms.Listed(items):
                return _each_once(self.value(item, state, env) for item in items)
            case terms.Interval(low, high):
                return range(self.value(low, state, env), self.value(high, state, env) + 1)
            case terms.Joined(first, second):
                return (*self.value(first, state, env), *self.value(second, state, env))
            case terms.Let(_, given_term, body):
                return self.value(body, state, (*env, self.value(given_term, state, env)))
            case terms.Filter(_, domain, body):
                board = self._occupied(term)
                if board is not None:
                    return occupied_cells(state[board.start])
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

    def called(self, name: str, given: Locals, state: Columns) -> Any:
        return self.value(self.lowering.definition(name).body, state, given)

    def _occupied(self, term: terms.Filter) -> Stored | None:
        """The board whose occupied cells a set is, by its form: wide boards are mostly vacant."""
        match term:
            case terms.Filter(
                local,
                terms.Interval(terms.Constant(0), terms.Constant(last)),
                terms.Compare(Comparison.UNEQUAL, terms.Read(name, terms.Local(tested)), terms.Constant(0)),
            ) if local == tested:
                board = self.variables[name]
                return board if board.over_cells and board.variable.index == range(last + 1) else None
            case _:
                return None

    def _entry(self, name: str, keys: Sequence[int]) -> int:
        """The entry of a map."""
        map = self.lowering.tables.maps[name]
        entries: Any = map.rows if map.keys == 2 else map.rows[0]
        for key in keys:
            if not 0 <= key < len(entries):
                return map.none
            entries = entries[key]
        return entries  # type: ignore[no-any-return]

    def _apply(self, function: Function, name: str, arguments: Sequence[int]) -> int | tuple[int, ...]:
        window, (first, *rest) = self.instance.windows[name], arguments
        match function:
            case Function.DISTANCE:
                return window.distance(first, *rest)
            case Function.TOWARD:
                return window.toward(first, *rest)
            case Function.LINE:
                return window.line(first, *rest)
            case Function.LEAP:
                return window.leap(first, *rest)
            case Function.TURN:
                return window.turn(first, *rest)
            case _:
                assert_never(function)


@define(eq=False)
class MemoisingInterpreter(Interpreter):
    """An interpreter in one state: unless `known` is None, it keeps there the values of definitions by arguments."""

    known: dict[tuple[Any, ...], Any] | None = field(factory=dict, kw_only=True)

    def called(self, name: str, given: Locals, state: Columns) -> Any:
        if self.known is None:
            return Interpreter.called(self, name, given, state)
        key = key_of(name, given)
        if key not in self.known:
            self.known[key] = Interpreter.called(self, name, given, state)
        return self.known[key]


def key_of(name: str, given: Locals) -> tuple[Any, ...]:
    """A definition and its arguments, sets as tuples."""
    return (name, *(one if isinstance(one, int) else tuple(one) for one in given))


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
