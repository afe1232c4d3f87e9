"""How two sets are joined."""

from __future__ import annotations

from enum import Enum


class SetOperator(Enum):
    """Repetitions and the order are those of the first set; of `EITHER`, what only the second has comes behind it."""

    BOTH = "and"
    EITHER = "or"
    WITHOUT = "-"
