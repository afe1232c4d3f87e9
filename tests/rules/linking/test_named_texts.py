"""Texts found by the names that they declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.named_texts import Texts
from rulewright.rules.linking.project import MODULES


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    for name in ("a", "b", "coast"):
        (tmp_path / f"{name}.rules").write_text(f"# first\nmodule {name}:\n")
    return Texts(MODULES, tmp_path)


def test_given_texts_stand_in_for_files(texts: Texts, tmp_path: Path) -> None:
    a, b, new = (tmp_path / name for name in ("a.rules", "b.rules", "new.rules"))
    over = texts.over({a: "module other:\r\n", new: "module b:\n", tmp_path / "x.puzzle": "module no:\n"})
    assert over.found["other"] == (a,)
    assert over.found["b"] == (b, new)
    assert "a" not in over.found and "no" not in over.found
    assert over.text(a) == "module other:\n"
    assert set(over.files) == {a, b, new, tmp_path / "coast.rules"}
    assert texts.found["a"] == (a,)


def test_a_given_text_stands_in_for_one_of_the_library(texts: Texts) -> None:
    (path,) = texts.kind.library["beacon_patrol"]
    over = texts.over({path: "module mine:\n"})
    assert over.found["mine"] == (path,)
    assert "beacon_patrol" not in over.found
    assert texts.found["beacon_patrol"] == (path,)


def test_the_folder_is_searched_once(texts: Texts, tmp_path: Path) -> None:
    before = texts.found
    (tmp_path / "late.rules").write_text("module late:\n")
    assert texts.over({}).found == before
