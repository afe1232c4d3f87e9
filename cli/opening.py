"""Where play begins: the position of a puzzle, or a game after its set-up."""

from __future__ import annotations

from ..grammar.classes import frozen
from ..grammar.scenarios import Ask, Goal, Puzzle
from ..puzzles.position import Position
from ..rules.engine import Engine, State
from ..rules.game import Game
from .refusals import USAGE, refusal
from .state_lines import Viewer
from .text import counted


@frozen
class Opening:
    """`position` is None for a game. The engine of a puzzle ends where its question's horizon does."""

    title: str
    text: str
    engine: Engine
    state: State
    viewer: Viewer
    position: Position | None = None


def of_position(position: Position, players: int | None) -> Opening:
    """The opening of a puzzle, which has its number of players."""
    puzzle, here = position.puzzle, position.engine.ground.players
    if players not in (None, here):
        raise refusal(USAGE, f"`{puzzle.name}` is a puzzle for {counted(here, 'player')}, not for {players}")
    return Opening(puzzle.name, puzzle.text, position.asked, position.state, viewer_of(puzzle), position)


def of_game(game: Game, players: int | None, seed: int) -> Opening:
    """The opening of a game, for the fewest players unless said otherwise."""
    engine = Engine.of(game, game.players.low if players is None else players)
    return Opening(" + ".join(game.roots), game.text, engine, engine.start(seed), Viewer())


def viewer_of(puzzle: Puzzle) -> Viewer:
    """What a puzzle lets everybody see: its zones that close with `open`."""
    return Viewer(frozenset(setting.name for setting in puzzle.settings if setting.open_to_all))


def describe_ask(ask: Ask) -> str:
    """What is asked, in words: `maximise score for 2 turns`."""
    until = "until end" if ask.turns is None else f"for {ask.turns} {ask.point}{'s' if ask.turns > 1 else ''}"
    match ask.goal:
        case Goal.MAXIMISE | Goal.MINIMISE:
            return f"{ask.goal.value} {asked_value(ask)} {until}"
        case Goal.REACH:
            return f"reach {asked_value(ask)} >= {ask.threshold} {until}"
        case Goal.COUNT_BEST:
            return f"{ask.goal.value} {until}"


def asked_value(ask: Ask) -> str:
    """What is to be great or small: `score`, or an expression."""
    if ask.value is None:
        return "score"
    from ..grammar.print_expressions import print_expression

    return print_expression(ask.value)
