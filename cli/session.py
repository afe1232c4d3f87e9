"""The driver of all commands: from a name to its position or game, running each pass once, on first use."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Diagnostic, RulesError, did_you_mean
from rulewright.base.input_files import files_below, is_within, library_copies
from rulewright.base.records import define, field
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import display_path
from rulewright.rules.linking.project import SHIPPED, Project

from .limits import limits_of_call
from .usage_errors import file_error, usage_error

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Puzzle
    from rulewright.puzzles.catalogue import Catalogue
    from rulewright.puzzles.position import Position
    from rulewright.rules.linking.project import Combination
    from rulewright.rules.model.game import Game

    from .start_position import StartPosition

PUZZLE, RULES = ".puzzle", ".rules"

OLD_LINE = "the share line has a short digest of its rules (64 bits), easy to forge: `rulewright share` writes a new one"


@define
class Session:
    """A puzzle or modules, named by path or by name; `A+B` are several modules.

    `variant` names further modules whose changes apply too.
    """

    name: str
    variant: str = ""
    folder: Path = field(factory=Path.cwd)

    @cached_property
    def project(self) -> Project:
        """The project of the current folder; for a file elsewhere (of several, the first), the project of that file's
        folder."""
        named = (self.name,) if self.name.endswith(PUZZLE) else self.name.split("+")
        paths = [Path(part.strip()) for part in named if is_path(part.strip())]
        rules = [Path(part.strip()).resolve() for part in (*named, *self.variant.split("+")) if part.strip().endswith(RULES)]
        return Project(project_folder(paths[0], self.folder) if paths else self.folder, limits_of_call(), tuple(rules))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The puzzles of the project."""
        from rulewright.puzzles.catalogue import Catalogue

        return Catalogue(self.project)

    @cached_property
    def is_puzzle(self) -> bool:
        """Whether a puzzle is named. Raises `RulesError` for a name that is neither a puzzle's nor a module's."""
        if is_path(self.name):
            if not self.name.endswith((PUZZLE, RULES)) and "+" not in self.name:
                raise usage_error(f"`{display_path(self.name)}` is neither a `*{RULES}` nor a `*{PUZZLE}` file")
            return self.name.endswith(PUZZLE)
        if "+" in self.name:
            return False
        from rulewright.puzzles.catalogue import is_share_line

        if is_share_line(self.name):
            return True
        puzzles = self.catalogue.names
        if self.name not in puzzles and self.name not in self.project.found:
            message = f"there is no module or puzzle `{self.name}`"
            help = did_you_mean(self.name, puzzles | set(self.project.found)) or "`rulewright list` shows them"
            raise RulesError((Diagnostic("RW106", message, help=help),))
        return self.name in puzzles

    @cached_property
    def puzzle(self) -> Puzzle:
        """The tree of the puzzle. A share line whose rules are not known for sure is said to be one."""
        from rulewright.puzzles.share_line import is_old_share_line

        puzzle = self.catalogue.read(self._puzzle_name)
        if is_old_share_line(self.name):
            Output().say(OLD_LINE)
        return puzzle

    @cached_property
    def game(self) -> Game:
        """The linked game: of the puzzle, or of the modules named."""
        if self.is_puzzle:
            return self.position.engine.game
        return self.project.load("+".join(filter(None, (self.name, self.variant))))

    @property
    def part(self) -> Game:
        """The modules named, linked as a part of games."""
        return self.project.load_part(self.name)

    @property
    def rules(self) -> tuple[str, ...]:
        """The modules named by a puzzle, then by the variant."""
        named = tuple(name for name, _ in self.puzzle.rules) if self.is_puzzle else ()
        return (*named, *(root for root in self.game.roots if root not in named))

    @property
    def combination(self) -> Combination:
        """The modules named, or those of the puzzle, merged but not linked."""
        names = "+".join(name for name, _ in self.puzzle.rules) if self.is_puzzle else self.name
        return self.project.combine(names)

    @cached_property
    def position(self) -> Position:
        """The position of the puzzle."""
        return self.catalogue.set_up(self.puzzle, self._puzzle_name, self.variant)

    def asked(self, players: int | None, seed: int) -> Position:
        """The position of the puzzle, or the game from its set-up on, with the default question of its rules."""
        from .start_position import position_of_game, start_of_puzzle

        if not self.is_puzzle:
            return position_of_game(self.game, players, seed)
        start_of_puzzle(self.position, players)
        return self.position

    def start(self, players: int | None, seed: int) -> StartPosition:
        """The start position. A puzzle fixes the number of players; a game has its fewest by default."""
        from .start_position import start_of_game, start_of_puzzle

        return start_of_puzzle(self.position, players) if self.is_puzzle else start_of_game(self.game, players, seed)

    @property
    def _puzzle_name(self) -> str:
        """The puzzle's name. Raises `RulesError` for any other name."""
        if is_path(self.name) and not self.name.endswith(PUZZLE):
            raise usage_error(f"`{display_path(self.name)}` is not a `*{PUZZLE}` file")
        if self.name in self.project.found and not self.is_puzzle:
            raise usage_error(f"expected a puzzle, found the module `{self.name}`", "`rulewright list` shows the puzzles")
        return self.name


def sessions_in(name: str, suffixes: Sequence[str], variant: str = "") -> list[Session]:
    """A session for each file with these suffixes in a folder and its subfolders, all of one project; empty if it is not a
    folder.

    The project is that of the current folder, or, of a folder elsewhere, its own. Raises `RulesError` if there is no such file.
    """
    if not is_folder(name):
        return []
    folder = Path(name)
    limits = limits_of_call()
    say_left_out(folder)
    paths = [display_path(path) for suffix in suffixes for path in files_below(folder, suffix, limits)]
    if not paths:
        raise file_error(f"there is no {' or '.join(f'`*{suffix}`' for suffix in suffixes)} file in `{display_path(name)}`")
    sessions = [Session(path, variant, _root(folder)) for path in paths]
    for session in sessions:
        session.project = sessions[0].project
    return sessions


def say_left_out(folder: Path) -> None:
    """Say which copies of the library a folder holds besides its own files."""
    for copy in library_copies(folder):
        Output().say(f"left out: `{display_path(copy)}` is another copy of Rulewright and its library")


def is_folder(name: str) -> bool:
    """Whether an argument is a folder rather than a file or a name.

    The name of a puzzle or module takes precedence over a folder of that name without rules or puzzles.
    """
    if not os.path.isdir(name) or name.endswith((PUZZLE, RULES)):  # `Path.is_dir` fails where many modules are named
        return False
    return is_path(name) or any(_rules_and_puzzles(Path(name))) or not _is_known(name)


def _rules_and_puzzles(folder: Path) -> Iterator[Path]:
    return (path for suffix in (RULES, PUZZLE) for path in files_below(folder, suffix, limits_of_call()))


def _is_known(name: str) -> bool:
    """Whether a puzzle or module has this name."""
    session = Session(name)
    return name in session.project.found or name in session.catalogue.names


def current_project() -> Project:
    """The project of the current folder."""
    return Project(Path.cwd(), limits_of_call())


def project_of(folder: Path) -> Project:
    """The project of a folder."""
    return Project(_root(folder), limits_of_call())


def _root(folder: Path) -> Path:
    return Path.cwd() if is_within(folder, Path.cwd()) else folder.resolve()


def project_folder(path: Path, current: Path) -> Path:
    """The project folder of a file: the current one or, for a file elsewhere, the file's own folder."""
    if not path.is_file() or any(is_within(path, folder) for folder in (current, SHIPPED)):
        return current
    from rulewright.puzzles.catalogue import SHIPPED as PUZZLES

    return current if is_within(path, PUZZLES) else path.resolve().parent


def is_path(name: str) -> bool:
    """Whether an argument is a path rather than a name."""
    return name.endswith((PUZZLE, RULES)) or "/" in name or os.sep in name
