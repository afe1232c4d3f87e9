"""Parameters required to be near a set of cells: only values near its marked cells are tried.

For a requirement such as `below(cell(to)) in fresh`, the values of `to` that each cell of the set allows are known before play:
terms that read no state are evaluated for all values at once, as columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rulewright.base.records import evolve, frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.instance import FiniteRows, Instance
from rulewright.rules.model.traversal import free_names, locals_in, nodes_of
from rulewright.rules.semantics.cell_test import FEWEST_CELLS, has_marks, tests_membership
from rulewright.rules.semantics.play_errors import PlayError

Column = Sequence[int]
"""A number for each value of the parameter."""


@frozen
class Anchor:
    """`near` gives, for each cell of a set, the numbers of the `values` of a parameter that the cell allows; if one of the
    conditions `otherwise` holds, all values are allowed."""

    variable: str
    values: Sequence[int]
    near: FiniteRows
    otherwise: tuple[terms.Term, ...]


def anchor_of(instance: Instance, action: Action, parameter: Parameter) -> Anchor | None:
    """The set of cells by which a requirement of an action narrows a parameter; None if there is none."""
    key = action.name, parameter.name
    if key not in instance.anchors:
        instance.anchors[key] = _found(instance, action, parameter)
    found = instance.anchors[key]
    return found if isinstance(found, Anchor) else None


def _found(instance: Instance, action: Action, parameter: Parameter) -> Anchor | None:
    values = _values(instance, parameter.domain)
    if len(values) < FEWEST_CELLS:
        return None
    columns = _Columns(instance, parameter.name, frozenset(other.name for other in action.parameters), len(values))
    for requirement in action.requirements:
        if parameter.name in locals_in(requirement.condition):
            found = columns.reach(requirement.condition, {parameter.name: values})
            if found is not None and found.cells:
                return _anchor(instance, f"{action.name} {parameter.name}", values, found)
    return None


def _values(instance: Instance, domain: terms.Term) -> Sequence[int]:
    """The values of a parameter, if they are known and may be many; else empty."""
    match domain:
        case terms.AllCells(space) if not instance.windows[space].unbounded:
            return range(instance.windows[space].size)
        case terms.Row(terms.PlacesOfKind(pieces), terms.Constant(kind)):
            return instance.places_of_kind(pieces)(kind)
        case _:
            return ()


def _anchor(instance: Instance, name: str, values: Sequence[int], found: _Reach) -> Anchor:
    index = instance.game.variables[found.variable].index
    assert isinstance(index, types.Cell)
    rows: list[dict[int, None]] = [{} for _ in range(instance.windows[index.space].size)]
    for column in found.cells:
        for number, cell in enumerate(column):
            if 0 <= cell < len(rows):
                rows[cell][number] = None
    return Anchor(found.variable, values, FiniteRows(f"near {name}", tuple(map(tuple, rows))), found.otherwise)


@frozen
class _Reach:
    """A necessary condition: the set contains a cell of one of the columns, or one of the conditions `otherwise` holds."""

    variable: str
    cells: tuple[Column, ...]
    otherwise: tuple[terms.Term, ...] = ()


class _Unknown(Exception):
    """The value of a term depends on the state."""


Env = Mapping[str, Column]


@frozen
class _Columns:
    """Evaluates terms for all values of a parameter, one of the `names` of an action."""

    instance: Instance
    parameter: str
    names: frozenset[str]
    length: int

    def reach(self, condition: terms.Term, env: Env) -> _Reach | None:
        """The cells of which a set must contain one for the condition to hold; None if unknown."""
        match condition:
            case terms.And(parts):
                return next((found for part in parts if (found := self.reach(part, env)) is not None), None)
            case terms.Or(parts):
                free = tuple(part for part in parts if not locals_in(part) & (self.names | env.keys()))
                found = self._united([self.reach(part, env) for part in parts if part not in free])
                return None if found is None else evolve(found, otherwise=(*found.otherwise, *free))
            case terms.Membership(item, terms.Those(binder)):
                return self._held(item, binder, env)
            case terms.Fold(terms.Kind.SOME, terms.Binder(name, domain), body):
                try:
                    elements = self._elements(domain, env)
                except _Unknown:
                    return None
                return self._united([self.reach(body, {**env, name: element}) for element in elements])
            case terms.Invoke(name, arguments) if not self.instance.game.definitions[name].cases:
                definition = self.instance.game.definitions[name]
                try:
                    given = {n: self._of(a, env) for (n, _), a in zip(definition.parameters, arguments, strict=True)}
                except _Unknown:
                    return None
                return self.reach(definition.value, given)
            case _:
                return None

    def _united(self, found: Sequence[_Reach | None]) -> _Reach | None:
        """The union of what alternative conditions require; None if they are about different sets."""
        known = [reach for reach in found if reach is not None]
        if len(known) < len(found) or len({reach.variable for reach in known}) != 1:
            return None
        cells = dict.fromkeys(tuple(column) for reach in known for column in reach.cells)
        return _Reach(known[0].variable, tuple(cells), tuple(part for reach in known for part in reach.otherwise))

    def _held(self, item: terms.Term, binder: terms.Binder, env: Env) -> _Reach | None:
        match binder:
            case terms.Binder(_, terms.AllCells(), terms.Read(variable)) if tests_membership(binder, variable):
                if not has_marks(self.instance, self.instance.game.variables[variable]):
                    return None
                try:
                    return _Reach(variable, tuple(self._every(item, env)))
                except _Unknown:
                    return None
            case _:
                return None

    def _every(self, item: terms.Term, env: Env) -> list[Column]:
        """The columns of a term, one for each direction that other parameters may have."""
        missing = sorted((locals_in(item) & self.names) - set(env))
        if not missing:
            return [self._of(item, env)]
        return [
            c for way in self._directions(item, missing[0]) for c in self._every(item, {**env, missing[0]: self._same(way)})
        ]

    def _directions(self, item: terms.Term, name: str) -> Sequence[int]:
        local = next((node for node in nodes_of({}, item) if isinstance(node, terms.Local) and node.name == name), None)
        if local is None or not isinstance(local.type, types.Direction) or not local.type.space:
            raise _Unknown
        return self.instance.windows[local.type.space].around

    def _elements(self, domain: terms.Term, env: Env) -> list[Column]:
        """The elements of a small set, each as a column; a set that has fewer repeats its last."""
        sets = self._of(domain, env)
        most = max(map(len, sets))
        if most > FEWEST_CELLS:
            raise _Unknown
        return [[elements[min(at, len(elements) - 1)] if elements else -1 for elements in sets] for at in range(most)]

    def _same(self, value: int) -> Column:
        return (value,) * self.length

    def _of(self, term: terms.Term, env: Env) -> list[Any]:
        """The value or set of a term for each value of the parameter. Raises `_Unknown`."""
        nodes, names = nodes_of(self.instance.game.definitions, term), list(free_names(term))
        if any(isinstance(node, terms.Read | terms.Drawn) for node in nodes) or not set(names) <= env.keys():
            raise _Unknown
        rows = list(zip(*(env[name] for name in names), strict=True)) if names else [()] * self.length
        value = self.instance.reader.function(term, tuple(names))
        try:
            known = {row: value((), row) for row in set(rows)}
        except PlayError:
            raise _Unknown from None
        return [known[row] for row in rows]
