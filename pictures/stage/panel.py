"""The panel of a stage: whose turn it is, scores, values, hands and piles, beside the boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree.looks import Colour, Drawing, Standing
from rulewright.pictures.shapes import DIE, DRAWINGS, die_face, scaled
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, TileKind, Variable, owner_name
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, describe_value, plays_alone
from rulewright.rules.play.scores import has_common_score, has_standings
from rulewright.rules.play.visibility import beside_boards, has_few_values

from ..boards.tile_picture import TileArtist, shape_of_tiles
from ..look import Look, Looks, Palette
from ..scene import Scene, thing_name
from ..svg import Element, Paint, group, path, polygon_data, text
from ..text_sizes import CHIP, ICON, LETTER, SIZE
from .marks import words_of
from .sprites import Sprites
from .vocabulary import (
    EVERYONE,
    NOBODY,
    Board,
    Heading,
    Icons,
    Members,
    Panel,
    PanelRule,
    Piles,
    Score,
    Table,
    Turn,
    Value,
    ValueList,
    Zone,
)

TILE, CARD = 0.8, 1.6
"""The width of a tile in a hand and the height of a card, in widths of a cell."""

APART, CARDS_APART = 1.25, 0.8
"""From tile to tile and from card to card, in heights of one."""


@frozen(eq=False)
class PanelMaker:
    """Makes what stands beside the boards of a game."""

    scene: Scene
    looks: Looks
    sprites: Sprites
    boards: Sequence[Board]

    @property
    def engine(self) -> Engine:
        return self.scene.engine

    def panel(self) -> Panel:
        tiles, size = self.engine.game.tiles, TILE * self.scene.options.cell
        sizes = tuple(map(self._size, tiles))
        labels = {number: self.scene.marked.get(thing_name(types.Tile(), number)) for number in range(1, len(tiles) + 1)}
        badges = {number: self._badge(label, size) for number, label in labels.items() if label is not None}
        rules = tuple(self._rules())
        has_zones = any(isinstance(rule, Zone) for rule in rules)
        return Panel(
            rules=rules,
            sizes=sizes if has_zones else (),
            faces=self._faces() if has_zones else (),
            titles=tuple(self.engine.game.called(kind.name) for kind in tiles) if has_zones else (),
            count=self.sprites.text(lambda palette: palette.ink),
            badges=badges,
        )

    def _rules(self) -> Iterator[PanelRule]:
        yield Turn(plays_alone(self.engine))
        if self.scene.viewer.has_score and has_common_score(self.engine):
            ink = self.sprites.text(lambda palette: palette.on(palette.of(Colour.YELLOW)), "start", bold=True)
            yield Score(self.sprites.plate(lambda palette: palette.of(Colour.YELLOW)), ink)
        shown = beside_boards(self.engine, self.scene.viewer)
        for player in range(1, self.engine.instance.players + 1):
            own = [column for column in shown if column.variable.index == types.Player() and not _is_place(column)]
            if own or has_standings(self.engine.game):
                yield Heading(player, self.engine.game.called(f"player {player}"), not own)
            yield from self._of_player(own, player)
        yield from self._of_all(
            [c for c in shown if c.variable.index != types.Player() and not c.variable.is_shown_by_layer and not _is_place(c)]
        )

    def _of_player(self, columns: Sequence[Column], player: int) -> Iterator[PanelRule]:
        found = [self._value(c, player - c.offset, self._called(c)) for c in columns if not c.variable.is_zone]
        yield from _listed([value for value in found if value is not None])
        for column in (c for c in columns if c.variable.is_zone):
            yield from self._zone(column, player - column.offset, self._called(column))

    def _of_all(self, columns: Sequence[Column]) -> Iterator[PanelRule]:
        plain: list[Value] = []
        for column in columns:
            variable = column.variable
            match variable.index, variable.type:
                case _ if variable.is_zone:
                    pass
                case types.Pair() as pair, _ if _is_tabular(pair):
                    yield self._table(column, pair)
                case types.Enumeration() as index, types.Enumeration() as type if self._is_seen_by_all(column):
                    yield self._piles(column, index, type)
                case types.Enumeration() as index, types.Truth() if self._is_seen_by_all(column):
                    titles = tuple(map(self.engine.game.called, self.engine.game.members(index)[column.offset :]))
                    yield Members(self._called(column), _numbers(column), titles)
                case _:
                    told = (self._value(column, at, self._label(column, at)) for at in range(column.count))
                    plain += [value for value in told if value is not None]
        yield from _listed(plain)
        for column in (c for c in columns if c.variable.is_zone):
            for at in range(column.count):
                yield from self._zone(column, at, self._label(column, at))

    def _called(self, column: Column) -> str:
        """The label of a variable, or its name as words."""
        return spaced(self.engine.game.called(column.variable.name))

    def _label(self, column: Column, at: int) -> str:
        variable = column.variable
        if variable.index is None:
            return self._called(column)
        return f"{self._called(column)} {describe_value(self.engine, variable.index, column.offset + at)}"

    def _is_seen_by_all(self, column: Column) -> bool:
        return self._audience(column, 0) == EVERYONE

    def _audience(self, column: Column, at: int) -> int:
        index = None if column.variable.index is None else column.offset + at
        found = self.scene.viewer.audience(self.engine.instance, column.variable, index)
        return NOBODY if found is None else found

    # Values -----------------------------------------------------------------------------------

    def _value(self, column: Column, at: int, label: str) -> Value | None:
        """A value worth showing, if it is: where values are few all are, except those of a cell that are as before the set-up;
        where they are many, those that are visible and not as before the set-up."""
        variable, owner, unset = column.variable, self._audience(column, at), self.engine.unset[column.start + at]
        pair = variable.index
        of_cell = isinstance(pair, types.Pair) and any(isinstance(part, types.Cell) for part in (pair.first, pair.second))
        viewer = self.scene.viewer
        is_whole = viewer.everything or viewer.whole or has_few_values(self.engine, viewer)
        is_arbitrary = variable.initial is None and isinstance(variable.type, types.Truth | types.Enumeration)
        is_one_of_many = is_arbitrary or variable.index not in (None, types.Player())
        if not is_whole and (owner == NOBODY or isinstance(variable.type, types.Cell)):
            return None
        silent = (unset,) if of_cell or (not is_whole and is_one_of_many) else ()
        words = words_of(self.engine, variable)
        return Value(column.start + at, label, words, owner, silent, not is_whole, self._icons(variable))

    def _icons(self, variable: Variable) -> Icons | None:
        match variable.type:
            case types.Number() if self.looks.variable(variable.name).data == DRAWINGS[Drawing.DIE] and variable.high <= DIE:
                die = self.looks.variable(variable.name)
                faces = (evolve(die, data=die_face(number)) for number in range(variable.high + 1))
                return Icons(tuple(self._icon(face) for face in faces), "")
            case types.Number() if self.looks.standing(variable.name) is Standing.TRACK:
                spot = Look(Colour.GREY, DRAWINGS[Drawing.DOT])
                sprites = tuple(self._icon(look) for look in (self.looks.variable(variable.name), spot))
                return Icons(sprites, self.engine.game.called(variable.name), (variable.low, variable.high))
            case types.Number() | types.Truth() if self.looks.draws(variable.name):
                sprite = self._icon(self.looks.variable(variable.name))
                return Icons((sprite,), self.engine.game.called(variable.name))
            case types.Enumeration() as enumeration:
                members = self.engine.game.members(enumeration)
                if any(self.looks.draws(member) for member in members):
                    looks = [self.looks.member(number, name) for number, name in enumerate(members)]
                    return Icons(tuple(self._icon(look) for look in looks))
        return None

    def _table(self, column: Column, pair: types.Pair) -> Table:
        """A table with a row for each value of the first index, a column for each of the second."""
        cells: dict[str, dict[str, Value]] = {}
        words = words_of(self.engine, column.variable)
        for at in range(column.count):
            first, second = self.engine.instance.parts(pair, column.offset + at)
            row, head = (self._name(part, value) for part, value in ((pair.first, first), (pair.second, second)))
            cells.setdefault(row, {})[head] = Value(column.start + at, "", words, self._audience(column, at))
        heads = tuple(dict.fromkeys(head for row in cells.values() for head in row))
        rows = tuple((name, tuple(row.get(head) for head in heads)) for name, row in cells.items())
        return Table(self._called(column), heads, rows)

    def _name(self, type: types.Type, value: int) -> str:
        return self.engine.game.called(
            f"player {value}" if isinstance(type, types.Player) else describe_value(self.engine, type, value)
        )

    def _piles(self, column: Column, index: types.Enumeration, type: types.Enumeration) -> Piles:
        """A pile for each member of one enum, of the members of the other that map to it."""
        names = self.engine.game.members(index)[column.offset : column.offset + column.count]
        called = self.engine.game.called
        return Piles(
            self._called(column),
            tuple(map(called, self.engine.game.members(type))),
            _numbers(column),
            tuple(self._chip(column.offset + at, name) for at, name in enumerate(names)),
            tuple(map(called, names)),
            self.sprites.add(lambda palette: path(f"M0 2H{CHIP[0]:g}", Paint("", palette.faint, 2.0))),
            self.sprites.text(lambda palette: palette.faint),
        )

    # Zones ------------------------------------------------------------------------------------

    def _zone(self, column: Column, at: int, label: str) -> Iterator[Zone]:
        """A hand or pile; the box only for those who see everything."""
        variable = column.variable
        if variable.name == BOX and not self.scene.viewer.everything:
            return
        owner = column.offset + at if variable.index == types.Player() else EVERYONE
        faces, stands = owner if self._owned else 0, self.looks.standing(variable.name)
        below, is_stack = stands is Standing.BELOW, stands is Standing.STACK
        if below and owner and self.engine.instance.players > 1:
            label += f" of {self.engine.game.called(f'player {owner}')}"
        yield Zone(column.start + at, label, self._audience(column, at), owner, faces, below, is_stack)

    @cached_property
    def _owned(self) -> frozenset[int]:
        """The kinds of pieces that lie on a board as a player's."""
        patterns, columns = self.engine.game.patterns.values(), self.engine.layout.columns
        return frozenset(kind for pattern in patterns if owner_name(pattern.name) in columns for kind in pattern.kinds)

    def _size(self, kind: TileKind) -> tuple[float, float]:
        """How high a tile is, and how much room it takes."""
        is_card = self.looks.is_card(kind.name, kind.group)
        size = (CARD if is_card else TILE) * self.scene.options.cell
        return size, size * (CARDS_APART if is_card else APART)

    def _faces(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """The sprites of tiles in a hand, each with its scale: those of nobody and, if pieces are owned, of each player."""
        players = range(self.engine.instance.players + 1 if self._owned else 1)
        kinds = [*enumerate(self.engine.game.tiles, 1)]
        return tuple(tuple(self._face(number, kind, player) for number, kind in kinds) for player in players)

    def _face(self, number: int, kind: TileKind, owner: int) -> tuple[int, float]:
        """A tile as it lies on a flat board, if it lies on one, in the colour of its owner."""
        size, _ = self._size(kind)
        if owner and number in self._owned:
            return self.sprites.add(lambda palette: self._artist(palette, size).owned(kind, owner)), 1.0
        for board in [] if self.looks.is_card(kind.name, kind.group) else self.boards:
            if board.tiles is not None and board.tiles.column >= 0 and not board.grid.is_isometric:
                return board.tiles.faces[number].sprites[0], size / board.size
        return self.sprites.add(lambda palette: self._artist(palette, size).tile(kind)), 1.0

    def _artist(self, palette: Palette, size: float) -> TileArtist:
        return TileArtist(self.engine.game, self.looks, palette, shape_of_tiles(self.engine.game), size)

    # Sprites ----------------------------------------------------------------------------------

    def _badge(self, label: str, size: float) -> int:
        return self.sprites.add(lambda palette: self._artist(palette, size).badge(label))

    def _icon(self, look: Look) -> int:
        def draw(palette: Palette) -> Element:
            if not look.data and look.glyph:
                return group((text((0, 0), look.glyph, SIZE, palette.ink, bold=True),))
            return path(scaled(look.data, 0.45 * ICON), Paint(palette.of(look.colour), palette.ink, 0.8))

        return self.sprites.add(draw)

    def _chip(self, number: int, name: str) -> int:
        width, height = CHIP
        corners = [(1.0, 1.0), (width - 1, 1.0), (width - 1, height - 1), (1.0, height - 1)]
        title = self.engine.game.called(name)
        size = min(SIZE, (width - 6) / (LETTER * max(1, len(title))))

        def draw(palette: Palette) -> Element:
            colour = palette.of(self.looks.member(number, name).colour)
            plate = path(polygon_data(corners), Paint(colour, palette.ink, 0.8))
            return group((plate, text((width / 2, height / 2), title, size, palette.on(colour))))

        return self.sprites.add(draw)


def _is_place(column: Column) -> bool:
    """Whether a variable is the place of a piece, which its board shows."""
    return isinstance(column.variable.type, types.Cell) and not column.variable.is_zone


def _is_tabular(pair: types.Pair) -> bool:
    return all(isinstance(part, types.Player | types.Enumeration) for part in (pair.first, pair.second))


def _numbers(column: Column) -> tuple[int, ...]:
    return tuple(range(column.start, column.start + column.count))


def _listed(values: Sequence[Value]) -> Iterator[ValueList]:
    if values:
        yield ValueList(tuple(values))
