"""Pictures in terminals: who shows them, and that a file arrives whole."""

from __future__ import annotations

import os
import re
import struct
import sys
import zlib
from base64 import b64decode
from collections.abc import Sequence

import pytest

from rulewright.cli.views.sixel import in_sixels
from rulewright.cli.views.terminal_picture import CHUNK, in_escapes, knows_pictures


@pytest.mark.parametrize(
    ("environment", "known"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, True),
        ({"TERM": "screen-256color", "KITTY_WINDOW_ID": "1", "TMUX": "/tmp/tmux"}, False),
        ({"TERM": "xterm-256color"}, False),
    ],
)
def test_terminals_that_name_themselves_show_pictures(environment: dict[str, str], known: bool) -> None:
    assert knows_pictures(environment) is known


@pytest.mark.parametrize("size", [1, 3 * CHUNK // 4, 3 * CHUNK // 4 + 1, 10_000])
def test_a_file_arrives_whole_in_parts_of_the_protocol(size: int) -> None:
    png = bytes(number % 256 for number in range(size))
    found = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", in_escapes(png))
    assert b64decode("".join(part for _, part in found)) == png
    assert all(len(part) <= CHUNK for _, part in found)
    assert [head[-1] for head, _ in found] == ["1"] * (len(found) - 1) + ["0"]
    assert found[0][0].startswith("a=T,f=100")


def png_of(rows: Sequence[bytes], kinds: Sequence[int]) -> bytes:
    """A PNG file of rows of four bytes a pixel, each row with a filter: what the specification (PNG 2003, 9.2) undoes."""
    raw, above = b"", bytes(len(rows[0]))
    for row, kind in zip(rows, kinds, strict=True):
        raw += bytes([kind]) + bytes((row[at] - predicted(kind, row, above, at)) & 255 for at in range(len(row)))
        above = row
    head = struct.pack(">IIBBBBB", len(rows[0]) // 4, len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(struct.pack(">I", len(data)) + kind + data + b"\0\0\0\0" for kind, data in chunks)


def predicted(kind: int, row: bytes, above: bytes, at: int) -> int:
    left, corner = (row[at - 4], above[at - 4]) if at >= 4 else (0, 0)
    plane = left + above[at] - corner
    paeth = min((left, above[at], corner), key=lambda one: abs(plane - one))
    return (0, left, above[at], (left + above[at]) // 2, paeth)[kind]


def colours_of(sixels: str) -> list[list[tuple[int, ...]]]:
    """What a terminal shows: each pixel as parts of a hundred of red, green and blue."""
    size, rest = re.fullmatch(r'\x1bP0;1q"1;1;(\d+;\d+)(.*)\x1b\\\n', sixels, re.DOTALL).groups()  # type: ignore[union-attr]
    width, height = map(int, size.split(";"))
    palette: dict[str, tuple[int, ...]] = {}
    shown: dict[tuple[int, int], tuple[int, ...]] = {}
    column, top, number = 0, 0, ""
    for chosen, colour, count, letter in re.findall(r"#(\d+)(?:;2;([\d;]+))?|(?:!(\d+))?([?-~$-])", rest):
        match letter:
            case "":
                number = chosen
                if colour:
                    palette[number] = tuple(map(int, colour.split(";")))
            case "$":
                column = 0
            case "-":
                column, top = 0, top + 6
            case _:
                lit = [bit for bit in range(6) if ord(letter) - ord("?") >> bit & 1]
                end = column + int(count or 1)
                shown |= {(top + bit, place): palette[number] for bit in lit for place in range(column, end)}
                column = end
    return [[shown[row, column] for column in range(width)] for row in range(height)]


def test_sixels_show_the_pixels_of_a_file() -> None:
    rows = [bytes((7 * row * at + at * at) % 256 for at in range(4 * 9)) for row in range(15)]
    expected = [[tuple((part & 252) * 100 // 252 for part in row[at : at + 3]) for at in range(0, len(row), 4)] for row in rows]
    assert colours_of(in_sixels(png_of(rows, [row % 5 for row in range(15)]))) == expected


def test_a_run_of_one_colour_is_counted() -> None:
    assert "!40~" in in_sixels(png_of([b"\0\0\0\xff" * 40] * 6, [0] * 6))


def test_a_terminal_that_says_nothing_is_soon_believed_to_show_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    asking = (
        "from time import *; from rulewright.cli.views.sixel import *; t = monotonic(); print(knows_sixels(), monotonic() - t)"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", asking])
    said = b""
    while b"\n" not in said:
        said += os.read(terminal, 64)
    os.waitpid(child, 0)
    known, seconds = said.removeprefix(b"\x1b[c").split()
    assert (known, float(seconds) < 0.9) == (b"False", True)


@pytest.mark.parametrize(("answer", "known"), [("\x1b[?62;4;22c", True), ("\x1b[?1;2c", False)])
def test_a_terminal_says_whether_it_shows_sixels(answer: str, known: bool) -> None:
    pty = pytest.importorskip("pty")
    asking = "from rulewright.cli.views import sixel; sixel.PATIENCE = 60; print(sixel.knows_sixels())"
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", asking])
    said = b""
    while b"\x1b[c" not in said:
        said += os.read(terminal, 64)
    os.write(terminal, answer.encode())
    said = b""
    while b"e" not in said.removeprefix(answer.encode()):
        said += os.read(terminal, 64)
    os.waitpid(child, 0)
    assert str(known).encode() in said
