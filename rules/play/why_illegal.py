"""Why a move is not legal: every requirement that fails, with the clause it comes from and the cells and tiles involved."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.rules.model import terms, types
from rulewright.rules.model.state import State
from rulewright.rules.model.traversal import parts_of

from .engine import Engine, describe_value
from .move_notation import Attempt


@frozen
class Failure:
    """A requirement that does not hold; `involved` are cells and tiles as players write them."""

    requirement: str
    message: str
    module: str
    cite: str
    span: Span
    involved: tuple[str, ...] = ()


def why_not(engine: Engine, state: State, attempt: Attempt | None) -> tuple[Failure, ...]:
    """Every reason why an attempt (None: `stop`) is not legal here; empty when it is legal."""
    choice = engine.choice(state)
    if choice is None:
        return (Failure("flow.over", "the game is over", "", "", engine.game.players.span),)
    if attempt is None:
        if choice.stop:
            return ()
        return (Failure("flow.stop", "`stop` cannot be chosen here", "", "", choice.span),)
    action = attempt.action
    failures: list[Failure] = []
    if action.name not in choice.actions:
        failures.append(
            Failure(f"flow.{action.name}", f"`{action.name}` cannot be chosen here", action.module, "", choice.span)
        )
    evaluator = engine.evaluator(state)
    env: dict[str, int] = {}
    for parameter, value in zip(action.parameters, attempt.arguments, strict=True):
        here = dict(env)
        env[parameter.name] = value
        domain = evaluator.set(parameter.domain, here)
        inside = value in tuple(domain)
        if inside and parameter.where is not None:
            inside = bool(evaluator.value(parameter.where, env))
        if not inside:
            text = describe_value(engine, parameter.type, value)
            message = f"`{text}` is not one of those that `{parameter.name}` may be"
            name = f"{action.name}.{parameter.name}"
            failures.append(Failure(name, message, action.module, action.cite, parameter.span, (text,)))
    for requirement in action.requirements:
        if not evaluator.value(requirement.condition, env):
            involved = tuple(
                describe_value(engine, type, value)
                for type, value in Counterexample(engine, state).values(requirement.condition, env)
                if isinstance(type, types.Cell | types.Tile)
            )
            failures.append(
                Failure(
                    requirement.name,
                    requirement.message,
                    requirement.module,
                    requirement.cite,
                    requirement.span,
                    involved,
                )
            )
    return tuple(failures)


TypedValues = dict[tuple[types.Type, int], None]


@frozen
class Counterexample:
    """Finds what a false condition speaks of: where an `every` fails, there; else the values it reads."""

    engine: Engine
    state: State

    def values(self, term: terms.Term, env: Mapping[str, int] | None = None) -> tuple[tuple[types.Type, int], ...]:
        """The values that the bound names of the failing part have, each with its type."""
        found: dict[tuple[types.Type, int], None] = {}
        self._walk(term, env or {}, found)
        return tuple(found)

    def _walk(self, term: terms.Term, env: Mapping[str, int], found: TypedValues) -> None:
        evaluator = self.engine.evaluator(self.state)
        match term:
            case terms.And(parts):
                for part in parts:
                    if not evaluator.value(part, env):
                        self._walk(part, env, found)
            case terms.Quantified(Quantifier.EVERY, binder, body):
                for value in tuple(evaluator.set(binder.domain, env)):
                    inner = {**env, binder.name: value}
                    if (binder.where is None or evaluator.value(binder.where, inner)) and not evaluator.value(body, inner):
                        found[binder.type, value] = None
                        self._walk(body, inner, found)
            case terms.Invoke(name, arguments):
                definition = self.engine.game.definitions[name]
                values = {n: evaluator.any(a, env) for (n, _), a in zip(definition.parameters, arguments, strict=True)}
                self._walk(definition.value, values, found)  # type: ignore[arg-type]
            case _:
                self._read(term, env, found)

    def _read(self, term: terms.Term, env: Mapping[str, int], found: TypedValues) -> None:
        pending: list[object] = [term]
        while pending:
            here = pending.pop()
            if isinstance(here, terms.Local) and here.name in env:
                found[here.type, env[here.name]] = None
            else:
                pending += parts_of(here)
