"""Files with secrets: nobody else reads them, and a planted link or folder is not followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rulewright.base.atomic_write import read_private, write_private

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_and_its_folder_are_the_users_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "key"
    write_private(path, b"secret")
    assert (mode_of(path), mode_of(path.parent)) == (0o600, 0o700)
    assert read_private(path, 100) == b"secret"
    assert read_private(path, 3) == b"sec"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_open_to_others_is_closed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o755)
    write_private(tmp_path / "a" / "key", b"secret")
    assert mode_of(tmp_path / "a") == 0o700


@pytest.mark.parametrize("is_broken", [False, True])
def test_a_planted_link_is_replaced_and_its_target_left_alone(tmp_path: Path, is_broken: bool) -> None:
    target = tmp_path / "precious"
    if not is_broken:
        target.write_text("mine")
        target.chmod(0o644)
    folder = tmp_path / "a"
    folder.mkdir(mode=0o700)
    (folder / "key").symlink_to(target)
    with pytest.raises(OSError):
        read_private(folder / "key", 100)
    write_private(folder / "key", b"secret")
    assert not (folder / "key").is_symlink() and read_private(folder / "key", 100) == b"secret"
    assert target.exists() != is_broken
    if not is_broken:
        assert (target.read_text(), mode_of(target)) == ("mine", 0o644)


def test_a_planted_link_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    (tmp_path / "elsewhere" / "key").write_text("planted")
    (tmp_path / "elsewhere" / "key").chmod(0o600)
    (tmp_path / "a").symlink_to(tmp_path / "elsewhere")
    assert read_private(tmp_path / "a" / "key", 100) is None
    with pytest.raises(OSError):
        write_private(tmp_path / "a" / "key", b"secret")
    assert (tmp_path / "elsewhere" / "key").read_text() == "planted"


def test_a_file_of_another_user_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_private(tmp_path / "a" / "key", b"secret")
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert read_private(tmp_path / "a" / "key", 100) is None
    with pytest.raises(PermissionError):
        write_private(tmp_path / "a" / "key", b"other")


@pytest.mark.parametrize("mode", [0o644, 0o620, 0o602])
def test_a_file_that_others_could_read_or_write_is_not_read(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a" / "key"
    write_private(path, b"secret")
    path.chmod(mode)
    assert read_private(path, 100) is None


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "a" / "key", 0o600)
    assert read_private(tmp_path / "a" / "key", 100) is None


def test_nothing_is_left_over_if_it_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a" / "key").mkdir(parents=True)
    with pytest.raises(OSError):
        write_private(tmp_path / "a" / "key", b"secret")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["key"]
