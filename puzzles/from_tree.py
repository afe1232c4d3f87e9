"""Builds a position from a puzzle's tree and a linked game: boards and values, the point of the flow where it starts, given
plans, what chance has drawn before the first choice, and the piles whose order nobody knows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

from rulewright.base.diagnostics import Label, RulesError, Sink, did_you_mean
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.declarations import Visibility
from rulewright.grammar.tree.puzzles import GivenPlan, Others, Puzzle
from rulewright.rules.linking.questions import Before, Question, question_of, who_plays
from rulewright.rules.model import effects as ef
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Storage
from rulewright.rules.model.state import OVER, POINT, State
from rulewright.rules.model.terms import Drawn, Read
from rulewright.rules.play.coordinates import from_coordinates
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.given_plans import FollowedGame, GivenAction, read_plan
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.unseen_piles import UnseenPiles, hidden_piles, shuffled_piles
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    RunProcedure,
    end_of_set_up,
    entries_of,
    reachable_in_play,
)
from rulewright.rules.static.dataflow import DataflowAnalysis

from .checks import check_answer, check_invariants, check_tiles, with_hidden_state
from .notation.value_notation import ValueNotation
from .position import Position
from .position_builder import PositionBuilder
from .set_ups import cached_beginning, cached_engine, cached_setup, needed_extents


def set_up_position(puzzle: puzzles.Puzzle, game: Game) -> Position:
    """The position of a puzzle, in windows that hold it and the tiles still to be placed.

    Variables that the puzzle does not mention have their values after a set-up with seed 0; a puzzle that mentions nothing is
    the game at its first choice. Raises `RulesError`: RW300-RW330, RW334.
    """
    sink = Sink()
    players = _players(puzzle, game, sink)
    sink.stop()
    widest = cached_engine(game, players)
    builder = _builder(puzzle, widest, sink)
    engine = widest
    if any(window.unbounded for window in widest.instance.windows.values()):
        engine = Engine.of(game, players, needed_extents(game, builder.coordinates, builder.drawn_corners))
    state = _finish(puzzle, builder, engine, sink)
    question = None
    if puzzle.ask is not None:
        try:
            question = question_of(game, puzzle.ask, players)
        except RulesError as error:
            sink.diagnostics += error.diagnostics
    before, state = _comes_to_choice(puzzle, engine, question, state, sink)
    if question is not None and before is not None:
        question = evolve(question, before=before)
    check_answer(puzzle, sink)
    plans = read_given_plans(puzzle, engine, sink)
    unseen = frozenset[str]()
    if question is not None:
        unseen = unseen_order(puzzle, engine, state, question, sink)
        question = with_hidden_state(puzzle, engine, state, question, _is_beginning(puzzle), sink)
        if not _is_beginning(puzzle) and before is None:
            given = {name for name, _ in builder.value_spans}
            question = evolve(question, unrolled=unrolled(engine, state, question, given))
    sink.stop()
    if question is None or not (plans or unseen):
        return Position(puzzle, engine, state, question)
    reduced = FollowedGame(engine, plans) if plans else UnseenPiles(engine, unseen)
    if question.before is not None:
        question = evolve(question, before=evolve(question.before, state=reduced.state(question.before.state)))
    return Position(puzzle, engine, state, reduced.question(question), reduced)


def _comes_to_choice(
    puzzle: puzzles.Puzzle, engine: Engine, question: Question | None, state: State, sink: Sink
) -> tuple[Before | None, State]:
    """Where a puzzle starts `before` a point, and the state at the first choice, to which play comes by the seed; else None and
    the state. Reports the errors of play."""
    start = puzzle.start
    if start is None or not start.is_before:
        return None, state
    try:
        played = ReferenceEngine(engine.with_horizon(question.horizon if question else None))
        return Before(start.point, state), played.come_to(start.point, state)
    except RulesError as error:
        sink.diagnostics += error.diagnostics
        return None, state


def _players(puzzle: puzzles.Puzzle, game: Game, sink: Sink) -> int:
    low, high = game.players.low, game.players.high
    players = puzzle.players if puzzle.players is not None else low
    if puzzle.players is None and low != high:
        message = "the puzzle does not give the number of players"
        sink.error("RW300", message, puzzle.span, help=f"add a line `players {low}`")
    elif not low <= players <= high:
        message = f"this game is for {game.players}, not {players}"
        sink.error("RW300", message, puzzle.players_span, help=f"write `players {min(max(players, low), high)}`")
    return players


def _builder(puzzle: puzzles.Puzzle, engine: Engine, sink: Sink) -> PositionBuilder:
    """A builder that has read the puzzle's drawings and settings."""
    from_where = cached_beginning if _is_beginning(puzzle) else cached_setup
    coordinates = from_where(engine.game, engine.instance.players)
    builder = PositionBuilder(ValueNotation(engine, sink), coordinates, sink)
    builder.read(puzzle)
    sink.stop()
    return builder


def _is_beginning(puzzle: puzzles.Puzzle) -> bool:
    """Whether a puzzle gives nothing of its position."""
    return puzzle.start is None and not (puzzle.drawings or puzzle.settings)


def _finish(puzzle: puzzles.Puzzle, builder: PositionBuilder, engine: Engine, sink: Sink) -> State:
    """The state in an engine's windows, with its start set and its checks passed."""
    _start(puzzle, builder, engine, sink)
    if not puzzle.allow_impossible:
        check_tiles(builder, sink)
    sink.stop()
    state = from_coordinates(engine, builder.coordinates)
    if not puzzle.allow_impossible:
        check_invariants(builder, engine, state, puzzle, sink)
    return state


def _start(puzzle: puzzles.Puzzle, builder: PositionBuilder, engine: Engine, sink: Sink) -> None:
    coordinates = builder.coordinates
    if puzzle.start is None:
        coordinates.point = cached_beginning(engine.game, engine.instance.players).point
        return
    point = read_start(engine, puzzle.start, sink)
    player = builder.notation.player(puzzle.start.player, puzzle.start.span)
    if point is None or player is None:
        return
    if puzzle.start.is_before:
        _check_entry(puzzle.start, engine, sink)
    coordinates.point = point
    variable = turn_variable(engine, None if point == OVER else engine.choices[point])
    if variable is not None:
        coordinates.values[variable, None] = player


def _check_entry(start: puzzles.Start, engine: Engine, sink: Sink) -> None:
    """Report RW325 if a puzzle starts before what is no point of the flow, or before the end of the set-up."""
    entry = entries_of(engine.instance, engine.layout).get(start.point)
    if entry is None:
        message = f"`{start.point}` is a choice inside a point, and play comes to points"
        sink.error("RW325", message, start.span, help="name a point of the flow, as in `start: before turn of 1`")
    elif entry < end_of_set_up(engine.flow):
        message = f"`{start.point}` begins with the set-up of the game"
        sink.error("RW325", message, start.span, help="begin the flow with a procedure `set_up`, or leave `start` out")


def read_given_plans(puzzle: Puzzle, engine: Engine, sink: Sink) -> dict[int, tuple[GivenAction, ...]]:
    """The actions of each player with a plan, by player number.

    Reports RW373 (plans without the question's words for them, or vice versa), RW370 (no such player), and RW350 or RW351 for
    an unreadable action.
    """
    asked = None if puzzle.ask is None else puzzle.ask.others
    if asked is not None and asked.play is Others.GIVEN and not puzzle.given:
        message = "the question is asked with given plans, but the puzzle has no line `plan of …`"
        sink.error("RW373", message, asked.span, help="add a line such as `plan of 2: ACTION, ACTION`")
    if puzzle.given and (asked is None or asked.play is not Others.GIVEN):
        labels = () if puzzle.ask is None else (Label(puzzle.ask.span, "the question"),)
        message = f"the question does not use the plan of player {puzzle.given[0].player}"
        help = f"end the question with `{Others.GIVEN.value}`, or delete the plan"
        sink.error("RW373", message, puzzle.given[0].span, *labels, help=help)
        return {}
    found = ((given.player, _read(given, engine, sink)) for given in puzzle.given)
    return dict(sorted((player, plan) for player, plan in found if plan is not None))


def _read(given: GivenPlan, engine: Engine, sink: Sink) -> tuple[GivenAction, ...] | None:
    players = engine.instance.players
    if not 1 <= given.player <= players:
        sink.error("RW370", f"there is no player {given.player}", given.span, help=who_plays(players))
        return None
    try:
        return read_plan(engine, given.actions, given.span)
    except RulesError as error:
        sink.diagnostics += error.diagnostics
        return None


def unrolled(engine: Engine, state: State, question: Question, given: Container[str]) -> tuple[str, ...]:
    """The variables that matter to a question, that no play leaves undrawn on its way to the choice at which it begins, and
    that are not among those `given`: dice that are not rolled yet. In the order of the text."""
    if state[POINT] == OVER:
        return ()
    drawn = {name for body in engine.game.procedures.values() for name in _draws(body)}
    left_out = [name for name in engine.game.variables if name in drawn and name not in given]
    always = [name for name in left_out if not _is_reached_without(engine, name, state[POINT])]
    if not always:  # most games draw nothing
        return ()
    live = DataflowAnalysis(engine, question.terms, state).live_variables
    return tuple(name for name in always if name in live)


def _is_reached_without(engine: Engine, name: str, choice: int) -> bool:
    """Whether the flow can come from the end of set-up to a choice without a procedure that draws a variable."""
    procedures, end = engine.game.procedures, end_of_set_up(engine.flow)
    flow = [
        Halt() if isinstance(step, RunProcedure) and name in _draws(procedures[step.procedure]) else step
        for step in engine.flow
    ]
    return any(flow[at] == engine.choices[choice] for at in reachable_in_play(flow, end))


def _draws(body: Sequence[ef.EffectClause]) -> Iterator[str]:
    """The variables that effects draw at random whatever the state."""
    for clause in body:
        match clause.effect:
            case ef.Assign(target, _, Drawn()):
                yield target.variable
            case ef.ForEach(_, inner) | ef.Keep(_, _, inner):
                yield from _draws(inner)


def unseen_order(puzzle: puzzles.Puzzle, engine: Engine, state: State, question: Question, sink: Sink) -> frozenset[str]:
    """The relevant hidden piles in random order: `rest, seed 7`, or shuffled by the rules. Listed piles are known.

    Reports RW383 for a pile known only in part, or whose order only its owner knows.
    """
    if not question.in_expectation:
        return frozenset()
    live = DataflowAnalysis.of(engine, question, state).live_variables
    hidden = hidden_piles(engine) & live
    unseen = {name for name in shuffled_piles(engine) if name in hidden}
    known = Counter[str]()
    spans: dict[str, Span] = {}
    for setting in puzzle.settings:
        if setting.name not in live or setting.name not in engine.game.variables:
            continue
        variable = engine.game.variables[setting.name]
        seeded = any(isinstance(value, puzzles.Rest) and value.seed is not None for value in setting.values)
        if variable.storage is not Storage.PILE or setting.open_to_all or variable.visibility is Visibility.OPEN:
            known[setting.name] += 1
            continue
        spans[setting.name] = setting.span
        if seeded and (variable.visibility is Visibility.OWNER or len(setting.values) > 1):
            _refuse(setting.name, setting.span, question, sink)
        elif seeded:
            unseen.add(setting.name)
        elif len(setting.values) > 1:
            known[setting.name] += 1
    for name in unseen & known.keys():
        if known[name] < engine.layout.columns[name].count:
            _refuse(name, spans.get(name, question.span), question, sink)
    return frozenset(unseen) - known.keys()


def _refuse(pile: str, span: Span, question: Question, sink: Sink) -> None:
    message = f"the order of `{pile}` is only partly known, which is not supported in expectation"
    help = "list all of its tiles, or, for a face-down pile, only `rest`"
    sink.error("RW383", message, span, Label(question.span, "the question"), help=help)


def turn_variable(engine: Engine, choice: ChoicePoint | None) -> str | None:
    """The variable that holds the player to move at a choice (or once the game is over); None if it is not a single
    variable."""
    if choice is None:
        return next((v.name for v in engine.game.variables.values() if v.is_loop and v.type == types.Player()), None)
    match choice.by:
        case Read(variable, ()):
            return variable
        case _:
            return None


def read_start(engine: Engine, start: puzzles.Start, sink: Sink) -> int | None:
    """The number of the choice; None if an error was reported (RW325)."""
    names = engine.choice_numbers
    if start.point in names:
        return names[start.point]
    points = [point for choice in engine.choices for point in choice.points]
    help = did_you_mean(start.point, list(names)) or (f"points of the flow: {', '.join(points)}" if points else "")
    sink.error("RW325", f"the flow has no point `{start.point}` with a choice", start.span, help=help)
    return None


def write_start(engine: Engine, point: int, values: Mapping[tuple[str, int | None], object]) -> puzzles.Start:
    """The start that denotes that choice and player."""
    variable = turn_variable(engine, None if point == OVER else engine.choices[point])
    player = values[variable, None] if variable is not None else 1
    return puzzles.Start(engine.choice_name(point), player if isinstance(player, int) else 1)
