"""Saving a game that is being played."""

from __future__ import annotations

from pathlib import Path

from ..grammar.spans import NOWHERE_IN_TEXT
from ..puzzles.plays import Play, played, write_play
from .files import shown, write_whole
from .refusals import FILE, refusal
from .session import Session, is_path
from .table import Table

SUFFIX = ".play"


def save_play(path: Path, table: Table, session: Session, seed: int) -> str:
    """Write a game to a `*.play` file (the suffix is added); the name of the file as shown."""
    path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
    if not path.parent.is_dir():
        raise refusal(FILE, f"there is no folder `{shown(path.parent)}`")
    write_whole(path, write_play(_play(path, table, session, seed)))
    return shown(path)


def _play(path: Path, table: Table, session: Session, seed: int) -> Play:
    name = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in path.stem) or "game"
    name = name if name[0].isalpha() else f"game_{name}"
    actions = played(table.steps) if table.steps else ()
    if session.is_puzzle:
        begun = shown(Path(session.name).resolve()) if is_path(session.name) else session.name
        own = {module for module, _ in session.puzzle.rules}
        variant = tuple((root, NOWHERE_IN_TEXT) for root in session.rules if root not in own)
        return Play(name, variant, begun=begun, actions=actions)
    rules = tuple((root, NOWHERE_IN_TEXT) for root in table.engine.game.roots)
    return Play(name, rules, table.engine.ground.players, seed, actions=actions)
