"""The pages of the documentation and the fenced blocks in them.

The first words after the fence say what a block is, and so what the tests do with it:

- `rules module`: a whole module. It must link, with the other modules of the page at hand; what it `needs` is stood in for.
- `rules part`: items that could stand in a module. They must link as a module that extends the first module of the page.
- `rules items`: items that need not link, such as a second `flow`. They must parse.
- `puzzle`: a whole puzzle. Its position must be possible, its plans must hold, and its answer must be the proven one.
- `play`: a saved game. It must replay with the scores recorded.
- `console`: commands after `$ `, and what they print. `…` stands for anything within a line, a line of `…` for any lines.
- `rules NAME.rules`, `puzzle NAME.puzzle`, `text NAME.play`: a file that the commands below it find in their folder.
- `text` and anything else: not checked.
"""

from __future__ import annotations

import re
from pathlib import Path

from attrs import frozen

from tests.paths import ROOT

DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<fence>```+)(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:rules|puzzle|text) (?P<name>[\w./]+\.(?:rules|puzzle|play))")


@frozen
class Block:
    """A fenced block and the line of its page that it begins on."""

    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(path: Path) -> list[Block]:
    """The fenced blocks of a page."""
    said = path.read_text("utf-8")
    return [
        Block(path.name, said.count("\n", 0, found.start()) + 1, found["kind"].strip(), found["text"])
        for found in FENCE.finditer(said)
    ]


def pages() -> list[Path]:
    """Every page whose blocks are checked."""
    return [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
