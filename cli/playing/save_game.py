"""Saves a game in progress as a `*.play` file."""

from __future__ import annotations

from pathlib import Path

from rulewright.api.named import Named
from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path
from rulewright.base.named_texts import is_path
from rulewright.base.spans import NO_SPAN
from rulewright.puzzles.saved_games import SavedGame, recorded_actions, write_saved_game

from .game_session import GameSession

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
