"""Commands that write: whole files or none, what was there is kept."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import display_path
from rulewright.studies.making import starting_folder

UNTIDY = 'module untidy:\n  "Two spaces."\n'
TIDY = 'module untidy:\n    "Two spaces."\n'


def test_fmt_changes_files_in_place_and_keeps_their_permissions(call):
    path = Path("untidy.rules")
    path.write_text(UNTIDY)
    path.chmod(0o640)
    done = call("fmt", "untidy.rules", "shoals.rules")
    assert done.status == 0
    assert done.out == "changed untidy.rules\n"
    assert path.read_text() == TIDY
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert call("fmt", "--check", "untidy.rules").status == 0


@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_fmt_can_look_only(option, call):
    path = Path("untidy.rules")
    path.write_text(UNTIDY)
    done = call("fmt", option, "untidy.rules")
    assert done.status == (1 if option == "--check" else 0)
    assert path.read_text() == UNTIDY
    assert ("+    " in done.out) == (option == "--diff")


def test_fmt_leaves_wrong_files_alone_and_formats_the_others(call, broken):
    Path("untidy.rules").write_text(UNTIDY)
    before = Path("ill.rules").read_bytes()
    assert call("fmt", "ill.rules", "untidy.rules").status == 2
    assert Path("ill.rules").read_bytes() == before
    assert Path("untidy.rules").read_text() == TIDY


def test_fmt_takes_the_files_in_a_folder(call):
    for name in ("coast/a.rules", "coast/deep/b.rules", "coast/.kept/c.rules"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(UNTIDY)
    Path("coast/notes.txt").write_text("not mine")
    Path("coast/a.rules").write_text(TIDY)
    done = call("fmt", "coast", "coast/deep", "--json")
    files = {file["file"]: file["changed"] for file in done.json["files"]}
    assert (done.status, files) == (0, {"coast/a.rules": False, "coast/deep/b.rules": True})
    assert Path("coast/deep/b.rules").read_text() == TIDY
    assert Path("coast/.kept/c.rules").read_text() == UNTIDY


def test_fmt_of_a_folder_without_such_files(call):
    Path("empty").mkdir()
    done = call("fmt", "empty")
    assert done.status == 2
    assert "no `*.rules` or `*.puzzle` files in `empty`" in done.err


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_fmt_keeps_line_ends_and_the_byte_order_mark(end, mark, call):
    path = Path("untidy.rules")
    untidy, tidy = (mark + text.replace("\n", end).encode() for text in (UNTIDY, TIDY))
    path.write_bytes(untidy)
    assert call("fmt", "--check", "untidy.rules").status == 1
    difference = call("fmt", "--diff", "untidy.rules").out
    assert "-module" not in difference and '+    "Two spaces."\n' in difference
    assert call("fmt", "untidy.rules").out == "changed untidy.rules\n"
    assert path.read_bytes() == tidy
    assert call("fmt", "--check", "untidy.rules").status == 0


def test_fmt_gives_all_lines_the_end_of_the_first(call):
    path = Path("untidy.rules")
    path.write_bytes(b'module untidy:\r\n    "Two spaces."\n')
    assert call("fmt", "--check", "untidy.rules").status == 1
    call("fmt", "untidy.rules")
    assert path.read_bytes() == TIDY.replace("\n", "\r\n").encode()


def test_fmt_of_the_files_here_changes_nothing(call, folder):
    files = [path.name for path in folder.iterdir()]
    assert call("fmt", "--check", *files).status == 0


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    write_atomically(path, "one\n")
    monkeypatch.setattr(os, "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_atomically(path, "two\n")
    assert path.read_text() == "one\n"
    assert [file.name for file in tmp_path.iterdir()] == ["a.txt"]


def test_a_link_is_followed(tmp_path):
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").symlink_to("a.txt")
    write_atomically(tmp_path / "b.txt", "two\n")
    assert (tmp_path / "b.txt").is_symlink()
    assert (tmp_path / "a.txt").read_text() == "two\n"


def test_names_are_shown_from_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "a" / "b") == "a/b"
    assert display_path("/elsewhere/b") == "/elsewhere/b"


@pytest.mark.parametrize("base", ["shoals", ""])
def test_a_new_folder_is_ready_to_work_in(base, call, folder, monkeypatch):
    done = call("new", "my_variant", *(["--of", base] if base else []))
    assert done.status == 0
    assert sorted(os.listdir("my_variant")) == ["README.md", "first.puzzle", "my_variant.rules"]
    place = "the folder above" if base else "this folder"
    assert f"In {place}:" in Path("my_variant/README.md").read_text()
    monkeypatch.chdir(folder if base else folder / "my_variant")
    assert call("check", "my_variant", "first").status == 0
    assert call("simulate", "my_variant", "--games", "2").status == 0
    monkeypatch.chdir(folder / "my_variant")
    assert call("fmt", "--check", "my_variant.rules", "first.puzzle").status == 0
    monkeypatch.chdir(folder if base else folder / "my_variant")
    assert call("solve", "first", "--json").json["status"] == "optimal"
    monkeypatch.chdir(folder)
    assert call("new", "my_variant").status == 2


def test_a_first_puzzle_that_is_not_proved_is_another_one(call, folder, monkeypatch):
    tried: list[str] = []
    monkeypatch.setattr(starting_folder, "_is_proved", lambda text, game: tried.append(text) or len(tried) == 4)
    assert call("new", "mine", "--of", "classics.noughts_and_crosses").status == 0
    assert Path("mine/first.puzzle").read_text() == tried[3] and len(set(tried)) == 4
    asked = [text.rpartition("ask: ")[2].strip() for text in tried]
    assert asked[0].startswith("win for ") and asked[2:] == ["maximise score until end"] * 2


@pytest.mark.parametrize("base", ["beacon_patrol", "classics.lights_out", "classics.rush_hour"])
def test_each_suggested_change_plays(base, call, folder, monkeypatch):
    """As an author tries them: the first sign of its lines taken away, then what README.md says."""
    assert call("new", "mine", "--of", base).status == 0
    monkeypatch.chdir(folder / "mine")
    text = Path("mine.rules").read_text()
    head, _, suggested = text.partition("# Changes to try: uncomment these lines.\n")
    changes = [change for change in suggested.split("#\n") if change]
    assert bool(changes) == (base != "classics.rush_hour")
    before = call("solve", "first", "--json").json
    for number, change in enumerate(changes):
        Path("mine.rules").write_text(head + "".join(line.removeprefix("#") for line in change.splitlines(keepends=True)))
        assert call("check", "mine", "first").status == 0, change
        assert number or call("solve", "first").status == 0, change
        assert call("simulate", "mine", "--games", "3").status == 0, change
    assert before["status"] in ("optimal", "feasible")
