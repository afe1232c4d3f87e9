"""Pictures as sixels, for terminals that show these (https://vt100.net/docs/vt3xx-gp/chapter14.html)."""

from __future__ import annotations

import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache

MOST_COLOURS = 255
PATIENCE = 0.25
"""Seconds for a terminal of this machine to say what it is. Measured over a pty: 200 answers, 7 ms at most at load 6."""

PATIENCE_AFAR = 1.0
"""Most seconds for one at the other end of a network, whose late answer the shell would take for typing."""

Colour = bytes
"""Red, green and blue, in steps of four."""


@cache
def knows_sixels() -> bool:
    """Whether the terminal names sixels (4) among its features, when asked (DA1). Nobody may be typing."""
    try:
        import select
        import termios
        import tty
    except ImportError:  # not on Windows
        return False
    answer = b""
    before = termios.tcgetattr(0)
    try:
        tty.setcbreak(0)
        os.write(1, b"\x1b[c")
        patience = PATIENCE_AFAR if "SSH_CONNECTION" in os.environ else PATIENCE
        while not answer.endswith(b"c") and select.select([0], [], [], patience)[0]:
            answer += os.read(0, 64)
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)
    return b"4" in re.split(rb"[?;c]", answer)


def in_sixels(png: bytes) -> str:
    """A PNG file, as resvg writes it, as the escape sequence that shows it at the cursor: by six rows, colour by colour."""
    rows = [*_rows(png)]
    found = [colour for colour, _ in Counter(colour for row in rows for colour in row).most_common()]
    shown = found[:MOST_COLOURS]
    numbers = {colour: number for number, colour in enumerate(shown)}
    numbers |= {colour: numbers[min(shown, key=lambda one: _apart(one, colour))] for colour in found[MOST_COLOURS:]}
    head = "".join(f"#{number};2;" + ";".join(str(part * 100 // 252) for part in colour) for number, colour in enumerate(shown))
    bands = []
    for top in range(0, len(rows), 6):
        lines: dict[int, bytearray] = {}
        for bit, row in enumerate(rows[top : top + 6]):
            for column, colour in enumerate(row):
                lines.setdefault(numbers[colour], bytearray(b"?" * len(row)))[column] += 1 << bit
        bands.append("$".join(f"#{number}{_RUN.sub(_counted, line.decode())}" for number, line in lines.items()))
    return f'\x1bP0;1q"1;1;{len(rows[0])};{len(rows)}{head}{"-".join(bands)}\x1b\\\n'


_RUN = re.compile(r"(.)\1{3,}")


def _counted(run: re.Match[str]) -> str:
    return f"!{len(run[0])}{run[1]}"


def _apart(one: Colour, other: Colour) -> int:
    return sum((first - second) ** 2 for first, second in zip(one, other, strict=True))


def _rows(png: bytes) -> Iterator[list[Colour]]:
    """The rows of a PNG file of four bytes a pixel, of which the last, how much of it covers what is below, is left out."""
    width = int.from_bytes(png[16:20])
    data, at = b"", 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + size]
        at += size + 12
    raw, above = zlib.decompress(data), bytes(4 * width)
    for start in range(0, len(raw), 4 * width + 1):
        above = _unfiltered(raw[start], raw[start + 1 : start + 4 * width + 1], above)
        coarse = above.translate(_COARSE)
        yield [coarse[place : place + 3] for place in range(0, len(coarse), 4)]


_COARSE = bytes(part & 252 for part in range(256))


def _unfiltered(kind: int, line: bytes, above: bytes) -> bytes:
    """A row of PNG, of which a filter has left out what the bytes to the left and above let guess."""
    if kind == 2:
        return bytes([(byte + up) & 255 for byte, up in zip(line, above, strict=True)])
    row = bytearray(4)
    corners = b"\0\0\0\0" + above
    for place, (byte, up, corner) in enumerate(zip(line, above, corners, strict=False)):
        left = row[place]
        match kind:
            case 0:
                guess = 0
            case 1:
                guess = left
            case 3:
                guess = (left + up) // 2
            case _:  # Paeth: the nearest to their plane
                beside, below, across = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                guess = left if beside <= below and beside <= across else up if below <= across else corner
        row.append((byte + guess) & 255)
    return bytes(row[4:])
