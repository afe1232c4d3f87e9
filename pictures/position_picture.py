"""A position as a picture: its boards, and beside them the player to move, scores, hands, piles and values."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rulewright.base.records import evolve
from rulewright.pictures.placing.panel import Placed, in_row, placed
from rulewright.pictures.placing.placement import Block, Placement, Reader, line_of, stacked
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.rules.model import types
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.why_illegal import Failure

from .painter import on_paper, painted, standing_alone
from .scene import Scene, thing_name
from .svg import Element
from .text_sizes import LETTER, SIZE

BORDER, GAP = 16.0, 20.0
"""Pixels around the picture, and between its parts."""

NARROWEST = 480.0
"""The least width of the text below a picture, in pixels."""


def picture(scene: Scene, state: State, before: State | None = None) -> Element:
    """The picture of a state; changes on its boards since the state `before` are marked."""
    stage = stage_of(scene)
    found = placed_state(stage, scene.engine, state, before)
    return composed(stage, scene, in_row([stacked(found.boards), found.panel], GAP, at_top=True), found.told)


def composed(stage: Stage, scene: Scene, block: Block, told: str) -> Element:
    """The picture of what stands in a block, with the scene's caption below, whose first line is bold."""
    width, height = block.size[0] + 2 * BORDER, block.size[1] + 2 * BORDER
    parts = [Placement((BORDER, BORDER), parts=block.parts)]
    if scene.caption:
        caption = told_below(stage, scene.caption, max(width, NARROWEST) - 2 * BORDER)
        parts.append(Placement((BORDER, height), parts=caption.parts))
        width, height = max(width, caption.size[0] + 2 * BORDER), height + caption.size[1] + BORDER
    return standing_alone(stage, on_paper(stage, (width, height), parts, scene.title, "; ".join([told, *scene.caption])))


def told_below(stage: Stage, lines: Sequence[str], width: float, bold: bool = True) -> Block:
    """Texts in lines of a width; the first is bold."""
    letters = int(width / (SIZE * LETTER))
    found = [(line, bold and not at) for at, said in enumerate(lines) for line in wrap(said, letters)]
    return stacked([line_of(line, stage.bold if is_bold else stage.ink) for line, is_bold in found])


def placed_state(stage: Stage, engine: Engine, state: State, before: State | None = None) -> Placed:
    """What stands where in a state."""
    return placed(stage, Reader(engine, state), None if before is None else Reader(engine, before))


def blocks(stage: Stage, engine: Engine, state: State, before: State | None = None) -> tuple[Element, ...]:
    """Pictures of a state, which a page lays out by its width: each board, and what stands beside them. The page has the
    definitions of their sprites."""
    found = placed_state(stage, engine, state, before)
    beside = painted(stage, found.panel, f"{stage.title}: beside the board", found.told)
    return *(painted(stage, board, stage.title, found.told) for board in found.boards), beside


# A picture of why an action is illegal --------------------------------------------------------------------------------
# The cells and tiles involved carry the numbers of the reasons listed below.


def refusal_picture(scene: Scene, state: State, action: str, failures: Sequence[Failure]) -> Element:
    """The picture of a state in which an action, given as text, fails for these reasons."""
    verdict = f"`{action}` is not legal" if failures else f"`{action}` is legal"
    caption = (verdict, *(f"{number} {_reason(failure)}" for number, failure in enumerate(failures, 1)))
    return picture(evolve(scene, marked=labels_of(failures), caption=caption), state)


def labels_of(failures: Sequence[Failure]) -> dict[str, str]:
    """The numbers of the reasons, from 1, that each cell and tile is involved in, by its name."""
    marked: dict[str, list[str]] = {}
    for number, failure in enumerate(failures, 1):
        for type, value in failure.things:
            if isinstance(type, types.Cell | types.Tile):
                marked.setdefault(thing_name(type, value), []).append(str(number))
    return {name: ",".join(numbers) for name, numbers in marked.items()}


def _reason(failure: Failure) -> str:
    """The failed requirement with its message and its clause."""
    clause = f", {failure.cite}" if failure.cite else ""
    return f"{failure.message} ({failure.requirement}{clause})"
