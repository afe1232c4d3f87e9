"""Assembles a puzzle from its entries and drawings."""

from __future__ import annotations

import re
from typing import Any

from rulewright.base.diagnostics import Label
from rulewright.base.records import define, evolve, field
from rulewright.base.spans import Span
from rulewright.grammar.tree import puzzles

from .assemble_blocks import Assembler
from .line_kinds import LineKind
from .lines import LogicalLine
from .node_builder import Property
from .read_puzzles import DrawingHead, OriginLine

_WORDS = {"text": "the text", "allow_impossible": "`allow`"}
"""What error messages call entries that are not named like their fields."""

_CELL = re.compile(r"(\.|\+|-?[0-9]{1,9}|[A-Za-z_][A-Za-z0-9_]*(?:/(m?[0-9]|m))?)((?:@[0-9]{1,2})*)")
_CELL_HELP = (
    "write `.`, the name of a tile, or a value, with `@1` for a piece of player 1; a list begins on the same line as its colon"
)
_WORD = re.compile(r"[^ ]+")


@define
class PuzzleAssembler(Assembler):
    """Reads a `*.puzzle` file."""

    drawings: list[puzzles.Drawing] = field(factory=list, init=False)
    settings: list[puzzles.Setting] = field(factory=list, init=False)
    plans: list[puzzles.PlanLine] = field(factory=list, init=False)
    given: list[puzzles.GivenPlan] = field(factory=list, init=False)
    entries: dict[str, Property] = field(factory=dict, init=False)
    said: dict[object, Span] = field(factory=dict, init=False)

    def puzzle(self, lines: list[LogicalLine]) -> puzzles.Puzzle | None:
        """The puzzle, if it could be read; else None."""
        if not lines:
            self.sink.error(
                "RW007", "the file has no `puzzle` line", self.source.span(0, 0), help="add `puzzle NAME:` as its first line"
            )
            return None
        head = self.read(lines[0], LineKind.PUZZLE)
        for line in lines[1:]:
            span = self.source.span(line.start, line.end)
            self.sink.error(
                "RW008", "a file can contain only one puzzle", span, help="move it to its own file, or indent the line"
            )
        for line, node in self.read_all(lines[0].block, LineKind.ENTRY):
            self._entry(line, node)
        if head is None:
            return None
        if "rules" not in self.entries:
            self.sink.error("RW022", "the puzzle does not name its rules", head.span, help="add a line `rules NAME`")
            return None
        said: dict[str, Any] = {"text": "", **dict.fromkeys(("players", "start", "ask", "answer"))}
        said |= {field: entry.value for field, entry in self.entries.items()}
        said |= {f"{field}_span": self.entries[field].span for field in ("players", "answer") if field in self.entries}
        return puzzles.Puzzle(
            head.value,
            drawings=tuple(self.drawings),
            settings=tuple(self.settings),
            plans=tuple(self.plans),
            given=tuple(self.given),
            span=self.span(lines[0]),
            **said,
        )

    def _entry(self, line: LogicalLine, node: Any) -> None:
        match node:
            case DrawingHead():
                self._once((node.space, "level", node.level), "the drawing", node.span)
                self.drawings.append(self._drawing(line, node))
            case OriginLine():
                self._origin(node)
            case puzzles.Setting():
                self._once((node.name, node.of), f"`{node.name}`", node.span)
                self.settings.append(node)
            case Property(value=puzzles.Grade(number)) if not 1 <= number <= puzzles.GRADES:
                message = f"a grade is from 1 to {puzzles.GRADES}"
                self.sink.error("RW027", message, node.span, help="write 1 for an easy puzzle")
            case puzzles.PlanLine():
                self.plans.append(node)
            case puzzles.GivenPlan():
                self._once((puzzles.GivenPlan, node.player), f"the plan of player {node.player}", node.span)
                self.given.append(node)
            case Property(what):
                self._once(what, _WORDS.get(what, f"`{what}`"), node.span)
                self.entries[what] = node

    def _once(self, key: object, what: str, span: Span) -> None:
        if first := self.said.get(key):
            self.sink.error(
                "RW016", f"{what} is given twice", span, Label(first, "first given here"), help="delete one of the two"
            )
        self.said[key] = span

    def _origin(self, origin: OriginLine) -> None:
        if not self.drawings:
            self.sink.error(
                "RW023",
                "there is no drawing above this `origin`",
                origin.span,
                help="put it below the drawing that it applies to",
            )
            return
        space = self.drawings[-1].space
        self._once((space, "origin"), f"the origin of `{space}`", origin.span)
        pinned = (origin.row, origin.column)
        self.drawings = [evolve(d, origin=pinned) if d.space == space else d for d in self.drawings]

    def _drawing(self, line: LogicalLine, head: DrawingHead) -> puzzles.Drawing:
        rows = tuple(self._row(row) for row in line.block)
        side = self.limits.side
        if len(rows) > side or max(map(len, rows), default=0) > side:
            self.sink.error(
                "RW055", f"the drawing has more than {side} cells along a side", head.span, help="draw a smaller part"
            )
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
                    f"`{word[0]}` is not a valid cell",
                    span,
                    help=_CELL_HELP,
                )
                continue
            players = tuple(int(number) for number in cell[3].split("@")[1:])
            tile = "" if cell[1] == "." else cell[1].partition("/")[0]
            turn = cell[2] or ""
            cells.append(puzzles.DrawnCell(tile, players, int(turn.lstrip("m") or 0), turn.startswith("m"), span=span))
        return tuple(cells)
