"""Faults at every call that touches a file, and at every allocation: old or new content, never half, and the right status."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulewright.base.atomic_write import complete, write_together
from tests.campaigns.faults import KILLED, contents, damaged, full, in_arenas, in_child, in_files, killed

STEP = 30 if "FAULTS" not in os.environ else 1
FEW = int(os.environ.get("FAULTS", "3"))
"""How many points of a command that takes a while are tried; the campaign tries all."""


MOST = 2000
"""More calls than any of these commands makes."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache and a key of this test's own."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


def each_fault(
    call: Callable[..., Any], arguments: tuple[str, ...], reset: Callable[[], None], most: int
) -> Iterator[tuple[int, Any]]:
    """The outcome of a call for a fault at `most` of its points, evenly spaced: a full disk, then a damaged one, in turn."""
    reset()
    with in_files(sys.maxsize, full) as faults:
        call(*arguments)
    number = faults.calls
    assert number > 10
    for at in sorted({number * step // most for step in range(most)}):
        reset()
        with in_files(at, full if at % 2 else damaged):
            done = call(*arguments)
        yield at, done


UNEVEN = "\n\n\n"


def test_fmt(call, folder: Path) -> None:
    files = [folder / "shoals.rules", folder / "bright.rules"]
    after = {path: path.read_text() for path in files}

    def reset() -> None:
        for path in files:
            path.write_text(after[path] + UNEVEN)

    tried = 0
    for at, done in each_fault(call, ("fmt", *map(str, files)), reset, MOST):
        tried += 1
        texts = {path: path.read_text() for path in files}
        assert all(texts[path] in (after[path], after[path] + UNEVEN) for path in files), at
        assert done.status in (0, 2), (at, done)
        assert done.status == 2 or texts == after, (at, done)
        assert not [path for path in folder.iterdir() if path.name.startswith(".")] or done.status == 2
    assert tried > 10


def test_solve_answers_without_a_cache(call, folder: Path) -> None:
    """Faults of the cache cost time only; those of the puzzle's own files are told."""
    call("solve", "narrows")
    tried = 0
    for at, done in each_fault(call, ("solve", "narrows", "--json"), lambda: None, FEW):
        tried += 1
        assert done.status in (0, 2), (at, done)
        if done.status == 0:
            assert (done.json["status"], done.json["score"]) == ("optimal", 8)
        else:
            assert done.json["errors"][0]["code"] != "internal", (at, done)
    assert tried >= 3


@pytest.mark.campaign
def test_make(call, folder: Path, places: Path) -> None:
    """After all faults the same command makes what it makes without any."""
    arguments = ("make", "shoals", "--tiles", "2..4", "--count", "1", "--gap", "0", "--unique", "nothing", "--workers", "1")
    assert call(*arguments, "--out", str(places / "whole")).status == 0
    whole, tried = contents(places / "whole"), 0
    for at, done in each_fault(call, (*arguments, "--out", str(places / "made")), lambda: None, FEW):
        tried += 1
        assert done.status in (0, 1, 2), (at, done)
        for name, content in contents(places / "made").items():
            is_begun = name == "making.jsonl" and whole[name].startswith(content) and content[-1:] in (b"", b"\n")
            assert is_begun or content == whole[name], (at, name)
    assert call(*arguments, "--out", str(places / "made")).status == 0
    assert contents(places / "made") == whole
    assert tried >= 3


@pytest.mark.campaign
def test_review(call, folder: Path) -> None:
    """Snapshots are accepted together or not at all."""
    for path in folder.glob("*.puzzle"):
        if path.stem != "narrows":
            path.unlink()
    for name in ("bright", "combs", "towers"):
        (folder / f"{name}.rules").unlink()
    assert call("review", "--accept", "all", "--workers", "1").status == 0
    old = contents(folder)
    rules = folder / "shoals.rules"
    rules.write_text(rules.read_text().replace('"Pilots"', '"Masters"'))
    changed = contents(folder)
    assert call("review", "--accept", "all", "--workers", "1").status == 0
    new = contents(folder)
    assert new != changed

    def reset() -> None:
        for name in contents(folder):
            (folder / name).unlink()
        for name, content in changed.items():
            (folder / name).write_bytes(content)

    tried = 0
    for at, done in each_fault(call, ("review", "--accept", "all", "--workers", "1"), reset, FEW):
        tried += 1
        found = contents(folder)
        assert done.status in (0, 1, 2), (at, done)
        assert found in (changed, new), at
        assert (found == new) or done.status != 0, (at, done)
    assert tried >= 3
    assert old != new


def contents_of(place: Path, last: str) -> tuple[dict[Path, bytes], dict[Path, str | bytes | None]]:
    """What a folder holds, and what is to be written: one file changed, one deleted, one changed, and one more."""
    old = {place / "a": b"old a", place / "b": b"old b", place / "c": b"old c"}
    return old, {place / "a": b"new a", place / "b": None, place / "c": b"new c", place / last: b"new"}


def test_write_together_when_calls_fail(tmp_path: Path) -> None:
    place = tmp_path / "set"
    old, new = contents_of(place, "d/e")
    place.mkdir()
    outcomes = set()
    for at in range(MOST):
        for path in sorted(place.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        for path, content in old.items():
            path.write_bytes(content)
        with in_files(at, full if at % 2 else damaged) as faults, suppress(OSError):
            write_together(new, place)
        complete(place)
        found = {path: path.read_bytes() for path in place.rglob("*") if path.is_file() and not path.name.startswith(".")}
        is_old, is_new = found == old, found == written(new)
        assert is_old or is_new, (at, found)
        outcomes.add(is_new)
        if not faults.hit:
            break
    assert outcomes == {True, False}
    assert at > 20


def written(new: dict[Path, bytes | None]) -> dict[Path, bytes]:
    return {path: content for path, content in new.items() if content is not None}


@posix
def test_write_together_when_killed(tmp_path: Path) -> None:
    """After a kill at any call, the next run leaves all files old or all new, and nothing else."""
    place = tmp_path / "set"
    old, new = contents_of(place, "d")
    place.mkdir()
    outcomes = []
    for at in range(MOST):
        for path in place.iterdir():
            path.unlink()
        for path, content in old.items():
            path.write_bytes(content)

        def work(at: int = at) -> None:
            with in_files(at, killed):
                write_together(new, place)

        was_killed = in_child(work) == KILLED
        complete(place)
        found = {path: path.read_bytes() for path in place.iterdir() if not path.name.startswith(".")}
        assert found in (old, written(new)), (at, found)
        outcomes.append(found != old)
        if not was_killed:
            break
    assert len(outcomes) > 20
    assert outcomes == sorted(outcomes) and set(outcomes) == {False, True}  # once all is known, the set is completed


def test_what_was_changed_since_is_left_alone(tmp_path: Path) -> None:
    place = tmp_path / "set"
    place.mkdir()
    (place / "a").write_text("old a")
    (place / "b").write_text("old b")

    def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "replace", stop_at_second(os.replace))
            write_together({place / "a": "new a", place / "b": "new b"}, place)

    if in_child(work) != KILLED:
        pytest.fail("it was not killed")
    (place / "a").write_text("edited")
    complete(place)
    assert contents(place) == {"a": b"edited", "b": b"old b"}


def stop_at_second(replace: Callable[..., None]) -> Callable[..., None]:
    """Rename the record of what is under way, and die at the first file of the set."""
    calls = [0]

    def called(*arguments: object) -> None:
        calls[0] += 1
        if calls[0] == 2:
            os._exit(KILLED)
        replace(*arguments)

    return called


@pytest.mark.parametrize("puzzle", ["narrows", "narrows_counted"])
def test_no_memory_is_no_proof(puzzle: str, call, folder: Path) -> None:
    right = call("solve", puzzle, "--json").json
    statuses = []
    for at in range(0, MOST, STEP):
        with in_arenas(at) as faults:
            done = call("solve", puzzle, "--json", "--workers", "1")
        assert done.status in (0, 10), (at, done)
        assert done.status == 10 or done.json["score"] == right["score"], (at, done)
        assert done.json["status"] != "impossible"
        statuses.append(done.status)
        if not faults.hit:
            break
    assert 10 in statuses and statuses[-1] == 0
