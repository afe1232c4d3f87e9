"""A figure as a rulebook prints one: moves of a plan as numbered arrows, in one stage or in several side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import evolve, frozen
from rulewright.pictures.placing.panel import in_row, placed
from rulewright.pictures.placing.placement import Block, Reader, stacked
from rulewright.pictures.placing.routes import Route, routes_of
from rulewright.pictures.stage.from_scene import stage_of
from rulewright.pictures.stage.vocabulary import Stage
from rulewright.rules.model.state import State
from rulewright.rules.play.move_notation import parse_attempt

from .position_picture import GAP, composed, told_below
from .scene import Scene
from .svg import Element

WIDEST = 900.0
"""Pixels: a row of stages is at most that wide."""

NARROW = 240.0
"""The least width of the words below a stage, in pixels."""


@frozen
class Line:
    """A line of play: its states, one more than there are actions, and the actions as players write them."""

    states: Sequence[State]
    actions: Sequence[str]


def figure(scene: Scene, line: Line, parts: Sequence[range]) -> Element:
    """The picture of parts of a line, each a range of its actions from 0: the state before, the actions as arrows, and in words
    below. Several parts show only their boards."""
    options, several = evolve(scene.options, routes=True), len(parts) > 1
    options = evolve(options, board_only=options.board_only or several)
    stage = stage_of(
        evolve(scene, options=options, others=tuple(line.states[at] for part in parts for at in (part.start, part.stop)))
    )
    rows: list[list[Block]] = [[]]
    told = []
    for part in parts:
        routes = [route for at in part for route in _routes(stage, scene, line, at)]
        found = placed(stage, Reader(scene.engine, line.states[part.start]), None, routes)
        boards = stacked(found.boards)
        words = ", ".join(f"{at + 1} {line.actions[at]}".replace(" ", "\N{NO-BREAK SPACE}") for at in part)
        below = [told_below(stage, [words], max(boards.size[0], NARROW), bold=False)] if several else []
        block = in_row([stacked([boards, *below]), found.panel], GAP, at_top=True)
        if rows[-1] and sum(one.size[0] + GAP for one in rows[-1]) + block.size[0] > WIDEST:
            rows.append([])
        rows[-1].append(block)
        told += [found.told, words]
    caption = (*scene.caption, words) if scene.caption and not several else scene.caption
    return composed(
        stage, evolve(scene, caption=caption), stacked([in_row(row, GAP, at_top=True) for row in rows]), "; ".join(told)
    )


def _routes(stage: Stage, scene: Scene, line: Line, at: int) -> list[Route]:
    before, after = (Reader(scene.engine, line.states[number]) for number in (at, at + 1))
    return routes_of(stage.boards, before, after, parse_attempt(scene.engine, before.state, line.actions[at]), str(at + 1))
