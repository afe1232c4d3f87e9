"""The entrance: from a puzzle's tree and a linked game to a position."""

from __future__ import annotations

from ..grammar import scenarios as p
from ..grammar.diagnostics import RulesError, Sink
from ..grammar.from_text import parse_puzzle
from ..rules.engine import Engine
from ..rules.game import Game
from ..rules.layout import OVER, State
from ..rules.questions import question_of
from .checks import check_invariants, check_tiles
from .draft import Draft
from .position import Position
from .ready import ready_engine, ready_sheet
from .sheet import extents_of, state_of
from .starts import chooser, read_start
from .values import Vocabulary


def set_up_position(puzzle: p.Puzzle, game: Game) -> Position:
    """The position of a puzzle, in windows that hold it and the tiles to come.

    What the puzzle does not mention has its value after a set-up by chance of seed 0. Raises `RulesError`: RW300-RW330.
    """
    sink = Sink()
    players = _players(puzzle, game, sink)
    sink.stop()
    ready = ready_engine(game, players)
    draft = _draft(puzzle, ready, sink)
    engine = ready
    if any(window.unbounded for window in ready.ground.windows.values()):
        engine = Engine.of(game, players, extents_of(game, draft.sheet, draft.drawn))
    state = _finish(puzzle, draft, engine, sink)
    question = None
    if puzzle.ask is not None:
        try:
            question = question_of(game, puzzle.ask)
        except RulesError as error:
            sink.diagnostics += error.diagnostics
    sink.stop()
    return Position(puzzle, engine, state, question)


def read_state(engine: Engine, text: str, source: str) -> State:
    """The state that a puzzle's text stands for on an engine that is there already; its rules are not looked at.

    Raises `RulesError` as `set_up_position` does, and RW314 for a cell outside of the engine's windows.
    """
    puzzle, sink = parse_puzzle(text, source), Sink()
    draft = _draft(puzzle, engine, sink, fixed=True)
    state = _finish(puzzle, draft, engine, sink)
    sink.stop()
    return state


def _players(puzzle: p.Puzzle, game: Game, sink: Sink) -> int:
    low, high = game.players.low, game.players.high
    players = puzzle.players if puzzle.players is not None else low
    if puzzle.players is None and low != high:
        message = "the puzzle does not say for how many players it is"
        sink.error("RW300", message, puzzle.span, help=f"add a line `players {low}`")
    elif not low <= players <= high:
        message = f"this game is for {game.players}, not {players}"
        sink.error("RW300", message, puzzle.players_span, help=f"write `players {min(max(players, low), high)}`")
    return players


def _draft(puzzle: p.Puzzle, engine: Engine, sink: Sink, fixed: bool = False) -> Draft:
    """What the puzzle says, on the sheet of the game after set-up."""
    sheet = ready_sheet(engine.game, engine.ground.players)
    draft = Draft(Vocabulary(engine, sink, fixed), sheet, sink)
    draft.enter(puzzle)
    sink.stop()
    return draft


def _finish(puzzle: p.Puzzle, draft: Draft, engine: Engine, sink: Sink) -> State:
    """The state in the windows of an engine, started and checked."""
    _start(puzzle, draft, engine, sink)
    if not puzzle.allow_impossible:
        check_tiles(draft, sink)
    sink.stop()
    state = state_of(engine, draft.sheet)
    if not puzzle.allow_impossible:
        check_invariants(draft, engine, state, puzzle, sink)
    return state


def _start(puzzle: p.Puzzle, draft: Draft, engine: Engine, sink: Sink) -> None:
    sheet = draft.sheet
    if puzzle.start is None:
        if sheet.point == OVER and engine.choices:
            sheet.point = 0
        return
    point = read_start(engine, puzzle.start, sink)
    player = draft.vocabulary.player(puzzle.start.player, puzzle.start.span)
    if point is None or player is None:
        return
    sheet.point = point
    variable = chooser(engine, None if point == OVER else engine.choices[point])
    if variable is not None:
        sheet.values[variable, None] = player
