"""The files of a folder, sent to where the folder is not."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.limits import DEFAULT_LIMITS
from rulewright.workers.folder_texts import FolderTexts


def test_a_folder_is_unpacked_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for name in "ab":
        (tmp_path / "inner" / f"{name}.rules").write_text(f"module {name}:\n")
    (tmp_path / "b.txt").write_text("no rules")
    folder = FolderTexts.of(tmp_path, [".rules"], DEFAULT_LIMITS).unpacked()
    assert folder != tmp_path
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == ["inner/a.rules", "inner/b.rules"]
    assert (folder / "inner" / "a.rules").read_text() == "module a:\n"
