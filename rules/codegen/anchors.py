"""Parameters required to be near a set of cells: only values near its marked cells are tried.

For a requirement such as `below(cell(to)) in fresh`, the values of `to` that each cell of the set allows are known before play:
terms that read no state are evaluated for all values at once, as columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Operator, Quantifier
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.instance import FiniteMap, FiniteRows, Instance
from rulewright.rules.model.traversal import locals_in, nodes_of
from rulewright.rules.semantics.evaluator import near_directions
from rulewright.rules.semantics.marked_cells import FEWEST_CELLS, has_marks, tests_membership

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
            case terms.Quantified(Quantifier.SOME, terms.Binder(name, domain), body):
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
        """The elements of a small set, each as a column."""
        match domain:
            case terms.Neighbours(space, which, cell):
                start = self._of(cell, env)
                ways = near_directions(self.instance.windows[space], which)
                return [_mapped(self.instance.step(space, way), start) for way in ways]
            case terms.Interval(terms.Constant(low), terms.Constant(high)) if high - low < FEWEST_CELLS:
                return [self._same(number) for number in range(low, high + 1)]
            case terms.AllDirections(space):
                return [self._same(way) for way in self.instance.windows[space].around]
            case terms.SetLiteral(items):
                return [self._of(item, env) for item in items]
            case _:
                raise _Unknown

    def _same(self, value: int) -> Column:
        return (value,) * self.length

    def _of(self, term: terms.Term, env: Env) -> Column:
        """The value of a term for each value of the parameter. Raises `_Unknown`."""
        instance = self.instance
        match term:
            case terms.Constant(value):
                return self._same(value)
            case terms.Local(name) if name in env:
                return env[name]
            case terms.TableCell(table, column, key):
                return _mapped(instance.column(table, column), self._of(key, env))
            case terms.AspectOf(pattern, aspect, place):
                return _mapped(instance.aspect(pattern, aspect), self._of(place, env))
            case terms.Opposite(space, direction):
                return _mapped(instance.opposite(space), self._of(direction, env))
            case terms.Arithmetic(terms.Constant(0), ((Operator.MINUS, terms.Constant(value)),)):
                return self._same(-value)
            case terms.Turn(space, direction, times):
                window = instance.windows[space]
                pairs = list(zip(self._of(direction, env), self._of(times, env), strict=True))
                turned = {(way, n): window.turn(way, n) if way >= 0 else -1 for way, n in set(pairs)}
                return [turned[pair] for pair in pairs]
            case terms.Step(space, cell, direction):
                ways, cells = self._of(direction, env), self._of(cell, env)
                if len(set(ways)) == 1:
                    return _mapped(instance.step(space, ways[0]), cells)
                return [instance.step(space, way)(at) for way, at in zip(ways, cells, strict=True)]
            case terms.Leap(space, cell, direction, times):
                walks = zip(self._of(cell, env), self._of(direction, env), self._of(times, env), strict=True)
                return [instance.windows[space].leap(*walk) for walk in walks]
            case terms.Invoke(name, arguments) if not instance.game.definitions[name].cases:
                definition = instance.game.definitions[name]
                given = {n: self._of(a, env) for (n, _), a in zip(definition.parameters, arguments, strict=True)}
                return self._of(definition.value, given)
            case terms.Let(name, known, body):
                return self._of(body, {**env, name: self._of(known, env)})
            case _:
                raise _Unknown


def _mapped(map: FiniteMap, keys: Column) -> Column:
    return [map(key) for key in keys]
