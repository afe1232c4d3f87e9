"""Where catalogues and lists of known gaps are looked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.rules.clauses.citations import folders_above, read_catalogue
from rulewright.rules.linking.project import SHIPPED


def test_folders_are_found_by_whatever_way_they_are_reached(tmp_path: Path) -> None:
    (tmp_path / "library" / "game" / "ships").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(tmp_path / "library")
    library = (tmp_path / "library").resolve()
    file = Path("game", "ships", "ferry.rules")
    wanted = [library / "game" / "ships", library / "game", library]
    for below in ("library", "linked"):
        for root in ("library", "linked"):
            assert list(folders_above(tmp_path / below / file, tmp_path / root)) == wanted
    assert list(folders_above(tmp_path / "elsewhere.rules", library)) == []


def test_an_entry_of_no_module_is_refused_with_its_line(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    entry = "### game.move\nsection: Moving\n\nA ship moves.\n"
    book.write_text(f"# A book\n\n{entry}", "utf-8")
    with pytest.raises(RulesError, match=r"book\.md:3: the entry `game\.move` belongs to no module"):
        list(read_catalogue(book))
    book.write_text(f"# A book\n\nmodule: game\n\n{entry}", "utf-8")
    assert [one.modules for one in read_catalogue(book)] == [("game",)]


def test_every_entry_that_ships_belongs_to_a_module() -> None:
    books = sorted(SHIPPED.glob("*/clauses/*.md"))
    assert len(books) >= 5
    assert all(list(read_catalogue(book)) for book in books)
