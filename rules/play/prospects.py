"""What players may do with a thing (a cell or a kind of tile): the legal moves of each action, or the nearest attempt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import islice

from rulewright.base.records import define, frozen
from rulewright.rules.core.reading import StateReading
from rulewright.rules.model import types
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import STOP, Move, State

from .engine import Engine
from .move_notation import Attempt
from .why_illegal import Failure, TypedValue, why_not

MOST_ATTEMPTS = 12
"""Most attempts with a thing that are examined for the nearest to a legal move."""


@frozen
class Prospect:
    """The legal moves of an action with a thing; if there are none, the attempt with the fewest failures."""

    action: Action
    legal: tuple[Move, ...]
    attempt: Move = ()
    failures: tuple[Failure, ...] = ()


@define(eq=False)
class Prospects:
    """The prospects of the things of one state."""

    engine: Engine
    state: State
    most_attempts: int = MOST_ATTEMPTS

    def of(self, type: types.Type, value: int) -> tuple[Prospect, ...]:
        """A prospect for each action on offer that takes such a thing, in the order of the text."""
        choice = self.engine.choice(self.state)
        named = () if choice is None else choice.actions
        found = []
        for name, action in self.engine.game.actions.items():
            if name in named and any(self._takes(parameter.type, type) for parameter in action.parameters):
                legal = tuple(self.legal.get((name, (type, value)), ()))
                found.append(Prospect(action, legal) if legal else self._refused(action, type, value))
        return tuple(prospect for prospect in found if prospect.legal or prospect.attempt)

    def _takes(self, parameter: types.Type, thing: types.Type) -> bool:
        """Whether a parameter ranges over such things, or over places made of them."""
        if isinstance(parameter, types.Place):
            return thing == types.Cell(self.engine.game.patterns[parameter.pattern].space)
        return parameter == thing

    @cached_property
    def legal(self) -> Mapping[tuple[str, TypedValue], list[Move]]:
        """The legal moves, by action and by each thing that they name."""
        actions = list(self.engine.game.actions.values())
        found: dict[tuple[str, TypedValue], list[Move]] = {}
        for move in self.engine.legal(self.state):
            for thing in self.things_in(move):
                found.setdefault((actions[move[0]].name, thing), []).append(move)
        return found

    def things_in(self, move: Move) -> tuple[TypedValue, ...]:
        """The things that a move names, each once: its arguments, and every cell of a place."""
        if move == STOP:
            return ()
        parameters = list(self.engine.game.actions.values())[move[0]].parameters
        named = (self._things(parameter.type, value) for parameter, value in zip(parameters, move[1:], strict=True))
        return tuple(dict.fromkeys(thing for things in named for thing in things))

    def _things(self, type: types.Type, value: int) -> Iterator[TypedValue]:
        """The things that an argument names: itself, or every cell of a place."""
        if isinstance(type, types.Place):
            pattern = self.engine.game.patterns[type.pattern]
            cells = pattern.places[value].cells if value < len(pattern.places) else ()
            yield from ((types.Cell(pattern.space), cell) for role in cells for cell in role)
        else:
            yield type, value

    # What is not legal ---------------------------------------------------------------------------

    @cached_property
    def _evaluator(self) -> StateReading:
        return self.engine.evaluator(self.state)

    def _refused(self, action: Action, type: types.Type, value: int) -> Prospect:
        """The attempt with the fewest failures; arguments in their domains take precedence."""
        places = [at for at, parameter in enumerate(action.parameters) if parameter.type == type]
        near = islice((a for at in places for a in self._attempts(action, {}, at, value)), self.most_attempts)
        far = (arguments for at in places[:1] if (arguments := self._outside(action, at, value)))
        found = [(arguments, why_not(self.engine, self.state, Attempt(action, arguments))) for arguments in near]
        found = found or [(arguments, why_not(self.engine, self.state, Attempt(action, arguments))) for arguments in far]
        if not found:
            return Prospect(action, ())
        arguments, failures = min(found, key=lambda attempt: len(attempt[1]))
        return Prospect(action, (), (self.engine.action_numbers[action.name], *arguments), failures)

    def _attempts(self, action: Action, env: dict[str, int], place: int, value: int) -> Iterator[tuple[int, ...]]:
        """The arguments that the domains of the parameters allow, with `value` at index `place`."""
        at = len(env)
        if at == len(action.parameters):
            yield tuple(env.values())
            return
        parameter = action.parameters[at]
        domain = tuple(self._evaluator.value(parameter.domain, env))
        for candidate in domain if at != place else (value,) * (value in domain):
            inner = {**env, parameter.name: candidate}
            if parameter.where is None or self._evaluator.value(parameter.where, inner):
                yield from self._attempts(action, inner, place, value)

    def _outside(self, action: Action, place: int, value: int) -> tuple[int, ...]:
        """Arguments with `value` at index `place` outside its domain; empty if another parameter has no value."""
        env: dict[str, int] = {}
        for at, parameter in enumerate(action.parameters):
            domain = (value,) if at == place else tuple(self._evaluator.value(parameter.domain, env))
            if not domain:
                return ()
            env[parameter.name] = domain[0]
        return tuple(env.values())
