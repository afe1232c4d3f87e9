"""A sheet to print: four puzzles to a page, and their answers upside down at its foot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulewright.api.puzzle import Puzzle
from rulewright.api.start import Start
from rulewright.base.records import frozen
from rulewright.pictures.pages.frame import Page, html_of, text_of
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import to_text
from rulewright.puzzles.position import Position

from .questions import in_plain_words

TO_A_PAGE = 4

STYLE = Path(__file__).with_name("sheet.css").read_text("utf-8")


@frozen
class Printed:
    """A puzzle on a sheet: its number, its start and position, and its answer in a line."""

    number: int
    start: Start
    position: Position
    answer: str

    @classmethod
    def of(cls, number: int, start: Start, position: Position, seconds: float) -> Printed:
        """The answer is searched for, for so many seconds."""
        found = Puzzle(position).solve(seconds) if position.question is not None else None
        if found is None:
            return cls(number, start, position, "")
        worth = {"optimal": "", "impossible": "It cannot be done."}.get(found.status, f"({found.status}) ")
        value = "" if found.value is None else f"{found.value}: "
        return cls(number, start, position, worth + value + ", ".join(map(str, found.plan)))

    @property
    def html(self) -> str:
        start, puzzle = self.start, self.position.puzzle
        scene = Scene(start.engine, start.viewer, start.title, PictureOptions(40.0), (start.state,))
        grade = "" if puzzle.grade is None else f" <small>grade {puzzle.grade.number}</small>"
        asked = in_plain_words(puzzle, start.engine.game)
        return f"""<article>
<h2>{self.number}. {text_of(start.title)}{grade}</h2>
<p>{text_of(start.text)}</p>
<p class="asked">{text_of(asked)}</p>
{to_text(picture(scene, start.state))}</article>
"""


def sheet_of(starts: Sequence[Start], title: str, seconds: float) -> str:
    """The sheet, in UTF-8. Each puzzle is solved for at most so many seconds."""
    positions = [(start, start.position) for start in starts if start.position is not None]
    printed = [Printed.of(number, *one, seconds) for number, one in enumerate(positions, 1)]
    return html_of(Page(title, "".join(_pages(printed)), rules=STYLE))


def _pages(printed: Sequence[Printed]) -> Iterator[str]:
    for first in range(0, len(printed), TO_A_PAGE):
        four = printed[first : first + TO_A_PAGE]
        answers = "".join(f"<p>{one.number}. {text_of(one.answer)}</p>" for one in four if one.answer)
        yield f'<section class="sheet"><div class="four">{"".join(one.html for one in four)}</div>'
        yield f'<div class="answers">{answers}</div></section>\n'
