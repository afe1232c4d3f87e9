"""What is read as a file of text: regular files of UTF-8, and where a file that is none goes wrong."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.input_files import decoded, files_below, first_line, library_copies, read_text, scan_text
from rulewright.base.limits import Limits
from tests.paths import ROOT

MARK = b"\xef\xbb\xbf"


def refusal(path: Path, limits: Limits | None = None) -> Diagnostic:
    with pytest.raises(RulesError) as caught:
        read_text(path, limits or Limits())
    (found,) = caught.value.diagnostics
    return found


def test_a_byte_order_mark_and_carriage_returns_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(MARK + "# é\r\nmodule a:\r\n".encode())
    assert read_text(path) == "# é\nmodule a:\n" == scan_text(path)
    assert first_line(path) == "module a:"
    assert decoded("\ufeff\ufeffx".encode(), "s") == "\ufeffx"  # only the first is a mark


def test_a_disk_that_fails_is_no_file_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.rules"
    path.write_text("module a:\n", "utf-8")
    for error in (PermissionError(errno.EACCES, "denied"), OSError(errno.EIO, "Input/output error")):

        def fails(*_: object, error: OSError = error) -> None:
            raise error

        monkeypatch.setattr(Path, "open", fails)
        if isinstance(error, PermissionError):
            assert first_line(path) == ""
        else:
            with pytest.raises(OSError, match="Input/output"):
                first_line(path)


@pytest.mark.parametrize(
    ("content", "byte", "offset", "line", "column"),
    [
        (b"\xff", "FF", 0, 1, 1),
        (b"module a:\n    \"caf\xe9\"\n", "E9", 18, 2, 9),
        (MARK + b"# \xc3\xa9\xc3\xa9 \x80", "80", 10, 1, 6),
        (b"a\r\nb\xc3", "C3", 4, 2, 2),
        (b"\xed\xa0\x80", "ED", 0, 1, 1),  # half of a surrogate pair
        (b"\xc0\xaf", "C0", 0, 1, 1),  # more bytes than the character needs
    ],
)  # fmt: skip
def test_the_place_of_what_is_not_utf8(content: bytes, byte: str, offset: int, line: int, column: int, tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(content)
    found = refusal(path)
    assert found.code == "RW025"
    assert found.message == f"the byte 0x{byte} at offset {offset} is not valid UTF-8"
    assert found.span is not None
    assert (found.span.source, found.span.line, found.span.column) == (str(path), line, column)


def test_utf16_is_called_that(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes("module a:\n".encode("utf-16"))
    assert "UTF-16" in refusal(path).help


@pytest.mark.parametrize("end", [b"\r\n", b"\xc3\xa9"])
def test_a_file_that_is_too_large_is_refused_whatever_it_ends_in(end: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(end * 6)
    assert refusal(path, Limits(file_bytes=11)).code == "RW050"
    assert read_text(path, Limits(file_bytes=12)) == end.decode().replace("\r", "") * 6


def special(path: Path, kind: str) -> None:
    match kind:
        case "folder":
            path.mkdir()
        case "named pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case _:
            raise ValueError(kind)


@pytest.mark.parametrize("kind", ["folder", "named pipe", "device"])
def test_only_regular_files_are_opened(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.puzzle"
    special(path, kind)
    found = refusal(path)
    assert (found.code, found.span) == ("RW026", None)
    assert found.message == f"`{path}` is no regular file but a {kind}"
    assert first_line(path) == scan_text(path) == ""
    assert list(files_below(tmp_path, ".puzzle")) == []


def test_what_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "x.puzzle")


def test_another_copy_of_the_library_is_left_out(tmp_path: Path) -> None:
    kept = ["library/own.puzzle", "puzzles/library/own.puzzle", "rules/library/own.puzzle"]
    left_out = [
        *("checkout/puzzles/library/one.puzzle", "checkout/tests/one.puzzle", "site/rulewright/puzzles/library/one.puzzle"),
        "package/puzzles/library/one.puzzle",
    ]
    codes = ["checkout/rules/__init__.py", "site/rulewright/rules/__init__.py", "package/puzzles/__init__.py"]
    folders = ["checkout/rules/library", "site/rulewright/rules/library"]
    for name in (*kept, *left_out, *codes):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in folders:
        (tmp_path / name).mkdir()
    assert [path.relative_to(tmp_path).as_posix() for path in files_below(tmp_path, ".puzzle")] == kept
    copies = ["checkout", "package/puzzles/library", "site/rulewright"]
    assert [path.relative_to(tmp_path).as_posix() for path in library_copies(tmp_path)] == copies
    # A folder that is named is searched, whatever it is.
    assert [path.name for path in files_below(tmp_path / "checkout" / "tests", ".puzzle")] == ["one.puzzle"]


def test_the_library_that_runs_is_no_copy() -> None:
    assert library_copies(ROOT) == []
    assert next(files_below(ROOT / "puzzles", ".puzzle"))
