"""What is kept: found again, made anew when stale or damaged, never read when others can have written it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rulewright.base import cache
from rulewright.base.cache import Cache, cache_refusal, name_of

CODE = b"\x7fELF and so on\nmore"
NAME = name_of(("1.0", "a processor", "def legal(): ..."))
KEY = bytes(range(32))
owners = pytest.mark.skipif(sys.platform == "win32", reason="files have no owners there")


def test_what_is_kept_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"
    assert Cache(folder, KEY, "").recall(NAME) is None
    Cache(folder, KEY, "").keep(NAME, CODE)
    assert Cache(folder, KEY, "").recall(NAME) == CODE
    assert [path.name for path in folder.iterdir()] == [NAME]


def test_names_tell_everything_apart() -> None:
    assert (
        len(
            {
                NAME,
                name_of(("1.1", "a processor", "def legal(): ...")),
                name_of(("1.0", "a processordef", " legal(): ...")),
            }
        )
        == 3
    )


@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b" ", lambda c: b"R" + c, lambda c: b"", lambda c: c[:40]])
def test_damaged_code_is_not_used(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "cache"
    Cache(folder, KEY, "").keep(NAME, CODE)
    path = folder / NAME
    path.write_bytes(damage(path.read_bytes()))
    assert Cache(folder, KEY, "").recall(NAME) is None
    Cache(folder, KEY, "").keep(NAME, CODE)
    assert Cache(folder, KEY, "").recall(NAME) == CODE


def test_each_byte_counts(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Cache(folder, KEY, "").keep(NAME, CODE)
    path = folder / NAME
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert Cache(folder, KEY, "").recall(NAME) is None


@owners
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_used(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "cache"
    Cache(folder, KEY, "").keep(NAME, CODE)
    (folder / NAME).chmod(mode)
    assert Cache(folder, KEY, "").recall(NAME) is None


@owners
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    elsewhere, folder = tmp_path / "elsewhere", tmp_path / "cache"
    Cache(elsewhere, KEY, "").keep(NAME, CODE)
    folder.mkdir(mode=0o700)
    (folder / NAME).symlink_to(elsewhere / NAME)
    assert Cache(folder, KEY, "").recall(NAME) is None


def test_the_oldest_go(tmp_path: Path) -> None:
    names = [name_of((str(number),)) for number in range(5)]
    for age, name in enumerate(names):
        Cache(tmp_path / "cache", KEY, "").keep(name, CODE, most=3)
        if (tmp_path / "cache" / name).exists():
            os.utime(tmp_path / "cache" / name, (age, age))
    assert {path.name for path in (tmp_path / "cache").iterdir()} == set(names[2:])


def test_of_too_many_a_tenth_goes_at_once(tmp_path: Path) -> None:
    names = [name_of((str(number),)) for number in range(21)]
    for age, name in enumerate(names):
        assert len(list(tmp_path.glob("cache/*"))) == age
        Cache(tmp_path / "cache", KEY, "").keep(name, CODE, most=20)
        if age < 20:
            os.utime(tmp_path / "cache" / name, (age, age))
    assert {path.name for path in (tmp_path / "cache").iterdir()} == set(names[3:])


def test_what_was_never_finished_goes(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Cache(folder, KEY, "").keep(NAME, CODE)
    for name, age in (("old", 2 * cache.HOUR), ("new", 0)):
        path = folder / f"{cache.UNFINISHED}{name}"
        path.write_bytes(b"")
        os.utime(path, (path.stat().st_mtime - age,) * 2)
    Cache(folder, KEY, "").keep(NAME, CODE)
    assert {path.name for path in folder.iterdir()} == {NAME, f"{cache.UNFINISHED}new"}


def test_a_signature_holds_for_its_name_and_key(tmp_path: Path) -> None:
    folder, other = tmp_path / "cache", name_of(("another",))
    Cache(folder, KEY, "").keep(NAME, CODE)
    assert Cache(folder, KEY[::-1], "").recall(NAME) is None
    (folder / NAME).rename(folder / other)
    assert Cache(folder, KEY, "").recall(other) is None


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="the configuration is elsewhere")
def test_the_key_is_the_users_own(places: Path) -> None:
    assert (one := Cache.opened("", "rulewright.subset")) is not None
    path = places / "configuration" / "rulewright" / cache.KEY
    assert path.read_bytes() == one.key and len(one.key) == cache.KEY_BYTES
    assert path.stat().st_mode & 0o077 == 0
    assert cache._key(path) == one.key
    path.chmod(0o644)  # others may have read it
    assert cache._key(path) not in (None, one.key)


@pytest.mark.skipif(sys.platform != "linux", reason="the configuration is elsewhere")
def test_without_a_key_there_is_no_cache(places: Path) -> None:
    (places / "configuration").write_text("no folder")
    assert Cache.opened("", "rulewright.subset") is None


def test_a_relative_folder_is_refused(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(places)
    monkeypatch.setenv("RULEWRIGHT_CACHE", ".cache")
    assert Cache.opened("", "rulewright.subset") is None
    assert "its path is relative" in cache_refusal()


@owners
def test_folders_of_others_are_refused(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = places / "cache"
    assert cache_refusal() == ""
    folder.mkdir(mode=0o700)
    assert cache_refusal() == ""
    folder.chmod(0o770)
    assert "others can write to it" in cache_refusal() and Cache.opened("", "rulewright.subset") is None
    folder.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    assert "belongs to another user" in cache_refusal()
    monkeypatch.undo()
    folder.rmdir()
    folder.symlink_to(places)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(folder))
    assert "it is a link" in cache_refusal()


def test_the_program_is_part_of_the_name(places: Path) -> None:
    one, other = Cache.opened("", "rulewright.subset"), Cache.opened("", "rulewright.grammar")
    assert one is not None and other is not None
    assert one.name(("x",)) != other.name(("x",))


def test_nothing_is_kept_for_a_program_that_has_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    cache.program_digest.cache_clear()
    monkeypatch.setattr(cache, "_BEGAN", 0)
    assert cache.program_digest("rulewright.subset") == ""
    cache.program_digest.cache_clear()


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "somewhere")
    assert cache.cache_folder() == Path("somewhere")
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    assert cache.cache_folder() is None
    monkeypatch.delenv("RULEWRIGHT_CACHE")
    folder = cache.cache_folder()
    assert folder is not None and folder.name == "rulewright"
