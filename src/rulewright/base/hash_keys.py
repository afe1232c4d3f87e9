"""The secret key of hashes that those who write rules must not foresee."""

from __future__ import annotations

import hashlib
import os
from array import array

from .records import field, frozen


@frozen
class HashKey:
    """What the random words of hashes derive from. Under equal keys, searches are the same to the last state."""

    secret: bytes = field(repr=False)

    def words(self, count: int, purpose: str) -> array[int]:
        """Random signed words of 64 bits; those for one purpose tell nothing about those for another."""
        return array("q", hashlib.shake_256(self.secret + purpose.encode()).digest(8 * count))


PROCESS_KEY = HashKey(os.urandom(32))
"""The key of this process. Nothing that is printed depends on it, but for counts of states where a full table replaces some."""
