"""What is known before play: sets of cells, what there is to know of the places of patterns, and what is none."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen
from rulewright.base.spans import Located

from .types import Type

__all__ = [
    "Absent", "Aspect", "CellsOf", "ColumnsOf", "Neighbourhood", "PartsOf", "PlacesOfKind", "PlacesOver", "RolesOf", "Rows",
]  # fmt: skip


@frozen(cache_hash=True)
class Absent(Located):
    """None of a type: nowhere, no direction, no tile, no place, no player, no member."""

    type: Type


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


@frozen
class CellsOf:
    """By place of a pattern: its cells, of all roles."""

    pattern: str


@frozen
class PlacesOfKind:
    """By kind: the places at which such a piece may lie."""

    pieces: str


@frozen
class PlacesOver:
    """By cell: the places of pieces that cover it."""

    pieces: str


Rows = PartsOf | ColumnsOf | RolesOf | CellsOf | PlacesOfKind | PlacesOver
"""Sets that are known before play, one for each value of a key. Their spaces are bounded."""


class Aspect(Enum):
    """What is known of a place: the cell under the first that is drawn, where the top of the drawing is, and its side."""

    CELL = "cell"
    FACING = "facing"
    MIRRORED = "mirrored"
