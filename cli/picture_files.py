"""Writes pictures to files, as the options of a command ask."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from rulewright.api.start import Start
from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import usage_error
from rulewright.base.input_files import display_path
from rulewright.base.records import evolve, frozen
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.pictures.figure import Line, figure
from rulewright.pictures.pages.position import position_page
from rulewright.pictures.png import to_png
from rulewright.pictures.position_picture import picture, refusal_picture
from rulewright.pictures.scene import DEFAULT_OPTIONS, PictureOptions, Scene
from rulewright.pictures.svg import Element, to_text
from rulewright.rules.play.why_illegal import Failure
from rulewright.web.questions import in_plain_words, titled

from .executors import missing_extra


@frozen
class PictureFiles:
    """The files to write pictures and figures to, and the style of the pictures; their caption, if it is not the title with the
    question, and which moves they show, as `1..4,5..8`."""

    svg: Path | None = None
    png: Path | None = None
    html: Path | None = None
    options: PictureOptions = DEFAULT_OPTIONS
    csv: Path | None = None
    caption: str = ""
    moves: str = ""

    def check(self) -> None:
        """Raises `RulesError` for an unwritable file, before time is spent on its contents."""
        for path in (self.svg, self.png, self.html, self.csv):
            if path is not None:
                check_writable(path)

    def write(self, drawn: Element, output: Output, page: str = "") -> None:
        """Write a picture and a page with it to all files, or to none if one cannot be written. Raises `RulesError`."""
        svg = to_text(drawn)
        contents: list[tuple[Path, str | bytes]] = []
        contents += [(self.svg, svg)] if self.svg is not None else []
        contents += [(self.html, page)] if self.html is not None else []
        if self.png is not None:
            try:
                contents.append((self.png, to_png(svg)))
            except ImportError:
                raise missing_extra("a PNG picture", "pictures", "resvg_py", otherwise=", or use SVG") from None
        self.check()
        for path, content in contents:
            write_atomically(path, content)
            output.say(f"wrote {display_path(path)}")

    def write_csv(self, rows: Iterable[Sequence[object]], output: Output) -> None:
        """Write a table."""
        if self.csv is not None:
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            write_atomically(self.csv, text.getvalue())
            output.say(f"wrote {display_path(self.csv)}")

    def write_page(self, page: str, output: Output) -> None:
        """Write an HTML page."""
        assert self.html is not None
        write_atomically(self.html, page)
        output.say(f"wrote {display_path(self.html)}")


def write_position(start: Start, files: PictureFiles, output: Output) -> None:
    """Draw the start position."""
    scene = Scene(start.engine, start.viewer, start.title, files.options)
    puzzle = None if start.position is None else start.position.puzzle
    question = "" if puzzle is None else in_plain_words(puzzle, start.engine.game)
    page = (
        position_page(evolve(scene, title=titled(scene.title)), start.state, start.text, question)
        if files.html is not None
        else ""
    )
    files.write(picture(captioned(scene, files, puzzle), start.state), output, page)


def captioned(scene: Scene, files: PictureFiles, puzzle: Puzzle | None) -> Scene:
    """The scene with its caption: what the options say, or the title and the question of a puzzle that has one."""
    asked = "" if puzzle is None or files.options.board_only else in_plain_words(puzzle, scene.engine.game)
    own = (titled(scene.title), asked) if asked else ()
    return evolve(scene, caption=(files.caption,) if files.caption else own)


def write_line(scene: Scene, line: Line, puzzle: Puzzle, files: PictureFiles, output: Output) -> None:
    """Draw the moves of a plan that the options ask for; by default all in one picture."""
    count = len(line.actions)
    drawn = figure(captioned(scene, files, puzzle), line, _parts(files.moves or f"1..{count}", count) if count else [range(0)])
    evolve(files, html=None).write(drawn, output)


def _parts(wish: str, count: int) -> list[range]:
    """Ranges of moves as `1..4,5..8`. Raises `RulesError`."""
    parts = []
    for part in wish.split(","):
        found = re.fullmatch(r"\s*(\d+)(?:\.\.(\d+))?\s*", part, re.ASCII)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not 1 <= first <= last <= count:
            raise usage_error(f"`{part}` are no moves of this plan, which has {count}", "write `--moves 1..4,5..8`, say")
        parts.append(range(first - 1, last))
    return parts


def write_refusal(start: Start, action: str, failures: Sequence[Failure], files: PictureFiles, output: Output) -> None:
    """Draw why an action is not legal in the start position."""
    scene = Scene(start.engine, start.viewer, start.title, files.options)
    files.write(refusal_picture(scene, start.state, action, failures), output)
