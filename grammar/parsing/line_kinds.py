"""The kinds of lines, by where they stand: the start symbols of the grammar."""

from __future__ import annotations

from enum import Enum


class LineKind(Enum):
    """A start symbol of the grammar; the value is the name of its rule."""

    EXPRESSION = "expression"
    ITEM = "item"
    HEADER = "header_line"
    TILE = "tile_line"
    TABLE_HEAD = "table_head"
    TABLE_ROW = "table_row"
    STATE = "state_line"
    DEFINE = "define_line"
    CASE = "case_line"
    RANK = "rank_line"
    EDGE = "edge_line"
    ACTION = "action_line"
    EDIT = "edit_line"
    STATEMENT = "statement_line"
    FLOW = "flow_line"
    PUZZLE = "puzzle_head"
    ENTRY = "entry"
