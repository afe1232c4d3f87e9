"""One driver for all commands: what a name leads to, each pass made when first asked for, and only once."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen

from ..grammar.diagnostics import RulesError, nearest
from ..grammar.from_text import parse_puzzle
from ..grammar.scenarios import Puzzle
from ..puzzles.from_tree import set_up_position
from ..puzzles.position import Position
from ..rules.engine import Engine, State
from ..rules.game import Game
from ..rules.loading import Project, read_text
from .files import shown
from .puzzle_files import puzzle_files
from .refusals import FILE, USAGE, refusal
from .state_lines import Viewer
from .text import Line, Styled, line

PUZZLE, RULES = ".puzzle", ".rules"


@frozen
class Opening:
    """Where play begins: the position of a puzzle, or a game after its set-up."""

    title: str
    text: str
    engine: Engine
    state: State
    viewer: Viewer
    position: Position | None = None

    @property
    def of_puzzle(self) -> bool:
        return self.position is not None

    @property
    def notes(self) -> tuple[Line, ...]:
        """What a puzzle asks, for those who look at it."""
        if self.position is None or self.position.puzzle.ask is None:
            return ()
        from ..puzzles.to_text import write_ask

        return (line(), line(Styled(write_ask(self.position.puzzle.ask))))


@define
class Session:
    """What one argument names: a puzzle or modules, by path or by name; `A+B` are several modules."""

    name: str
    folder: Path = field(factory=Path.cwd)

    @cached_property
    def project(self) -> Project:
        """The current folder and what ships; for a file elsewhere, the folder that it is in."""
        path = Path(self.name)
        if path.is_file() and not path.resolve().is_relative_to(self.folder.resolve()):
            from ..rules.loading import SHIPPED

            if not path.resolve().is_relative_to(SHIPPED.resolve()):
                return Project(path.resolve().parent)
        return Project(self.folder)

    @cached_property
    def puzzle_path(self) -> Path | None:
        """The file of the puzzle that is named; None when the name is that of modules."""
        if _is_path(self.name):
            path = Path(self.name)
            return path if path.suffix == PUZZLE else None
        return puzzle_files(self.project).get(self.name)

    @cached_property
    def is_puzzle(self) -> bool:
        return self.puzzle_path is not None

    @cached_property
    def puzzle(self) -> Puzzle:
        """The tree of the puzzle. Raises `RulesError` when there is none of that name."""
        path = self.puzzle_path
        if path is None:
            raise self._no_puzzle()
        if not path.is_file():
            raise refusal(FILE, f"there is no file `{shown(path)}`")
        return parse_puzzle(read_text(path), str(path))

    @cached_property
    def game(self) -> Game:
        """The linked game: of the puzzle, or of the modules named."""
        if self.is_puzzle:
            return self.project.load_names(self.puzzle.rules, self._folder_of_puzzle)
        return self.project.load(self.name)

    @cached_property
    def position(self) -> Position:
        """The position of the puzzle."""
        return set_up_position(self.puzzle, self.game)

    def opening(self, players: int | None, seed: int) -> Opening:
        """Where play begins. A puzzle has its number of players; a game is for the fewest unless said otherwise."""
        if self.is_puzzle:
            position = self.position
            if players not in (None, position.engine.ground.players):
                raise refusal(USAGE, f"`{self.puzzle.name}` is for {position.engine.ground.players}, not {players}")
            puzzle = position.puzzle
            return Opening(puzzle.name, puzzle.text, position.engine, position.state, viewer_of(puzzle), position)
        game = self.game
        engine = Engine.of(game, game.players.low if players is None else players)
        return Opening(" + ".join(game.roots), game.text, engine, engine.start(seed), Viewer())

    @property
    def _folder_of_puzzle(self) -> Path | None:
        return self.puzzle_path.resolve().parent if self.puzzle_path is not None else None

    def _no_puzzle(self) -> RulesError:
        known = puzzle_files(self.project)
        if _is_path(self.name):
            return refusal(USAGE, f"`{shown(self.name)}` is not a `*{PUZZLE}` file")
        if self.name in self.project.found:
            return refusal(USAGE, f"`{self.name}` is a module, and a puzzle is needed here", "`list` shows the puzzles")
        return refusal(USAGE, f"there is no puzzle `{self.name}`", nearest(self.name, list(known)) or "`list` shows them")


def viewer_of(puzzle: Puzzle) -> Viewer:
    """What a puzzle lets everybody see: its zones that close with `open`."""
    return Viewer(frozenset(setting.name for setting in puzzle.settings if setting.open_to_all))


def _is_path(name: str) -> bool:
    return name.endswith((PUZZLE, RULES)) or "/" in name or os.sep in name
