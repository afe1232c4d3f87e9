"""A small project to be edited: a game, a variant of it, and a puzzle."""

from __future__ import annotations

from pathlib import Path

GAME = """module ponds:
    "A frog that hops."

space pond: square grid 4 x 4 of tiles

tiles animals:
    frog  x1

state:
    hops: 0..9

define near(c) = count n in around(c) where occupied(n)

define worth(c):
    "What a hop is worth."
    = 1
    far: 2 when near(c) = 0

action hop(here in pond where occupied(here), there in around(here)):
    "The frog hops."
    require free: not occupied(there) else "there is somebody"
    effect go: slide here to there
    effect note: hops += worth(there)

procedure set_up:
    sit: put frog at origin of pond from box

flow:
    set_up
    turn:
        choose hop

score hops_made: hops
"""

VARIANT = """module ponds.twice:
    extends ponds

change hop:
    drop free

change worth:
    far.edge: 3 when column(c) = 0
"""

PUZZLE = """puzzle one_hop:
    "A single hop."
    rules ponds

    pond:
        .  .     .  .
        .  frog  .  .
        .  .     .  .
        .  .     .  .

    start: turn of 1
    ask: maximise score until end
    answer: 2
    accept: hop (1,1) south
"""


def make_project(folder: Path) -> tuple[Path, Path, Path]:
    """The files of the project: game, variant, puzzle."""
    files = folder / "ponds.rules", folder / "twice.rules", folder / "one_hop.puzzle"
    for path, text in zip(files, (GAME, VARIANT, PUZZLE), strict=True):
        path.write_text(text, encoding="utf-8")
    return files


def place_of(text: str, words: str, letter: int = 0) -> tuple[int, int]:
    """Line and character, from 0, of a letter of the first occurrence of some words."""
    before = text[: text.index(words) + letter]
    return before.count("\n"), len(before) - before.rfind("\n") - 1
