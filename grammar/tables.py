"""The parser's tables as they ship: computing them from the grammar takes longer than reading a game's rules.

They are data (JSON), not a pickle, and are used only when they were made from this grammar by this version of Lark.
After a change of a `*.lark` file: `python -m rulewright.grammar.tables`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

_FILE = Path(__file__).parent / "tables.json"


def load(grammar: str) -> Lark | None:
    """The parser of this grammar, when its tables are at hand."""
    if not _FILE.is_file():
        return None
    tables = json.loads(_FILE.read_text("utf-8"))
    if tables["made_from"] != _digest(grammar):
        return None
    states: dict[str, dict[str, Any]] = tables["data"]["parser"]["parser"]["states"]
    tables["data"]["parser"]["parser"].update(
        tokens=_numbered(tables["data"]["parser"]["parser"]["tokens"]),
        states={int(state): _numbered(actions) for state, actions in states.items()},
    )
    parser: Lark = Lark._load_from_dict(tables["data"], _numbered(tables["memo"]))  # type: ignore[no-untyped-call]
    return parser


def dump(parser: Lark, grammar: str) -> str:
    """The tables of a parser of this grammar, as they ship."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    tables = {"made_from": _digest(grammar), "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


def _digest(grammar: str) -> str:
    return sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def _numbered(items: dict[str, Any]) -> dict[int, Any]:
    """JSON turns the numbers of a mapping into texts; this turns them back."""
    return {int(key): value for key, value in items.items()}


def main() -> None:
    """Compute the tables anew and put them beside the grammar."""
    from .syntax import build, grammar

    if load(grammar()) is None:  # they differ from run to run in ways that do not matter
        _FILE.write_text(dump(build(), grammar()), "utf-8")


if __name__ == "__main__":
    main()
