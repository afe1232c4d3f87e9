"""The commands of a page, run in order in an empty folder, print what the page says.

Files that the page shows under their name (`rules first.rules`) are written when their turn comes. In a block, lines that begin
with `> ` are typed into the command above them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field

from tests.cli.testing.authors import pytest_arguments
from tests.docs.pages import FILE, Block, blocks, pages

ANYTHING = "…"


@define
class Call:
    """One command of a block: what is typed into it and what it is said to print."""

    command: str
    typed: list[str] = field(factory=list)
    printed: list[str] = field(factory=list)


def calls(block: Block) -> Iterator[Call]:
    """The commands of a `console` block."""
    found: list[Call] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Call(line[2:]))
        elif line.startswith("> "):
            found[-1].typed.append(line[2:])
        else:
            found[-1].printed.append(line.rstrip())
    yield from found


def pattern(lines: list[str]) -> re.Pattern[str]:
    """What the output must look like: `…` is anything in a line, a line of it any lines."""
    written = "".join(".*\0" if line.strip() == ANYTHING else f"{_line(line)}\n" for line in lines)
    return re.compile(written.replace(".*\0", "(?:[^\n]*\n)*"))


def _line(line: str) -> str:
    return "[^\n]*".join(map(re.escape, line.split(ANYTHING)))


def run(call: Call, folder: Path) -> str:
    """What a command prints: its output, then its messages."""
    name, *arguments = shlex.split(call.command)
    assert name in ("rulewright", "pytest"), f"`{call.command}` is not run here"
    more = ["-p", "no:cacheprovider", *pytest_arguments()] if name == "pytest" else []
    inherited = {name: value for name, value in os.environ.items() if name != "CI" and not name.startswith("PYTEST")}
    finished = subprocess.run(
        [sys.executable, "-m", name, *more, *arguments],
        cwd=folder,
        input="".join(f"{line}\n" for line in call.typed),
        capture_output=True,
        encoding="utf-8",
        env={**inherited, "NO_COLOR": "1", "COLUMNS": "80" if more else "120", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )
    said = finished.stdout + ("" if finished.stdout.endswith("\n") or not finished.stdout else "\n") + finished.stderr
    return "".join(f"{line.rstrip()}\n" for line in said.splitlines())


@pytest.mark.parametrize("page", [p for p in pages() if "```console" in p.read_text("utf-8")], ids=lambda path: path.name)
def test_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    folder = tmp_path
    for block in blocks(page):
        if named := FILE.fullmatch(block.kind):
            (folder / named["name"]).write_text(block.text, "utf-8")
        if block.kind != "console":
            continue
        for call in calls(block):
            if call.command.startswith("cd "):
                folder = folder / call.command[3:]
                assert folder.is_dir(), f"{block}: $ {call.command}"
                continue
            said = run(call, folder)
            wanted = "\n".join(call.printed) + "\n"
            assert pattern(call.printed).fullmatch(said), (
                f"{block}: $ {call.command}\nprinted:\n{said}\nthe page says:\n{wanted}"
            )
