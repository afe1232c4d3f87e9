"""Static checks of a linked game: rules that never apply, infinite sets, endless loops, rules that cost too much, a set-up that
breaks a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import Diagnostic, Label, RulesError, Sink
from rulewright.base.records import evolve
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Game, Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import layout_of
from rulewright.rules.model.traversal import flow_nodes, nodes_of
from rulewright.rules.semantics.cell_test import only_occupied
from rulewright.rules.semantics.cost_bounds import check_cost, steps_of

from .abstract_algebra import AbstractAlgebra, anything
from .abstract_values import exactly
from .borders import MOST_STEPS, OpenSpaceEvaluator, check_borders, sample_instance
from .exception_overlap import HELP
from .expectations import Expectations
from .look_checks import check_looks
from .termination import possibly_endless


def check_game(game: model.Game, expected: Expectations | None = None) -> Sink:
    """All static checks of a linked game.

    Errors: RW163 (an initial value out of range), RW260 (a requirement never holds), RW261 (infinitely many cells), RW262 (a
    loop without a choice or an end), RW263 (two exceptions apply at once to a tile). Warnings, unless expected: RW264 (an
    action is never offered), RW186 (a phase never run), RW187 (a `whenever` never triggered), RW189 (unused state), RW265 (no
    proof that a choice ends), RW269 (`every` near a border), RW280 (a look
    without effect).
    """
    sink, expected = Sink(), expected or Expectations(game)
    _unbounded_domains(game, sink)
    if not sink.errors:
        _costs(game, sink)
    _loops(game, expected, sink)
    _offered(game, expected, sink)
    _idle(game, expected, sink)
    _unused(game, expected, sink)
    check_borders(game, expected, sink)
    check_looks(game, sink)
    if not sink.errors:
        _never(game, sink)
        _clashes(game, sink)
        check_initial_values(game, sink)
    return sink


def _unbounded_domains(game: model.Game, sink: Sink) -> None:
    """RW261: a set of all cells of an unbounded space must be restricted to those with a tile."""
    instance = sample_instance(game, game.players.low)
    for binder in _binders(game):
        if not isinstance(binder.domain, terms.AllCells):
            continue
        space = game.spaces[binder.domain.space]
        if not space.size and not space.edges and not only_occupied(instance, binder):
            sink.error(
                "RW261",
                f"`{binder.name}` ranges over infinitely many cells",
                binder.span,
                Label(space.span, f"`{space.name}` has no bounds"),
                help=f"add `where occupied({binder.name})`, or give the space a size",
            )


def _binders(game: model.Game) -> Iterator[terms.Binder]:
    """Everything that ranges over a set: bound names and parameters."""
    clauses = (*game.definitions.values(), *game.actions.values(), *game.procedures.values())
    for node in nodes_of({}, *clauses, game.flow, game.scores, game.invariants):
        if isinstance(node, terms.Binder):
            yield node


def _costs(game: model.Game, sink: Sink) -> None:
    try:
        check_cost(sample_instance(game, game.players.high))
    except RulesError as error:
        sink.diagnostics += error.diagnostics


def _loops(game: model.Game, expected: Expectations, sink: Sink) -> None:
    for node in flow_nodes(game.flow):
        if not isinstance(node, model.Repeat):
            continue
        choices = [inner for inner in flow_nodes(node.body) if isinstance(inner, model.Choose)]
        if not choices and (node.until is None or isinstance(node.until, terms.Constant)):
            sink.error("RW262", "this repetition contains no choice and never ends", node.span, help="use `repeat until …`")
        for choice in node.body:
            if isinstance(choice, model.Choose):
                names = possibly_endless(game, choice, lambda name: expected.meet("RW265", name))
                if names:
                    listed = ", ".join(f"`{name}`" for name in names)
                    sink.warn(
                        "RW265",
                        f"cannot prove that {listed} cannot be chosen for ever",
                        choice.span,
                        help="let each action use something up, such as a tile, a counter or a flag; "
                        f'or accept the warning: `expect RW265 of {names[0]}: "…"`',
                    )


def _offered(game: model.Game, expected: Expectations, sink: Sink) -> None:
    offered = {name for node in flow_nodes(game.flow) if isinstance(node, model.Choose) for name in node.actions}
    for action in game.actions.values():
        if action.name not in offered and not expected.meet("RW264", action.name):
            sink.warn(
                "RW264",
                f"the flow never offers `{action.name}`",
                action.span,
                help=f"add it to a choice: `choose …, {action.name}`",
            )


def _idle(game: model.Game, expected: Expectations, sink: Sink) -> None:
    """RW186: a phase that the flow never runs; RW187: a `whenever` that no effect triggers."""
    for idle in game.idle:
        if idle.is_phase and not expected.meet("RW186", idle.name):
            help = f"write `{idle.name}` in the flow, on its own line"
            sink.warn("RW186", f"the phase `{idle.name}` never runs", idle.span, help=help)
        elif not idle.is_phase and not expected.meet("RW187", idle.name):
            help = "check that some effect matches the kind, the space and the zones of its pattern"
            sink.warn("RW187", f"`whenever {idle.name}` is never triggered", idle.span, help=help)


def _unused(game: model.Game, expected: Expectations, sink: Sink) -> None:
    """RW189: a variable or zone that nothing reads, changes or shows."""
    parts = (game.definitions.values(), game.actions.values(), game.procedures.values(), game.flow, game.scores)
    used = set[str]()
    for node in nodes_of({}, *map(tuple, parts), game.ranking, game.winner, game.invariants, tuple(game.looks.values())):
        match node:
            case terms.Read(name) | ef.Location(name):
                used.add(name)
    for variable in game.variables.values():
        is_derived = variable.is_board or variable.is_loop or variable.is_turn or variable.pieces or variable.name == model.BOX
        if not is_derived and variable.name not in used and not expected.meet("RW189", variable.name):
            help = f"remove `{variable.name}`, or use it; if other modules do, `expect` the warning"
            sink.warn("RW189", f"nothing uses `{variable.name}`", variable.span, help=help)


def _evaluator(instance: Instance, boards: Mapping[str, Sequence[int]]) -> OpenSpaceEvaluator:
    """An abstract interpreter that knows only the tiles on these boards."""
    return OpenSpaceEvaluator(instance, AbstractAlgebra(instance, layout_of(instance), boards))


def _never(game: model.Game, sink: Sink) -> None:
    """RW260, for every number of players."""
    counts = range(game.players.low, game.players.high + 1)
    evaluators = [_evaluator(sample_instance(game, players), {}) for players in counts]
    for action in game.actions.values():
        types = {p.name: p.type for p in action.parameters}
        envs = [{p.name: anything(one.instance, p.type) for p in action.parameters} for one in evaluators]
        for requirement in action.requirements:
            if steps_of(evaluators[0].instance, requirement.condition, types) > MOST_STEPS:
                continue
            if all(one.value(requirement.condition, env).never for one, env in zip(evaluators, envs, strict=True)):
                sink.error(
                    "RW260",
                    f"`{requirement.name}` can never hold, so `{action.name}` is never legal",
                    requirement.span,
                    Label(action.span, "in this action"),
                    help="correct the condition, or drop the action",
                )


def _clashes(game: model.Game, sink: Sink) -> None:
    """RW263: two exceptions that certainly both apply to one kind of tile."""
    instance = sample_instance(game, game.players.low)
    for definition in game.definitions.values():
        known = dict(definition.parameters)
        steps = sum(steps_of(instance, case.when, known) for case in definition.cases) * len(game.tiles)
        if len(definition.cases) < 2 or steps > MOST_STEPS:
            continue
        unknown = {name: anything(instance, type) for name, type in known.items()}
        for name, type in known.items():
            for number, kind in enumerate(game.tiles, 1):
                match type:
                    case types.Tile():
                        evaluator, value = _evaluator(instance, {}), exactly(number)
                    case types.Cell(space) if space in game.variables:
                        evaluator = _evaluator(instance, {space: [number] * instance.windows[space].size + [0]})
                        value = exactly(0)
                    case _:
                        break
                env = {**unknown, name: value}
                applying = [case for case in definition.cases if evaluator.value(case.when, env).always]
                if len(applying) > 1:
                    one, other = applying[:2]
                    message = f"the exceptions `{one.name}` and `{other.name}` both apply to `{kind.name}`"
                    sink.error("RW263", message, other.span, Label(one.span, "the other exception"), help=HELP)


SECONDS = 2.0
"""Most seconds for the set-ups of all numbers of players; those that take longer are not checked."""


def check_initial_values(game: Game, sink: Sink) -> None:
    """RW163: variables with an initial value out of range, for the fewest or for the most players."""
    if all(_begins_inside(variable) for variable in game.variables.values()):
        return
    from rulewright.rules.play.engine import Engine  # most games do not need it

    found: dict[tuple[Label, ...], Diagnostic] = {}
    for players in sorted({game.players.low, game.players.high}):
        try:
            _ = Engine.of(game, players).unset
        except RulesError as error:
            found = {flaw.labels: flaw for flaw in error.diagnostics} | found
    sink.diagnostics += sorted(found.values(), key=lambda flaw: [label.span.line for label in flaw.labels])


def check_set_up(game: Game, sink: Sink) -> None:
    """The errors of play that end the set-up with one seed, each once for all numbers of players."""
    from rulewright.rules.play.engine import Engine
    from rulewright.rules.play.reference_engine import ReferenceEngine  # compiling would take longer than playing once

    found: dict[tuple[Label, ...], Diagnostic] = {}
    with suppress(TimeUp), deadline(SECONDS):
        for players in range(game.players.low, game.players.high + 1):
            try:
                ReferenceEngine(Engine.of(game, players)).start(0)
            except RulesError as error:
                here = f"this happens while a game for {players} is set up"
                found = {
                    flaw.labels: evolve(flaw, help="; ".join(filter(None, (here, flaw.help)))) for flaw in error.diagnostics
                } | found
    sink.diagnostics += found.values()


def _begins_inside(variable: Variable) -> bool:
    """Whether a variable's initial value is obviously in its range."""
    match variable.initial:
        case None:
            return True
        case terms.Constant(value):
            return variable.type != types.Number() or variable.low <= value <= variable.high
        case _:
            return False
