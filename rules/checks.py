"""What is wrong with a game whose names and types are right: rules that never apply, sums without end, endless loops."""

from __future__ import annotations

from collections.abc import Iterator

from ..grammar.diagnostics import Label, RulesError, Sink
from . import game as g
from . import terms as t
from . import types
from .concrete import Concrete
from .cost import check_cost, steps_of
from .declarations import sample_window
from .evaluator import Evaluator
from .ground import Ground
from .layout import blank, lay_out
from .possible import Cautious, Possible, PossibleSet, anything, exactly
from .termination import endless
from .unplaced import Unplaced
from .walking import parts_of

MOST_STEPS = 100_000
"""Conditions that take more are not looked at closely."""


def check_game(game: g.Game) -> Sink:
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


def _every_term(game: g.Game) -> Iterator[object]:
    yield from game.definitions.values()
    yield from game.actions.values()
    yield from game.procedures.values()
    yield game.flow
    yield game.scores
    yield game.invariants


def _unbounded_domains(game: g.Game, sink: Sink) -> None:
    """A set of all cells of a space without bounds must be narrowed to those with a tile."""
    ground = Ground(game, game.players.low, {n: sample_window(s) for n, s in game.spaces.items()})
    layout = lay_out(ground)
    reading = Evaluator(ground, Concrete(layout, blank(ground, layout)))
    for bound in _bounds(game):
        if not isinstance(bound.domain, t.Cells):
            continue
        space = game.spaces[bound.domain.space]
        if not space.size and not space.edges and not reading.only_occupied(bound):
            sink.error(
                "RW261",
                f"`{bound.name}` ranges over infinitely many cells",
                bound.span,
                Label(space.span, f"`{space.name}` has no bounds"),
                help=f"add `where occupied({bound.name})`, or give the space a size",
            )


def _bounds(game: g.Game) -> Iterator[t.Bound]:
    """Everything that ranges over a set: bound names and parameters."""
    pending: list[object] = list(_every_term(game))
    while pending:
        here = pending.pop()
        if isinstance(here, t.Bound):
            yield here
        if isinstance(here, g.Parameter):
            yield t.Bound(here.name, here.domain, here.where, here.type, span=here.span)
        pending += parts_of(here)


def _flow_nodes(body: tuple[g.Flow, ...]) -> Iterator[g.Flow]:
    for node in body:
        yield node
        if isinstance(node, g.Repeat | g.Each | g.Branch | g.Point):
            yield from _flow_nodes(node.body)
        if isinstance(node, g.Branch):
            yield from _flow_nodes(node.otherwise)


def _costs(game: g.Game, sink: Sink) -> None:
    windows = {name: sample_window(space) for name, space in game.spaces.items()}
    try:
        check_cost(Ground(game, game.players.high, windows))
    except RulesError as error:
        sink.diagnostics += error.diagnostics


def _loops(game: g.Game, sink: Sink) -> None:
    for node in _flow_nodes(game.flow):
        if not isinstance(node, g.Repeat):
            continue
        choices = [inner for inner in _flow_nodes(node.body) if isinstance(inner, g.Choose)]
        if not choices and (node.until is None or isinstance(node.until, t.Constant)):
            sink.error("RW262", "this repetition has no choice inside and no end", node.span, help="say `repeat until …`")
        for choice in node.body:
            if isinstance(choice, g.Choose):
                names = endless(game, choice)
                if names:
                    listed = ", ".join(f"`{name}`" for name in names)
                    sink.warn(
                        "RW265",
                        f"cannot see that {listed} cannot be chosen for ever",
                        choice.span,
                        help="let it use something up: a tile, a number that counts down, a flag",
                    )


def _offered(game: g.Game, sink: Sink) -> None:
    offered = {name for node in _flow_nodes(game.flow) if isinstance(node, g.Choose) for name in node.actions}
    for action in game.actions.values():
        if action.name not in offered:
            sink.warn(
                "RW264",
                f"the flow never offers `{action.name}`",
                action.span,
                help=f"add it to a choice: `choose …, {action.name}`",
            )


def _readings(game: g.Game) -> Iterator[Evaluator[Possible, PossibleSet]]:
    """For each number of players, a reading in which everything is unknown."""
    windows = {name: sample_window(space) for name, space in game.spaces.items()}
    for players in range(game.players.low, game.players.high + 1):
        ground = Ground(game, players, windows)
        cautious = Cautious(ground, lay_out(ground), {}, frozenset())
        yield Unplaced(ground, cautious)


def _never(game: g.Game, sink: Sink) -> None:
    readings = list(_readings(game))
    for action in game.actions.values():
        types = {p.name: p.type for p in action.parameters}
        for requirement in action.requirements:
            if steps_of(readings[0].ground, requirement.condition, types) > MOST_STEPS:
                continue
            able = False
            for reading in readings:
                env = {p.name: anything(reading.ground, p.type) for p in action.parameters}
                able = able or not reading.value(requirement.condition, env).never
            if not able:
                sink.error(
                    "RW260",
                    f"`{requirement.name}` can never hold, so `{action.name}` is never legal",
                    requirement.span,
                    Label(action.span, "in this action"),
                    help="mend the condition, or drop the action",
                )


def _clashes(game: g.Game, sink: Sink) -> None:
    """Two exceptions that both hold of one kind of tile, whatever else is so."""
    ground = next(_readings(game)).ground
    for definition in game.definitions.values():
        for name, type in definition.parameters:
            if not isinstance(type, types.Cell | types.Tile) or (
                isinstance(type, types.Cell) and type.space not in game.variables
            ):
                continue
            known = dict(definition.parameters)
            steps = sum(steps_of(ground, case.when, known) for case in definition.cases) * len(game.tiles)
            if len(definition.cases) < 2 or steps > MOST_STEPS:
                continue
            others = {n: anything(ground, k) for n, k in definition.parameters if n != name}
            for number, kind in enumerate(game.tiles, 1):
                _clash_of(ground, definition, name, type, number, kind.name, others, sink)


def _clash_of(
    ground: Ground,
    definition: g.Definition,
    name: str,
    type: types.Type,
    number: int,
    kind: str,
    others: dict[str, Possible | PossibleSet],
    sink: Sink,
) -> None:
    boards: dict[str, list[int]] = {}
    value = exactly(number)
    if isinstance(type, types.Cell):
        boards[type.space] = [number] * ground.windows[type.space].size + [0]
        value = exactly(0)
    reading = Unplaced(ground, Cautious(ground, lay_out(ground), boards, frozenset()))
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
