"""State-independent definitions as tables: they are evaluated once for each combination of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from math import prod

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.semantics.cost_bounds import steps_of

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


def table_of(instance: Instance, definition: Definition) -> FiniteMap | None:
    """The values of a definition by argument number; None if it depends on more than its arguments, or is short."""
    found = _known(instance, definition)
    return found if isinstance(found, FiniteMap) else None


def known_sets_of(instance: Instance, definition: Definition) -> FiniteRows | None:
    """The sets of a definition by argument number; None if they depend on more than the arguments, or are short."""
    found = _known(instance, definition)
    return found if isinstance(found, FiniteRows) else None


def _known(instance: Instance, definition: Definition) -> FiniteMap | FiniteRows | None:
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
    call = terms.Invoke(definition.name, tuple(locals), definition.value.type)
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
