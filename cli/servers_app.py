"""The commands that serve editors and browsers, and their options; a part of the application."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.views.output import Output

from .option_types import Json

servers = typer.Typer()


@servers.command()
def lsp() -> None:
    """Run the language server for an editor."""
    from rulewright.cli.commands.studio import serve

    serve()


@servers.command()
def studio(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to work in.")] = Path(),
    port: Annotated[int, typer.Option(min=0, max=65535, show_default="any", help="The port of the server.")] = 0,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")] = False,
    json: Json = False,
) -> None:
    """Serve the studio: a local page with the rules and the game."""
    from rulewright.cli.commands.studio import open_studio

    open_studio(folder, port, browser, Output(json))


@servers.command()
def site(
    folder: Annotated[
        Path | None, typer.Argument(metavar="FOLDER", help="Rules and puzzles to show.", show_default="the included games")
    ] = None,
    target: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to write the site.")] = Path("site"),
    only: Annotated[str, typer.Option("--only", metavar="WORD", help="Only puzzles with this in their name or game.")] = "",
    solve: Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Solve each puzzle, in this time at most.")] = 0.0,
    play: Annotated[bool, typer.Option(help="Make a page for each puzzle that plays it.")] = True,
    studio: Annotated[bool, typer.Option(help="Add the studio, for which npm fetches Python for pages.")] = True,
    manual: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Pages of a manual to add.", show_default="none")
    ] = None,
    json: Json = False,
) -> None:
    """Write games, puzzles and the studio as pages for any web server."""
    from rulewright.cli.commands.site import write_site
    from rulewright.cli.site.gallery import Effort

    write_site(folder, target, only, Effort(play, solve), studio, manual, Output(json))
