"""What a name stands for: a puzzle or modules, read and linked once, on first use."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Diagnostic, RulesError, did_you_mean, usage_error
from rulewright.base.input_files import display_path, is_within
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.named_texts import is_path
from rulewright.base.records import define, field
from rulewright.rules.linking.project import SHIPPED, Project

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Puzzle
    from rulewright.puzzles.catalogue import Catalogue
    from rulewright.puzzles.position import Position
    from rulewright.rules.linking.project import Combination
    from rulewright.rules.model.game import Game

    from .start import Start

PUZZLE, RULES = ".puzzle", ".rules"


@define
class Named:
    """A puzzle or modules, named by path or by name; `A+B` are several modules.

    `variant` names further modules whose changes apply too.
    """

    name: str
    variant: str = ""
    folder: Path = field(factory=Path.cwd)
    limits: Limits = DEFAULT_LIMITS

    @cached_property
    def project(self) -> Project:
        """The project of the current folder; for a file elsewhere (of several, the first), the project of that file's
        folder."""
        named = (self.name,) if self.name.endswith(PUZZLE) else self.name.split("+")
        paths = [Path(part.strip()) for part in named if is_path(part.strip())]
        rules = [Path(part.strip()).resolve() for part in (*named, *self.variant.split("+")) if part.strip().endswith(RULES)]
        return Project(project_folder(paths[0], self.folder) if paths else self.folder, self.limits, tuple(rules))

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
        """The tree of the puzzle."""
        return self.catalogue.read(self._puzzle_name)

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
        from .start import position_of_game, start_of_puzzle

        if not self.is_puzzle:
            return position_of_game(self.game, players, seed)
        start_of_puzzle(self.position, players)
        return self.position

    def start(self, players: int | None, seed: int) -> Start:
        """The start position. A puzzle fixes the number of players; a game has its fewest by default."""
        from .start import start_of_game, start_of_puzzle

        return start_of_puzzle(self.position, players) if self.is_puzzle else start_of_game(self.game, players, seed)

    @property
    def _puzzle_name(self) -> str:
        """The puzzle's name. Raises `RulesError` for any other name."""
        if is_path(self.name) and not self.name.endswith(PUZZLE):
            raise usage_error(f"`{display_path(self.name)}` is not a `*{PUZZLE}` file")
        if self.name in self.project.found and not self.is_puzzle:
            raise usage_error(f"expected a puzzle, found the module `{self.name}`", "`rulewright list` shows the puzzles")
        return self.name


def project_folder(path: Path, current: Path) -> Path:
    """The project folder of a file: the current one or, for a file elsewhere, the file's own folder."""
    if not path.is_file() or any(is_within(path, folder) for folder in (current, SHIPPED)):
        return current
    from rulewright.puzzles.catalogue import SHIPPED as PUZZLES

    return current if is_within(path, PUZZLES) else path.resolve().parent
