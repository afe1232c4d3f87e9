"""Machine code that is kept: found again, made anew when stale or damaged, never trusted when others can write it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.subset import code_cache, llvm, program
from tests.rules.machine.agreeing import ENTRIES, Agreement
from tests.rules.playing import own_module

CODE = code_cache.Code(b"\x7fELF and so on\nmore", {"legal": ["Ints", "int"]})
NAME = code_cache.name_of(("1.0", "a processor", "def legal(): ..."))
owners = pytest.mark.skipif(sys.platform == "win32", reason="files have no owners there")


def test_what_is_kept_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"
    assert code_cache.recall(folder, NAME) is None
    code_cache.keep(folder, NAME, CODE)
    assert code_cache.recall(folder, NAME) == CODE
    assert [path.name for path in folder.iterdir()] == [NAME]


def test_names_tell_everything_apart() -> None:
    assert (
        len(
            {
                NAME,
                code_cache.name_of(("1.1", "a processor", "def legal(): ...")),
                code_cache.name_of(("1.0", "a processordef", " legal(): ...")),
            }
        )
        == 3
    )


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b" ", lambda c: b"R" + c, lambda c: b"", lambda c: c[:40]])
def test_damaged_code_is_not_used(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "cache"
    code_cache.keep(folder, NAME, CODE)
    path = folder / NAME
    path.write_bytes(damage(path.read_bytes()))
    assert code_cache.recall(folder, NAME) is None
    code_cache.keep(folder, NAME, CODE)
    assert code_cache.recall(folder, NAME) == CODE


def test_each_byte_counts(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    code_cache.keep(folder, NAME, CODE)
    path = folder / NAME
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert code_cache.recall(folder, NAME) is None


@owners
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "cache"
    code_cache.keep(folder, NAME, CODE)
    (folder / NAME).chmod(mode)
    assert code_cache.recall(folder, NAME) is None


@owners
def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    code_cache.keep(folder, NAME, CODE)
    folder.chmod(0o777)
    assert code_cache.recall(folder, NAME) is None
    (folder / NAME).unlink()
    code_cache.keep(folder, NAME, CODE)
    assert not list(folder.iterdir())


@owners
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "cache"
    code_cache.keep(elsewhere, NAME, CODE)
    folder.mkdir(mode=0o700)
    (folder / NAME).symlink_to(elsewhere / NAME)
    assert code_cache.recall(folder, NAME) is None
    (tmp_path / "link").symlink_to(elsewhere)
    assert code_cache.recall(tmp_path / "link", NAME) is None


def test_the_oldest_go(tmp_path: Path) -> None:
    names = [code_cache.name_of((str(number),)) for number in range(5)]
    for age, name in enumerate(names):
        code_cache.keep(tmp_path / "cache", name, CODE, most=3)
        if (tmp_path / "cache" / name).exists():
            os.utime(tmp_path / "cache" / name, (age, age))
    assert {path.name for path in (tmp_path / "cache").iterdir()} == set(names[2:])


def test_of_too_many_a_tenth_goes_at_once(tmp_path: Path) -> None:
    names = [code_cache.name_of((str(number),)) for number in range(21)]
    for age, name in enumerate(names):
        assert len(list(tmp_path.glob("cache/*"))) == age
        code_cache.keep(tmp_path / "cache", name, CODE, most=20)
        if age < 20:
            os.utime(tmp_path / "cache" / name, (age, age))
    assert {path.name for path in (tmp_path / "cache").iterdir()} == set(names[3:])


def test_what_was_never_finished_goes(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    code_cache.keep(folder, NAME, CODE)
    for name, age in (("old", 2 * code_cache.HOUR), ("new", 0)):
        path = folder / f"{code_cache.UNFINISHED}{name}"
        path.write_bytes(b"")
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    code_cache.keep(folder, NAME, CODE)
    assert {path.name for path in folder.iterdir()} == {NAME, f"{code_cache.UNFINISHED}new"}


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "somewhere")
    assert code_cache.cache_folder() == Path("somewhere")
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    assert code_cache.cache_folder() is None
    monkeypatch.delenv("RULEWRIGHT_CACHE")
    folder = code_cache.cache_folder()
    assert folder is not None and folder.name == "rulewright"


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c[:200] + bytes([c[200] ^ 1]) + c[201:], lambda c: b""])
def test_a_game_is_compiled_anew_when_its_code_is_damaged(tmp_path: Path, monkeypatch, damage) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    compiled: list[str] = []
    to_object = llvm.to_object
    monkeypatch.setattr(llvm, "to_object", lambda assembly: compiled.append(assembly) or to_object(assembly))
    engine = Engine.of(own_module("boxes"), 1)

    def played() -> tuple[int, bool]:
        program._machine_code.cache_clear()
        agreement = Agreement(engine, compiled=True)
        agreement.game_of(1, 20)
        return agreement.moves, program.is_kept(agreement.game.sources(()), ENTRIES)

    first = played()
    assert first[0] > 0 and first[1] and len(compiled) == 1
    assert played() == first and len(compiled) == 1
    (path,) = (tmp_path / "cache").iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert played() == first and len(compiled) == 2
    assert path.read_bytes() == whole
