"""Tables in place of code: of expressions of one variable with few values, and of definitions that no state changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, product, repeat
from math import prod
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.semantics.cost_bounds import steps_of

from .intervals import Interval

if TYPE_CHECKING:
    from .writer import Code


# Tabulates expressions of one variable with few values ----------------------------------------------------------------
# Narrowed by path conditions (the tests passed on the way).


FEW = 256
"""The most values of a variable over which expressions are tabulated."""


@frozen
class ValueTable:
    """The value of an expression for each value in `domain` of the variable `argument`, which alone determines it."""

    argument: str
    domain: range
    values: tuple[int, ...]

    @property
    def interval(self) -> Interval:
        return Interval(min(self.values), max(self.values))


def identity(argument: str, domain: range) -> ValueTable | None:
    """The table of a variable itself; None if it has too many values, or none."""
    if not domain or len(domain) > FEW or domain.stop > 2 * FEW or domain.start < 0 >= domain.stop:
        return None
    return ValueTable(argument, domain, tuple(domain))


def combined(codes: Sequence[Code], function: Callable[..., int]) -> ValueTable | int | None:
    """A function of several codes: a table; a constant if all are constants; None if several variables determine it."""
    tables = [code.table for code in codes if code.known is None]
    if not tables:
        return int(function(*(code.known for code in codes)))
    first = tables[0]
    if first is None or any(table is None or table.argument != first.argument for table in tables):
        return None
    columns = [repeat(code.known) if code.known is not None or code.table is None else code.table.values for code in codes]
    return evolve(first, values=tuple(map(int, map(function, *columns))))


@define
class PathConditions:
    """The values still possible after the tests passed so far, by variable."""

    possible: dict[str, frozenset[int]] = field(factory=dict)

    def combined(self, codes: Sequence[Code], function: Callable[..., int]) -> ValueTable | int | None:
        """Like the function `combined`, but also a constant if only one value is possible."""
        table = combined(codes, function)
        if not isinstance(table, ValueTable):
            return table
        only = self.only_value(table)
        return table if only is None else only

    def only_value(self, table: ValueTable) -> int | None:
        """The value of an expression if only one is possible, else None."""
        possible = self.possible.get(table.argument)
        left = {v for k, v in zip(table.domain, table.values, strict=True) if possible is None or k in possible}
        return next(iter(left), 0) if len(left) <= 1 else None

    @contextmanager
    def assuming(self, code: Code, truth: bool) -> Iterator[None]:
        """Assume within the context that a condition is true, or false."""
        before = self.possible
        self.possible = dict(before)
        self._learn(code, truth)
        yield
        self.possible = before

    def _learn(self, code: Code, truth: bool) -> None:
        for part in code.parts if code.is_conjunction == truth else ():
            self._learn(part, truth)
        if code.negated is not None:
            self._learn(code.negated, not truth)
        table = code.table
        if table is not None:
            those = frozenset(k for k, v in zip(table.domain, table.values, strict=True) if bool(v) == truth)
            self.possible[table.argument] = self.possible.get(table.argument, those) & those


# State-independent definitions as tables ------------------------------------------------------------------------------


MOST_KEYS = 1024
"""The most arguments, or pairs of arguments, over which a definition is evaluated."""

MOST_ELEMENTS = 1 << 16
"""The most elements of the sets of a definition together, if each were as large as the largest."""

MOST_STEPS = 1_000_000
"""The most steps for evaluating a definition over all arguments."""

FEWEST_NODES = 6
"""Definitions with fewer parts are as fast as a lookup."""


def domains_of(instance: Instance, definition: Definition) -> tuple[range, ...]:
    """The values that each parameter may have, including none of its type; an empty range if unknown."""
    return tuple(_domain(instance, type) for _, type in definition.parameters)


def _domain(instance: Instance, type: types.Type) -> range:
    match type:
        case types.Number() | types.SetOf() | types.Region() | types.Pair():
            return range(0)
        case _:
            domain, none, absent = instance.domain(type), instance.none(type), instance.absent(type)
            return range(min(domain.start, none, absent), max(domain.stop, none + 1, absent + 1))


def table_of(instance: Instance, definition: Definition) -> FiniteMap | FiniteRows | None:
    """The values or sets of a definition by argument number; None if they depend on more than its arguments, or are short."""
    if definition.name not in instance.tabulated:
        instance.tabulated[definition.name] = _tabulated(instance, definition)
    return instance.tabulated[definition.name]


def _tabulated(instance: Instance, definition: Definition) -> FiniteMap | FiniteRows | None:
    domains = domains_of(instance, definition)
    if not 0 < prod(map(len, domains)) <= MOST_KEYS or not domains:
        return None
    nodes = nodes_of(instance.game.definitions, definition.value, definition.cases)
    if not _is_known(instance, nodes) or len(list(islice(_terms(instance, definition), FEWEST_NODES))) < FEWEST_NODES:
        return None
    locals = [terms.Local(name, type) for name, type in definition.parameters]
    call = terms.Invoke(definition.name, tuple(locals), type=definition.value.type)
    name = f"definition {definition.name}"
    try:
        if prod(map(len, domains)) * steps_of(instance, call, dict(definition.parameters)) > MOST_STEPS:
            return None
        value = instance.reader.function(call, tuple(parameter for parameter, _ in definition.parameters))
        if isinstance(definition.value.type, types.SetOf):
            return _rows(name, [tuple(value((), given)) for given in product(*domains)])
        return FiniteMap(name, tuple(value((), given) for given in product(*domains)))
    except RulesError:
        return None


def _rows(name: str, rows: Sequence[tuple[int, ...]]) -> FiniteRows | None:
    """Sets as rows, which end with the first negative number; None if a set holds one, or if there are too many elements."""
    if any(element < 0 for row in rows for element in row) or len(rows) * max(map(len, rows)) > MOST_ELEMENTS:
        return None
    return FiniteRows(name, tuple(rows))


def _terms(instance: Instance, definition: Definition) -> Iterator[object]:
    every = nodes_of(instance.game.definitions, definition.value, definition.cases)
    return (node for node in every if isinstance(node, terms.Term))


def _is_known(instance: Instance, nodes: Iterator[object]) -> bool:
    """Whether the nodes depend on no state, no chance, and no window that may grow."""
    for node in nodes:
        if isinstance(node, terms.Read | terms.Drawn):
            return False
        space = getattr(node, "space", None)
        if isinstance(space, str) and space in instance.windows and instance.windows[space].unbounded:
            return False
    return True
