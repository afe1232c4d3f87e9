"""The file that `rulewright page` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.main import run

HOSTILE = """puzzle trap:
    "</script><img src=x onerror=alert(1)><script>alert(2)</script>"
    rules classics.noughts_and_crosses
    players 2

    ask: win for 1
"""


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page)
    assert found is not None
    data: dict[str, Any] = json.loads(found.group(1))
    return data


def written(folder: Path, *arguments: str) -> str:
    page = folder / "page.html"
    assert run(("page", *arguments, "-o", str(page))) == 0
    return page.read_text(encoding="utf-8")


def test_a_page_of_beacon_patrol_is_small(tmp_path: Path) -> None:
    assert len(written(tmp_path, "overboard").encode()) < 150_000


def test_texts_never_become_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trap.puzzle").write_text(HOSTILE)
    monkeypatch.chdir(tmp_path)
    page = written(tmp_path, "trap.puzzle")
    assert "<img" not in page
    assert page.count("<script") == page.count("</script>") == 2
    (puzzle,) = data_of(page)["puzzles"]
    assert puzzle["text"].startswith("</script><img")


def test_the_policy_allows_no_other_script(tmp_path: Path) -> None:
    page = written(tmp_path, "lights_corner")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe-inline" not in policy and "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert not re.search(r"https?://(?!www\.w3\.org/)", page)


def test_the_best_value_is_a_digest_and_can_be_left_out(tmp_path: Path) -> None:
    (known,) = data_of(written(tmp_path, "lights_corner"))["puzzles"]
    (unknown,) = data_of(written(tmp_path, "lights_corner", "--no-answer"))["puzzles"]
    assert re.fullmatch("[0-9a-f]{32}", known["best"])
    assert unknown["best"] is None


def test_a_sheet_has_its_answers_upside_down(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    written(tmp_path, "lights_corner", "peg_plus", "--sheet", str(sheet), "--time", "5")
    text = sheet.read_text(encoding="utf-8")
    assert text.count("<article>") == 2
    assert "1. 24: press" in text and "2. 9: jump" in text
    assert "rotate(180deg)" in text
