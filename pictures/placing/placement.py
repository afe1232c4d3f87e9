"""Placements: sprites and texts at their places, in pixels, and the values of a state that a stage asks for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from rulewright.base.records import frozen
from rulewright.pictures.boards.cell_shapes import Point
from rulewright.pictures.stage.vocabulary import EVERYONE
from rulewright.pictures.text_sizes import LETTER, LINE, SIZE
from rulewright.rules.model import terms
from rulewright.rules.model.game import Definition
from rulewright.rules.play.engine import Engine, State, describe_turn
from rulewright.rules.play.scores import told_standings
from rulewright.rules.static.look_checks import drawn_definitions


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


def line_of(content: str, style: int) -> Block:
    """A line of text in the style of a sprite."""
    text = Placement((0.0, LINE / 2), style, content, (1.0, SIZE))
    return Block((len(content) * SIZE * LETTER, LINE), [text])


def stacked(blocks: Sequence[Block]) -> Block:
    """Blocks below one another."""
    found, down = [], 0.0
    for block in blocks:
        found.append(Placement((0.0, down), parts=block.parts))
        down += block.size[1]
    return Block((max((block.size[0] for block in blocks), default=0.0), down), found)


# Reading --------------------------------------------------------------------------------------------------------------


@frozen(eq=False)
class Reader:
    """Answers for a state of an engine. A page asks its own engine the same."""

    engine: Engine
    state: State

    def column(self, number: int) -> Any:
        """A value, or the values over cells, or the tiles of a zone."""
        return self.state[number]

    def holds(self, definition: int, cell: int) -> bool:
        """Whether a drawn definition holds for a cell."""
        asked = self._definitions[definition]
        ((name, type),) = asked.parameters
        call = terms.Invoke(asked.name, (terms.Local(name, type),), type=asked.type)
        return bool(self.engine.value(call, self.state, {name: cell}))

    def player(self) -> int:
        """The player to move; 0 if the game is over."""
        return self.engine.player(self.state)

    def over(self) -> bool:
        return self.engine.over(self.state)

    def turn(self) -> str:
        """Whose turn it is, or what is over."""
        return describe_turn(self.engine, self.state)

    def score(self) -> str:
        """The score and its rank."""
        score = self.engine.score(self.state)
        rank = self.engine.rank(score)
        return f"score {score}" + (f" · {rank}" if rank else "")

    def standing(self, player: int) -> str:
        """The scores of a player, and whether the player wins or leads, each after a dot; "" without any."""
        return "".join(f" · {told}" for told in self._standings.get(player, ()))

    @cached_property
    def _definitions(self) -> Sequence[Definition]:
        return drawn_definitions(self.engine.game)

    @cached_property
    def _standings(self) -> dict[int, tuple[str, ...]]:
        return told_standings(self.engine, self.state)


def sees(owner: int, reader: Reader) -> bool:
    """Whether a viewer who sees what the player to move sees may see what is `owner`'s."""
    return owner == EVERYONE or owner == reader.player() or (owner > EVERYONE and reader.over())
