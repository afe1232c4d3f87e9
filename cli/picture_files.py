"""Pictures written to files, as the options of a command ask."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.records import frozen
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable, display_path
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.pages.position import position_page
from rulewright.pictures.png import to_png
from rulewright.pictures.position_picture import Scene, picture
from rulewright.pictures.svg import Element, to_text

from .start_position import StartPosition, describe_ask
from .usage_errors import usage_error


@frozen
class PictureFiles:
    """Where pictures are to be written, and how they are to look."""

    svg: Path | None
    png: Path | None
    html: Path | None
    options: PictureOptions


def write_position(start: StartPosition, files: PictureFiles, output: Output) -> None:
    """Draw where play starts."""
    scene = Scene(start.engine, start.viewer, start.title, files.options)
    asked = start.position.puzzle.ask if start.position is not None else None
    question = "" if asked is None else describe_ask(asked)
    page = position_page(scene, start.state, start.text, question) if files.html is not None else ""
    write_picture(picture(scene, start.state), files, output, page)


def write_picture(drawn: Element, files: PictureFiles, output: Output, page: str = "") -> None:
    """Write a picture and a page with it to all files, or to none where one cannot be made. Raises `RulesError`."""
    svg = to_text(drawn)
    contents: list[tuple[Path, str | bytes]] = []
    contents += [(files.svg, svg)] if files.svg is not None else []
    contents += [(files.html, page)] if files.html is not None else []
    if files.png is not None:
        try:
            contents.append((files.png, to_png(svg)))
        except ImportError:
            raise usage_error("PNG needs resvg_py", "`pip install rulewright[pictures]`, or write SVG") from None
    for path, _ in contents:
        check_writable(path)
    for path, content in contents:
        write_atomically(path, content)
        output.say(f"wrote {display_path(path)}")
