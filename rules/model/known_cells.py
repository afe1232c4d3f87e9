"""Facts known before play: sets of cells, and aspects of the places of patterns."""

from __future__ import annotations

from enum import Enum

from rulewright.base.records import frozen

__all__ = [
    "Aspect", "CellsOf", "ColumnsOf", "Neighbourhood", "PartsOf", "PlacesOfKind", "PlacesOver", "RolesOf", "Rows",
]  # fmt: skip


class Neighbourhood(Enum):
    """A neighbourhood of a cell: across sides, across corners, or both; `BESIDE` stays on the level in spaces with levels."""

    AROUND = "around"
    DIAGONALS = "diagonals"
    NEARBY = "nearby"
    BESIDE = "beside"


@frozen
class PartsOf:
    """By cell: the cells of its space with the same number in a partition."""

    partition: str
    space: str


@frozen
class ColumnsOf:
    """By cell: the cells of its vertical column, including itself, upwards."""

    space: str


@frozen
class RolesOf:
    """By place of a pattern: the cells of a role."""

    pattern: str
    role: str


@frozen
class CellsOf:
    """By place of a pattern: its cells in all roles."""

    pattern: str


@frozen
class PlacesOfKind:
    """By kind: the places where a piece of this kind may lie."""

    pieces: str


@frozen
class PlacesOver:
    """By cell: the places of pieces that cover it."""

    pieces: str


Rows = PartsOf | ColumnsOf | RolesOf | CellsOf | PlacesOfKind | PlacesOver
"""Sets known before play, one for each value of a key. Their spaces are bounded."""


class Aspect(Enum):
    """An aspect of a place: the cell under the first drawn cell, the direction of the drawing's top, and its side."""

    CELL = "cell"
    FACING = "facing"
    MIRRORED = "mirrored"
