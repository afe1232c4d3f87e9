"""Values of terms that are the same in every state of play, for all values of their names."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from math import prod
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.core.interpreter import MemoisingInterpreter, Reading
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import free_names, nodes_of
from rulewright.rules.model.types import SetOperator
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.spaces.window import Function
from rulewright.rules.static.dataflow import DataflowAnalysis, reads

MOST_EVALUATIONS = 20_000
"""Evaluations of one term up to which it is tabulated."""

FINITE = types.Cell | types.Direction | types.Player | types.Enumeration | types.Tile | types.Truth
"""Types whose values can be enumerated."""


class OutOfTime(Exception):
    """The time for automorphisms has run out."""


@define(eq=False)
class Tabulation:
    """Values of terms that are the same in every state of play from a root. All automorphisms share them."""

    engine: Engine
    root: State
    analysis: DataflowAnalysis
    deadline: float
    _values: dict[terms.Term, dict[tuple[int, ...], Any]] = field(factory=dict, init=False)
    _names: dict[terms.Term, dict[str, Sequence[int]] | None] = field(factory=dict, init=False)
    elements: dict[terms.Fold, Sequence[tuple[terms.Term, terms.Term]]] = field(factory=dict, init=False)
    """Those of folds, by ground_folds.py: empty if they are not known."""

    @cached_property
    def present(self) -> frozenset[str]:
        """The names that are never none."""
        return PresentNames(self.engine.instance).names

    def values_of(self, variable: str) -> Mapping[int, int]:
        """The values of a variable at the root, by index."""
        column = self.engine.layout.columns[variable]
        held = self.root[column.start] if column.over_cells else self.root[column.start : column.start + column.count]
        return dict(enumerate(held, column.offset))

    def names(self, term: terms.Term) -> dict[str, Sequence[int]] | None:
        """All values of the free names of a term; None if there are too many, or play may change the term."""
        if term not in self._names:
            self._names[term] = self._names_of(term)
        return self._names[term]

    def _names_of(self, term: terms.Term) -> dict[str, Sequence[int]] | None:
        game, instance = self.engine.game, self.engine.instance
        is_drawn = any(isinstance(node, terms.Drawn) for node in nodes_of(game.definitions, term))
        if is_drawn or reads(game, term) & self.analysis.changing_variables:
            return None
        names = free_names(term)
        if not all(isinstance(type, FINITE) for type in names.values()):
            return None
        domains: dict[str, Sequence[int]] = {}
        for name, type in names.items():
            domain = instance.domain(type)
            domains[name] = domain if name in self.present else sorted({*domain, instance.none(type)})
        return domains if prod(map(len, domains.values())) <= MOST_EVALUATIONS else None

    def value(self, term: terms.Term, names: Sequence[str], values: tuple[int, ...]) -> Any:
        """The value of such a term, a set as a sorted tuple. Raises `PlayError`, and `OutOfTime` at the deadline."""
        known = self._values.setdefault(term, {})
        if values not in known:
            if time.monotonic() > self.deadline:
                raise OutOfTime
            env = dict(zip(names, values, strict=True))
            found = self._reading.value(term, self.root, env)
            known[values] = tuple(sorted(found)) if isinstance(term.type, types.SetOf) else found
        return known[values]

    @cached_property
    def _reading(self) -> Reading:
        return Reading(self.engine.instance, partial(MemoisingInterpreter, known={}))


@define(eq=False)
class PresentNames:
    """The names of a game that are never none; equal names count as one."""

    instance: Instance

    @cached_property
    def names(self) -> frozenset[str]:
        """The greatest set of names each of whose sources is never none, given that no name in the set is."""
        present = frozenset(self._sources)
        while True:
            smaller = frozenset(
                name for name in present if all(self._is_present(source, present) for source in self._sources[name])
            )
            if smaller == present:
                return present
            present = smaller

    @cached_property
    def _sources(self) -> dict[str, list[terms.Term]]:
        """The terms each name may stand for, or the sets it ranges over."""
        game = self.instance.game
        found: dict[str, list[terms.Term]] = {}
        everything = (game.actions, game.procedures, game.definitions, game.flow, game.scores)
        parts = [list(part.values()) if isinstance(part, dict) else part for part in everything]
        for node in nodes_of({}, *parts):
            match node:
                case terms.Binder(name, domain):
                    found.setdefault(name, []).append(domain)
                case terms.Let(name, value) | effects.Keep(name, value):
                    found.setdefault(name, []).append(value)
                case terms.Closure(start, origin, binder):
                    found.setdefault(origin, []).extend((start, binder.domain))
                case terms.Invoke(definition, arguments):
                    parameters = game.definitions[definition].parameters
                    for (name, _), argument in zip(parameters, arguments, strict=True):
                        found.setdefault(name, []).append(argument)
        return found

    def _is_present(self, term: terms.Term | None, names: frozenset[str]) -> bool:
        """Whether a term, or each element of a set, is never none, given that these names are not."""
        match term:
            case terms.Local(name):
                return name in names
            case terms.AllCells() | terms.AllDirections() | terms.AllMembers() | terms.Interval():
                return True
            case terms.Neighbours() | terms.Apply(Function.LINE) | terms.Row():
                return True
            case terms.Those(binder):
                return self._is_present(binder.domain, names)
            case terms.SetOperation(SetOperator.EITHER, first, second) | terms.If(_, first, second):
                return self._is_present(first, names) and self._is_present(second, names)
            case terms.Closure(start, _, binder):
                return self._is_present(start, names) and self._is_present(binder.domain, names)
            case terms.SetOperation(SetOperator.BOTH, first, second):
                return self._is_present(first, names) or self._is_present(second, names)
            case terms.SetOperation(_, first):
                return self._is_present(first, names)
            case terms.Image(value):
                return self._is_present(value, names)
            case terms.SetLiteral(items):
                return all(self._is_present(item, names) for item in items)
            case terms.Invoke(name):
                definition = self.instance.game.definitions[name]
                return not definition.cases and self._is_present(definition.value, names)
            case _:
                return False
