"""A position as a picture: its boards, whose turn it is, and beside them hands, piles and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from textwrap import wrap

from attrs import evolve, field

from rulewright.base.records import define, frozen
from rulewright.grammar.tree.looks import Colour
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Storage
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_turn, describe_value
from rulewright.rules.play.standings import Standing, standings
from rulewright.rules.play.visibility import Viewer

from .board_picture import BoardPicture
from .cell_shapes import SQUARE, cell_shape
from .look import Looks
from .options import DEFAULT_OPTIONS, PictureOptions
from .palette import Palette
from .svg import Element, Paint, drawing, group, path, polygon_data, text
from .things import thing_name
from .tile_picture import TileArtist

BORDER, GAP, LINE, SIZE = 16.0, 20.0, 22.0, 14.0
"""Pixels: around the picture, between its parts, from line to line of text, of a letter."""

LETTER = 0.62
"""The width of a letter, as a share of its height, about."""

NARROWEST = 480.0
"""The width in pixels that what is said below a picture has at least."""

WIDEST = 40
"""So many letters stand on a line of values, about."""

MOST_TILES = 24
"""So many tiles of a hand or pile are drawn."""


@frozen
class Part:
    """A part of a picture with its size in pixels."""

    size: tuple[float, float]
    element: Element


@frozen
class Scene:
    """What is drawn: a game, who looks, a title, and how. `others` are states whose pictures are to have the same frame.

    Things by their names are `marked` with short labels, which the lines of the `caption` explain.
    """

    engine: Engine
    viewer: Viewer
    title: str
    options: PictureOptions = DEFAULT_OPTIONS
    others: tuple[State, ...] = ()
    marked: Mapping[str, str] = field(factory=dict)
    caption: tuple[str, ...] = ()


def picture(scene: Scene, state: State, before: State | None = None) -> Element:
    """The picture of a state; what has changed on its boards since another one is marked."""
    return _Picture(scene, state, before).drawn()


@define(eq=False)
class _Picture:
    scene: Scene
    state: State
    before: State | None

    @property
    def engine(self) -> Engine:
        return self.scene.engine

    @property
    def viewer(self) -> Viewer:
        return self.scene.viewer

    @property
    def options(self) -> PictureOptions:
        return self.scene.options

    @property
    def palette(self) -> Palette:
        return self.options.palette

    def drawn(self) -> Element:
        boards = _stacked(list(self._boards()))
        beside = _stacked(list(self._beside()))
        width = boards.size[0] + (GAP + beside.size[0] if beside.size[0] else 0) + 2 * BORDER
        height = max(boards.size[1], beside.size[1]) + 2 * BORDER
        placed = [group((boards.element,), (BORDER, BORDER)), group((beside.element,), (BORDER + GAP + boards.size[0], BORDER))]
        if self.scene.caption:
            caption = _stacked(list(self._caption(max(width, NARROWEST) - 2 * BORDER)))
            placed.append(group((caption.element,), (BORDER, height)))
            width, height = max(width, caption.size[0] + 2 * BORDER), height + caption.size[1] + BORDER
        paper = path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(self.palette.paper))
        role = "group" if self.options.things else "img"
        return drawing((width, height), (paper, *placed), self.scene.title, self._in_words(), role)

    def _caption(self, width: float) -> Iterator[Part]:
        """What is said below, in lines that are that wide; the first line is bold."""
        for number, said in enumerate(self.scene.caption):
            for line in wrap(said, int(width / (SIZE * LETTER))):
                yield self._line(line, bold=not number)

    def _in_words(self) -> str:
        """What the picture shows, in words."""
        counts = (f"{space}: {len(board.tiles)} tiles" for space, board in self._pictures.items() if board.tiles)
        return "; ".join([describe_turn(self.engine, self.state), *counts, *self.scene.caption])

    @cached_property
    def _looks(self) -> Looks:
        return Looks.of(self.engine.game)

    @cached_property
    def _pictures(self) -> Mapping[str, BoardPicture]:
        """The picture of each space. Ports are drawn on the tiles that they belong to."""
        found = {}
        for space, declared in self.engine.game.spaces.items():
            if not declared.per_side:
                board = BoardPicture(self.engine, self.state, self.viewer, self._looks, self.palette, space, self.options)
                found[space] = evolve(board, before=self.before, others=self.scene.others, marked=self.scene.marked)
        return found

    def _boards(self) -> Iterator[Part]:
        for space, board in self._pictures.items():
            if not board.plan.middles or (not board.tiles and not board.marks and not self._is_named(space)):
                continue
            if len(self._pictures) > 1:
                yield self._line(space, bold=True)
            yield Part(board.size, board.drawn())

    def _is_named(self, space: str) -> bool:
        """Whether an empty space is worth a picture: tiles may come to it."""
        return self.engine.game.spaces[space].of_tiles or len(self.engine.game.spaces) == 1

    # Beside the boards ------------------------------------------------------------------------

    def _beside(self) -> Iterator[Part]:
        yield self._line(describe_turn(self.engine, self.state), bold=True)
        if self.engine.game.scores:
            score = self.engine.score(self.state)
            rank = self.engine.rank(score)
            yield self._badge(f"score {score}" + (f" · {rank}" if rank else ""))
        standing = {found.player: found for found in standings(self.engine, self.state)}
        shown = [
            column for column in self.engine.layout.columns.values() if not column.over_cells and not column.variable.is_loop
        ]
        for player in range(1, self.engine.instance.players + 1):
            own = [column for column in shown if column.variable.index == types.Player()]
            if own or player in standing:
                yield self._line(f"player {player}{self._stands(standing.get(player))}", bold=True)
            yield from self._values([(column, player - column.offset, column.variable.name) for column in own])
        others = [c for c in shown if c.variable.index != types.Player() and not c.variable.is_shown_by_layer]
        yield from self._values([(column, at, self._label(column, at)) for column in others for at in range(column.count)])

    def _stands(self, standing: Standing | None) -> str:
        """The scores of a player, and whether that one wins, or leads."""
        if standing is None:
            return ""
        scores = "".join(f" · {name} {value}" for name, value in standing.scores.items())
        word = "wins" if self.engine.over(self.state) else "leads"
        return scores + (f" · {standing.rank}" if standing.rank else "") + (f" · {word}" if standing.leads else "")

    def _badge(self, content: str) -> Part:
        """A line on a plate."""
        width = len(content) * SIZE * LETTER + SIZE
        colour = self.palette.of(Colour.YELLOW)
        plate = path(polygon_data([(0, 1), (width, 1), (width, LINE - 1), (0, LINE - 1)]), Paint(colour))
        written = text((SIZE / 2, LINE / 2), content, SIZE, self.palette.on(colour), "start", bold=True)
        return Part((width, LINE), group((plate, written)))

    def _label(self, column: Column, number: int) -> str:
        variable = column.variable
        if variable.index is None:
            return variable.name
        return f"{variable.name} {describe_value(self.engine, variable.index, column.offset + number)}"

    def _values(self, wanted: Sequence[tuple[Column, int, str]]) -> Iterator[Part]:
        """Values, several on a line, then zones: as pictures of their tiles where the viewer sees them."""
        told: list[str] = []
        zones: list[Part] = []
        for column, number, label in wanted:
            variable, value = column.variable, self.state[column.start + number]
            sees = self.viewer.sees(self.engine, self.state, variable, column.offset + number)
            if variable.storage is not Storage.VALUE:
                if not value or (variable.name == BOX and not self.viewer.everything):
                    continue
                zones.append(self._line(f"{label}: {len(value)}"))
                in_play = variable.index != types.Player() or column.offset + number == self.engine.player(self.state)
                zones += [self._hand(value[:MOST_TILES], self.options.things and in_play)] if sees else []
            elif not isinstance(variable.type, types.Cell):
                content = describe_value(self.engine, variable.type, value) if sees else "hidden"
                if told and len(told[-1]) + len(label) + len(content) < WIDEST:
                    told[-1] += f" · {label} {content}"
                else:
                    told.append(f"{label} {content}")
        yield from map(self._line, told)
        yield from zones

    def _hand(self, tiles: Sequence[int], things: bool) -> Part:
        """Tiles in a row, neighbours of a kind once, with how many there are of it; with `things`, they can be focused."""
        size = 0.8 * self.options.cell
        spaces = sorted(self.engine.game.spaces.values(), key=lambda space: not space.of_tiles)
        shape = cell_shape(spaces[0].shape) if spaces else SQUARE
        artist = TileArtist(self.engine.game, self._looks, self.palette, shape, size)
        apart, found, left = 1.25 * size, [], 0.0
        for tile, run in groupby(tiles):
            kind, count = self.engine.game.tiles[tile - 1], len(list(run))
            title, thing = (kind.name, thing_name(types.Tile(), tile)) if things else ("", "")
            drawn = [artist.tile(kind), *artist.badge(self.scene.marked.get(thing_name(types.Tile(), tile), ""))]
            found.append(group(drawn, (left + apart / 2, 0.6 * size), title, thing))
            if count > 1:
                found.append(text((left + apart / 2, 1.35 * size), f"x{count}", SIZE, self.palette.ink))
            left += apart
        return Part((left, 1.5 * size), group(found))

    def _line(self, content: str, bold: bool = False) -> Part:
        element = text((0.0, LINE / 2), content, SIZE, self.palette.ink, "start", bold)
        return Part((len(content) * SIZE * LETTER, LINE), element)


def _stacked(parts: Sequence[Part]) -> Part:
    """Parts below one another."""
    found, down = [], 0.0
    for part in parts:
        found.append(group((part.element,), (0.0, down)))
        down += part.size[1]
    return Part((max((part.size[0] for part in parts), default=0.0), down), group(found))
