"""The address of a studio is found again, unless somebody else could have planted or read it."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from rulewright.base.cache import Cache
from rulewright.studio.server.address import Address, listen

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "studio"


def address_of(folder: Path) -> Address:
    """The address of a studio that listens for a moment."""
    opened, address = listen(folder, 0)
    with closing(opened):
        return address


def file_of(cache: Path) -> Path:
    (found,) = cache.iterdir()
    return found


def test_an_address_is_found_again(cache: Path, tmp_path: Path) -> None:
    first = address_of(tmp_path)
    assert address_of(tmp_path) == first
    assert address_of(tmp_path / "other").token != first.token


def test_a_planted_link_is_neither_read_nor_written_through(cache: Path, tmp_path: Path) -> None:
    first = address_of(tmp_path)
    file, target = file_of(cache), tmp_path / "planted.json"
    file.rename(target)  # as private as it was, but elsewhere
    file.symlink_to(target)
    before = target.read_bytes()
    second = address_of(tmp_path)
    assert second.token != first.token
    assert target.read_bytes() == before
    assert not file.is_symlink() and address_of(tmp_path) == second


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o602])
def test_a_file_that_others_could_read_or_write_is_not_read(cache: Path, tmp_path: Path, mode: int) -> None:
    first = address_of(tmp_path)
    file_of(cache).chmod(mode)
    second = address_of(tmp_path)
    assert second.token != first.token
    assert file_of(cache).stat().st_mode & 0o777 == 0o600


def test_what_somebody_else_wrote_is_not_read(cache: Path, tmp_path: Path) -> None:
    first = address_of(tmp_path)
    content = file_of(cache).read_bytes()
    file_of(cache).write_bytes(content.replace(first.token.encode(), b"0" * len(first.token)))
    assert address_of(tmp_path).token not in (first.token, "0" * len(first.token))


def test_a_folder_that_others_can_write_to_is_not_used(cache: Path, tmp_path: Path) -> None:
    cache.parent.mkdir()
    cache.parent.chmod(0o777)
    assert address_of(tmp_path).token != address_of(tmp_path).token
    assert not cache.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff",
        b"null",
        b"[" * 1000,
        b'{"port": 50000}',
        b'{"port": "x", "token": "0123456789abcdef0123456789abcdef"}',
        b'{"port": 80, "token": "0123456789abcdef0123456789abcdef"}',
        b'{"port": 50000, "token": "short"}',
        b'{"port": 50000, "token": "../../0123456789abcdef0123456789abcdef/?"}',
        b'{"port": 50000, "token": "%s"}' % (b"a" * 100_000),
    ],
)
def test_what_is_no_address_is_replaced(cache: Path, tmp_path: Path, content: bytes) -> None:
    address_of(tmp_path)
    kept = Cache.opened("studio")
    assert kept is not None
    kept.keep(file_of(cache).name, content)
    found = address_of(tmp_path)
    assert len(found.token) >= 32 and found.token not in content.decode("utf-8", "replace")
    assert address_of(tmp_path) == found
