"""The catalogues of clauses and the rules that cite them: nothing is cited that is not there, nothing is left out unsaid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

LIBRARY = ROOT / "rules" / "library"
SEA = LIBRARY / "beacon_patrol"
GAMES = {
    "bp": "beacon_patrol",
    "bpg": "beacon_patrol",
    "ss": "beacon_patrol",
    "pp": "penguin_pirates",
    "cs": "castles_by_the_sea",
}
"""The folder of the game that clauses beginning so are about."""

CATALOGUES = sorted(LIBRARY.glob("*/clauses/*.md"))
ENTRY = re.compile(r"^### (\S+)\n((?:[a-z_]+: [^\n]+\n)+)\n(.+?)(?=\n#|\Z)", re.MULTILINE | re.DOTALL)


def entries(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for name, fields, statement in ENTRY.findall(path.read_text(encoding="utf-8")):
        assert statement.strip()
        yield name, dict(line.split(": ", 1) for line in fields.splitlines())


CLAUSES = {name: fields for path in CATALOGUES for name, fields in entries(path)}
CITED = {
    name
    for path in LIBRARY.rglob("*.rules")
    for name in re.findall(r"\bcite ([a-z_0-9.]+)", path.read_text(encoding="utf-8"))
    if name.split(".", maxsplit=1)[0] in GAMES
}


def is_ruling(name: str) -> bool:
    return ".ruling." in name


def test_every_heading_is_an_entry_of_its_own() -> None:
    headings = [
        name for path in CATALOGUES for name in re.findall(r"^### (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(headings) == len(set(headings)) == len(CLAUSES) > 170
    assert {name.split(".", maxsplit=1)[0] for name in headings} == set(GAMES)


def test_fields() -> None:
    known = {"section", "page", "module", "settles", "same", "no_rule"}
    modules = {
        game: {
            match
            for path in (LIBRARY / game).rglob("*.rules")
            for match in re.findall(r"^module (\S+):", path.read_text("utf-8"), re.MULTILINE)
        }
        for game in GAMES.values()
    }
    for name, fields in CLAUSES.items():
        game = GAMES[name.split(".", maxsplit=1)[0]]
        assert "section" in fields and set(fields) <= known, name
        assert set(fields.get("module", game).split(", ")) <= modules[game], name
        for field in ("same", "settles"):
            assert set(filter(None, fields.get(field, "").split(", "))) <= set(CLAUSES), name


def test_what_is_cited_is_there() -> None:
    assert CITED - set(CLAUSES) == set()


def carried(name: str) -> bool:
    """By a rule that cites it, or by those that say the same; else it says why by none."""
    others = [other for other in CLAUSES[name].get("same", "").split(", ") if other]
    return name in CITED or is_ruling(name) or "no_rule" in CLAUSES[name] or (bool(others) and all(map(carried, others)))


@pytest.mark.parametrize("name", [name for name in CLAUSES if not is_ruling(name)])
def test_every_clause_is_carried_by_a_rule_or_says_why_not(name: str) -> None:
    assert carried(name)
    assert not (name in CITED and "no_rule" in CLAUSES[name])


def test_rulings_settle_something() -> None:
    assert all(CLAUSES[name].get("settles") for name in CLAUSES if is_ruling(name))


def test_english_and_ukrainian_are_compared_clause_by_clause() -> None:
    page = (SEA / "compared" / "english_and_ukrainian.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(bp\.\S+)` \| (.+?) \| (.*?) ?\|$", page, re.MULTILINE)
    assert [name for name, _, _ in rows] == [name for name in CLAUSES if name.startswith("bp.") and not is_ruling(name)]
    for _, verdict, remark in rows:
        assert verdict in {"the same", "worded otherwise", "differs", "not said"}
        assert bool(remark) == (verdict != "the same")
