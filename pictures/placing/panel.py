"""Places the panel of a stage: what stands beside the boards, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import wrap
from typing import assert_never

from rulewright.base.records import frozen
from rulewright.pictures.stage.vocabulary import (
    Heading,
    Members,
    PanelRule,
    Piles,
    Score,
    Stage,
    Table,
    Turn,
    Value,
    ValueList,
    Zone,
)
from rulewright.pictures.text_sizes import CHIP, ICON, LETTER, LINE, SIZE

from .boards import place_board
from .placement import Block, Placement, Reader, line_of, sees, stacked
from .routes import Route

GAP = 8.0
"""Pixels between a name and its icons, and between piles."""

MOST_ICONS = 6
"""Larger numbers are drawn as one icon and the number."""

WIDEST = 40
"""The approximate number of letters on a line of values."""

MOST_TILES = 24
"""The maximum number of distinct tiles drawn in a row of a hand or pile."""

PILE = 4.0
"""The height of the base of a pile, in pixels."""

MOST_UNDER, EDGE = 2, 0.06
"""Of how many tiles below the top of a stack the edges are drawn, and how wide, in widths of a tile."""

HIDDEN = "hidden"


def place_panel(stage: Stage, reader: Reader, below: bool) -> Block:
    """The panel in a state: what stands below the boards, or beside them."""
    panel = _Panel(stage, reader)
    rules = [rule for rule in stage.panel.rules if (isinstance(rule, Zone) and rule.below) == below]
    return stacked([block for rule in rules for block in panel.placed(rule)])


@frozen
class _Panel:
    stage: Stage
    reader: Reader

    def placed(self, rule: PanelRule) -> Iterator[Block]:
        match rule:
            case Turn(alone):
                if not alone or self.reader.over():
                    yield self.line(self.reader.turn(), bold=True)
            case Score():
                yield self._score(rule, self.reader.score())
            case Heading(player, name, is_bare):
                standing = self.reader.standing(player)
                if standing or not is_bare:
                    yield self.line(f"{name}{standing}", bold=True)
            case ValueList(values):
                yield from self._values(values)
            case Table():
                yield from self._table(rule)
            case Piles():
                yield self.line(rule.name, bold=True)
                yield in_row([self._pile(rule, number) for number in range(len(rule.piles))], GAP)
            case Members(name, columns, titles):
                found = [title for column, title in zip(columns, titles, strict=False) if self.reader.column(column)]
                said = f"{name}: {', '.join(found)}" if found else ""
                yield from map(self.line, wrap(said, WIDEST, break_long_words=False, break_on_hyphens=False))
            case Zone():
                yield from self._zone(rule)
            case other:
                assert_never(other)

    def line(self, content: str, bold: bool = False) -> Block:
        """A line of text."""
        return line_of(content, self.stage.bold if bold else self.stage.ink)

    def _score(self, rule: Score, content: str) -> Block:
        width = len(content) * SIZE * LETTER + SIZE
        plate = Placement((0.0, 1.0), rule.plate, scale=(width, LINE - 2))
        return Block((width, LINE), [plate, Placement((SIZE / 2, LINE / 2), rule.ink, content, (1.0, SIZE))])

    # Values -----------------------------------------------------------------------------------

    def _values(self, values: Sequence[Value]) -> Iterator[Block]:
        """Values with their labels: several on a line, and those with icons on separate lines."""
        shown = [value for value in values if self._is_shown(value)]
        indent = max((len(value.label) for value in shown if value.icons is not None), default=0)
        told = ""
        for value in shown:
            content = self._told(value)
            said = f"{value.label} {content}" if value.icons is None else ""
            if told and said and len(told) + len(said) < WIDEST:
                told += f" · {said}"
                continue
            if told:
                yield self.line(told)
            told = said
            if value.icons is not None:
                yield self._iconic(value, content, indent)
        if told:
            yield self.line(told)

    def _is_shown(self, value: Value) -> bool:
        return self.reader.column(value.column) not in value.silent and not (value.drops and not sees(value.owner, self.reader))

    def _told(self, value: Value) -> str:
        return value.words.tell(self.reader.column(value.column)) if sees(value.owner, self.reader) else HIDDEN

    def _iconic(self, value: Value, content: str, indent: int) -> Block:
        """A label padded to `indent` letters, and icons: as many as the number, one for a truth, that of a member, a track."""
        icons, number = value.icons, self.reader.column(value.column)
        if icons is None or content == HIDDEN:
            return self.line(f"{value.label} {HIDDEN}")
        if icons.track is not None:
            spots = range(icons.track[0], icons.track[1] + 1)
            found = [*(_icon(icons.sprites[spot != number], f"{icons.title} {spot}") for spot in spots), self.line(content)]
        elif not icons.title:
            found = [_icon(icons.sprites[number], content), self.line(content)]
        elif not number or number < 0:
            found = [self.line(content)]
        elif number <= MOST_ICONS:
            found = [_icon(icons.sprites[0], icons.title)] * number
        else:
            found = [_icon(icons.sprites[0], icons.title), self.line(f"x{number}")]
        return in_row([Block((indent * SIZE * LETTER + GAP, LINE), self.line(value.label).parts), *found])

    def _table(self, rule: Table) -> Iterator[Block]:
        rows = [(name, [self._told(value) if value is not None else "" for value in values]) for name, values in rule.rows]
        left = max([len(rule.name), *(len(name) for name, _ in rows)])
        widths = [max([len(head), *(len(row[at]) for _, row in rows)]) for at, head in enumerate(rule.heads)]
        yield self._row([rule.name, *rule.heads], [left, *widths], bold=True)
        for name, row in rows:
            yield self._row([name, *row], [left, *widths])

    def _row(self, contents: Sequence[str], widths: Sequence[int], bold: bool = False) -> Block:
        found, right = [], 0.0
        for content, width in zip(contents, widths, strict=True):
            found.append(Placement((right, 0.0), parts=self.line(content, bold).parts))
            right += (width + 2) * SIZE * LETTER
        return Block((right, LINE), found)

    def _pile(self, rule: Piles, number: int) -> Block:
        """The chips of a pile, the first on top, with its name below."""
        width, _ = CHIP
        here = [at for at, column in enumerate(rule.columns) if self.reader.column(column) == number]
        chips = [Block(CHIP, [Placement(parts=[Placement(sprite=rule.chips[at])], title=rule.titles[at])]) for at in here]
        name = Placement((width / 2, LINE / 2), rule.ink, rule.piles[number], (1.0, SIZE))
        return stacked([*chips, Block((width, PILE), [Placement(sprite=rule.base)]), Block((width, LINE), [name])])

    # Zones ------------------------------------------------------------------------------------

    def _zone(self, rule: Zone) -> Iterator[Block]:
        """The contents of a hand or pile; nothing for an empty one."""
        tiles = self.reader.column(rule.column)
        if tiles:
            yield self.line(f"{rule.label}: {len(tiles)}")
            if sees(rule.owner, self.reader):
                is_in_play = self.stage.things and (not rule.mover or rule.mover == self.reader.player())
                yield self._tiles(rule, tiles, is_in_play)

    def _tiles(self, rule: Zone, tiles: Sequence[int], things: bool) -> Block:
        """Tiles in a row, adjacent equal ones once with a count; of a stack its top, on the edges of others. With `things`,
        they can be focused."""
        panel, found, left, highest = self.stage.panel, list[Placement](), 0.0, 0.0
        runs = [(tile, sum(1 for _ in run)) for tile, run in groupby(tiles)][:MOST_TILES]
        for tile, count in [(tiles[0], len(tiles))] if rule.is_stack else runs:
            sprite, scale = panel.faces[rule.faces][tile - 1]
            size, apart = panel.sizes[tile - 1]
            highest = max(highest, size)
            parts = [Placement(sprite=sprite, scale=(scale, scale))]
            if tile in panel.badges:
                parts.append(Placement(sprite=panel.badges[tile]))
            middle = left + apart / 2
            for under in range(min(count - 1, MOST_UNDER) if rule.is_stack else 0, 0, -1):
                found.append(Placement((middle + under * EDGE * size, (0.6 + under * EDGE) * size), parts=parts[:1]))
            thing = f"tile {tile}" if things else ""
            found.append(Placement((middle, 0.6 * size), parts=parts, title=panel.titles[tile - 1], thing=thing))
            if count > 1:
                found.append(Placement((middle, 1.35 * size), panel.count, f"x{count}", (1.0, SIZE)))
            left += apart
        return Block((left, 1.5 * highest), found)


def in_row(blocks: Sequence[Block], gap: float = 0.0, at_top: bool = False) -> Block:
    """Blocks side by side, aligned at the bottom or at the top; empty ones take no room."""
    found, right = [], 0.0
    height = max((block.size[1] for block in blocks), default=0.0)
    for block in (one for one in blocks if one.size[0]):
        found.append(Placement((right, 0.0 if at_top else height - block.size[1]), parts=block.parts))
        right += block.size[0] + gap
    return Block((max(0.0, right - gap), height), found)


def _icon(sprite: int, title: str) -> Block:
    place = Placement((ICON / 2, LINE / 2), parts=[Placement(sprite=sprite)], title=title)
    return Block((ICON, LINE), [place])


# Places a stage for a state -------------------------------------------------------------------------------------------


@frozen
class Placed:
    """The boards, what is beside them, and all in words."""

    boards: Sequence[Block]
    panel: Block
    told: str


def placed(stage: Stage, reader: Reader, before: Reader | None = None, routes: Sequence[Route] = ()) -> Placed:
    """What stands where in a state; changes on boards since a state before are marked, and routes drawn."""
    blocks: list[Block] = []
    told = [reader.turn()]
    for board in stage.boards:
        found = place_board(board, reader, before, stage.things, routes)
        if found is None:
            continue
        titled = [line_of(board.title, stage.bold), found.block]
        blocks.append(stacked(titled) if board.is_titled else found.block)
        told += [f"{board.title}: {found.tiles} tiles"] if found.tiles else []
    below = place_panel(stage, reader, below=True)
    return Placed([*blocks, *([below] if below.parts else [])], place_panel(stage, reader, below=False), "; ".join(told))
