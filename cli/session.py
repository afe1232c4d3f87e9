"""One driver for all commands: what a name leads to, each pass made when first asked for, and only once."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from ..grammar.diagnostics import RulesError, nearest
from ..grammar.from_text import parse_puzzle
from ..grammar.scenarios import Puzzle
from ..rules.game import Game
from ..rules.loading import SHIPPED, Project, read_text
from .files import shown
from .puzzle_files import puzzle_files
from .refusals import FILE, USAGE, refusal

if TYPE_CHECKING:
    from ..puzzles.position import Position
    from .opening import Opening

PUZZLE, RULES = ".puzzle", ".rules"


@define
class Session:
    """What one argument names: a puzzle or modules, by path or by name; `A+B` are several modules."""

    name: str
    folder: Path = field(factory=Path.cwd)

    @cached_property
    def project(self) -> Project:
        """The current folder and what ships; for a file elsewhere, the folder that it is in."""
        path = Path(self.name)
        known = (self.folder, SHIPPED)
        if path.is_file() and not any(path.resolve().is_relative_to(folder.resolve()) for folder in known):
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
        from ..puzzles.from_tree import set_up_position

        return set_up_position(self.puzzle, self.game)

    def opening(self, players: int | None, seed: int) -> Opening:
        """Where play begins. A puzzle has its number of players; a game is for the fewest unless said otherwise."""
        from .opening import of_game, of_position

        return of_position(self.position, players) if self.is_puzzle else of_game(self.game, players, seed)

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


def _is_path(name: str) -> bool:
    return name.endswith((PUZZLE, RULES)) or "/" in name or os.sep in name
