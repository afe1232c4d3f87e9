"""The grammar files as one LALR parser of single lines, built once, when the first line is read."""

from __future__ import annotations

import json
from contextlib import suppress
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import tables
from .reading import Reader, Tree

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput

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
    from lark import Lark

    starts = [kind.value for kind in Kind]
    return Lark(grammar(), parser="lalr", lexer="contextual", start=starts, propagate_positions=True)


@cache
def _tables() -> dict[str, Any]:
    text = grammar()
    made: dict[str, Any] = tables.load(text) or json.loads(tables.dump(build(), text))
    return made


@cache
def _reader() -> Reader:
    return Reader.of(_tables())


@cache
def parser() -> Lark:
    """Lark's parser of every kind of line: it says what is wrong with one."""
    return tables.parser_of(_tables()) or build()


def parse(text: str, kind: Kind) -> list[Tree] | None:
    """The parse tree of one logical line, children before parents; None when it is no line of this kind."""
    return _reader().read(text, kind.value)


def mistake(text: str, kind: Kind) -> UnexpectedInput:
    """Why a text is no line of this kind."""
    from lark import UnexpectedInput

    try:
        parser().parse(text, start=kind.value)
    except UnexpectedInput as error:
        return error
    raise AssertionError(f"the line can be parsed: {text}")


def acceptable(text: str, kind: Kind, at: int = 0) -> set[str]:
    """The terminals that could stand at an offset of a line that can be parsed up to there."""
    from lark import UnexpectedInput

    state = parser().parse_interactive(text, start=kind.value)
    with suppress(UnexpectedInput):
        for token in state.lexer_thread.lex(state.parser_state):  # type: ignore[no-untyped-call]
            if token.start_pos is None or token.start_pos >= at:
                break
            state.feed_token(token)
    return set(state.accepts())  # type: ignore[no-untyped-call]
