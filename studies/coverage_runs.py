"""Rule coverage: the clauses of the rules that a puzzle or a saved game exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, replay_saved_game
from rulewright.rules.play.coverage import Coverage, CoverageEngine
from rulewright.rules.play.engine import State
from rulewright.rules.play.move_notation import parse_move

from .evidence import Evidence

MOST_LINES = 1000
"""The most lines of play of a length that are followed. The reference engine, which counts what is covered, takes 29 ms for a
line of draughts: 7,361 of them took 212 s of processor time."""


def coverage_of(evidence: Evidence, catalogue: Catalogue) -> Coverage:
    """The coverage of a puzzle or a saved game. Raises `RulesError` if it cannot be played."""
    match evidence.content:
        case Puzzle() as puzzle:
            return _puzzle(puzzle, evidence, catalogue)
        case play:
            return _play(play, catalogue)


def _puzzle(puzzle: Puzzle, evidence: Evidence, catalogue: Catalogue) -> Coverage:
    """The coverage of the position, of its successors, and of its plans up to their first illegal action."""
    position = catalogue.set_up(puzzle, evidence.path)
    observer = CoverageEngine(position.engine)
    counts = puzzle.positions.counts if puzzle.positions else ()
    plies = max(1, sum(count <= MOST_LINES for count in counts) - 1)
    observer.look(position.state)
    _cover_successors(observer, position.state, plies)
    for plan in puzzle.plans:
        _follow(observer, position.state, plan.actions, observer.look)
    return observer.shown


def _cover_successors(observer: CoverageEngine, state: State, plies: int) -> None:
    """Cover the successors of a position to a depth in plies."""
    for move in observer.engine.legal(state) if plies else ():
        following = observer.act(state, move)
        observer.glance(following)
        _cover_successors(observer, following, plies - 1)


def _play(play: SavedGame, catalogue: Catalogue) -> Coverage:
    engine, state = begin_saved_game(play, catalogue)
    replay_saved_game(play, engine, state)
    observer = CoverageEngine(engine)
    if not play.begun:
        observer.start(play.seed)
    _follow(observer, state, [action.text for action in play.actions], observer.glance)
    return observer.shown


def _follow(observer: CoverageEngine, state: State, actions: Sequence[str], look: Callable[[State], None]) -> None:
    """Cover successive actions, up to the first illegal one."""
    look(state)
    for text in actions:
        try:
            move = parse_move(observer.engine, state, text)
        except RulesError:
            return
        state = observer.act(state, move)
        look(state)
