"""What is generated of a game, from the cache or generated anew."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from rulewright.base.cache import digest_of, kept
from rulewright.grammar.kept_trees import PACKAGES
from rulewright.rules.model.instance import Instance

Generated = TypeVar("Generated")

ROOM = "code"
"""The folder of what is generated, below the cache folder."""

MOST_KEPT = 5_000
"""More than the puzzles of the library need. A file has 26 kilobytes on average, the largest half a megabyte."""


def kept_code(instance: Instance, given: object, make: Callable[[], Generated]) -> Generated:
    """What `make` generates from `given` alone. It is kept if the game was read from files."""
    if not instance.game.is_kept:
        return make()
    known: Sequence[object] = (instance, *instance.windows.values())
    return kept(ROOM, PACKAGES, (sys.version, digest_of(given)), make, MOST_KEPT, known)


def digest_of_game(instance: Instance, *more: object) -> str:
    """A hash of a grounded game, and of more that belongs to it."""
    return digest_of((instance.game.digest, instance.players, dict(instance.windows), *more))
