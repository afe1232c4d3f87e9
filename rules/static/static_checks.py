"""What is wrong with a game whose names and types are right: rules that never apply, sums without end, endless loops."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.diagnostics import Label, RulesError, Sink
from rulewright.rules.linking.declarations import sample_window
from rulewright.rules.model import game as model
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import empty_state, layout_of
from rulewright.rules.model.traversal import parts_of
from rulewright.rules.semantics.concrete_algebra import ConcreteAlgebra
from rulewright.rules.semantics.cost_bounds import check_cost, steps_of
from rulewright.rules.semantics.evaluator import Evaluator

from .abstract_algebra import AbstractAlgebra, AbstractSet, AbstractValue, anything, exactly
from .open_space_evaluator import OpenSpaceEvaluator
from .termination import possibly_endless

MOST_STEPS = 100_000
"""Conditions that take more are not looked at closely."""


def check_game(game: model.Game) -> Sink:
    """Look for mistakes in a linked game.

    Errors: RW260 (a requirement never holds), RW261 (infinitely many cells), RW262 (a loop without a choice or an end),
    RW263 (two exceptions apply at once to a tile). Warnings: RW264 (an action is never offered), RW265 (cannot see that a
    choice ends).
    """
    sink = Sink()
    _unbounded_domains(game, sink)
    if not sink.errors:
        _costs(game, sink)
    _loops(game, sink)
    _offered(game, sink)
    if not sink.errors:
        _never(game, sink)
        _clashes(game, sink)
    return sink


def _every_term(game: model.Game) -> Iterator[object]:
    yield from game.definitions.values()
    yield from game.actions.values()
    yield from game.procedures.values()
    yield game.flow
    yield game.scores
    yield game.invariants


def _unbounded_domains(game: model.Game, sink: Sink) -> None:
    """A set of all cells of a space without bounds must be narrowed to those with a tile."""
    instance = Instance(game, game.players.low, {n: sample_window(s) for n, s in game.spaces.items()})
    layout = layout_of(instance)
    reading = Evaluator(instance, ConcreteAlgebra(layout, empty_state(instance, layout)))
    for binder in _binders(game):
        if not isinstance(binder.domain, terms.AllCells):
            continue
        space = game.spaces[binder.domain.space]
        if not space.size and not space.edges and not reading.only_occupied(binder):
            sink.error(
                "RW261",
                f"`{binder.name}` ranges over infinitely many cells",
                binder.span,
                Label(space.span, f"`{space.name}` has no bounds"),
                help=f"add `where occupied({binder.name})`, or give the space a size",
            )


def _binders(game: model.Game) -> Iterator[terms.Binder]:
    """Everything that ranges over a set: bound names and parameters."""
    pending: list[object] = list(_every_term(game))
    while pending:
        here = pending.pop()
        if isinstance(here, terms.Binder):
            yield here
        if isinstance(here, model.Parameter):
            yield terms.Binder(here.name, here.domain, here.where, here.type, span=here.span)
        pending += parts_of(here)


def _flow_nodes(body: tuple[model.Flow, ...]) -> Iterator[model.Flow]:
    for node in body:
        yield node
        if isinstance(node, model.Repeat | model.Each | model.Branch | model.Point):
            yield from _flow_nodes(node.body)
        if isinstance(node, model.Branch):
            yield from _flow_nodes(node.otherwise)


def _costs(game: model.Game, sink: Sink) -> None:
    windows = {name: sample_window(space) for name, space in game.spaces.items()}
    try:
        check_cost(Instance(game, game.players.high, windows))
    except RulesError as error:
        sink.diagnostics += error.diagnostics


def _loops(game: model.Game, sink: Sink) -> None:
    for node in _flow_nodes(game.flow):
        if not isinstance(node, model.Repeat):
            continue
        choices = [inner for inner in _flow_nodes(node.body) if isinstance(inner, model.Choose)]
        if not choices and (node.until is None or isinstance(node.until, terms.Constant)):
            sink.error("RW262", "this repetition has no choice inside and no end", node.span, help="say `repeat until …`")
        for choice in node.body:
            if isinstance(choice, model.Choose):
                names = possibly_endless(game, choice)
                if names:
                    listed = ", ".join(f"`{name}`" for name in names)
                    sink.warn(
                        "RW265",
                        f"cannot see that {listed} cannot be chosen for ever",
                        choice.span,
                        help="let it use something up: a tile, a number that counts down, a flag",
                    )


def _offered(game: model.Game, sink: Sink) -> None:
    offered = {name for node in _flow_nodes(game.flow) if isinstance(node, model.Choose) for name in node.actions}
    for action in game.actions.values():
        if action.name not in offered:
            sink.warn(
                "RW264",
                f"the flow never offers `{action.name}`",
                action.span,
                help=f"add it to a choice: `choose …, {action.name}`",
            )


def _readings(game: model.Game) -> Iterator[Evaluator[AbstractValue, AbstractSet]]:
    """For each number of players, a reading in which everything is unknown."""
    windows = {name: sample_window(space) for name, space in game.spaces.items()}
    for players in range(game.players.low, game.players.high + 1):
        instance = Instance(game, players, windows)
        cautious = AbstractAlgebra(instance, layout_of(instance), {}, frozenset())
        yield OpenSpaceEvaluator(instance, cautious)


def _never(game: model.Game, sink: Sink) -> None:
    readings = list(_readings(game))
    for action in game.actions.values():
        types = {p.name: p.type for p in action.parameters}
        for requirement in action.requirements:
            if steps_of(readings[0].instance, requirement.condition, types) > MOST_STEPS:
                continue
            able = False
            for reading in readings:
                env = {p.name: anything(reading.instance, p.type) for p in action.parameters}
                able = able or not reading.value(requirement.condition, env).never
            if not able:
                sink.error(
                    "RW260",
                    f"`{requirement.name}` can never hold, so `{action.name}` is never legal",
                    requirement.span,
                    Label(action.span, "in this action"),
                    help="mend the condition, or drop the action",
                )


def _clashes(game: model.Game, sink: Sink) -> None:
    """Two exceptions that both hold of one kind of tile, whatever else is so."""
    instance = next(_readings(game)).instance
    for definition in game.definitions.values():
        for name, type in definition.parameters:
            if not isinstance(type, types.Cell | types.Tile) or (
                isinstance(type, types.Cell) and type.space not in game.variables
            ):
                continue
            known = dict(definition.parameters)
            steps = sum(steps_of(instance, case.when, known) for case in definition.cases) * len(game.tiles)
            if len(definition.cases) < 2 or steps > MOST_STEPS:
                continue
            others = {n: anything(instance, k) for n, k in definition.parameters if n != name}
            for number, kind in enumerate(game.tiles, 1):
                _clash_of(instance, definition, name, type, number, kind.name, others, sink)


def _clash_of(
    instance: Instance,
    definition: model.Definition,
    name: str,
    type: types.Type,
    number: int,
    kind: str,
    others: dict[str, AbstractValue | AbstractSet],
    sink: Sink,
) -> None:
    boards: dict[str, list[int]] = {}
    value = exactly(number)
    if isinstance(type, types.Cell):
        boards[type.space] = [number] * instance.windows[type.space].size + [0]
        value = exactly(0)
    reading = OpenSpaceEvaluator(instance, AbstractAlgebra(instance, layout_of(instance), boards, frozenset()))
    env = {**others, name: value}
    applying = [case for case in definition.cases if reading.value(case.when, env).always]
    if len(applying) > 1:
        one, other = applying[:2]
        sink.error(
            "RW263",
            f"`{one.name}` and `{other.name}` both apply to `{kind}`",
            other.span,
            Label(one.span, "the other exception"),
            help="make one an exception to the other, or let its `when` leave the other out",
        )
