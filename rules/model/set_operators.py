"""The binary operations on sets."""

from __future__ import annotations

from enum import Enum


class SetOperator(Enum):
    """Multiplicity and order are those of the first set; `EITHER` appends the elements that only the second has."""

    BOTH = "and"
    EITHER = "or"
    WITHOUT = "-"
