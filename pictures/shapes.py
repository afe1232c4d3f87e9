"""Small drawings by name, in a square from -1 to 1, for things on cells."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from rulewright.grammar.tree.looks import Drawing

_CIRCLE = "M{r} 0A{r} {r} 0 1 1 -{r} 0A{r} {r} 0 1 1 {r} 0Z"


def _regular(corners: int, inner: float = 0.0) -> str:
    """A regular polygon with a corner on top; with an inner radius, a star."""
    radii = (1.0, inner) if inner else (1.0,)
    count = corners * len(radii)
    spots = []
    for at in range(count):
        angle, radius = 2 * math.pi * at / count, radii[at % len(radii)]
        spots.append(f"{radius * math.sin(angle):.3f} {-radius * math.cos(angle):.3f}")
    return f"M{'L'.join(spots)}Z"


DRAWINGS: Mapping[Drawing, str] = {
    Drawing.DISC: _CIRCLE.format(r=0.8),
    Drawing.RING: _CIRCLE.format(r=0.85) + "M0.5 0A0.5 0.5 0 1 0 -0.5 0A0.5 0.5 0 1 0 0.5 0Z",
    Drawing.DOT: _CIRCLE.format(r=0.35),
    Drawing.SQUARE: "M-0.75 -0.75H0.75V0.75H-0.75Z",
    Drawing.BLOCK: "M-1 -1H1V1H-1Z",
    Drawing.TRIANGLE: "M0 -0.85L0.85 0.7H-0.85Z",
    Drawing.DIAMOND: "M0 -0.95L0.7 0L0 0.95L-0.7 0Z",
    Drawing.HEXAGON: _regular(6),
    Drawing.STAR: _regular(5, 0.42),
    Drawing.CROSS: (
        "M-0.8 -0.55L-0.55 -0.8L0 -0.25L0.55 -0.8L0.8 -0.55L0.25 0L0.8 0.55L0.55 0.8L0 0.25L-0.55 0.8L-0.8 0.55L-0.25 0Z"
    ),
    Drawing.PLUS: "M-0.25 -0.85H0.25V-0.25H0.85V0.25H0.25V0.85H-0.25V0.25H-0.85V-0.25H-0.25Z",
    Drawing.HOUSE: "M-0.95 -0.1L0 -0.9L0.95 -0.1H0.7V0.8H0.2V0.2H-0.2V0.8H-0.7V-0.1Z",
    Drawing.TOWER: (
        "M-0.28 -0.55L-0.28 -0.8L0 -1L0.28 -0.8V-0.55L0.45 0.9H-0.45ZM0.4 -0.85L1 -1V-0.45L0.4 -0.6Z"
        "M-0.4 -0.85L-1 -1V-0.45L-0.4 -0.6Z"
    ),
    Drawing.FLOAT: "M-0.12 -1H0.12V-0.75L0.45 0.2H0.85A0.85 0.6 0 0 1 -0.85 0.2H-0.45L-0.12 -0.75Z",
    Drawing.SHIP: "M-0.95 0.3H0.95L0.6 0.9H-0.6ZM-0.06 0.2V-0.95L0.75 0.05H0.08V0.2ZM-0.16 -0.7L-0.16 0.05H-0.7Z",
    Drawing.BOAT: "M-0.95 0.1H-0.45V-0.35H-0.2V-0.8H0.1V-0.35H0.5V0.1H0.95L0.65 0.8H-0.65Z",
    Drawing.PIER: "M-0.95 -0.3H0.95V0H0.75V0.8H0.5V0H0.13V0.8H-0.13V0H-0.5V0.8H-0.75V0H-0.95Z",
    Drawing.MILL: (
        "M-0.25 -0.1H0.25L0.4 0.95H-0.4ZM0 -0.2L0.75 -1L0.95 -0.8L0.13 -0.05L0.95 0.5L0.8 0.72L0 0.12"
        "L-0.8 0.72L-0.95 0.5L-0.13 -0.05L-0.95 -0.8L-0.75 -1Z"
    ),
    Drawing.WAVE: (
        "M-1 0.1C-0.75 -0.5 -0.35 -0.5 0 0C0.35 0.5 0.75 0.3 1 -0.2V0.15C0.75 0.65 0.35 0.85 0 0.35"
        "C-0.35 -0.15 -0.75 -0.1 -1 0.45Z"
    ),
    Drawing.TREE: "M0 -1L0.6 -0.25H0.35L0.8 0.45H0.14V0.95H-0.14V0.45H-0.8L-0.35 -0.25H-0.6Z",
    Drawing.PAWN: (
        "M-0.35 -0.55A0.35 0.35 0 1 1 0.35 -0.55C0.35 -0.35 0.25 -0.25 0.2 -0.2L0.6 0.85H-0.6L-0.2 -0.2"
        "C-0.25 -0.25 -0.35 -0.35 -0.35 -0.55Z"
    ),
    Drawing.CROWN: "M-0.85 0.7L-0.95 -0.5L-0.4 0L0 -0.8L0.4 0L0.95 -0.5L0.85 0.7Z",
    Drawing.FLAG: "M-0.6 -0.95H-0.42V-0.9L0.7 -0.5L-0.42 -0.1V0.95H-0.6Z",
    Drawing.ARROW: "M0 -0.95L0.75 0H0.3V0.9H-0.3V0H-0.75Z",
    Drawing.TURN: "M-0.75 0.1A0.75 0.75 0 1 1 0.55 0.52L0.3 0.25A0.4 0.4 0 1 0 -0.4 0.1H-0.15L-0.58 0.65L-1 0.1Z",
    Drawing.TURN_BACK: "M0.75 0.1A0.75 0.75 0 1 0 -0.55 0.52L-0.3 0.25A0.4 0.4 0 1 1 0.4 0.1H0.15L0.58 0.65L1 0.1Z",
    Drawing.LAMP: (
        "M-0.25 0.35C-0.3 0.1 -0.62 -0.05 -0.62 -0.4A0.62 0.62 0 0 1 0.62 -0.4C0.62 -0.05 0.3 0.1 0.25 0.35Z"
        "M-0.25 0.45H0.25V0.62H-0.25ZM-0.18 0.72H0.18V0.9H-0.18Z"
    ),
    Drawing.CLOUD: "M-0.6 0.5A0.4 0.4 0 0 1 -0.65 -0.25A0.5 0.5 0 0 1 0.25 -0.45A0.45 0.45 0 0 1 0.65 0.5Z",
    Drawing.FISH: "M-0.95 -0.5L-0.5 -0.1C-0.1 -0.65 0.6 -0.6 0.95 0C0.6 0.6 -0.1 0.65 -0.5 0.1L-0.95 0.5Z",
    Drawing.TENTACLES: (
        "M-0.9 0.9C-0.9 0.2 -0.5 0 -0.6 -0.7L-0.3 -0.95C-0.1 -0.3 -0.35 0.1 -0.3 0.9ZM-0.2 0.9"
        "C-0.2 0.2 0.1 -0.1 -0.05 -0.9L0.2 -0.7C0.35 0 0.1 0.3 0.3 0.9ZM0.4 0.9C0.35 0.4 0.6 0.1 0.45 -0.5"
        "L0.75 -0.75C0.95 0 0.8 0.4 0.9 0.9Z"
    ),
    Drawing.BUCKET: "M-0.7 -0.35H0.7L0.5 0.9H-0.5ZM-0.65 -0.45A0.65 0.5 0 0 1 0.65 -0.45H0.5A0.5 0.36 0 0 0 -0.5 -0.45Z",
    Drawing.ANCHOR: (
        "M-0.22 -0.72A0.22 0.22 0 1 1 0.13 -0.54V-0.35H0.45V-0.12H0.13V0.62C0.4 0.55 0.6 0.4 0.65 0.15"
        "L0.45 0.2L0.75 -0.2L0.98 0.2L0.82 0.17C0.75 0.65 0.4 0.9 0 0.95C-0.4 0.9 -0.75 0.65 -0.82 0.17"
        "L-0.98 0.2L-0.75 -0.2L-0.45 0.2L-0.65 0.15C-0.6 0.4 -0.4 0.55 -0.13 0.62V-0.12H-0.45V-0.35H-0.13"
        "V-0.54A0.22 0.22 0 0 1 -0.22 -0.72Z"
    ),
    Drawing.CRATE: (
        "M-0.8 -0.8H0.8V0.8H-0.8ZM-0.55 -0.35V0.35L-0.2 0ZM-0.35 -0.55L0 -0.2L0.35 -0.55ZM0.55 -0.35L0.2 0"
        "L0.55 0.35ZM0.35 0.55L0 0.2L-0.35 0.55Z"
    ),
    Drawing.KNIGHT: (
        "M-0.55 0.9C-0.55 0.4 0.05 0.2 0 -0.2C-0.2 -0.05 -0.4 0.05 -0.55 0.15L-0.8 -0.1C-0.6 -0.4 -0.45 -0.7 -0.15 -0.75"
        "L-0.1 -0.98L0.15 -0.75C0.65 -0.6 0.75 0.2 0.65 0.9Z"
    ),
    Drawing.BISHOP: (
        "M-0.14 -0.86A0.14 0.14 0 1 1 0.14 -0.86C0.5 -0.5 0.5 -0.1 0.22 0.12L0.32 0.55H0.62V0.9H-0.62V0.55H-0.32L-0.22 0.12"
        "C-0.5 -0.1 -0.5 -0.5 -0.14 -0.86ZM0.05 -0.5L0.2 -0.3L-0.1 -0.05L-0.2 -0.2Z"
    ),
    Drawing.IGLOO: "M-0.95 0.7C-0.95 -0.9 0.95 -0.9 0.95 0.7H0.35C0.35 0 -0.35 0 -0.35 0.7Z",
}
"""Path data with the commands M, L, H, V, C, Q, A and Z, absolute."""

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_COMMAND = re.compile(r"([MLHVCQAZ])([^MLHVCQAZ]*)")


def scaled(data: str, size: float, turned: float = 0.0) -> str:
    """Path data scaled, and rotated clockwise by `turned` degrees about the middle."""
    cosine, sine = math.cos(math.radians(turned)), math.sin(math.radians(turned))

    def spot(along: float, down: float) -> str:
        return f"{_short(size * (along * cosine - down * sine))} {_short(size * (along * sine + down * cosine))}"

    found: list[str] = []
    here = (0.0, 0.0)
    for command, rest in _COMMAND.findall(data):
        values = [float(text) for text in _NUMBER.findall(rest)]
        match command:
            case "Z":
                found.append("Z")
            case "H" | "V":
                for value in values:
                    here = (value, here[1]) if command == "H" else (here[0], value)
                    found.append(f"L{spot(*here)}")
            case "A":
                for at in range(0, len(values), 7):
                    across, upright, tilt, large, sweep, *end = values[at : at + 7]
                    radii = f"{_short(size * across)} {_short(size * upright)} {_short(tilt + turned)}"
                    found.append(f"A{radii} {int(large)} {int(sweep)} {spot(end[0], end[1])}")
                    here = (end[0], end[1])
            case _:
                spots = list(zip(values[::2], values[1::2], strict=True))
                found.append(command + " ".join(spot(*one) for one in spots))
                here = spots[-1]
    return "".join(found)


def _short(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
