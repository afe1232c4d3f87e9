"""The board: the page's texts, the start of play, and the actions since."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import evolve

from rulewright.api.start import Start, start_of_game, start_of_puzzle
from rulewright.base.records import define, field, frozen
from rulewright.base.refusals import number_in, text_in
from rulewright.editor.features.puzzle_positions import position_of
from rulewright.editor.project.workspace import PUZZLE, Workspace
from rulewright.grammar.readings import Reading
from rulewright.puzzles.plan_replay import PlanError, Ply, plies
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State

from .arrangement import Step, arranged

MOST_SEED = 2**31 - 1


@frozen
class Board:
    """A start, the file of a puzzle or of a module, with the actions taken since; players and seed apply to a module only.

    `texts` are the page's versions of files that differ from disk; `steps` are tiles finally moved by hand.
    """

    texts: Mapping[Path, str]
    start: Path
    actions: tuple[str, ...] = ()
    players: int = 0
    seed: int = 0
    steps: tuple[Step, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Board:
        """The board from another process's data."""
        texts = {Path(path): text for path, text in data["texts"].items()}
        players, seed = number_in(data, "players", 0, 100, 0), number_in(data, "seed", 0, MOST_SEED, 0)
        steps = tuple((str(source), str(target)) for source, target in data.get("steps", ()))
        return cls(texts, Path(text_in(data, "start")), tuple(map(str, data["actions"])), players, seed, steps)


@frozen(eq=False)
class Course:
    """A start with the plies since, as far as they are legal; `refused` says why the next one is not.

    `laid` is the state after tiles were moved by hand.
    """

    start: Start
    plies: tuple[Ply, ...]
    refused: PlanError | None = None
    laid: State | None = None

    @property
    def engine(self) -> Engine:
        return self.start.engine

    @property
    def state(self) -> State:
        if self.laid is not None:
            return self.laid
        return self.plies[-1].state if self.plies else self.start.state

    @property
    def is_begun(self) -> bool:
        """Whether the position differs from the start."""
        return bool(self.plies) or self.laid is not None

    @property
    def before(self) -> State | None:
        """The state before the last ply."""
        if not self.plies or self.laid is not None:
            return None
        return self.plies[-2].state if len(self.plies) > 1 else self.start.state


@define(eq=False)
class Table:
    """The boards of a folder; unchanged results are cached."""

    folder: Path
    workspace: Workspace = field(init=False)
    _starts: dict[tuple[Path, int, int], tuple[Game, Reading, Start]] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.workspace = Workspace(self.folder)

    def course(self, board: Board) -> Course:
        """The play of a board. Raises `RulesError` and `OSError` if there is no start."""
        start = self.start(board)
        found: list[Ply] = []
        try:
            for ply in plies(start.engine, start.state, board.actions):
                found.append(ply)
        except PlanError as error:
            return Course(start, tuple(found), error)
        course = Course(start, tuple(found))
        return evolve(course, laid=arranged(course.engine, course.state, board.steps)) if board.steps else course

    def start(self, board: Board) -> Start:
        """The start of a board in its current texts."""
        self.workspace.open = dict(board.texts)
        self.workspace.files_changed()
        reading = self.workspace.reading(board.start)
        game = self.workspace.game(board.start)
        key = board.start, board.players, board.seed
        kept = self._starts.get(key)
        if kept is None or kept[0] is not game or kept[1] is not reading:
            made = self._made(board, game)
            # Only one start is cached: each holds the compiled rules of a game.
            self._starts = {key: (game, reading, made)}
        return self._starts[key][2]

    def _made(self, board: Board, game: Game) -> Start:
        if board.start.suffix == PUZZLE:
            return start_of_puzzle(position_of(self.workspace, board.start), None)
        return start_of_game(game, board.players or None, board.seed)
