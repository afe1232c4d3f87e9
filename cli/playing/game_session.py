"""A game in progress: its start and every ply since, with undo and redo; saved as a `*.play` file."""

from __future__ import annotations

from pathlib import Path

from rulewright.api.named import Named
from rulewright.api.start import Start
from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.input_files import display_path
from rulewright.base.named_texts import is_path
from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN
from rulewright.puzzles.plan_replay import Ply
from rulewright.puzzles.saved_games import SavedGame, recorded_actions, write_saved_game
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State, describe_turn
from rulewright.rules.play.move_notation import format_move, parse_move

from .play_commands import PlayCommand, is_number, read_command
from .undo_tree import UndoTree


@define
class GameSession:
    """The plies from a start position to the current state, and all plies undone."""

    start: Start
    tree: UndoTree = field(factory=UndoTree, init=False)

    @property
    def engine(self) -> Engine:
        return self.start.engine

    @property
    def plies(self) -> list[Ply]:
        return self.tree.plies

    @property
    def state(self) -> State:
        ply = self.tree.current.ply
        return self.start.state if ply is None else ply.state

    @property
    def legal(self) -> list[Move]:
        return self.engine.legal(self.state)

    def command(self, text: str) -> tuple[PlayCommand, str]:
        """The command and argument in a line of input; the argument of `why` verbatim. Raises `RulesError`."""
        names = {action.notation[0] for action in self.engine.game.actions.values()}
        command, argument = read_command(text, names)
        if command is PlayCommand.WHY and is_number(argument):
            argument = format_move(self.engine, self.state, self._numbered(argument))
        return command, argument

    def take(self, text: str) -> None:
        """Take a legal action, given by its number in the list or as text. Raises `RulesError` if there is no such action."""
        engine, state = self.engine, self.state
        if is_number(text):
            move = self._numbered(text)
        elif engine.over(state):
            raise usage_error(describe_turn(engine, state), "`undo` takes back the last action, `quit` exits")
        else:
            move = parse_move(engine, state, text, asking=f"why {text}")
        after = engine.apply(state, move)
        self.tree.add(Ply(format_move(engine, state, move), engine.player(state), after, engine.score(after)))

    def _numbered(self, number: str) -> Move:
        """A legal action by its number in the list."""
        legal = self.legal
        if not 1 <= int(number) <= len(legal):
            raise usage_error(f"there is no action {number}", f"choose a number from 1 to {len(legal)}" if legal else "")
        return legal[int(number) - 1]

    def undo(self, number: int) -> None:
        """Undo `number` actions, at least one, or as many as there are. Raises `RulesError` if there is none."""
        if not number or not self.tree.undo():
            raise usage_error("there is nothing to take back")
        while number > 1 and self.tree.undo():
            number -= 1

    def redo(self, number: int) -> None:
        """Redo `number` undone actions, at least one, or as many as there are. Raises `RulesError` if there is none."""
        if not number or not self.tree.redo():
            raise usage_error("there is nothing to redo here", "`branches` lists the lines of play tried so far")
        while number > 1 and self.tree.redo():
            number -= 1

    def go_to(self, number: int) -> None:
        """Go to a position by its number in the tree. Raises `RulesError` if there is none."""
        if not self.tree.go_to(number):
            raise usage_error(f"there is no position {number}", "`branches` lists them")


# Saved ----------------------------------------------------------------------------------------------------------------

SUFFIX = ".play"


def save_game(path: Path, game: GameSession, session: Named, seed: int) -> str:
    """Write a game to a `*.play` file, adding a missing suffix; returns the file's name as displayed."""
    path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
    if not path.parent.is_dir():
        raise file_error(f"there is no folder `{display_path(path.parent)}`")
    write_atomically(path, write_saved_game(_saved_game(path, game, session, seed)))
    return display_path(path)


def _saved_game(path: Path, game: GameSession, session: Named, seed: int) -> SavedGame:
    name = "".join(letter if letter.isascii() and (letter.isalnum() or letter == "_") else "_" for letter in path.stem)
    name = name or "game"
    name = name if name[0].isalpha() else f"game_{name}"
    actions = recorded_actions(game.plies) if game.plies else ()
    if session.is_puzzle:
        begun = display_path(Path(session.name).resolve()) if is_path(session.name) else session.name
        own = {module for module, _ in session.puzzle.rules}
        variant = tuple((root, NO_SPAN) for root in session.rules if root not in own)
        return SavedGame(name, variant, begun=begun, actions=actions)
    rules = tuple((root, NO_SPAN) for root in game.engine.game.roots)
    return SavedGame(name, rules, game.engine.instance.players, seed, actions=actions)
