"""A small game and its puzzles, as tests of the studio write them into a folder."""

from __future__ import annotations

from pathlib import Path

RULES = """\
module shelf:
    "Books are put on a shelf, from the left; red ones count."

space board: square grid 4 x 1 of tiles

tiles box:
    red   x3
    blue  x3

action put(book in box, to in board):
    "Put a book beside the others."
    require free: not occupied(to) else "a book stands there already"
    require left: column(to) = 0 or occupied(step(to, W)) else "books stand from the left"
    effect put: put book at to from box

flow:
    repeat:
        turn:
            choose put or stop

define worth(c in board):
    = 0
    red: 1 when at(c) = red

score books: sum worth(c) for c in board where occupied(c)
"""

PUZZLE = """\
puzzle {name}:
    rules shelf
    players 1

    board:
        {board}

    box: red, red, blue

    ask: maximise score for 2 turns
    answer: {answer}
"""


def write_game(folder: Path) -> None:
    """The rules and two puzzles."""
    (folder / "shelf.rules").write_text(RULES, "utf-8")
    (folder / "two_left.puzzle").write_text(PUZZLE.format(name="two_left", board="red   blue  .     .", answer=3), "utf-8")
    (folder / "empty.puzzle").write_text(PUZZLE.format(name="empty", board=".     .     .     .", answer=2), "utf-8")
