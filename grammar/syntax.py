"""The grammar files as one LALR parser of single lines, built once, when the first line is parsed."""

from __future__ import annotations

from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path

from lark import Lark, Token, Tree, UnexpectedInput

from . import tables

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


def grammar() -> str:
    """The text of the grammar."""
    folder = Path(__file__).parent
    return "\n".join((folder / f"{name}.lark").read_text("utf-8") for name in GRAMMARS)


def build() -> Lark:
    """The parser of every kind of line, computed from the grammar."""
    starts = [kind.value for kind in Kind]
    return Lark(grammar(), parser="lalr", lexer="contextual", start=starts, propagate_positions=True)


@cache
def parser() -> Lark:
    """The parser of every kind of line."""
    return tables.load(grammar()) or build()


def parse(text: str, kind: Kind) -> Tree[Token]:
    """The parse tree of one logical line."""
    return parser().parse(text, start=kind.value)


def acceptable(text: str, kind: Kind, at: int = 0) -> set[str]:
    """The terminals that could stand at an offset of a line that can be parsed up to there."""
    state = parser().parse_interactive(text, start=kind.value)
    with suppress(UnexpectedInput):
        for token in state.lexer_thread.lex(state.parser_state):  # type: ignore[no-untyped-call]
            if token.start_pos is None or token.start_pos >= at:
                break
            state.feed_token(token)
    return set(state.accepts())  # type: ignore[no-untyped-call]
