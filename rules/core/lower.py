"""Lowers a grounded game to the core: every part is evaluated once to terms, then the passes follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import game, terms
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import Horizon, least_value, value_range
from rulewright.rules.semantics.flow_graph import Instruction, LoopStart
from rulewright.rules.spaces.window import Window

from .algebra import Tables
from .evaluator import CoreEvaluator, definition_of, effects_of, test_name, test_of
from .flow import FlowLowering, counter_name
from .passes import PASSES
from .program import Action, Core, Definition, Map, Parameter, Requirement, Space, Variable
from .terms import Term


def lower(
    instance: Instance,
    flow: tuple[Instruction, ...],
    horizon: Horizon | None = None,
    asked: Mapping[str, tuple[terms.Term, ...]] | None = None,
) -> Core:
    """The core of a game up to a horizon. `asked` are terms without free names that are lowered with it."""
    tables, known = Tables(instance), instance.game
    actions = tuple(_action(tables, action) for action in known.actions.values())
    nodes = FlowLowering(tables, flow, horizon).nodes()
    scores = {score.name: CoreEvaluator.of(tables).whole(score.value, {}) for score in known.scores}
    wanted = {name: tuple(CoreEvaluator.of(tables).whole(term, {}) for term in found) for name, found in (asked or {}).items()}
    definitions = _definitions(tables)
    core = Core(
        instance.players,
        {name: _space(tables, name) for name in tables.spaces},
        tables.maps,
        tables.rows,
        tuple(_variables(instance, flow, horizon)),
        definitions,
        actions,
        nodes,
        scores,
        known.limits.flow,
        wanted,
    )
    for change in PASSES:
        core = change(core)
    return core


def _action(tables: Tables, action: game.Action) -> Action:
    evaluator = CoreEvaluator.of(tables)
    env: dict[str, Term] = {}
    parameters: list[Parameter] = []
    given = [evaluator.algebra.local() for _ in action.parameters]
    for parameter, local in zip(action.parameters, given, strict=True):
        domain = evaluator.whole(parameter.domain, env)
        env = {**env, parameter.name: local}
        where = None if parameter.where is None else evaluator.whole(parameter.where, env)
        parameters.append(Parameter(parameter.name, domain, where, span=parameter.span))

    def lowered(requirements: Iterable[game.Requirement]) -> tuple[Requirement, ...]:
        return tuple(Requirement(each.name, evaluator.whole(each.condition, env), span=each.span) for each in requirements)

    done = effects_of(evaluator, action.effects, env)
    required, afterwards = lowered(action.requirements), lowered(action.afterwards)
    return Action(action.name, tuple(parameters), required, done, afterwards, span=action.span)


def _definitions(tables: Tables) -> dict[str, Definition]:
    """The definitions that are called, and those that these call."""
    found: dict[str, Definition] = {}
    known = tables.instance.game.definitions
    while True:
        calls = {name: (known[name], definition_of) for name in tables.called}
        tests = {test_name(name): (known[name], test_of) for name in tables.tested}
        missing = {name: call for name, call in (calls | tests).items() if name not in found}
        if not missing:
            return found
        for name, (definition, make) in missing.items():
            found[name] = make(tables, definition)


def _variables(instance: Instance, flow: Sequence[Instruction], horizon: Horizon | None) -> Iterable[Variable]:
    # The range of a variable that counts in a loop of the flow is not declared.
    loops = {step.variable: step.values for step in flow if isinstance(step, LoopStart)}
    if horizon is not None:
        yield Variable(counter_name(horizon.point), game.Storage.VALUE, None, range(horizon.times + 1), 0)
    for variable in instance.game.variables.values():
        index = None if variable.index is None else instance.domain(variable.index)
        values, none = value_range(instance, variable), least_value(instance, variable)
        looped = loops.get(variable.name, ())
        values = range(min([values.start, *looped]), max([values.stop - 1, *looped]) + 1)
        yield Variable(variable.name, variable.storage, index, values, none, span=variable.span)


def _space(tables: Tables, name: str) -> Space:
    window: Window = tables.instance.windows[name]
    step, opposite, clockwise = f"{name}_step", f"{name}_opposite", f"{name}_clockwise"
    tables.maps[step] = Map(window.steps, window.nowhere, 2)
    tables.maps[opposite] = Map((window.opposite,), -1)
    tables.maps[clockwise] = Map((window.clockwise,), -1)
    straight = window.shape is not Shape.GRAPH
    return Space(window.size, step, opposite, clockwise, window.around, straight, bool(window.periods))
