"""Inputs with one flaw each, through `rulewright check`: the code, the place, and nothing more.

The cases of `malformed/*.cases` are patches of the good files beside them; ▸ marks where each flaw is to be reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from attrs import define, field, frozen

from rulewright.cli.main import run

FOLDER = Path(__file__).parent / "malformed"
MARK = "▸"
CONTEXT, GONE, NEW = " -+"
FURTHER = "@@"  # the same file again, further on


@frozen
class Case:
    """`files` are the changed ones with the marks in them; the first is the one that is checked."""

    codes: tuple[str, ...]
    files: dict[str, str]

    def places(self) -> list[tuple[str, int, int]]:
        """The file, line and column of each mark."""
        found = []
        for name, text in self.files.items():
            for number, line in enumerate(text.split("\n"), 1):
                parts = line.split(MARK)[:-1]
                found += [(name, number, len("".join(parts[: n + 1])) + 1) for n in range(len(parts))]
        return found


@define
class _Patch:
    """Lines of one file of a case, applied when the next file or case begins."""

    name: str
    old: list[str] = field(factory=list)
    new: list[str] = field(factory=list)

    def add(self, line: str) -> None:
        sign, rest = line[:1] or CONTEXT, line[1:]
        assert sign in (CONTEXT, GONE, NEW), line
        if sign != NEW:
            self.old.append(rest.replace(MARK, ""))
        if sign != GONE:
            self.new.append(rest)

    def apply(self, text: str) -> str:
        if not self.old:
            return text + "\n".join(self.new) + "\n"
        lines, size = text.split("\n"), len(self.old)
        places = [at for at in range(len(lines)) if lines[at : at + size] == self.old]
        assert len(places) == 1, f"{self.name} has {len(places)} times: {self.old}"
        return "\n".join(lines[: places[0]] + self.new + lines[places[0] + size :])


def read_cases() -> Iterator[tuple[str, Case]]:
    for path in sorted(FOLDER.glob("*.cases")):
        for block in path.read_text("utf-8").split("\n## ")[1:]:
            head, *lines = block.rstrip("\n").split("\n")
            name, *codes = head.split()
            yield f"{path.stem}.{name}", Case(tuple(codes), _files(lines))


def _files(lines: Sequence[str]) -> dict[str, str]:
    patches: list[_Patch] = []
    for line in lines:
        if line == FURTHER:
            patches.append(_Patch(patches[-1].name))
        elif line and line[0] not in (CONTEXT, GONE, NEW):
            patches.append(_Patch(line))
        elif line or patches[-1].old or patches[-1].new:
            patches[-1].add(line)
    files: dict[str, str] = {}
    for patch in patches:
        good = FOLDER / patch.name
        before = files.get(patch.name) or (good.read_text("utf-8") if good.exists() else "")
        files[patch.name] = patch.apply(before)
    return files


CASES = dict(read_cases())


def test_there_are_enough() -> None:
    assert len(CASES) >= 200


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".cases"))
def test_the_good_files(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(FOLDER)
    assert run(["check", "--json", name]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == []


@pytest.mark.parametrize("name", CASES)
def test_flaw(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    for path in FOLDER.iterdir():
        if path.suffix != ".cases":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    for file, text in case.files.items():
        (tmp_path / file).write_bytes(text.replace(MARK, "").replace("\\xff", "\udcff").encode("utf-8", "surrogateescape"))
    monkeypatch.chdir(tmp_path)
    status = run(["check", "--json", next(iter(case.files))])
    said = json.loads(capsys.readouterr().out)
    found = [*said["errors"], *said.get("warnings", [])]
    assert [(e["code"], Path(e["file"]).name, e["line"], e["column"]) for e in found] == [
        (code, *place) for code, place in zip(case.codes, case.places(), strict=True)
    ], "\n".join(f"{e['code']} {e['file']}:{e['line']}:{e['column']} {e['message']} ({e['hint']})" for e in found)
    assert status == (2 if said["errors"] else 0)
    assert all(e["message"] and e["hint"] for e in found)
