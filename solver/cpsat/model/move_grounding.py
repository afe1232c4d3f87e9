"""The arguments of a move: every way to fill in what the skeleton leaves out, and what must hold for it to be legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import field

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.traversal import locals_in, parts_of
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.dataflow import reads

from .abstract_graph import Abstract
from .circuit import FALSE, TRUE, Lit
from .guarded_values import Value, exactly
from .symbolic_algebra import Symbolic
from .symbolic_store import Remembered

Bound = tuple[tuple[int, ...], dict[str, Any], list[Lit]]
"""The arguments that the skeleton leaves out, all names bound, and what must hold."""

Reading = Evaluator[Value, Any]


@define
class Binding:
    """Fills arguments in by one memory, which is as it was whenever this is asked. `decided` holds for all memories: whether
    the skeleton has looked into a term already, where so many names are known."""

    engine: Engine
    memory: Remembered
    decided: dict[tuple[terms.Term, frozenset[str]], bool]
    _readings: dict[frozenset[tuple[int, frozenset[int]]], Reading] = field(factory=dict)

    def legal(self, actions: Sequence[str]) -> Iterator[Lit]:
        """A literal for each move of these actions: it is legal."""
        for name in actions:
            action = self.engine.game.actions[name]
            move = (self.engine.action_numbers[name], *(None for _ in action.parameters))
            for _, _, needs in self.bound(action, move):
                yield self.memory.guards.circuit.all_of(needs)

    def bound(self, action: Action, move: Abstract) -> Iterator[Bound]:
        """Every way to fill the arguments in."""
        known = {p.name for p, a in zip(action.parameters, move[1:], strict=True) if a is not None}
        pending = [r.condition for r in action.requirements if not self._decided(r.condition, known)]

        def bind(
            n: int, env: dict[str, Any], places: tuple[int, ...], needs: list[Lit], left: list[terms.Term]
        ) -> Iterator[Bound]:
            names = {p.name for p in action.parameters[n:]}
            ready = [condition for condition in left if not locals_in(condition) & names]
            needs = list(needs)
            reading = self._assuming(needs)
            for condition in ready:
                for part in condition.parts if isinstance(condition, terms.And) else (condition,):
                    needs.append(_yes(reading, part, env))
                    if needs[-1] == FALSE:
                        return
            left = [condition for condition in left if condition not in ready]
            if n == len(action.parameters):
                yield places, env, needs
                return
            parameter, argument = action.parameters[n], move[n + 1]
            for value, guard in self._elements(parameter.domain, argument, env, known, reading):
                if guard == FALSE:
                    continue
                inner = {**env, parameter.name: exactly(value)}
                more = [*needs, guard]
                if parameter.where is not None and not self._decided(parameter.where, known):
                    more.append(_yes(reading, parameter.where, inner))
                    if more[-1] == FALSE:
                        continue
                yield from bind(n + 1, inner, places if argument is not None else (*places, value), more, left)

        yield from bind(0, {}, (), [], pending)

    def _assuming(self, needs: list[Lit]) -> Reading:
        """The reading of what is so where all these hold: always the same, so that it computes once."""
        guards = self.memory.guards.assuming(needs)
        assumed = frozenset(guards.assumed.items())
        if assumed not in self._readings:
            self._readings[assumed] = Evaluator(self.engine.instance, Symbolic(guards, self.memory))
        return self._readings[assumed]

    def _elements(
        self, domain: terms.Term, argument: int | None, env: dict[str, Any], known: set[str], reading: Reading
    ) -> Iterator[tuple[int, Lit]]:
        if argument is not None and self._decided(domain, known):
            yield argument, TRUE
            return
        algebra, circuit = reading.algebra, self.memory.guards.circuit
        assert isinstance(algebra, Symbolic)
        guards: dict[int, list[Lit]] = {}
        for item, guard in algebra.elements(reading.set(domain, env)).items:
            for value, lit in self.memory.guards.narrow(item).numbers():
                guards.setdefault(value, []).append(circuit.all_of((guard, lit)))
        for value, lits in guards.items():
            if argument is None or value == argument:
                yield value, circuit.any_of(lits)

    def _decided(self, term: terms.Term, known: set[str]) -> bool:
        """Whether the skeleton has looked into it already: nothing that is forgotten has a say."""
        key = term, frozenset(known)
        if key not in self.decided:
            bound = locals_in(term) <= known | _bound_inside(term)
            self.decided[key] = bound and reads(self.engine.game, term) <= self.memory.names
        return self.decided[key]


def _yes(reading: Reading, condition: terms.Term, env: dict[str, Any]) -> Lit:
    assert isinstance(reading.algebra, Symbolic)
    return reading.algebra.guards.yes(reading.value(condition, env))


def _bound_inside(term: terms.Term) -> set[str]:
    """The names that a term binds itself."""
    found: set[str] = set()
    pending: list[object] = [term]
    while pending:
        here = pending.pop()
        if isinstance(here, terms.Binder):
            found.add(here.name)
        if isinstance(here, terms.Closure):
            found.add(here.origin)
        pending += parts_of(here)
    return found
