"""Lowers a grounded game to the core: every part is evaluated once to terms, whose locals are then numbered."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeVar, assert_never

from rulewright.base.records import define, evolve, field
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model import game, terms
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import Horizon, least_value, value_range
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.flow_graph import Instruction
from rulewright.rules.spaces.window import Window

from .algebra import Tables
from .evaluator import CoreEvaluator, definition_of, effects_of, name_of_set, test_of
from .program import (
    Action,
    Choose,
    Core,
    Definition,
    End,
    For,
    If,
    Map,
    Name,
    Node,
    Origin,
    Over,
    Parameter,
    Place,
    Requirement,
    Run,
    Space,
    Test,
    Variable,
    Write,
    rebuilt,
)
from .terms import Arithmetic, Binding, Compare, Constant, Local, Lookup, Read, Term

# Locals numbered by those around them, so that equal terms are alike --------------------------------------------------


Numbers = Mapping[int, int]
Part = TypeVar("Part")


def numbered(part: Part, given: int = 0) -> Part:
    """A part of a core whose locals are bound once, the first ones around it; each gets the number of locals around it."""
    return _numbered(part, {at: at for at in range(given)}, given)  # type: ignore[no-any-return]


def _numbered(node: Any, numbers: Numbers, depth: int) -> Any:
    match node:
        case Local(number):
            return evolve(node, number=numbers[number])
        case Binding(local, domain, body) | For(local, domain, body):
            inside = _numbered(body, {**numbers, local: depth}, depth + 1)
            return evolve(node, local=depth, domain=_numbered(domain, numbers, depth), body=inside)
        case Definition(number, body, parts):
            return evolve(node, body=numbered(body, number), parts=numbered(parts, number))
        case Parameter(_, domain, where):
            return evolve(
                node, domain=_numbered(domain, numbers, depth), where=_numbered(where, {**numbers, depth: depth}, depth + 1)
            )
        case Action(parameters=parameters):
            given = {at: at for at in range(len(parameters))}
            return evolve(
                node,
                parameters=tuple(_numbered(part, given, at) for at, part in enumerate(parameters)),
                requirements=_numbered(node.requirements, given, len(given)),
                effects=_numbered(node.effects, given, len(given)),
                afterwards=_numbered(node.afterwards, given, len(given)),
            )
        case tuple():
            items = []
            for part in node:
                found = _numbered(part, numbers, depth)
                if isinstance(part, Name):
                    found = evolve(found, local=depth)
                    numbers, depth = {**numbers, part.local: depth}, depth + 1
                items.append(found)
            return tuple(items)
        case _:
            return rebuilt(node, lambda part: _numbered(part, numbers, depth))


# The flow of a game as a graph of the core ----------------------------------------------------------------------------
# Loops become writes and tests, the count of a horizon a variable.


def counter_name(point: str) -> str:
    """The name of the variable that counts how often play has left a point; no text can contain it."""
    return f"ends of {point}"


@define
class FlowLowering:
    """Lowers the instructions of a flow; `horizon` is where play ends before the game does."""

    tables: Tables
    flow: tuple[flow_graph.Instruction, ...]
    horizon: Horizon | None

    @cached_property
    def _starts(self) -> list[int]:
        """The number of nodes before each instruction, and of all."""
        return [0, *accumulate(map(self._length, self.flow))]

    @property
    def number(self) -> int:
        """The number of nodes, in the order of the instructions; the first one begins the game."""
        return self._starts[-1]

    def of(self, node: int) -> dict[int, Node]:
        """The nodes of the instruction that a node belongs to, by number."""
        at = bisect_right(self._starts, node) - 1
        return dict(enumerate(self._lowered(self.flow[at], at), self._starts[at]))

    @cached_property
    def choices(self) -> dict[int, int]:
        """The nodes of choices by number."""
        return {step.number: self._starts[at] for at, step in enumerate(self.flow) if isinstance(step, flow_graph.ChoicePoint)}

    def node_of(self, at: int) -> int:
        """The first node of an instruction, or of the one that follows if it has none."""
        while isinstance(instruction := self.flow[at], flow_graph.Jump | flow_graph.LeavePoint) and not self._length(
            instruction
        ):
            at = instruction.target if isinstance(instruction, flow_graph.Jump) else at + 1
        return self._starts[at]

    def _length(self, instruction: flow_graph.Instruction) -> int:
        match instruction:
            case flow_graph.Jump():
                return 0
            case flow_graph.LeavePoint(point):
                return int(self.horizon is not None and self.horizon.point == point)
            case flow_graph.LoopNext():
                return 3
            case _:
                return 1

    def _lowered(self, instruction: flow_graph.Instruction, at: int) -> list[Node]:
        evaluator, here = CoreEvaluator.of(self.tables), self._starts[at]
        match instruction:
            case flow_graph.Jump():
                return []
            case flow_graph.RunProcedure(name):
                clauses = self.tables.instance.game.procedures[name]
                return [Run(effects_of(evaluator, clauses, {}), self.node_of(at + 1))]
            case flow_graph.JumpIfFalse(condition, otherwise, span=span):
                return [Test(evaluator.whole(condition, {}), self.node_of(at + 1), self.node_of(otherwise), span=span)]
            case flow_graph.LoopStart(variable, values, start, span=span):
                first = self._first(evaluator, values, start)
                return [Run(_step(variable, first, span), self.node_of(at + 1), span=span)]
            case flow_graph.LoopNext(variable, values, start, again, span=span):
                following, first = self._following(variable, values), self._first(evaluator, values, start)
                step = _step(variable, following, span)
                test = Test(Compare(Comparison.UNEQUAL, following, first), here + 1, here + 2, span=span)
                return [test, Run(step, self.node_of(again), span=span), Run(step, self.node_of(at + 1), span=span)]
            case flow_graph.LeavePoint(point):
                return [self._count(point, self.node_of(at + 1))] if self._length(instruction) else []
            case flow_graph.ChoicePoint(number, _, actions, stop, by, resume, leave, span=span):
                names = list(self.tables.instance.game.actions)
                numbers = tuple(names.index(name) for name in actions)
                player: Term = Constant(1) if by is None else evaluator.whole(by, {})
                return [Choose(number, numbers, stop, player, self.node_of(resume), self.node_of(leave), span=span)]
            case flow_graph.Halt():
                return [Over()]
            case _:
                assert_never(instruction)

    def _first(self, evaluator: CoreEvaluator, values: tuple[int, ...], start: terms.Term | None) -> Term:
        """The value with which a loop begins."""
        return Constant(values[0]) if start is None else evaluator.whole(start, {})

    def _following(self, variable: str, values: tuple[int, ...]) -> Term:
        """The value that follows the present one, cyclically."""
        low, read = min(values), Read(variable, None)
        after = dict(zip(values, (*values[1:], values[0]), strict=True))
        name = f"{variable}_following_{'_'.join(map(str, values))}"
        row = tuple(after.get(value, values[0]) for value in range(low, max(values) + 1))
        self.tables.maps[name] = Map((row,), values[0])
        key: Term = Arithmetic(Operator.MINUS, read, Constant(low)) if low else read
        return Lookup(name, (key,))

    def _count(self, point: str, following: int) -> Run:
        assert self.horizon is not None
        counter = counter_name(point)
        more = Arithmetic(Operator.PLUS, Read(counter, None), Constant(1))
        is_last = Compare(Comparison.AT_LEAST, Read(counter, None), Constant(self.horizon.times))
        return Run((Write(Place(counter, None), more), If(is_last, (End(True),), ())), following)


def _step(variable: str, value: Term, span: Span) -> tuple[Write]:
    """The effect that sets the variable of a loop."""
    return (Write(Place(variable, None, span=span), value, span=span, origin=Origin(f"flow.{variable}", span=span)),)


# Lowers a grounded game to the core -----------------------------------------------------------------------------------


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
        return tuple(_variables(self.instance, self.horizon))

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
        domain = evaluator.algebra.scope(partial(evaluator.searched, parameter, env))
        env = {**env, parameter.name: local}
        where = None if parameter.where is None else evaluator.whole(parameter.where, env)
        parameters.append(Parameter(parameter.name, domain, where, span=parameter.span))

    def lowered(requirements: Iterable[game.Requirement]) -> tuple[Requirement, ...]:
        return tuple(Requirement(each.name, evaluator.whole(each.condition, env), span=each.span) for each in requirements)

    done = effects_of(evaluator, action.effects, env)
    required, afterwards = lowered(action.requirements), lowered(action.afterwards)
    return Action(action.name, tuple(parameters), required, done, afterwards, span=action.span)


def _variables(instance: Instance, horizon: Horizon | None) -> Iterable[Variable]:
    if horizon is not None:
        yield Variable(counter_name(horizon.point), game.Storage.VALUE, None, range(horizon.times + 1), 0)
    for variable in instance.game.variables.values():
        index = None if variable.index is None else instance.domain(variable.index)
        values, none = value_range(instance, variable), least_value(instance, variable)
        yield Variable(variable.name, variable.storage, index, values, none, span=variable.span)


def _space(tables: Tables, name: str) -> Space:
    window: Window = tables.instance.windows[name]
    step, opposite, clockwise = f"{name}_step", f"{name}_opposite", f"{name}_clockwise"
    tables.maps[step] = Map(window.steps, window.nowhere, 2)
    tables.maps[opposite] = Map((window.opposite,), -1)
    tables.maps[clockwise] = Map((window.clockwise,), -1)
    straight = window.shape is not Shape.GRAPH
    return Space(window.size, step, opposite, clockwise, window.around, straight, bool(window.periods))
