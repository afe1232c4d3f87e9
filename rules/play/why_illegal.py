"""What is legal, and why not: the requirements that a move fails, and what players may do with a thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice

from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.rules.core.interpreter import StateReading
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Definition, Requirement
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.semantics.algebra import Env

from .engine import Engine, describe_value
from .move_notation import Attempt

TypedValue = tuple[types.Type, int]


@frozen
class Part:
    """A definition that fails inside a requirement, with its text and the clause that it comes from."""

    name: str
    text: str
    module: str
    cite: str
    span: Span


@frozen
class Failure:
    """A requirement that does not hold; `things` are cells and tiles, and `involved` the same in the players' notation.

    `parts` are the failing definitions inside it, if it is a conjunction or calls a definition with such parts.
    """

    requirement: str
    message: str
    module: str
    cite: str
    span: Span
    involved: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    things: tuple[TypedValue, ...] = ()

    @property
    def unnamed(self) -> tuple[str, ...]:
        """What is involved, but for what the message names."""
        return tuple(name for name in self.involved if f"`{name}`" not in self.message)


def why_not(engine: Engine, state: State, attempt: Attempt | None) -> tuple[Failure, ...]:
    """Every reason why an attempt (None: `stop`) is not legal here; empty if it is legal.

    What must hold after the effects is asked only if nothing else fails: otherwise they may be impossible.
    """
    choice = engine.choice(state)
    if choice is None:
        return (Failure("flow.over", "the game is over", "", "", engine.game.players.span),)
    if attempt is None:
        if choice.stop:
            return ()
        return (Failure("flow.stop", "`stop` is not offered here", "", "", choice.span),)
    action = attempt.action
    failures: list[Failure] = []
    if action.name not in choice.actions:
        message = f"`{action.name}` is not offered here"
        failures.append(Failure(f"flow.{action.name}", message, action.module, "", choice.span))
    evaluator = engine.evaluator(state)
    env: dict[str, int] = {}
    for parameter, written, value in zip(action.parameters, action.written, attempt.arguments, strict=True):
        inside = value in tuple(evaluator.value(parameter.domain, env))
        env = {**env, parameter.name: value}
        if not inside or (parameter.where is not None and not evaluator.value(parameter.where, env)):
            text = describe_value(engine, parameter.type, value)
            message = f"`{text}` is not a possible `{parameter.name}` here"
            place, things = (action.module, action.cite, parameter.span), _things([(parameter.type, value)])
            parts = [Part(parameter.name, written, *place)]
            if not inside and isinstance(parameter.domain, terms.Invoke):
                parts.append(_part(engine.game.definitions[parameter.domain.definition]))
            elif inside and parameter.where is not None:
                parts += dict.fromkeys(_failing_parts(evaluator, parameter.where, env, inside=True))
            failures.append(Failure(f"{action.name}.{parameter.name}", message, *place, (text,), tuple(parts), things))
    failures += _broken(engine, state, action.requirements, env)
    after = engine.after(state, action, env) if action.afterwards and not failures else None
    if after is not None:
        failures += _broken(engine, after, action.afterwards, env)
    return tuple(failures)


def _broken(engine: Engine, state: State, requirements: Sequence[Requirement], env: Env) -> Iterator[Failure]:
    """The failures of those requirements that do not hold in a state."""
    evaluator = engine.evaluator(state)
    for broken in requirements:
        if not evaluator.value(broken.condition, env):
            things = _things(counterexample(engine, state, broken.condition, env))
            involved = tuple(describe_value(engine, *thing) for thing in things)
            message = broken.message
            parts = tuple(dict.fromkeys(_failing_parts(evaluator, broken.condition, env)))
            place = (broken.module, broken.cite, broken.span)
            if _is_rule(engine, broken.condition) and broken.message == f"`{broken.name.rpartition('.')[2]}` does not hold":
                message = "; ".join(part.text for part in parts)
            yield Failure(broken.name, message, *place, involved, parts, things)


def _things(values: Sequence[TypedValue]) -> tuple[TypedValue, ...]:
    """The cells and tiles among values."""
    return tuple(found for found in values if isinstance(found[0], types.Cell | types.Tile))


def _is_rule(engine: Engine, condition: terms.Term) -> bool:
    return isinstance(condition, terms.Invoke) and bool(engine.game.definitions[condition.definition].reasons)


def _failing_parts(evaluator: StateReading, term: terms.Term, env: Env, inside: bool = False) -> Iterator[Part]:
    """The innermost definitions that make a condition fail; none if it is a single call of a plain definition."""
    match term:
        case terms.And(parts):
            for part in parts:
                if not evaluator.value(part, env):
                    yield from _failing_parts(evaluator, part, env, inside=True)
        case terms.Fold(terms.Kind.EVERY, binder, body):
            for value in tuple(evaluator.value(binder.domain, env)):
                inner = {**env, binder.name: value}
                if (binder.where is None or evaluator.value(binder.where, inner)) and not evaluator.value(body, inner):
                    yield from _failing_parts(evaluator, body, inner, inside)
        case terms.Invoke(name, arguments):
            found = evaluator.instance.game.definitions[name]
            given = {n: evaluator.value(a, env) for (n, _), a in zip(found.parameters, arguments, strict=True)}
            if found.reasons and isinstance(found.value, terms.And):
                for part, reason in zip(found.value.parts, found.reasons, strict=True):
                    if not evaluator.value(part, given):
                        yield Part(reason.name, reason.message, reason.module, reason.cite, reason.span)
                return
            below = [] if found.cases else list(_failing_parts(evaluator, found.value, given, inside=True))
            yield from below
            if inside and not below:
                yield _part(found)


def _part(found: Definition) -> Part:
    return Part(found.name, found.text, found.module, found.cite, found.span)


def counterexample(engine: Engine, state: State, condition: terms.Term, env: Env | None = None) -> tuple[TypedValue, ...]:
    """The values of the bound names for which a false condition fails, each with its type, in order and once.

    These are the elements for which an `every` fails and, below it, the names that the failing part reads.
    """
    return tuple(dict.fromkeys(_failing_values(engine.evaluator(state), condition, env or {})))


def _failing_values(evaluator: StateReading, term: terms.Term, env: Env) -> Iterator[TypedValue]:
    match term:
        case terms.And(parts):
            for part in parts:
                if not evaluator.value(part, env):
                    yield from _failing_values(evaluator, part, env)
        case terms.Fold(terms.Kind.EVERY, binder, body):
            for value in tuple(evaluator.value(binder.domain, env)):
                inner = {**env, binder.name: value}
                if (binder.where is None or evaluator.value(binder.where, inner)) and not evaluator.value(body, inner):
                    yield binder.type, value
                    yield from _failing_values(evaluator, body, inner)
        case terms.Let(name, value, body):
            yield from _failing_values(evaluator, body, {**env, name: evaluator.value(value, env)})
        case terms.Invoke(name, arguments):
            definition = evaluator.instance.game.definitions[name]
            given = {n: evaluator.value(a, env) for (n, _), a in zip(definition.parameters, arguments, strict=True)}
            yield from _failing_values(evaluator, definition.value, given)
        case _:
            for node in nodes_of({}, term):
                if isinstance(node, terms.Local) and node.name in env:
                    yield node.type, env[node.name]


# What players may do with a thing -------------------------------------------------------------------------------------
# What players may do with a thing (a cell or a kind of tile): the legal moves of each action, or the nearest attempt.


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
