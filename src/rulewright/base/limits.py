"""Limits on what a text may demand. Rule text may come from a stranger; every limit has its own code and can be raised."""

from __future__ import annotations

from .records import frozen


@frozen
class Limits:
    """The limits of all layers; `grammar` enforces those visible in one text, `rules` the others."""

    file_bytes: int = 1024 * 1024
    line_length: int = 4096
    nesting: int = 64
    nodes: int = 100_000
    digits: int = 9
    side: int = 64  # cells along a side of a drawing or of a bounded space
    tile_kinds: int = 512
    extends_depth: int = 16
    modules: int = 256  # in a game
    files: int = 4096  # of one kind in a project
    players: int = 100
    tiles: int = 10_000  # in the box
    cells: int = 64 * 64  # of a cube grid, a hexagon, a derived space; other spaces have limited sides
    steps: int = 40_000_000  # of evaluation, of a requirement, an effect or a score
    moves: int = 400_000  # that a choice lists, legal or not
    written: int = 50_000  # nodes of a game, those of an action for each choice that offers it
    flow: int = 100_000  # steps without a choice, in play


DEFAULT_LIMITS = Limits()
