"""What the pages, docstrings and comments say of files is true: each file that is named exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "bench").glob("*.md")])
TOPS = ("bench", "cli", "docs", "grammar", "puzzles", "rules", "solver", "src", "studies", "studio", "tests")
PATH = re.compile(rf"(?<![\w/.])(?:{'|'.join(TOPS)})/[\w/.-]+\.(?:py|lark|md|rules|puzzle|toml|lp)\b")
BARE = re.compile(r"(?<![\w/.*{}-])[a-z_]+\.py\b")
HISTORY = {"CHANGELOG.md", "bench/LOG.md"}
"""Pages that may speak of files that are gone."""


def named_files() -> list[tuple[str, str]]:
    pages = [page for page in PAGES if page.relative_to(ROOT).as_posix() not in HISTORY]
    return sorted(
        {(page.relative_to(ROOT).as_posix(), path) for page in pages for path in PATH.findall(page.read_text("utf-8"))}
    )


def mentioned(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    return {*PATH.findall(text), *BARE.findall(text)}


@pytest.mark.parametrize(("page", "path"), named_files())
def test_a_file_that_a_page_names_exists(page: str, path: str) -> None:
    assert (ROOT / path).exists(), f"{page} names {path}"


def test_a_file_that_code_names_exists() -> None:
    sources = [
        path for top in TOPS for path in (ROOT / top).rglob("*.py") if not path.is_symlink() and ".venv" not in path.parts
    ]
    names = {path.name for path in sources}
    lost = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sources
        if path.relative_to(ROOT).parts[0] != "tests"
        for name in mentioned(path)
        if not ((ROOT / name).exists() if "/" in name else name in names)
    ]
    assert lost == []
