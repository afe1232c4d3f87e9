"""The grammar files as one LALR parser of single lines, built once, when the first line is parsed."""

from __future__ import annotations

from enum import Enum
from functools import cache
from importlib.resources import files

from lark import Lark, Token, Tree

GRAMMARS = ("expressions", "statements", "modules", "puzzles")


class Kind(Enum):
    """What a line can be, by where it stands: the start symbols of the grammar, in the words of a reader."""

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


@cache
def parser() -> Lark:
    """The parser of every kind of line."""
    folder = files(__package__)
    grammar = "\n".join((folder / f"{name}.lark").read_text("utf-8") for name in GRAMMARS)
    starts = [kind.value for kind in Kind]
    return Lark(grammar, parser="lalr", lexer="contextual", start=starts, propagate_positions=True)


def parse(text: str, kind: Kind) -> Tree[Token]:
    """The parse tree of one logical line."""
    return parser().parse(text, start=kind.value)
