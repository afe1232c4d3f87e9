"""A position as a picture: its boards, and beside them the player to move, scores, hands, piles and values."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rulewright.rules.play.engine import Engine, State

from .painter import on_paper, painted, standing_alone
from .placing.place import Placed, placed
from .placing.placement import Block, Placement, Reader, stacked
from .scene import Scene
from .stage.from_scene import stage_of
from .stage.vocabulary import Stage
from .svg import Element
from .text_sizes import LETTER, LINE, SIZE

BORDER, GAP = 16.0, 20.0
"""Pixels around the picture, and between its parts."""

NARROWEST = 480.0
"""The least width of the text below a picture, in pixels."""


def picture(scene: Scene, state: State, before: State | None = None) -> Element:
    """The picture of a state; changes on its boards since the state `before` are marked."""
    stage = stage_of(scene)
    found = placed_state(stage, scene.engine, state, before)
    boards, beside = stacked(found.boards), found.panel
    width = boards.size[0] + (GAP + beside.size[0] if beside.size[0] else 0) + 2 * BORDER
    height = max(boards.size[1], beside.size[1]) + 2 * BORDER
    parts = [
        Placement((BORDER, BORDER), parts=boards.parts),
        Placement((BORDER + GAP + boards.size[0], BORDER), parts=beside.parts),
    ]
    if scene.caption:
        caption = _caption(stage, scene.caption, max(width, NARROWEST) - 2 * BORDER)
        parts.append(Placement((BORDER, height), parts=caption.parts))
        width, height = max(width, caption.size[0] + 2 * BORDER), height + caption.size[1] + BORDER
    told = "; ".join([found.told, *scene.caption])
    return standing_alone(stage, on_paper(stage, (width, height), parts, scene.title, told))


def _caption(stage: Stage, lines: Sequence[str], width: float) -> Block:
    """The text below, in lines of this width; the first line is bold."""
    found = []
    for at, said in enumerate(lines):
        for line in wrap(said, int(width / (SIZE * LETTER))):
            text = Placement((0.0, LINE / 2), stage.ink if at else stage.bold, line, (1.0, SIZE))
            found.append(Block((len(line) * SIZE * LETTER, LINE), [text]))
    return stacked(found)


def placed_state(stage: Stage, engine: Engine, state: State, before: State | None = None) -> Placed:
    """What stands where in a state."""
    return placed(stage, Reader(engine, state), None if before is None else Reader(engine, before))


def blocks(stage: Stage, engine: Engine, state: State, before: State | None = None) -> tuple[Element, ...]:
    """Pictures of a state, which a page lays out by its width: each board, and what stands beside them. The page has the
    definitions of their sprites."""
    found = placed_state(stage, engine, state, before)
    beside = painted(stage, found.panel, f"{stage.title}: beside the board", found.told)
    return *(painted(stage, board, stage.title, found.told) for board in found.boards), beside
