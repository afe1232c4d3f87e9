"""The LALR(1) parsers of single lines, by Lark, loaded from shipped tables when the first line is parsed.

Computing the tables takes longer than parsing the rules of a game. They ship as JSON, not as a pickle, and fit only the
grammar and the version of Lark that they were computed from. After changing a `*.lark` file, run `python -m
rulewright.grammar.parsing.lalr`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, Tree, UnexpectedInput
from lark.grammar import Rule
from lark.lexer import TerminalDef

from .line_kinds import FileKind, LineKind


@cache
def parser(file: FileKind) -> Lark:
    """The parser of every kind of line in a kind of file."""
    grammar = grammar_text()
    return load(grammar, file) or build(grammar, file)


def terminals() -> dict[str, TerminalDef]:
    """The terminals of all parsers by name."""
    return {terminal.name: terminal for file in FileKind for terminal in parser(file).terminals}


def parse(text: str, kind: LineKind) -> Tree[Token]:
    """The parse tree of one logical line. Raises `lark.UnexpectedInput`."""
    return parser(kind.file).parse(text, start=kind.rule)


def accepted_terminals(text: str, kind: LineKind, at: int = 0) -> set[str]:
    """The names of the terminals that the grammar accepts at an offset of a line that can be parsed up to there."""
    state = parser(kind.file).parse_interactive(text, start=kind.rule)
    with suppress(UnexpectedInput):
        for token in state.lexer_thread.lex(state.parser_state):  # type: ignore[no-untyped-call]
            if token.start_pos is None or token.start_pos >= at:
                break
            state.feed_token(token)
    return set(state.accepts())  # type: ignore[no-untyped-call]


# Tables ---------------------------------------------------------------------------------------------------------------

GRAMMARS = ("expressions", "statements", "modules", "puzzles")


def _tables(file: FileKind) -> Path:
    return Path(__file__).parent / f"{file.value}_tables.json"


def grammar_text() -> str:
    """The concatenated grammar files."""
    folder = Path(__file__).parents[1]
    return "\n".join((folder / f"{name}.lark").read_text("utf-8") for name in GRAMMARS)


def build(grammar: str, file: FileKind) -> Lark:
    """Compute the parser of a grammar for every kind of line in a kind of file."""
    starts = [kind.rule for kind in LineKind if kind.file is file]
    return Lark(grammar, parser="lalr", lexer="contextual", start=starts, propagate_positions=True)


def load(grammar: str, file: FileKind) -> Lark | None:
    """The parser of a grammar from the shipped tables; None if they were computed from another grammar."""
    path = _tables(file)
    if not path.is_file():
        return None
    tables = json.loads(path.read_text("utf-8"))
    if tables["made_from"] != _digest(grammar):
        return None
    states: dict[str, dict[str, Any]] = tables["data"]["parser"]["parser"]["states"]
    tables["data"]["parser"]["parser"].update(
        tokens=_integer_keys(tables["data"]["parser"]["parser"]["tokens"]),
        states={int(state): _integer_keys(actions) for state, actions in states.items()},
    )
    parser: Lark = Lark._load_from_dict(tables["data"], _integer_keys(tables["memo"]))  # type: ignore[no-untyped-call]
    return parser


def dump(parser: Lark, grammar: str) -> str:
    """The tables of a grammar's parser as JSON text."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    tables = {"made_from": _digest(grammar), "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


def _digest(grammar: str) -> str:
    return sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def _integer_keys(items: dict[str, Any]) -> dict[int, Any]:
    """Restore a mapping whose integer keys JSON has turned into strings."""
    return {int(key): value for key, value in items.items()}


def main() -> None:
    """Recompute the tables if the grammar has changed."""
    grammar = grammar_text()
    for file in FileKind:
        if load(grammar, file) is None:  # tables of the same grammar differ between runs in irrelevant ways
            _tables(file).write_text(dump(build(grammar, file), grammar), "utf-8")


if __name__ == "__main__":
    main()
