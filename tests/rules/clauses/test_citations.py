"""Where catalogues and lists of known gaps are looked for."""

from __future__ import annotations

from pathlib import Path

from rulewright.rules.clauses.citations import folders_above


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
