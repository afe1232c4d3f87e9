"""A position as a picture: its boards, the player to move, and beside them hands, piles and values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, islice
from textwrap import wrap

from attrs import evolve

from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.looks import Colour
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Storage, owner_name
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_turn, describe_value
from rulewright.rules.play.standings import Standing, standings
from rulewright.rules.play.visibility import Viewer, is_beside_boards

from .boards.board_picture import BoardPicture
from .boards.cell_shapes import SQUARE, cell_shape
from .boards.tile_picture import TileArtist
from .by_system import drawn_by_system
from .look import Looks
from .options import DEFAULT_OPTIONS, PictureOptions
from .palette import Palette
from .parts import LETTER, LINE, SIZE, Part, stacked, written
from .svg import Element, Paint, drawing, group, path, polygon_data, text
from .things import thing_name
from .value_pictures import ValueArtist

BORDER, GAP, EDGE = 16.0, 20.0, 2.0
"""Pixels: around the picture, between its parts, and around a part alone."""

NARROWEST = 480.0
"""The least width of the text below a picture, in pixels."""

MOST_TILES = 24
"""The maximum number of distinct tiles drawn in a row of a hand or pile."""


@frozen
class Scene:
    """The subject of a picture: a game, the viewer, a title, and options. `others` are states whose pictures share its frame.

    `marked` gives things, by name, short labels, which the lines of the `caption` explain.
    """

    engine: Engine
    viewer: Viewer
    title: str
    options: PictureOptions = DEFAULT_OPTIONS
    others: tuple[State, ...] = ()
    marked: Mapping[str, str] = field(factory=dict)
    caption: tuple[str, ...] = ()


def picture(scene: Scene, state: State, before: State | None = None) -> Element:
    """The picture of a state; changes on its boards since the state `before` are marked."""
    return _Picture(scene, state, before).drawn()


def picture_by_system(scene: Scene, state: State, before: State | None = None) -> Element:
    """The picture of a state, dark where the reader's system is, by the rules of `dark_rules`; or always, by its options."""
    (drawn,) = drawn_by_system(lambda options: (picture(evolve(scene, options=options), state, before),), scene.options)
    return drawn


def blocks_by_system(scene: Scene, state: State, before: State | None = None) -> tuple[Element, Element]:
    """The same as two pictures, for pages that are too narrow for one: the boards, and what stands beside them."""
    boards, beside = drawn_by_system(
        lambda options: _Picture(evolve(scene, options=options), state, before).blocks(), scene.options
    )
    return boards, beside


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
        boards = stacked(list(self._boards()))
        beside = stacked(list(self._beside()))
        width = boards.size[0] + (GAP + beside.size[0] if beside.size[0] else 0) + 2 * BORDER
        height = max(boards.size[1], beside.size[1]) + 2 * BORDER
        placed = [group((boards.element,), (BORDER, BORDER)), group((beside.element,), (BORDER + GAP + boards.size[0], BORDER))]
        if self.scene.caption:
            caption = stacked(list(self._caption(max(width, NARROWEST) - 2 * BORDER)))
            placed.append(group((caption.element,), (BORDER, height)))
            width, height = max(width, caption.size[0] + 2 * BORDER), height + caption.size[1] + BORDER
        return self._on_paper((width, height), placed, self.scene.title)

    def blocks(self) -> tuple[Element, Element]:
        """The boards, and what is beside them."""
        parts = (self._boards(), self.scene.title), (self._beside(), f"{self.scene.title}: beside the board")
        boards, beside = (self._alone(stacked(list(found)), title) for found, title in parts)
        return boards, beside

    def _alone(self, part: Part, title: str) -> Element:
        width, height = part.size
        return self._on_paper((width + 2 * EDGE, height + 2 * EDGE), [group((part.element,), (EDGE, EDGE))], title)

    def _on_paper(self, size: tuple[float, float], elements: Sequence[Element], title: str) -> Element:
        width, height = size
        paper = path(polygon_data([(0, 0), (width, 0), (width, height), (0, height)]), Paint(self.palette.paper))
        role = "group" if self.options.things else "img"
        return drawing(size, (paper, *elements), title, self._in_words(), role)

    def _caption(self, width: float) -> Iterator[Part]:
        """The text below, in lines of this width; the first line is bold."""
        for number, said in enumerate(self.scene.caption):
            for line in wrap(said, int(width / (SIZE * LETTER))):
                yield self._line(line, bold=not number)

    def _in_words(self) -> str:
        """A description of the picture in words."""
        counts = (f"{space}: {len(board.tiles)} tiles" for space, board in self._pictures.items() if board.tiles)
        return "; ".join([describe_turn(self.engine, self.state), *counts, *self.scene.caption])

    @cached_property
    def _looks(self) -> Looks:
        return Looks.of(self.engine.game)

    @cached_property
    def _pictures(self) -> Mapping[str, BoardPicture]:
        """The picture of each space. Ports are drawn on their tiles, edges between the cells."""
        found: dict[str, BoardPicture] = {}
        for space, declared in self.engine.game.spaces.items():
            if not declared.per_side:
                board = BoardPicture(self.engine, self.state, self.viewer, self._looks, self.palette, space, self.options)
                found[space] = evolve(board, before=self.before, others=self.scene.others, marked=self.scene.marked)
        upon = {space for board in found.values() for space in board.edges}
        return {space: board for space, board in found.items() if space not in upon}

    def _boards(self) -> Iterator[Part]:
        for space, board in self._pictures.items():
            if not board.plan.middles or (not board.tiles and not board.marks and not self._is_worth_showing(space)):
                continue
            if len(self._pictures) > 1:
                yield self._line(space, bold=True)
            yield Part(board.size, board.drawn())

    def _is_worth_showing(self, space: str) -> bool:
        """Whether an empty space is worth a picture: tiles may come to it, or its edges have values."""
        return self.engine.game.spaces[space].of_tiles or bool(self._pictures[space].edges) or len(self._pictures) == 1

    # Beside the boards ------------------------------------------------------------------------

    def _beside(self) -> Iterator[Part]:
        yield self._line(describe_turn(self.engine, self.state), bold=True)
        if self.engine.game.scores:
            score = self.engine.score(self.state)
            rank = self.engine.rank(score)
            yield self._badge(f"score {score}" + (f" · {rank}" if rank else ""))
        standing = {found.player: found for found in standings(self.engine, self.state)}
        shown = [column for column in self.engine.layout.columns.values() if is_beside_boards(column)]
        for player in range(1, self.engine.instance.players + 1):
            own = [column for column in shown if column.variable.index == types.Player() and not _is_place(column)]
            if own or player in standing:
                yield self._line(f"player {player}{self._stands(standing.get(player))}", bold=True)
            yield from self._values(own, player)
        others = [c for c in shown if c.variable.index != types.Player() and not c.variable.is_shown_by_layer]
        yield from self._values(others)

    def _stands(self, standing: Standing | None) -> str:
        """The scores of a player, and whether the player wins or leads."""
        if standing is None:
            return ""
        scores = "".join(f" · {name} {value}" for name, value in standing.scores.items())
        word = "wins" if self.engine.over(self.state) else "leads"
        return scores + (f" · {standing.rank}" if standing.rank else "") + (f" · {word}" if standing.leads else "")

    def _badge(self, content: str) -> Part:
        """A line of text on a background plate."""
        width = len(content) * SIZE * LETTER + SIZE
        colour = self.palette.of(Colour.YELLOW)
        plate = path(polygon_data([(0, 1), (width, 1), (width, LINE - 1), (0, LINE - 1)]), Paint(colour))
        words = text((SIZE / 2, LINE / 2), content, SIZE, self.palette.on(colour), "start", bold=True)
        return Part((width, LINE), group((plate, words)))

    def _label(self, column: Column, number: int) -> str:
        variable = column.variable
        if variable.index is None:
            return variable.name
        return f"{variable.name} {describe_value(self.engine, variable.index, column.offset + number)}"

    def _values(self, columns: Sequence[Column], player: int = 0) -> Iterator[Part]:
        """The values of a player, or of the game, then zones: as pictures of their tiles if the viewer may see them."""
        values = [column for column in columns if column.variable.storage is Storage.VALUE and not _is_place(column)]
        artist = ValueArtist(self.engine, self.state, self.viewer, self._looks, self.palette)
        if player:
            own = [(column, player - column.offset, column.variable.name) for column in values]
            yield from artist.values([value for value in own if artist.is_worth_showing(*value[:2])])
        else:
            labels = {c.variable.name: [self._label(c, number) for number in range(c.count)] for c in values}
            yield from artist.of_all(values, labels)
        for column in (column for column in columns if column.variable.storage is not Storage.VALUE):
            for number in [player - column.offset] if player else range(column.count):
                yield from self._zone(column, number, column.variable.name if player else self._label(column, number))

    def _zone(self, column: Column, number: int, label: str) -> Iterator[Part]:
        """The contents of a hand or pile; nothing for an empty one and for the box."""
        variable, value = column.variable, self.state[column.start + number]
        if not value or (variable.name == BOX and not self.viewer.everything):
            return
        yield self._line(f"{label}: {len(value)}")
        if self.viewer.sees(self.engine, self.state, variable, column.offset + number):
            in_play = variable.index != types.Player() or column.offset + number == self.engine.player(self.state)
            owner = column.offset + number if variable.index == types.Player() else 0
            yield self._hand(value, self.options.things and in_play, owner)

    @cached_property
    def _owned(self) -> frozenset[int]:
        """The kinds of pieces that lie on a board as a player's."""
        patterns, columns = self.engine.game.patterns.values(), self.engine.layout.columns
        return frozenset(kind for pattern in patterns if owner_name(pattern.name) in columns for kind in pattern.kinds)

    def _hand(self, tiles: Sequence[int], things: bool, owner: int) -> Part:
        """Tiles in a row, adjacent equal ones once with a count; with `things`, they can be focused.

        Pieces are in the colour of their `owner`, if any.
        """
        size = 0.8 * self.options.cell
        spaces = sorted(self.engine.game.spaces.values(), key=lambda space: not space.of_tiles)
        shape = cell_shape(spaces[0].shape) if spaces else SQUARE
        artist = TileArtist(self.engine.game, self._looks, self.palette, shape, size)
        apart, found, left = 1.25 * size, [], 0.0
        for tile, run in islice(groupby(tiles), MOST_TILES):
            kind, count = self.engine.game.tiles[tile - 1], len(list(run))
            title, thing = (kind.name, thing_name(types.Tile(), tile)) if things else ("", "")
            face = artist.owned(kind, owner) if owner and tile in self._owned else artist.tile(kind)
            drawn = [face, *artist.badge(self.scene.marked.get(thing_name(types.Tile(), tile), ""))]
            found.append(group(drawn, (left + apart / 2, 0.6 * size), title, thing))
            if count > 1:
                found.append(text((left + apart / 2, 1.35 * size), f"x{count}", SIZE, self.palette.ink))
            left += apart
        return Part((left, 1.5 * size), group(found))

    def _line(self, content: str, bold: bool = False) -> Part:
        return written(content, self.palette, bold)


def _is_place(column: Column) -> bool:
    """Whether a variable is the place of a piece, which its board shows."""
    return isinstance(column.variable.type, types.Cell)
