"""Small drawings by name, in a square from -1 to 1, for things on cells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rulewright.grammar.tree.looks import Drawing


def _read(file: str) -> dict[str, str]:
    """Path data by name, of the commands M, L, H, V, C, Q, A and Z, absolute."""
    lines = Path(__file__).with_name(file).read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines if not line.startswith("#"))


DRAWINGS: Mapping[Drawing, str] = {Drawing(name): data for name, data in _read("drawings.txt").items()}

CHARACTERS: Mapping[str, str] = _read("characters.txt")
"""Glyphs that few fonts have."""

DIE = 6
"""Parts of a die: its faces."""

_SPOTS = ((), (4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))
"""Where the spots of each face of a die are, by squares of three rows."""

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_COMMAND = re.compile(r"([MLHVCQAZ])([^MLHVCQAZ]*)")


def die_face(number: int) -> str:
    """The path of a die that shows a number, 0 to 6, with its spots as holes."""
    spots = [((spot % 3 - 1) / 2, (spot // 3 - 1) / 2) for spot in _SPOTS[number]]
    holes = (f"M{x + 0.24} {y}A0.24 0.24 0 1 0 {x - 0.24} {y}A0.24 0.24 0 1 0 {x + 0.24} {y}Z" for x, y in spots)
    return DRAWINGS[Drawing.DIE] + "".join(holes)


def scaled(data: str, size: float) -> str:
    """Path data scaled about the middle."""

    def spot(along: float, down: float) -> str:
        return f"{_short(size * along)} {_short(size * down)}"

    found: list[str] = []
    here = (0.0, 0.0)
    for command, rest in _COMMAND.findall(data):
        values = [float(text) for text in _NUMBER.findall(rest)]
        match command:
            case "H" | "V":
                for value in values:
                    here = (value, here[1]) if command == "H" else (here[0], value)
                    found.append(f"L{spot(*here)}")
            case "A":
                for at in range(0, len(values), 7):
                    across, upright, tilt, large, sweep, *end = values[at : at + 7]
                    radii = f"{_short(size * across)} {_short(size * upright)} {_short(tilt)}"
                    found.append(f"A{radii} {int(large)} {int(sweep)} {spot(end[0], end[1])}")
                    here = (end[0], end[1])
            case _:
                spots = list(zip(values[::2], values[1::2], strict=True))
                found.append(command + " ".join(spot(*one) for one in spots))
                here = [here, *spots][-1]
    return "".join(found)


def _short(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
