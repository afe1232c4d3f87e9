"""Evaluates terms of the core in a state, as docs/core.md defines them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any, assert_never

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.expressions import Comparison
from rulewright.rules.model import terms as linked
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Function, Instance
from rulewright.rules.model.state import COUNTED, OVER, StateLayout, layout_of, occupied_cells
from rulewright.rules.model.terms import Kind
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.semantics.algebra import Env, arithmetic, compare
from rulewright.rules.semantics.play_errors import clash

from . import terms
from .lower import Lowering
from .program import Choose, Core, Variable
from .terms import Term

# Where the states of a grounded game hold the variables of its core ---------------------------------------------------


Slot = tuple[int, int | None]
"""Where a value stands: a column of a state, and the cell in a column over cells."""


@frozen
class Stored:
    """A variable in the columns from `start` on, or over cells in that one."""

    variable: Variable
    start: int
    over_cells: bool

    def slot(self, index: int | None) -> Slot | None:
        """The place of an index; None outside of it."""
        inside = self.variable.index
        if inside is None or index is None:
            return self.start, None
        if index not in inside:
            return None
        return (self.start, index) if self.over_cells else (self.start + index - inside.start, None)

    def read(self, state: Sequence[Any], index: int | None) -> Any:
        """The value at an index, or what the variable is outside of it."""
        slot = self.slot(index)
        if slot is None:
            return self.variable.none if self.variable.storage is Storage.VALUE else ()
        return read(state, slot)

    def values(self, state: Sequence[Any]) -> list[Any]:
        """The value at each index, in order."""
        number = 1 if self.variable.index is None else len(self.variable.index)
        return list(state[self.start][:number] if self.over_cells else state[self.start : self.start + number])


def read(state: Sequence[Any], slot: Slot) -> Any:
    column, cell = slot
    return state[column] if cell is None else state[column][cell]


def write(columns: list[Any], slot: Slot, value: Any) -> None:
    """Change one value of a state."""
    column, cell = slot
    if cell is None:
        columns[column] = value
    else:
        old = columns[column]
        columns[column] = old[:cell] + type(old)((value,)) + old[cell + 1 :]


def stored(variables: Iterable[Variable], layout: StateLayout) -> dict[str, Stored]:
    """The variables of a core by name. The count of a horizon is none of the game's."""
    found = {}
    for variable in variables:
        column = layout.columns.get(variable.name)
        start, over_cells = (COUNTED, False) if column is None else (column.start, column.over_cells)
        found[variable.name] = Stored(variable, start, over_cells)
    return found


def node_of_choice(core: Core, number: int) -> int:
    """The node of a choice; the last one for `OVER`."""
    if number == OVER:
        return len(core.flow) - 1
    return next(at for at, node in enumerate(core.flow) if isinstance(node, Choose) and node.number == number)


# Evaluates terms of the core in a state, as docs/core.md defines them -------------------------------------------------


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
                return self.instance.windows[space].function(function)(*(self.value(each, state, env) for each in arguments))
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


# Reads linked terms, each lowered when it is first asked for -----------------------------------------------------------


@define(eq=False)
class Reading:
    """The values of terms of one instance; states are given to each call."""

    instance: Instance
    interpret: Callable[[Lowering], Interpreter] = Interpreter
    _interpreter: Interpreter = field(init=False)
    _known: dict[tuple[linked.Term, tuple[str, ...]], Term] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._interpreter = self.interpret(Lowering(self.instance))

    def value(self, term: linked.Term, state: Columns, env: Env) -> Any:
        """The value of a term, a number or a sequence of them. Raises `PlayError`."""
        inside = locals_in(term)
        names = tuple(name for name in env if name in inside)
        return self.function(term, names)(state, tuple(env[name] for name in names))

    def function(self, term: linked.Term, names: tuple[str, ...]) -> Function:
        """The value of a term by a state and values for its free names. Raises `PlayError`."""
        lowered = self._known.get((term, names))
        if lowered is None:
            lowered = self._known[term, names] = self._interpreter.lowering.term(term, names)
        return partial(self._interpreter.value, lowered)


@frozen
class StateReading:
    """The values of terms in one state."""

    instance: Instance
    state: Columns

    def value(self, term: linked.Term, env: Env) -> Any:
        """The value of a term, a number or a sequence of them. Raises `PlayError`."""
        return self.instance.reader.value(term, self.state, env)
