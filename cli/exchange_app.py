"""The commands that give positions to others and take them in, and their options; a part of the application."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulewright.cli.views.output import Output

from . import option_types as options

exchange = typer.Typer()


@exchange.command()
def share(
    name: options.ShownName,
    text: Annotated[bool, typer.Option("--text", help="Decode a line: print it as a puzzle.")] = False,
    variant: options.Variant = "",
    players: options.Players = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> int:
    """Print a position as a line to share."""
    from rulewright.cli.commands.exchange import print_shared, share_position

    output = Output(json)
    return print_shared(name, output) if text else share_position(name, variant, players, seed, output)


@exchange.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text with positions, such as levels of a collection.")],
    modules: Annotated[
        str, options.name_option("--as", "MODULE", "The rules; A+B links several modules.", completes=options.complete_module)
    ],
    format: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="A format of the rules; by default the one named like the file's suffix, or the only one."
        ),
    ] = "",
    goal: Annotated[str, typer.Option(metavar="QUESTION", help="The question of each puzzle, as after `ask:`.")] = "",
    output: Annotated[Path | None, options.output_option("FOLDER", "The folder for the puzzles.")] = None,
    json: options.Json = False,
) -> None:
    """Read positions of other programs as puzzles."""
    from rulewright.cli.commands.exchange import import_file

    import_file(file, modules, format, goal, output, Output(json))


@exchange.command()
def export(
    puzzle: options.PuzzleName,
    format: Annotated[str, typer.Option("--as", metavar="FORMAT", help="A format of the rules; by default the only one.")] = "",
    variant: options.Variant = "",
    json: options.Json = False,
) -> None:
    """Print a position as other programs write it."""
    from rulewright.cli.commands.exchange import export_position

    export_position(puzzle, format, variant, Output(json))


@exchange.command()
def page(
    names: Annotated[
        list[str], options.name_argument("PUZZLE|MODULE|FOLDER…", "Paths or names; a folder means all its puzzles.")
    ],
    output: Annotated[Path | None, options.output_option("FILE.html", "The file; by default that of the first name.")] = None,
    title: Annotated[str, typer.Option(help="The title of a page of several puzzles.")] = "",
    answers: Annotated[
        bool, typer.Option("--answer/--no-answer", help="Let the page know the best value, behind a digest.")
    ] = True,
    sheet: Annotated[
        Path | None,
        options.file_option("Also write the puzzles as a sheet to print, answers upside down.", metavar="FILE.html"),
    ] = None,
    time: Annotated[float, typer.Option(min=0, help="The time limit for each answer of the sheet, in seconds.")] = 10.0,
    embed: Annotated[bool, typer.Option("--embed", help="Also print the element that embeds the page in another.")] = False,
    dark: options.Dark = False,
    variant: options.Variant = "",
    players: options.Players = None,
    json: options.Json = False,
) -> None:
    """Write puzzles and games as a page to play in any browser."""
    from rulewright.cli.commands.page import Order, write_page

    write_page(Order(names, output, title, answers, dark, variant, players, sheet, time), embed, Output(json))


@exchange.command()
def rulebook(
    name: options.AnyName,
    output: Annotated[Path | None, options.output_option("FILE.html", "The file; by default that of the game.")] = None,
    variant: options.Variant = "",
    json: options.Json = False,
) -> None:
    """Write the rules of a game as a rulebook to read or print."""
    from rulewright.cli.commands.rulebook import write_rulebook

    write_rulebook(name, variant, output, Output(json))
