"""Writes a position in a format, the inverse of read.py."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import assert_never

from rulewright.base.diagnostics import usage_error
from rulewright.base.records import define, field
from rulewright.puzzles.from_tree import write_start
from rulewright.puzzles.position import Position
from rulewright.rules.linking.alphabets import (
    Alphabet,
    CellField,
    Field,
    IdleField,
    NumberField,
    Shown,
    TruthField,
    TurnField,
)
from rulewright.rules.model import types
from rulewright.rules.play.coordinates import CoordinateState, to_coordinates

from .read import NONE, REMARK, Cell


def write_record(position: Position, alphabet: Alphabet) -> str:
    """The text of a position. Raises `RulesError` if a cell shows what no character of the format does."""
    writer = _Writer(position, alphabet, to_coordinates(position.engine, position.state))
    text = position.puzzle.text.replace("”", '"')
    if alphabet.format.between is None:
        said = [f"{REMARK} {text}"] if text else []
        return "\n".join([*said, *writer.lines()]) + "\n"
    board = alphabet.format.between.join(writer.rows())
    return " ".join(filter(None, (board, *map(writer.word, alphabet.fields), text))) + "\n"


@define
class _Writer:
    position: Position
    alphabet: Alphabet
    coordinates: CoordinateState
    spare: dict[str, str] = field(factory=dict, init=False)
    """The characters of tiles that have none of their own, as they occur."""

    def lines(self) -> Iterator[str]:
        """The rows as lines: nothing behind the last thing of each, and below the last row that has any."""
        nothing = [text for text, shown in self.alphabet.glyphs.items() if shown == Shown()]
        blank = next((text for text in nothing if text.strip()), "")
        rows = [row.rstrip("".join(nothing)) for row in self.rows()]
        while rows and not rows[-1]:
            rows.pop()
        if not all(row or blank for row in rows):
            raise usage_error("a row of the board is empty, and the format has no character for an empty cell but the blank")
        yield from (row or blank for row in rows)

    def rows(self) -> Iterator[str]:
        """The rows, whole."""
        for row in range(self.alphabet.height):
            cells = [self._character((column, row)) for column in range(self.alphabet.width)]
            if not self.alphabet.format.runs:
                yield "".join(cells)
                continue
            runs = ((text, len(list(group))) for text, group in groupby(cells))
            yield "".join(str(count) if not text else text * count for text, count in runs)

    def _character(self, cell: Cell) -> str:
        """The character of a cell; "" for an empty cell where runs are counted."""
        shown = self._shown(cell)
        if self.alphabet.format.runs and shown == Shown():
            return ""
        for text, known in self.alphabet.glyphs.items():
            if known == shown:
                return text
        if shown.word in self.alphabet.kinds and not shown.holders and not shown.truths:
            free = [text for text in self.alphabet.spare if text not in self.spare.values()]
            if shown.word in self.spare or free:
                return self.spare.setdefault(shown.word, free[0] if free else "")
        things = ", ".join(filter(None, (shown.word, *sorted(name for name, _ in shown.holders), *sorted(shown.truths))))
        message = f"`{self.alphabet.format.name}` has no character for {things or 'an empty cell'}, at {cell}"
        raise usage_error(message, "add a glyph to the format")

    def _shown(self, cell: Cell) -> Shown:
        values, fields = self.coordinates.values, self.coordinates.fields
        all_shown = self.alphabet.glyphs.values()
        holders = {holder for shown in all_shown for holder in shown.holders if values.get(_key(*holder)) == cell}
        truths = {truth for shown in all_shown for truth in shown.truths if fields[truth].get(cell)}
        return Shown(self._word(cell), frozenset(holders), frozenset(truths))

    def _word(self, cell: Cell) -> str:
        game = self.position.engine.game
        value = self.coordinates.fields[self.alphabet.drawing].get(cell, 0)
        assert isinstance(value, int)
        if self.alphabet.drawing in game.spaces:
            return game.tiles[value - 1].name if value else ""
        type = game.variables[self.alphabet.drawing].type
        word = game.members(type)[value] if isinstance(type, types.Enumeration) else ""
        return word if any(shown.word == word for shown in self.alphabet.glyphs.values()) else ""

    def word(self, written: Field) -> str:
        """The word of a field."""
        values = self.coordinates.values
        match written:
            case IdleField(text):
                return text
            case TurnField(_, words):
                return words[write_start(self.position.engine, self.coordinates.point, values).player - 1]
            case TruthField(variable, words):
                holds = self.coordinates.fields[variable]
                return (
                    "".join(word for word, cells in words.items() if cells and all(holds.get(cell) for cell in cells)) or NONE
                )
            case CellField(variable):
                held = values[variable, None]
                return next((name for name, cell in self.alphabet.names.items() if cell == held), NONE)
            case NumberField(variable):
                return str(values[variable, None])
            case _:
                assert_never(written)


def _key(variable: str, player: int) -> tuple[str, int | None]:
    return variable, player or None
