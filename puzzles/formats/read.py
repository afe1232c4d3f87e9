"""Reads a record of a format as a puzzle, whose nodes have their places in the text that is read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import NO_SPAN, Located, Span
from rulewright.grammar.tree import puzzles
from rulewright.puzzles.checks import forgotten_box
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.notation.drawings import MARGIN
from rulewright.rules.linking import alphabets
from rulewright.rules.linking.alphabets import Alphabet
from rulewright.rules.model.game import BOX, Game

# Cuts a text into records ---------------------------------------------------------------------------------------------
# One for each position: rows of characters, the words after them, and remarks.


REMARK = ";"
"""What a line of remarks begins with."""

HEADING = re.compile(r"[A-Za-z][A-Za-z ]*: *(?P<said>.*)")
"""`Title: First room`: a remark, whose words stand after the colon."""


@frozen
class Part(Located):
    """A piece of a line."""

    text: str


@frozen
class Record(Located):
    """The rows of a position from north to south, the words after them, and what is remarked on it."""

    rows: tuple[Part, ...]
    words: tuple[Part, ...] = ()
    remarks: tuple[str, ...] = ()


def records(text: str, source: str, alphabet: Alphabet, sink: Sink) -> Iterator[Record]:
    """The records of a text. Reports RW390 for a row that is not as long as the others."""
    lines = [Part(line.rstrip("\r"), span=_span(source, number, 0, line)) for number, line in enumerate(text.split("\n"), 1)]
    if alphabet.format.between is None:
        yield from _of_lines(lines, alphabet)
        return
    for line in lines:
        if line.text.strip() and not _is_remark(line.text, alphabet):
            yield _of_line(line, alphabet, sink)


def _span(source: str, line: int, column: int, text: str) -> Span:
    return Span(source, line, column + 1, line, column + 1 + len(text))


def _is_remark(line: str, alphabet: Alphabet) -> bool:
    first = line.lstrip()[:1]
    return first in (REMARK, "#") and first not in alphabet.glyphs and first not in alphabet.spare


def _of_lines(lines: list[Part], alphabet: Alphabet) -> Iterator[Record]:
    """Records whose rows are lines. Other lines are remarks: on the rows above if no blank line is between, else on those
    below."""
    known = {*alphabet.glyphs, *alphabet.spare, *("0123456789" if alphabet.format.runs else "")}
    rows: list[Part] = []
    remarks: list[str] = []
    has_ended = False
    for line in lines:
        bare = line.text.strip()
        is_row = bool(bare) and bare[0] in known and not HEADING.fullmatch(bare)
        if rows and (not bare or (is_row and has_ended)):
            yield Record(tuple(rows), remarks=tuple(remarks), span=rows[0].span)
            rows, remarks, has_ended = [], [], False
        if is_row:
            rows.append(line)
        elif bare:
            remarks.append(_remark(bare))
            has_ended = bool(rows)
    if rows:
        yield Record(tuple(rows), remarks=tuple(remarks), span=rows[0].span)


def _remark(line: str) -> str:
    heading = HEADING.fullmatch(line)
    return heading["said"] if heading else line.lstrip(REMARK).strip()


def _of_line(line: Part, alphabet: Alphabet, sink: Sink) -> Record:
    """A record on one line: the board, the words of the fields, and a remark."""
    place = line.span
    found = ((match.start(), match[0]) for match in re.finditer(r"\S+", line.text))
    board, *words = [Part(word, span=_span(place.source, place.line, at, word)) for at, word in found]
    rest = words[len(alphabet.fields) :]
    remark = line.text[rest[0].span.column - 1 :].strip() if rest else ""
    rows = tuple(_rows(board, alphabet, sink))
    return Record(rows, tuple(words[: len(alphabet.fields)]), (remark,) if remark else (), span=board.span)


def _rows(board: Part, alphabet: Alphabet, sink: Sink) -> Iterator[Part]:
    between, text, span = alphabet.format.between, board.text, board.span
    if between:
        pieces = text.split(between)
        wanted = alphabet.height
        if len(pieces) != wanted:
            message = f"wrong number of rows: expected {wanted}, found {len(pieces)}"
            sink.error("RW390", message, span, help=f"divide the rows by `{between}`, from north to south")
    else:
        wanted = alphabet.width * alphabet.height
        if len(text) != wanted:
            message = f"wrong number of characters: expected {wanted}, found {len(text)}"
            sink.error("RW390", message, span, help=f"write {alphabet.height} rows of {alphabet.width} without blanks")
        pieces = [text[at : at + alphabet.width] for at in range(0, len(text), alphabet.width)]
    at = span.column - 1
    for piece in pieces:
        yield Part(piece, span=_span(span.source, span.line, at, piece or " "))
        at += len(piece) + len(between or "")


# Reads a record of a format as a puzzle -------------------------------------------------------------------------------


NONE = "-"
"""A word that says that nothing holds."""

MOST_BY_DIGIT = 9
"""The widest board of which one digit counts a whole row."""

QUOTED = str.maketrans({'"': "”"})
"""A puzzle's text has no quotation mark of its own."""

Cell = tuple[int, int]


@frozen
class Written:
    """A character of a row, and the cell that it stands on; "" for a cell that a run counts."""

    text: str
    cell: Cell
    span: Span


def read_record(record: Record, alphabet: alphabets.Alphabet, game: Game, name: str, sink: Sink) -> puzzles.Puzzle | None:
    """The puzzle of a record, without a question; None if an error was reported (RW390)."""
    before = len(sink.errors)
    reader = _Reader(alphabet, game, sink, record.span)
    drawing = reader.draw(record)
    for field_, word in zip(alphabet.fields, record.words, strict=False):
        reader.read_field(field_, word)
    for missing in alphabet.fields[len(record.words) :]:
        reader.miss(missing, record)
    if len(sink.errors) > before:
        return None
    text = "; ".join(filter(None, record.remarks)).translate(QUOTED)
    players = max(game.players.low, *(player for _, player in reader.holders), reader.start.player if reader.start else 0)
    return puzzles.Puzzle(
        name,
        " ".join(text.split()),
        tuple((root, NO_SPAN) for root in game.roots),
        players,
        (drawing,),
        tuple(reader.settings()),
        reader.start,
        None,
        None,
        span=record.span,
    )


def with_box(puzzle: puzzles.Puzzle, game: Game) -> puzzles.Puzzle:
    """The puzzle, with what its board does not use in the box if play takes tiles from there. Raises `RulesError` if the
    position is not possible."""
    if not forgotten_box(set_up_position(puzzle, game)):
        return puzzle
    filled = evolve(puzzle, settings=(*puzzle.settings, puzzles.Setting(BOX, (), (puzzles.Rest(),))))
    set_up_position(filled, game)
    return filled


@define
class _Reader:
    """Reads the rows, then the fields; `truths` has the cells of each variable, `holders` the cell of each."""

    alphabet: alphabets.Alphabet
    game: Game
    sink: Sink
    span: Span
    holders: dict[tuple[str, int], tuple[Cell, Span]] = field(factory=dict, init=False)
    truths: dict[str, dict[Cell, Span]] = field(factory=dict, init=False)
    numbers: dict[str, puzzles.Amount] = field(factory=dict, init=False)
    start: puzzles.Start | None = field(default=None, init=False)

    def draw(self, record: Record) -> puzzles.Drawing:
        """The drawing of the rows."""
        rows = [list(self._written(row, number)) for number, row in enumerate(record.rows)]
        self._check_size(record, rows)
        names = self._names([one for row in rows for one in row])
        width = max(map(len, rows), default=0)
        drawn: list[tuple[puzzles.DrawnCell, ...]] = []
        for number, row in enumerate(rows):
            cells = [self._cell(one, names) for one in row]
            end = row[-1].span if row else record.rows[number].span
            drawn.append((*cells, *[puzzles.DrawnCell("", span=end)] * (width - len(row))))
        indents = (MARGIN,) * len(drawn)
        return puzzles.Drawing(self.alphabet.drawing, tuple(drawn), indents, span=record.span)

    def _written(self, row: Part, number: int) -> Iterator[Written]:
        column = 0
        text = row.text.rstrip() if self.alphabet.format.between is None else row.text
        digits = r"[0-9]+|." if self.alphabet.width > MOST_BY_DIGIT else r"."
        for match in re.finditer(digits, text):
            at, line = row.span.column + match.start(), row.span.line
            span = Span(row.span.source, line, at, line, at + len(match[0]))
            if self.alphabet.format.runs and match[0].isdigit():
                count = min(int(match[0][:4]), self.alphabet.width + 1)
                yield from (Written("", (column + step, number), span) for step in range(count))
                column += count
                continue
            if match[0] not in self.alphabet.glyphs and match[0] not in self.alphabet.spare:
                known = " ".join([*self.alphabet.glyphs, *self.alphabet.spare]).strip()
                help = f"use one of the format's characters: {known}"
                self.sink.error("RW390", f"`{match[0]}` is no character of `{self.alphabet.format.name}`", span, help=help)
            yield Written(match[0], (column, number), span)
            column += 1

    def _check_size(self, record: Record, rows: Sequence[Sequence[Written]]) -> None:
        """A board on one line is whole; one of lines may be smaller than the space."""
        width, is_whole = self.alphabet.width, self.alphabet.format.between is not None
        for row, part in zip(rows, record.rows, strict=True):
            if len(row) > width or (is_whole and len(row) != width):
                span = row[width].span if len(row) > width else part.span
                message = f"wrong number of cells in this row: expected {width}, found {len(row)}"
                self.sink.error("RW390", message, span, help=self._larger if not is_whole else "count the cells again")
                if not is_whole:
                    return
        if len(rows) > self.alphabet.height and not is_whole:
            message = f"too many rows: `{self.alphabet.space}` has {self.alphabet.height}, found {len(rows)}"
            self.sink.error("RW390", message, record.rows[self.alphabet.height].span, help=self._larger)

    @property
    def _larger(self) -> str:
        return f"import it with a variant in which `{self.alphabet.space}` is larger"

    def _names(self, written: Sequence[Written]) -> dict[str, str]:
        """The tiles of the spare characters in use: each the first that has as many copies, else the first that has more."""
        counts = Counter(one.text for one in written if one.text and one.text in self.alphabet.spare)
        copies = {kind.name: kind.count for kind in self.game.tiles}
        left, found = list(self.alphabet.kinds), dict[str, str]()
        for text, count in counts.items():
            fitting = sorted((kind for kind in left if copies[kind] >= count), key=lambda kind: copies[kind] != count)
            if not fitting:
                span = next(one.span for one in written if one.text == text)
                message = f"no tile of {count} cells is left for `{text}`"
                self.sink.error("RW390", message, span, help="the box has no more of that size: use a variant that has")
                continue
            found[text] = fitting[0]
            left.remove(fitting[0])
        return found

    def _cell(self, one: Written, names: dict[str, str]) -> puzzles.DrawnCell:
        if one.text in names:
            return puzzles.DrawnCell(names[one.text], span=one.span)
        shown = self.alphabet.glyphs.get(one.text, alphabets.Shown())
        for holder in sorted(shown.holders):
            if holder in self.holders:
                label = Label(self.holders[holder][1], "first here")
                self.sink.error("RW390", f"`{one.text}` can stand on one cell only", one.span, label, help="delete one of them")
            self.holders[holder] = one.cell, one.span
        for truth in shown.truths:
            self.truths.setdefault(truth, {})[one.cell] = one.span
        return puzzles.DrawnCell(shown.word, span=one.span)

    def read_field(self, read: alphabets.Field, word: Part) -> None:
        """Read a word after the board."""
        match read:
            case alphabets.IdleField():
                pass
            case alphabets.TurnField(point, words):
                if word.text in words:
                    self.start = puzzles.Start(point, words.index(word.text) + 1, span=word.span)
                else:
                    self._refuse(word, f"write one of: {', '.join(f'`{one}`' for one in words)}")
            case alphabets.TruthField(variable, words):
                self._read_truths(variable, words, word)
            case alphabets.CellField(variable):
                self._read_cell(variable, word)
            case alphabets.NumberField(variable):
                if word.text.isdecimal() and word.text.isascii() and len(word.text) < 10:
                    self.numbers[variable] = puzzles.Amount(int(word.text), span=word.span)
                else:
                    self._refuse(word, "write a number")
            case _:
                assert_never(read)

    def _read_truths(self, variable: str, words: Mapping[str, tuple[Cell, ...]], word: Part) -> None:
        found = self.truths.setdefault(variable, {})
        rest = "" if word.text == NONE else word.text
        while rest:
            known = max((one for one in words if rest.startswith(one)), key=len, default=None)
            if known is None:
                self._refuse(word, f"write `{NONE}`, or one or more of: {', '.join(f'`{one}`' for one in words)}")
                return
            found |= dict.fromkeys(words[known], word.span)
            rest = rest[len(known) :]

    def _read_cell(self, variable: str, word: Part) -> None:
        if word.text == NONE:
            return
        cell = self.alphabet.names.get(word.text)
        if cell is None:
            self._refuse(word, f"write `{NONE}`, or a cell, as in `{next(iter(self.alphabet.names), 'a1')}`")
            return
        self.holders[variable, 0] = cell, word.span

    def _refuse(self, word: Part, help: str) -> None:
        self.sink.error("RW390", f"`{word.text}` says nothing here", word.span, help=help)

    def miss(self, missing: alphabets.Field, record: Record) -> None:
        """Report a word that is missing; numbers and idle words may be left out at the end."""
        if not isinstance(missing, alphabets.IdleField | alphabets.NumberField):
            name = missing.point if isinstance(missing, alphabets.TurnField) else missing.variable
            end = (*record.rows, *record.words)[-1].span
            self.sink.error("RW390", f"the word for `{name}` is missing", end, help="write it after a blank")

    def settings(self) -> Iterator[puzzles.Setting]:
        """What the rows and words say besides the drawing; also of variables that hold nothing."""
        shown = [*self.alphabet.glyphs.values()]
        holders = {holder for one in shown for holder in one.holders}
        holders |= {(one.variable, 0) for one in self.alphabet.fields if isinstance(one, alphabets.CellField)}
        for variable, player in sorted(holders):
            held = self.holders.get((variable, player))
            of = (puzzles.Amount(player),) if player else ()
            values, span = ((), self.span) if held is None else ((self._at(*held),), held[1])
            yield puzzles.Setting(variable, of, values, span=span)
        truths = {truth for one in shown for truth in one.truths}
        truths |= {one.variable for one in self.alphabet.fields if isinstance(one, alphabets.TruthField)}
        for truth in sorted(truths):
            cells = sorted(self.truths.get(truth, {}).items(), key=lambda one: one[0][::-1])
            yield puzzles.Setting(truth, (), tuple(self._at(*one) for one in cells), span=self.span)
        for variable, amount in self.numbers.items():
            yield puzzles.Setting(variable, (), (amount,), span=amount.span)

    def _at(self, cell: Cell, span: Span) -> puzzles.Value:
        if not self.alphabet.is_named:
            return puzzles.Coordinate(cell, span=span)
        return puzzles.Piece(next(name for name, at in self.alphabet.names.items() if at == cell), span=span)
