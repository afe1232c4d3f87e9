"""Builds a position from a puzzle's tree and a linked game."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import RulesError, Sink
from rulewright.grammar.tree import puzzles
from rulewright.rules.linking.questions import question_of
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import OVER, State
from rulewright.rules.play.coordinates import from_coordinates
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.given_plans import FollowedGame
from rulewright.rules.play.unseen_piles import UnseenPiles

from .checks import check_answer, check_invariants, check_tiles
from .extents import needed_extents
from .given_plans import read_given_plans
from .hidden_state import hidden_state
from .notation.value_notation import ValueNotation
from .position import Position
from .position_builder import PositionBuilder
from .setup_cache import cached_beginning, cached_engine, cached_setup
from .start_points import read_start, turn_variable
from .unrolled import unrolled
from .unseen_order import unseen_order


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
    check_answer(puzzle, sink)
    plans = read_given_plans(puzzle, engine, sink)
    unseen = frozenset[str]()
    if question is not None:
        unseen = unseen_order(puzzle, engine, state, question, sink)
        question = evolve(
            question,
            open_state=hidden_state(puzzle, engine, state, question, sink),
            unrolled=()
            if _is_beginning(puzzle)
            else unrolled(engine, state, question, {name for name, _ in builder.value_spans}),
        )
    sink.stop()
    if question is None or not (plans or unseen):
        return Position(puzzle, engine, state, question)
    reduced = FollowedGame(engine, plans) if plans else UnseenPiles(engine, unseen)
    return Position(puzzle, engine, state, reduced.question(question), reduced)


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
    coordinates.point = point
    variable = turn_variable(engine, None if point == OVER else engine.choices[point])
    if variable is not None:
        coordinates.values[variable, None] = player
