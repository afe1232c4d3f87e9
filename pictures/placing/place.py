"""Places a stage for a state."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import frozen

from ..stage.vocabulary import Stage
from ..text_sizes import LETTER, LINE, SIZE
from .boards import place_board
from .panel import place_panel
from .placement import Block, Placement, Reader, stacked


@frozen
class Placed:
    """The boards, what is beside them, and all in words."""

    boards: Sequence[Block]
    panel: Block
    told: str


def placed(stage: Stage, reader: Reader, before: Reader | None = None) -> Placed:
    """What stands where in a state; changes on boards since a state before are marked."""
    blocks: list[Block] = []
    told = [reader.turn()]
    for board in stage.boards:
        found = place_board(board, reader, before, stage.things)
        if found is None:
            continue
        title = Placement((0.0, LINE / 2), stage.bold, board.title, (1.0, SIZE))
        head = Block((len(board.title) * SIZE * LETTER, LINE), [title])
        blocks.append(stacked([head, found.block]) if board.is_titled else found.block)
        told += [f"{board.title}: {found.tiles} tiles"] if found.tiles else []
    return Placed(blocks, place_panel(stage, reader), "; ".join(told))
