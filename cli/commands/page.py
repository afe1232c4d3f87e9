"""`rulewright page`: puzzles as one HTML file that plays."""

from __future__ import annotations

from html import escape
from pathlib import Path

from rulewright.api.named import PUZZLE, Named
from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import display_path
from rulewright.base.styled_text import escape as plain
from rulewright.base.usage_errors import usage_error
from rulewright.cli.documents.positions import PageFile
from rulewright.cli.names import all_named, is_folder, named
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.paths import check_writable
from rulewright.subset.refusal import CannotCompile

HEIGHT = 720
"""In pixels: the height of the element that embeds a page."""


def write_page(
    names: list[str],
    path: Path | None,
    title: str,
    answers: bool,
    embed: bool,
    dark: bool,
    variant: str,
    output: Output,
) -> int:
    """Write the page. Raises `RulesError`, and `OSError` if the file cannot be written."""
    found = [one for name in names for one in _puzzles(name, variant)]
    path = path or Path(f"{Path(names[0]).stem or 'puzzles'}.html")
    check_writable(path)
    # Imported when needed: it brings the whole solver.
    from rulewright.web.page import Playable, page_of

    playable = []
    for one in found:
        try:
            playable.append(Playable.of(one.position, answers, dark))
        except CannotCompile as reason:
            raise usage_error(f"`{one.position.puzzle.name}` cannot be played on a page: {reason}") from None
    page = page_of(playable, title or (playable[0].position.puzzle.name if len(playable) == 1 else "Puzzles"), dark=dark)
    write_atomically(path, page)
    element = f'<iframe src="{escape(path.name)}" width="100%" height="{HEIGHT}" title="{escape(title or names[0])}"></iframe>'
    searched = [one.position.puzzle.name for one in playable if one.search is not None]
    output.document(
        PageFile,
        file=display_path(path),
        puzzles=[one.position.puzzle.name for one in playable],
        solved_on_page=searched,
        bytes=len(page.encode()),
        embed=element,
    )
    output.say(f"wrote {display_path(path)}")
    if embed:
        output.line(plain(element))
    return Exit.YES


def _puzzles(name: str, variant: str) -> list[Named]:
    found = all_named(name, (PUZZLE,), variant) if is_folder(name) else [named(name, variant)]
    for one in found:
        if not one.is_puzzle:
            raise usage_error(f"`{name}` is not a puzzle", "`rulewright page` takes puzzles, and folders of puzzles")
    return found
