"""Lowers a grounded game to the core: every part is evaluated once to terms, whose locals are then numbered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial

from rulewright.base.records import define, field
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import game, terms
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import Horizon, least_value, value_range
from rulewright.rules.semantics.flow_graph import Instruction, LoopStart
from rulewright.rules.spaces.window import Window

from .algebra import Tables
from .evaluator import CoreEvaluator, definition_of, effects_of, name_of_set, test_of
from .flow import FlowLowering, counter_name
from .numbering import numbered
from .program import Action, Core, Definition, Map, Node, Parameter, Requirement, Space, Variable
from .terms import Term


@define(eq=False)
class Lowering:
    """The core of a game up to a horizon; each part is lowered when it is first asked for."""

    instance: Instance
    flow: tuple[Instruction, ...] = ()
    horizon: Horizon | None = None
    tables: Tables = field(init=False)
    _definitions: dict[str, Definition] = field(factory=dict, init=False)
    _actions: dict[int, Action] = field(factory=dict, init=False)
    _nodes: dict[int, Node] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.tables = Tables(self.instance)

    def term(self, term: terms.Term, names: Sequence[str] = ()) -> Term:
        """A term whose first locals are those of the free names."""
        evaluator = CoreEvaluator.of(self.tables)
        return numbered(evaluator.whole(term, {name: evaluator.algebra.local() for name in names}), len(names))

    def definition(self, name: str) -> Definition:
        """A definition that a term calls."""
        if name not in self._definitions:
            known, of_set = self.instance.game.definitions, name_of_set(name)
            found = definition_of(self.tables, known[name]) if of_set is None else test_of(self.tables, known[of_set])
            self._definitions[name] = numbered(found)
        return self._definitions[name]

    def action(self, number: int) -> Action:
        if number not in self._actions:
            self._actions[number] = numbered(_action(self.tables, list(self.instance.game.actions.values())[number]))
        return self._actions[number]

    def node(self, at: int) -> Node:
        """A node of the flow; the first one begins the game."""
        if at not in self._nodes:
            self._nodes |= {number: numbered(node) for number, node in self.nodes.of(at).items()}
        return self._nodes[at]

    @cached_property
    def nodes(self) -> FlowLowering:
        return FlowLowering(self.tables, self.flow, self.horizon)

    @cached_property
    def scores(self) -> dict[str, Term]:
        return {score.name: self.term(score.value) for score in self.instance.game.scores}

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        return tuple(_variables(self.instance, self.flow, self.horizon))

    def core(self, asked: Mapping[str, tuple[terms.Term, ...]]) -> Core:
        """The whole core. `asked` are terms without free names that are lowered with it."""
        tables, instance = self.tables, self.instance
        actions = tuple(map(self.action, range(len(instance.game.actions))))
        flow = tuple(map(self.node, range(self.nodes.number)))
        scores, wanted = self.scores, {name: tuple(map(self.term, found)) for name, found in asked.items()}
        definitions: dict[str, Definition] = {}
        while missing := [name for name in tables.called if name not in definitions]:
            definitions |= {name: self.definition(name) for name in missing}
        spaces = {name: _space(tables, name) for name in tables.spaces}
        rows = {name: tuple(rows) for name, rows in tables.rows.items()}
        known = spaces, tables.maps, rows, self.variables, definitions, actions, flow, scores, instance.game.limits.flow, wanted
        return Core(instance.players, *known)


def lower(
    instance: Instance,
    flow: tuple[Instruction, ...],
    horizon: Horizon | None = None,
    asked: Mapping[str, tuple[terms.Term, ...]] | None = None,
) -> Core:
    """The core of a game up to a horizon. `asked` are terms without free names that are lowered with it."""
    return Lowering(instance, flow, horizon).core(asked or {})


def _action(tables: Tables, action: game.Action) -> Action:
    evaluator = CoreEvaluator.of(tables)
    env: dict[str, Term] = {}
    parameters: list[Parameter] = []
    given = [evaluator.algebra.local() for _ in action.parameters]
    for parameter, local in zip(action.parameters, given, strict=True):
        binder = terms.Binder(parameter.name, parameter.domain, parameter.where, parameter.type)
        domain = evaluator.algebra.scope(partial(evaluator.searched, binder, env))
        env = {**env, parameter.name: local}
        where = None if parameter.where is None else evaluator.whole(parameter.where, env)
        parameters.append(Parameter(parameter.name, domain, where, span=parameter.span))

    def lowered(requirements: Iterable[game.Requirement]) -> tuple[Requirement, ...]:
        return tuple(Requirement(each.name, evaluator.whole(each.condition, env), span=each.span) for each in requirements)

    done = effects_of(evaluator, action.effects, env)
    required, afterwards = lowered(action.requirements), lowered(action.afterwards)
    return Action(action.name, tuple(parameters), required, done, afterwards, span=action.span)


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
