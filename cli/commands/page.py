"""`rulewright page`: puzzles and games as one HTML file that plays."""

from __future__ import annotations

from html import escape
from pathlib import Path

from rulewright.api.named import PUZZLE
from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import usage_error
from rulewright.base.input_files import display_path
from rulewright.base.records import frozen
from rulewright.base.styled_text import escape as plain
from rulewright.cli.documents.positions import PageFile
from rulewright.cli.names import all_named, named
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable
from rulewright.subset.refusal import CannotCompile

HEIGHT = 720
"""In pixels: the height of the element that embeds a page."""


@frozen
class Order:
    """The page that is wanted: what it plays, its file and title, whether it knows answers, and its colours."""

    names: list[str]
    path: Path | None
    title: str
    answers: bool
    dark: bool
    variant: str
    players: int | None
    sheet: Path | None
    time: float


def write_page(order: Order, embed: bool, output: Output) -> None:
    """Write the page. Raises `RulesError`, and `OSError` if the file cannot be written."""
    found = [one for name in order.names for one in all_named(name, (PUZZLE,), order.variant) or [named(name, order.variant)]]
    path = order.path or Path(f"{Path(order.names[0]).stem or 'puzzles'}.html")
    for file in filter(None, (path, order.sheet)):
        check_writable(file)
    # Imported when needed: it brings the whole solver.
    from rulewright.web.page import Playable, page_of

    playable = []
    for one in found:
        try:
            start = one.start(order.players, 0)
            playable.append(Playable.of(start, order.answers, order.dark))
        except CannotCompile as reason:
            raise usage_error(f"`{one.name}` cannot be played on a page: {reason}") from None
    titles = [one.start.title for one in playable]
    title = order.title or (titles[0] if len(titles) == 1 else "Puzzles")
    page = page_of(playable, title, dark=order.dark)
    write_atomically(path, page)
    if order.sheet is not None:
        from rulewright.web.sheet import sheet_of

        write_atomically(order.sheet, sheet_of([one.start for one in playable], title, order.time))
        output.say(f"wrote {display_path(order.sheet)}")
    element = f'<iframe src="{escape(path.name)}" width="100%" height="{HEIGHT}" title="{escape(title)}"></iframe>'
    searched = [one.start.title for one in playable if one.search is not None]
    output.document(
        PageFile,
        file=display_path(path),
        titles=titles,
        solved_on_page=searched,
        bytes=len(page.encode()),
        embed=element,
    )
    output.say(f"wrote {display_path(path)}")
    if embed:
        output.line(plain(element))
