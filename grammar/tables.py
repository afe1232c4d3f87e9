"""The parser's tables as they ship: computing them from the grammar takes longer than reading a game's rules.

They are data (JSON), not a pickle, and are used only when they were made from this grammar, and by Lark if it was this version
that made them.
After a change of a `*.lark` file: `python -m rulewright.grammar.tables`.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

_FILE = Path(__file__).parent / "tables.json"


def load(grammar: str) -> dict[str, Any] | None:
    """The tables of this grammar, when they are at hand."""
    if not _FILE.is_file():
        return None
    tables: dict[str, Any] = json.loads(_FILE.read_text("utf-8"))
    return tables if tables["made_from"] == _digest(grammar) else None


def parser_of(tables: dict[str, Any]) -> Lark | None:
    """Lark's parser with these tables, when this version of Lark made them."""
    import lark

    if tables["lark"] != lark.__version__:
        return None
    data = tables["data"]
    inner = data["parser"]["parser"]
    states = {int(state): _numbered(actions) for state, actions in inner["states"].items()}
    data = {**data, "parser": {**data["parser"], "parser": {**inner, "tokens": _numbered(inner["tokens"]), "states": states}}}
    parser: lark.Lark = lark.Lark._load_from_dict(data, _numbered(tables["memo"]))  # type: ignore[no-untyped-call]
    return parser


def dump(parser: Lark, grammar: str) -> str:
    """The tables of a parser of this grammar, as they ship."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = parser.memo_serialize([TerminalDef, Rule])
    tables = {"made_from": _digest(grammar), "lark": lark.__version__, "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True) + "\n"


def _digest(grammar: str) -> str:
    return sha256(grammar.encode()).hexdigest()


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
