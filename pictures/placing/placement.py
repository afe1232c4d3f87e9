"""Placements: sprites and texts at their places, in pixels."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen

from ..boards.cell_shapes import Point


@frozen
class Placement:
    """A sprite of the stage, turned and then stretched; or a text in the style of a sprite, whose `scale` is the height of its
    letters; or, without a sprite, a group of parts with a title, which can be focused if it is a thing."""

    at: Point = (0.0, 0.0)
    sprite: int = -1
    text: str = ""
    scale: Point = (1.0, 1.0)
    turn: float = 0.0
    parts: Sequence[Placement] = ()
    title: str = ""
    thing: str = ""


@frozen
class Block:
    """Placements with the width and height that they take; the upper left corner is at (0, 0)."""

    size: Point
    parts: Sequence[Placement]


def stacked(blocks: Sequence[Block]) -> Block:
    """Blocks below one another."""
    found, down = [], 0.0
    for block in blocks:
        found.append(Placement((0.0, down), parts=block.parts))
        down += block.size[1]
    return Block((max((block.size[0] for block in blocks), default=0.0), down), found)
