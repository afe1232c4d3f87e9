"""Sets of cells that are known before play, and what is known of the places of patterns."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen

__all__ = ["Aspect", "ColumnsOf", "Neighbourhood", "PartsOf", "RolesOf", "Rows"]


class Neighbourhood(Enum):
    """Which cells near a cell: by the sides, by the corners, or both; beside it on its level, where spaces have levels."""

    AROUND = "around"
    BESIDE = "beside"
    DIAGONALS = "diagonals"
    NEARBY = "nearby"


@frozen
class PartsOf:
    """By cell: the cells of its space to which a partition gives the same number."""

    partition: str
    space: str


@frozen
class ColumnsOf:
    """By cell: the cells above and below it and itself, upwards."""

    space: str


@frozen
class RolesOf:
    """By place of a pattern: the cells of a role."""

    pattern: str
    role: str


Rows = PartsOf | ColumnsOf | RolesOf
"""Sets that are known before play, one for each value of a key. Their spaces are bounded."""


class Aspect(Enum):
    """What is known of a place: the cell under the first that is drawn, where the top of the drawing is, and its side."""

    CELL = "cell"
    FACING = "facing"
    MIRRORED = "mirrored"
