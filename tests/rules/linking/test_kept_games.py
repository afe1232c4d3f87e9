"""Games that are kept: the same as those linked from the texts; linked anew when one of the texts, or the limits, differ."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.base import cache
from rulewright.base.diagnostics import RulesError
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.rules.linking import from_modules, project
from rulewright.rules.linking.project import Project

BASE = """module base:
    "a base"

players 1
state:
    left: 0..9 = {}
action fall:
    effect fall: left -= 1
score left: left
flow:
    repeat:
        choose fall
"""
ABOVE = "module above:\n    extends base\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "above.rules").write_text(ABOVE)
    (tmp_path / "rules" / "base.rules").write_text(BASE.format(3))
    return tmp_path / "rules"


@pytest.fixture
def linked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The roots that were really linked."""
    found: list[tuple[str, ...]] = []
    link: Callable[..., object] = from_modules.link_book

    def counting(family: object, book: object, roots: tuple[str, ...]) -> object:
        found.append(roots)
        return link(family, book, roots)

    monkeypatch.setattr(from_modules, "link_book", counting)
    return found


def loaded(folder: Path, name: str = "above", limits: Limits = DEFAULT_LIMITS) -> object:
    return Project(folder, limits).load(name)


@pytest.mark.parametrize("name", ["classics.connect_four", "classics.noughts_and_crosses"])
def test_a_kept_game_is_the_game(folder: Path, name: str) -> None:
    first, again = loaded(folder, name), loaded(folder, name)
    assert again is not first
    assert first == again == Project(folder).combine(name).linked and repr(first) == repr(again)


def test_what_differs_is_linked_anew(folder: Path, linked: list[tuple[str, ...]]) -> None:
    for _ in range(2):
        loaded(folder)
    assert len(linked) == 1
    (folder / "base.rules").write_text(BASE.format(4))  # not the file that is asked for: one that it extends
    assert "value=4" in repr(loaded(folder))
    loaded(folder, limits=evolve(DEFAULT_LIMITS, file_bytes=1000))
    loaded(folder, "base")
    assert len(linked) == 4


def test_a_file_that_changes_while_it_is_read_is_kept_as_it_was_read(folder: Path) -> None:
    was = Project(folder)
    was.parse(folder / "base.rules")
    (folder / "base.rules").write_text(BASE.format(4))
    assert "value=3" in repr(was.load("above"))
    assert "value=4" in repr(loaded(folder))


def test_a_text_that_is_edited_is_not_kept(folder: Path, linked: list[tuple[str, ...]]) -> None:
    texts = Project(folder).texts
    for _ in range(2):
        assert Project.of(texts.over({folder / "base.rules": BASE.format(5)})).load("above")
    assert len(linked) == 2


def test_a_fault_is_told_each_time(folder: Path, tmp_path: Path) -> None:
    (folder / "base.rules").write_text(BASE.format("nobody"))
    for _ in range(2):
        with pytest.raises(RulesError):
            loaded(folder)
    assert not (tmp_path / "cache" / project.GAMES).exists()


def test_a_damaged_game_is_linked_anew(folder: Path, tmp_path: Path, linked: list[tuple[str, ...]]) -> None:
    found = loaded(folder)
    (path,) = (tmp_path / "cache" / project.GAMES).iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert loaded(folder) == found and len(linked) == 2


def test_a_key_without_the_texts_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A planted fault: as if only names and limits told games apart."""
    monkeypatch.setattr(project, "kept", lambda room, packages, parts, *rest: cache.kept(room, packages, parts[:3], *rest))
    loaded(folder)
    (folder / "base.rules").write_text(BASE.format(4))
    assert "value=4" not in repr(loaded(folder))
