"""Types of options and arguments shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
PuzzleName = Annotated[str, typer.Argument(metavar="PUZZLE", help="A path or a name; `list` shows the names.")]
AnyName = Annotated[str, typer.Argument(metavar="PUZZLE|MODULE", help="A path or a name; A+B links several modules.")]
ShownName = Annotated[str, typer.Argument(metavar="PUZZLE|MODULE|FOLDER", help="A path or a name; of a folder, all there is.")]
Players = Annotated[int | None, typer.Option(min=1, help="How many players; the least the rules allow by default.")]
Seed = Annotated[int, typer.Option(help="The seed of all random draws.")]
MOST_WORKERS, LEAST_MEMORY = 64, 320
Workers = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="How many processors may be used.")]
Cluster = Annotated[str, typer.Option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster instead: tcp://HOST:8786.")]
Seconds = Annotated[float, typer.Option("--time", min=0, help="Seconds to search for each answer.")]
Modules = Annotated[list[str], typer.Argument(metavar="MODULE…", help="Modules, each for itself; of a folder all.")]
Evidence = Annotated[
    list[str] | None, typer.Option("--on", metavar="FILES", help="Puzzles, saved games, folders; by default all at hand.")
]
Svg = Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture to this file.")]
Png = Annotated[Path | None, typer.Option(metavar="FILE", help="The same as PNG (needs rulewright[pictures]).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Letters and lines of ASCII only.")]
Dark = Annotated[bool, typer.Option("--dark", help="A picture on a dark ground.")]
Variant = Annotated[str, typer.Option(metavar="FILE|MODULE", help="The same position with this module's changes too.")]


def files_of(svg: Path | None, png: Path | None = None, html: Path | None = None, dark: bool = False) -> PictureFiles | None:
    """The picture files that the options name; None if there are none."""
    if svg is None and png is None and html is None:
        return None
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.pictures.options import PictureOptions

    return PictureFiles(svg, png, html, PictureOptions(dark=dark))
