"""The commands and their options. Each body is in its own file, loaded when the command is called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.models import CommandInfo

from rulewright.base.choices import Engines
from rulewright.base.diagnostics import usage_error
from rulewright.cli.views.output import Output, keep_to_ascii

from . import option_types as options
from .exchange_app import exchange
from .option_types import SAID
from .servers_app import servers
from .studies_app import studies


def _empty(completes: bool = False) -> typer.Typer:
    return typer.Typer(
        name="rulewright",
        help="Check, play, solve and explain tile and board games written as plain text.",
        no_args_is_help=True,
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _empty(completes=True)


def _version(wanted: bool) -> None:
    if wanted:
        from rulewright.base.version import __version__

        typer.echo(f"rulewright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
    limits: Annotated[
        str,
        typer.Option(envvar="RULEWRIGHT_LIMITS", metavar="NAME=N,…", help="Raise limits, such as nesting=128,nodes=200000."),
    ] = "",
) -> None:
    """Options of the command itself."""
    SAID.set(limits)


@app.command()
def check(
    files: Annotated[list[str], options.name_argument("FILE…", "Paths or names of modules and puzzles, or folders.")],
    all: Annotated[
        bool, typer.Option("--all", help="Also list the warnings that the rules expect, with their reasons.")
    ] = False,
    json: options.Json = False,
) -> int:
    """Check modules and puzzles for errors and likely mistakes."""
    from rulewright.cli.commands.check import check_all

    return check_all(files, all, Output(json))


@app.command()
def solve(
    names: Annotated[
        list[str], options.name_argument("PUZZLE|MODULE|FOLDER", "A path or a name; a folder means all its puzzles.")
    ],
    time: Annotated[float, typer.Option(min=0, help="The time limit, in seconds.")] = 60.0,
    workers: options.Workers = 2,
    memory: Annotated[int, options.memory_option("The memory limit of the whole search, in MiB.")] = 2048,
    all: Annotated[int, typer.Option("--all", min=0, help="List all optimal plans, up to this number.")] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="Check whether another action or plan is as good.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Find the requirements and limits that hold the answer back.")] = False,
    hint: Annotated[int, typer.Option(min=0, help="Show only this many actions of the plan.")] = 0,
    engine: Annotated[
        Engines, typer.Option(help="The engine: whichever answers first, one of them, or both.")
    ] = Engines.SOONEST,
    second: Annotated[bool, typer.Option("--second-opinion", help="Check the proof of the search with CP-SAT.")] = False,
    html: Annotated[Path | None, options.file_option("Write an HTML page to step through the plan.")] = None,
    svg: options.Svg = None,
    png: options.Png = None,
    moves: Annotated[
        str, typer.Option(metavar="1..4,5..8", help="Draw these moves of the plan as arrows; by default all in one picture.")
    ] = "",
    caption: options.Caption = "",
    board_only: options.BoardOnly = False,
    dark: options.Dark = False,
    certificate: Annotated[
        Path | None, options.file_option("Write a proof that can be checked without Rulewright (docs/certificates.md).")
    ] = None,
    against: Annotated[
        str,
        typer.Option(metavar="POLICY", help="Find the best response, in expectation, to others who play random, greedy, …"),
    ] = "",
    variant: options.Variant = "",
    players: options.Players = None,
    seed: options.Seed = 0,
    many: Annotated[
        bool,
        typer.Option("--many", help="Solve several puzzles or folders, one puzzle per worker; skip those already answered."),
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="With `--many`: solve answered puzzles again.")] = False,
    journal: Annotated[
        Path | None, options.file_option("With `--many`: the file of answers; by default FOLDER/answers.jsonl.")
    ] = None,
    cluster: options.Cluster = "",
    json: options.Json = False,
) -> int:
    """Find the best plan, with a proof that none is better. For a game: answer the question of its rules, from the set-up."""
    if second and engine not in (Engines.SOONEST, Engines.BOTH):
        raise usage_error(
            f"`--second-opinion` needs both engines and cannot be combined with `--engine {engine.value}`",
            "use only one of them",
        )
    engines = Engines.BOTH if second else engine
    if many:
        if all or unique or why or hint or html or svg or png or certificate or against or players is not None or seed:
            raise usage_error(
                "`--many` cannot be combined with options for a single puzzle", "omit `--many`, or omit those options"
            )
        from rulewright.cli.commands.solve_many import solve_many
        from rulewright.cli.executors import executor_of
        from rulewright.studies.batch_solving import BatchLimits

        limits = BatchLimits(time, memory if cluster else max(memory // workers, options.LEAST_MEMORY), engines, variant)
        return solve_many(names, limits, again, journal, executor_of(workers, cluster), Output(json))
    if len(names) > 1 or again or journal or cluster:
        raise usage_error("several puzzles, `--again`, `--journal` and `--cluster` need `--many`", "add `--many`")
    from rulewright.cli.commands.solve import solve_named
    from rulewright.cli.views.answer_view import SolveOptions

    page = options.files_of(svg, png, html, dark, caption=caption, board_only=board_only, moves=moves)
    wished = SolveOptions(time, workers, all, hint, variant, unique, why, engines, memory, page, certificate, against)
    return solve_named(names[0], players, seed, wished, Output(json))


@app.command()
def score(puzzle: options.PuzzleName, variant: options.Variant = "", json: options.Json = False) -> None:
    """Score the position as it stands, item by item."""
    from rulewright.cli.commands.score import show_score

    show_score(puzzle, variant, Output(json))


@app.command()
def actions(
    puzzle: options.PuzzleName,
    why: Annotated[
        str, typer.Option(metavar="ACTION", help="Explain why this action is illegal; a picture shows what is involved.")
    ] = "",
    svg: options.Svg = None,
    png: options.Png = None,
    dark: options.Dark = False,
    variant: options.Variant = "",
    json: options.Json = False,
) -> int:
    """List the legal actions, or explain why one is not legal."""
    from rulewright.cli.commands.actions import explain_action, list_actions

    files, output = options.files_of(svg, png, dark=dark), Output(json)
    return explain_action(puzzle, why, variant, files, output) if why else list_actions(puzzle, variant, files, output)


@app.command()
def perft(
    name: options.AnyName,
    depth: Annotated[int, typer.Argument(min=0, max=options.MOST_DEPTH, help="The most moves of a line.")],
    divide: Annotated[bool, typer.Option("--divide", help="Also count the longest lines by first move or turn.")] = False,
    turns: Annotated[bool, typer.Option("--turns", help="Count whole turns, not moves.")] = False,
    time: Annotated[float, typer.Option(min=0, help="The time limit, in seconds.")] = 60.0,
    players: options.Players = None,
    seed: options.Seed = 0,
    json: options.Json = False,
) -> int:
    """Count the lines of play of each length (perft)."""
    from rulewright.cli.commands.perft import count_lines

    return count_lines(name, depth, divide, turns, time, players, seed, Output(json))


@app.command()
def show(
    name: options.ShownName,
    variant: options.Variant = "",
    players: options.Players = None,
    seed: options.Seed = 0,
    svg: Annotated[Path | None, options.file_option("Write a picture to this file instead.")] = None,
    png: options.Png = None,
    html: Annotated[Path | None, options.file_option("Write an HTML page that shows the legal actions on each cell.")] = None,
    cell: Annotated[int, typer.Option(min=16, max=256, help="The width of a cell in the picture, in pixels.")] = 56,
    dark: options.Dark = False,
    coordinates: Annotated[bool, typer.Option(help="Number the columns and rows in the picture.")] = True,
    caption: options.Caption = "",
    board_only: options.BoardOnly = False,
    all: Annotated[
        bool, typer.Option("--all", help="Show all: also what is empty or on the board, and what looks hide.")
    ] = False,
    viewer: Annotated[
        int | None, typer.Option("--for", metavar="PLAYER", min=1, help="Show only what this player can see.")
    ] = None,
    ascii: options.Ascii = False,
    json: options.Json = False,
) -> None:
    """Draw the board of a puzzle, or of a game after its set-up."""
    from rulewright.cli.commands.show import Shown, draw_position, show_position

    if ascii:
        keep_to_ascii()
    shown = Shown(name, variant, players, seed, viewer, all)
    if svg is None and png is None and html is None:
        show_position(shown, Output(json))
        return
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.pictures.scene import PictureOptions

    style = PictureOptions(cell, dark, coordinates, board_only=board_only)
    draw_position(shown, PictureFiles(svg, png, html, style, caption=caption), Output(json))


@app.command()
def play(
    name: options.AnyName,
    variant: options.Variant = "",
    players: options.Players = None,
    seed: Annotated[int | None, typer.Option(help="The random seed; by default a new one.")] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="Play against the computer: best, mixed, random, greedy, search(PLIES), paranoid(PLIES) or beam(WIDTH).",
        ),
    ] = "",
    player: Annotated[int, typer.Option(min=1, help="With `--against`: the player you are.")] = 1,
    time: Annotated[float, typer.Option(min=0, help="With `--against best`: the time limit of a move, in seconds.")] = 3.0,
    tui: Annotated[bool, typer.Option("--tui", help="Use the full screen (needs the package textual).")] = False,
    json: options.Json = False,
) -> None:
    """Play in the terminal."""
    from rulewright.cli.views.output import Watch, watching

    output = Output(json)
    with watching(Watch("setting up the board"), output):
        from rulewright.cli.playing.table import Table

        table = Table.open(name, variant, players, seed, against, player, time)
    if tui:
        from rulewright.cli.screen.run import play_on_screen

        play_on_screen(table, output)
        return
    from rulewright.cli.commands.play import play_here

    play_here(table, output)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE.play")],
    history: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Show what wrote a variable, zone or cell: each change with its action, clause and place.",
        ),
    ] = "",
    json: options.Json = False,
) -> int:
    """Replay a saved game and verify its scores."""
    from rulewright.cli.commands.replay import replay_file

    return replay_file(file, history, Output(json))


@app.command()
def tree(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="An item such as a definition or an action, or one of its clauses: worth.village. "
            "Without it, and with `--of`: all items.",
        ),
    ] = "",
    of: Annotated[str, options.name_option("--of", "MODULE|PUZZLE", "The module or modules of the game, as A+B.")] = "",
    svg: options.Svg = None,
    png: options.Png = None,
    dark: options.Dark = False,
    json: options.Json = False,
) -> None:
    """Show the clauses of an item, and the module of each."""
    from rulewright.cli.commands.tree import show_tree

    show_tree(name, of, options.files_of(svg, png, dark=dark), Output(json))


@app.command("list")
def list_(
    word: Annotated[
        str, options.name_argument("WORD", "List only what has this in its name, text or modules, or is in this folder.")
    ] = "",
    all: Annotated[bool, typer.Option("--all", help="Also list puzzles without a question, and files for tests.")] = False,
    json: options.Json = False,
) -> None:
    """List all modules, and the puzzles by game."""
    from rulewright.cli.commands.list_all import list_catalogue

    list_catalogue(word, all, Output(json))


@app.command()
def core(
    name: options.AnyName,
    output: Annotated[Path | None, options.output_option("FILE", "Write to this file instead of standard output.")] = None,
    variant: options.Variant = "",
    players: options.Players = None,
    json: options.Json = False,
) -> None:
    """Write a puzzle or game as a small program in JSON."""
    from rulewright.cli.commands.core import write_core

    write_core(name, variant, players, output, Output(json))


@app.command()
def fmt(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="`*.rules` and `*.puzzle` files, or folders.")],
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if a file would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    json: options.Json = False,
) -> int:
    """Format modules and puzzles."""
    from rulewright.cli.commands.fmt import format_files

    return format_files(files, check, diff, Output(json))


@app.command()
def explain(
    code: Annotated[
        str, typer.Argument(metavar="RW0xx", help="The code of an error or warning.", autocompletion=options.complete_code)
    ] = "",
    list: Annotated[bool, typer.Option("--list", help="List every code.")] = False,
    json: options.Json = False,
) -> int:
    """Explain an error code, with an example."""
    from rulewright.cli.commands.explain import explain_code, list_codes

    output = Output(json)
    return list_codes(output) if list or not code else explain_code(code, output)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    of: Annotated[str, options.name_option("--of", "MODULE", "The module to vary.", completes=options.complete_module)] = "",
    json: options.Json = False,
) -> None:
    """Create a folder to start a variant in."""
    from rulewright.cli.commands.new import make_folder

    make_folder(folder, of, Output(json))


app.registered_commands += [*exchange.registered_commands, *servers.registered_commands, *studies.registered_commands]


def app_of(arguments: Sequence[str]) -> typer.Typer:
    """The application with only the called command if its name comes first, since building all commands takes longer."""
    called = [command for command in app.registered_commands if arguments and arguments[0] == _name(command)]
    if not called:
        return app
    small = _empty()
    small.registered_callback, small.registered_commands = app.registered_callback, called
    return small


def _name(command: CommandInfo) -> str:
    return command.name or str(getattr(command.callback, "__name__", ""))
