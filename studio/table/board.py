"""The board: the page's texts, the start of play, and the actions since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulewright.api.start import Start, start_of_game, start_of_puzzle
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.refusals import Refused, number_in, text_in
from rulewright.editor.features.puzzle_positions import position_of
from rulewright.editor.project.workspace import PUZZLE, Workspace
from rulewright.grammar.readings import Reading
from rulewright.pictures.scene import thing_name, thing_of
from rulewright.puzzles.plan_replay import PlanError, Ply, plies
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Game, turned_name
from rulewright.rules.play.engine import Engine, State

# Tiles laid by hand ---------------------------------------------------------------------------------------------------
# Ignoring the rules: a position from which a puzzle can be made.


Step = tuple[str, str]
"""The source and target of a moved tile: cells, or a kind of tile in a hand or the box; "" is the box."""


def arranged(engine: Engine, state: State, steps: Sequence[Step]) -> State:
    """A state with some tiles moved. Raises `Refused` if there is no such tile or place."""
    table = _Table(engine, list(state))
    for source, target in steps:
        tile, turn = table.take(source)
        table.put(target, tile, turn)
    return tuple(table.columns)


def palette(engine: Engine, state: State) -> Iterator[dict[str, Any]]:
    """The kinds of tiles left in the box."""
    column = engine.layout.columns.get(BOX)
    box = state[column.start] if column is not None else ()
    for tile in sorted(set(box)):
        name = engine.game.tiles[tile - 1].name
        yield {"thing": thing_name(types.Tile(), tile), "name": name, "count": box.count(tile)}


@define(eq=False)
class _Table:
    """A mutable state."""

    engine: Engine
    columns: list[Any] = field()

    def take(self, name: str) -> tuple[int, int]:
        """Take a tile from its place; returns its kind and rotation."""
        match _thing(name):
            case types.Cell() as cell, at:
                turn = self._set(turned_name(cell.space), at, 0)
                tile = self._set(cell.space, at, 0)
                if not tile:
                    raise Refused("there is no tile here")
                return tile, turn
            case _, tile:
                for start in self._zones():
                    if tile in self.columns[start]:
                        zone = list(self.columns[start])
                        zone.remove(tile)
                        self.columns[start] = tuple(zone)
                        return tile, 0
        raise Refused("no such tile is left")

    def put(self, name: str, tile: int, turn: int) -> None:
        """Put a tile on a cell, or into the box; a tile already on the cell goes to the box."""
        if not name:
            self._into_box(tile)
            return
        match _thing(name):
            case types.Cell() as cell, at:
                before = self._set(cell.space, at, tile)
                self._set(turned_name(cell.space), at, turn)
                if before:
                    self._into_box(before)
            case _:
                raise Refused("drop the tile on a cell, or back into the box")

    def _set(self, space: str, cell: int, value: int) -> int:
        """Set the value of a cell; returns the old value, 0 if the game has no such board."""
        column = self.engine.layout.columns.get(space)
        if column is None or not column.over_cells:
            if not value:
                return 0
            raise Refused("there are no tiles here")
        board = list(self.columns[column.start])
        if not 0 <= cell < len(board) - 1:
            raise Refused("there is no such cell")
        before, board[cell] = int(board[cell]), value
        self.columns[column.start] = bytes(board) if column.as_bytes else tuple(board)
        return before

    def _into_box(self, tile: int) -> None:
        column = self.engine.layout.columns.get(BOX)
        if column is not None:
            self.columns[column.start] = tuple(sorted((*self.columns[column.start], tile)))

    def _zones(self) -> Iterator[int]:
        """The columns of zones: the box first, then those of the player to move."""
        columns = self.engine.layout.columns.values()
        zones = [column for column in columns if column.variable.is_zone and not column.over_cells]
        player = self.engine.player(tuple(self.columns))
        own = [c.start + player - c.offset for c in zones if c.variable.index == types.Player() and player]
        yield from (column.start for column in zones if column.variable.name == BOX)
        yield from own
        yield from (start for column in zones for start in range(column.start, column.start + column.count))


def _thing(name: str) -> tuple[types.Cell | types.Tile, int]:
    try:
        return thing_of(name)
    except ValueError:
        raise Refused("nothing on the board has this name") from None


# The board: the page's texts, the start of play, and the actions since ------------------------------------------------


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
