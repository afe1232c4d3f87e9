"""A puzzle from its entries and drawings."""

from __future__ import annotations

import re

import attrs
from attrs import field

from rulewright.base.diagnostics import Label
from rulewright.base.records import define
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree import puzzles

from . import read_puzzles
from .assemble_blocks import Assembler
from .line_kinds import LineKind
from .lines import LogicalLine
from .read_statements import TextLine

_CELL = re.compile(r"(\.|[A-Za-z_][A-Za-z0-9_]*)((?:@[0-9]{1,2})*)")
_CELL_HELP = "a cell is the name of a tile or `.`, and `@1` for each player there; a list begins on the line of its colon"
_WORD = re.compile(r"[^ ]+")


@define
class PuzzleAssembler(Assembler):
    """Reads a `*.puzzle` file."""

    drawings: list[puzzles.Drawing] = field(factory=list, init=False)
    settings: list[puzzles.Setting] = field(factory=list, init=False)
    plans: list[puzzles.PlanLine] = field(factory=list, init=False)
    text: TextLine | None = field(default=None, init=False)
    rules: read_puzzles.RulesLine | None = field(default=None, init=False)
    players: read_puzzles.PlayersLine | None = field(default=None, init=False)
    start: puzzles.Start | None = field(default=None, init=False)
    ask: puzzles.Ask | None = field(default=None, init=False)
    answer: read_puzzles.AnswerLine | None = field(default=None, init=False)
    positions: puzzles.Positions | None = field(default=None, init=False)
    allowed: read_puzzles.AllowLine | None = field(default=None, init=False)
    said: dict[object, Span] = field(factory=dict, init=False)

    def puzzle(self, lines: list[LogicalLine]) -> puzzles.Puzzle | None:
        """The puzzle, when it could be read."""
        if not lines:
            self.sink.error("RW007", "the file holds no puzzle", self.source.span(0, 0), help="begin it with `puzzle name:`")
            return None
        head = self.read(lines[0], LineKind.PUZZLE)
        for line in lines[1:]:
            span = self.source.span(line.start, line.end)
            self.sink.error("RW008", "a file holds one puzzle", span, help="put it in a file of its own, or indent the line")
        for line, node in self.read_all(lines[0].block, LineKind.ENTRY):
            self._entry(line, node)
        if head is None:
            return None
        if self.rules is None:
            self.sink.error("RW022", "the puzzle does not say by which rules", head.span, help="add a line `rules name`")
            return None
        return puzzles.Puzzle(
            head.name,
            self.text.text if self.text else "",
            self.rules.modules,
            self.players.number if self.players else None,
            tuple(self.drawings),
            tuple(self.settings),
            self.start,
            self.ask,
            self.answer.number if self.answer else None,
            tuple(self.plans),
            self.positions,
            self.allowed is not None,
            players_span=self.players.span if self.players else NO_SPAN,
            span=self.span(lines[0]),
        )

    def _entry(self, line: LogicalLine, node: object) -> None:
        match node:
            case read_puzzles.DrawingHead():
                self._once((node.space, "level", node.level), "the drawing", node.span)
                self.drawings.append(self._drawing(line, node))
            case read_puzzles.OriginLine():
                self._origin(node)
            case puzzles.Setting():
                self._once((node.name, node.index), f"`{node.name}`", node.span)
                self.settings.append(node)
            case puzzles.PlanLine():
                self.plans.append(node)
            case TextLine():
                self._once(TextLine, "the text", node.span)
                self.text = node
            case read_puzzles.RulesLine():
                self._once(read_puzzles.RulesLine, "`rules`", node.span)
                self.rules = node
            case read_puzzles.PlayersLine():
                self._once(read_puzzles.PlayersLine, "`players`", node.span)
                self.players = node
            case puzzles.Start():
                self._once(puzzles.Start, "`start`", node.span)
                self.start = node
            case puzzles.Ask():
                self._once(puzzles.Ask, "`ask`", node.span)
                self.ask = node
            case read_puzzles.AnswerLine():
                self._once(read_puzzles.AnswerLine, "`answer`", node.span)
                self.answer = node
            case puzzles.Positions():
                self._once(puzzles.Positions, "`positions`", node.span)
                self.positions = node
            case read_puzzles.AllowLine():
                self._once(read_puzzles.AllowLine, "`allow`", node.span)
                self.allowed = node

    def _once(self, key: object, what: str, span: Span) -> None:
        if first := self.said.get(key):
            self.sink.error("RW016", f"{what} is given twice", span, Label(first, "first given here"), help="delete one")
        self.said[key] = span

    def _origin(self, origin: read_puzzles.OriginLine) -> None:
        if not self.drawings:
            self.sink.error("RW023", "there is no drawing above this `origin`", origin.span, help="put it below the drawing")
            return
        space = self.drawings[-1].space
        self._once((space, "origin"), f"the origin of `{space}`", origin.span)
        pinned = (origin.row, origin.column)
        self.drawings = [attrs.evolve(d, origin=pinned) if d.space == space else d for d in self.drawings]

    def _drawing(self, line: LogicalLine, head: read_puzzles.DrawingHead) -> puzzles.Drawing:
        rows = tuple(self._row(row) for row in line.block)
        side = self.limits.side
        if len(rows) > side or max(map(len, rows), default=0) > side:
            self.sink.error("RW055", f"the drawing is larger than {side} cells along a side", head.span, help="draw less of it")
        indents = tuple(row.indent for row in line.block)
        return puzzles.Drawing(head.space, rows, indents, head.level or 0, span=self.span(line))

    def _row(self, line: LogicalLine) -> tuple[puzzles.DrawnCell, ...]:
        cells: list[puzzles.DrawnCell] = []
        for word in _WORD.finditer(self.source.code, line.start, line.end):
            span = self.source.span(*word.span())
            cell = _CELL.fullmatch(word[0])
            if cell is None:
                self.sink.error(
                    "RW024",
                    f"`{word[0]}` is no cell of a drawing",
                    span,
                    help=_CELL_HELP,
                )
                continue
            players = tuple(int(number) for number in cell[2].split("@")[1:])
            cells.append(puzzles.DrawnCell("" if cell[1] == "." else cell[1], players, span=span))
        return tuple(cells)
