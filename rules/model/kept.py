"""What is made of a game, from the cache or anew."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.base.cache import digest_of, kept
from rulewright.grammar.kept_trees import PACKAGES

from .game import Game
from .instance import Instance

Made = TypeVar("Made")

CODE, POSITIONS = "code", "positions"
"""Folders below the cache folder."""

MOST_KEPT = 5_000
"""More than the puzzles of the library need. A file has 26 kilobytes on average, the largest half a megabyte."""


def kept_of(
    game: Game,
    room: str,
    given: Callable[[], object],
    make: Callable[[], Made],
    known: Sequence[object] = (),
    packages: Sequence[str] = PACKAGES,
) -> Made:
    """What `make`, a function of these packages, makes from what is `given` alone, the game included. It is kept if the game
    was read from files, but for what is nested deeper than pickle can follow. `known` objects are not part of what is kept."""
    if not game.is_kept:
        return make()
    try:
        digest = digest_of(given())
    except RecursionError:
        return make()
    return kept(room, packages, (sys.version, digest), make, MOST_KEPT, known)


def kept_code(instance: Instance, given: Callable[[], object], make: Callable[[], Made]) -> Made:
    """Code that is generated of a grounded game, likewise."""
    return kept_of(instance.game, CODE, given, make, (instance, *instance.windows.values()))


def digest_of_game(instance: Instance, *more: object) -> str:
    """A hash of a grounded game, and of more that belongs to it."""
    return digest_of((instance.game.digest, instance.players, dict(instance.windows), *more))
