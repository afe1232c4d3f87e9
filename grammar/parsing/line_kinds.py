"""The kinds of lines, by their context: the start symbols of the grammar."""

from __future__ import annotations

from enum import Enum


class FileKind(Enum):
    """A kind of file. Each has tables of its own, so that reading a puzzle does not load those of modules."""

    MODULE = "module"
    PUZZLE = "puzzle"


class LineKind(Enum):
    """A start symbol of the grammar: the name of its rule, and the context of such lines, in words."""

    EXPRESSION = "expression", "an expression"
    ITEM = "item", "a module"
    HEADER = "header_line", "the header of a module"
    PATTERN = "pattern_line", "a pattern"
    TILE = "tile_line", "a tile set"
    PIECE = "piece_line", "a set of pieces"
    TABLE_HEAD = "table_head", "the head of a table"
    TABLE_ROW = "table_row", "a table"
    STATE = "state_line", "the state"
    DEFINE = "define_line", "a definition"
    CASE = "case_line", "a case"
    RANK = "rank_line", "a ranking"
    FORMAT = "format_line", "a format"
    EDGE = "edge_line", "a graph"
    ACTION = "action_line", "an action"
    EDIT = "edit_line", "a change"
    STATEMENT = "statement_line", "a procedure"
    FLOW = "flow_line", "the flow"
    PUZZLE = "puzzle_head", "a puzzle file"
    ENTRY = "entry", "a puzzle"

    @property
    def rule(self) -> str:
        return self.value[0]

    @property
    def file(self) -> FileKind:
        """The kind of file that has such lines."""
        return FileKind.PUZZLE if self in (LineKind.PUZZLE, LineKind.ENTRY) else FileKind.MODULE

    @property
    def place(self) -> str:
        return self.value[1]
