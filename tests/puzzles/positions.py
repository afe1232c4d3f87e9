"""What the tests of puzzles share: positions from text, by rules that ship or that stand in the test."""

from __future__ import annotations

from functools import cache
from textwrap import dedent

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import SEED, State
from rulewright.rules.play.coordinates import from_coordinates, to_coordinates
from rulewright.rules.play.engine import Engine
from tests.paths import POSITIONS

PROJECT = Project(POSITIONS)
CATALOGUE = Catalogue(PROJECT)
SEA = "beacon_patrol"


def position(text: str, game: Game | None = None) -> Position:
    """The position of a puzzle's text; by the rules that it names when no game is given."""
    puzzle = parse_puzzle(text, "here.puzzle")
    return set_up_position(puzzle, game if game is not None else PROJECT.load_names(puzzle.rules))


def read_state(engine: Engine, text: str, source: str) -> State:
    """The state that a puzzle's text denotes, in the windows of an engine."""
    there = set_up_position(parse_puzzle(text, source), engine.game)
    return from_coordinates(engine, to_coordinates(there.engine, there.state))


def at_sea(body: str, players: int = 1) -> Position:
    """A position of the shipped game from what follows the puzzle's head."""
    return position(at_sea_text(body, players))


def at_sea_text(body: str, players: int = 1) -> str:
    return f"puzzle here:\n    rules {SEA}\n    players {players}\n" + indented(body)


def indented(body: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in dedent(body).strip("\n").splitlines())


@cache
def game_of(text: str) -> Game:
    """The game of one module."""
    module = parse_module(text, "here.rules")
    return link({module.header.name: module}, [module.header.name])


def drawn(text: str, body: str) -> Position:
    """A position of the game of one module from what follows the puzzle's head."""
    return position("puzzle here:\n    rules here\n" + indented(body), game_of(text))


def tiles_at(position: Position, space: str) -> dict[tuple[int, ...], str]:
    """The names of the tiles on a space by coordinate."""
    engine, window = position.engine, position.engine.instance.windows[space]
    column = position.state[engine.layout.columns[space].start]
    return {window.coordinates[cell]: engine.game.tiles[t - 1].name for cell, t in enumerate(column[:-1]) if t}


def value(position: Position, name: str, index: int | None = None) -> object:
    """What a state holds for a variable; a cell as its coordinate."""
    engine = position.engine
    held = position.state[engine.layout.position(name, index)]
    window = engine.instance.windows.get(getattr(engine.game.variables[name].type, "space", ""))
    return held if window is None or held == window.nowhere else window.coordinates[held]


def zone(position: Position, name: str, index: int | None = None) -> list[str]:
    """The names of the tiles in a zone, in order."""
    engine = position.engine
    return [engine.game.tiles[t - 1].name for t in position.state[engine.layout.position(name, index)]]


def written(engine: Engine, state: State) -> str:
    return write_position(engine, state, "here", engine.game.roots)


def without_chance(state: State) -> State:
    return (*state[:SEED], 0, *state[SEED + 1 :])


def flaws(text: str, game: Game | None = None) -> tuple[Diagnostic, ...]:
    """What is wrong with a puzzle; nothing when it stands for a position."""
    try:
        position(text, game)
    except RulesError as error:
        return error.diagnostics
    return ()
