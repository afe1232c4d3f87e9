"""The commands and their options. Each body is in its own file, loaded when the command is called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from typer.models import CommandInfo

from rulewright.base.engines import Engines
from rulewright.cli.views.output import Output, keep_to_ascii

from .limits import SAID
from .option_types import (
    LEAST_MEMORY,
    AnyName,
    Ascii,
    Cluster,
    Dark,
    Json,
    Players,
    Png,
    PuzzleName,
    Seed,
    ShownName,
    Svg,
    Variant,
    Workers,
    files_of,
)
from .studies_app import studies
from .usage_errors import usage_error


def _empty() -> typer.Typer:
    return typer.Typer(
        name="rulewright",
        help="Rules of tile and board games as text: checked, played, solved, explained.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _empty()


def _version(wanted: bool) -> None:
    if wanted:
        from rulewright import __version__

        typer.echo(f"rulewright {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
    limits: Annotated[
        str, typer.Option(envvar="RULEWRIGHT_LIMITS", metavar="NAME=N,…", help="Raise limits, as in nesting=128,nodes=200000.")
    ] = "",
) -> None:
    """Options of the command itself."""
    SAID.set(limits)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Modules and puzzles: paths or names; folders of them.")],
    all: Annotated[bool, typer.Option("--all", help="Also list the warnings that the rules expect, with the reasons.")] = False,
    json: Json = False,
) -> int:
    """Check modules and puzzles for errors and likely mistakes."""
    from rulewright.cli.commands.check import check_all

    return check_all(files, all, Output(json))


@app.command()
def solve(
    names: Annotated[
        list[str], typer.Argument(metavar="PUZZLE|MODULE|FOLDER", help="A path or a name; of a folder, all puzzles.")
    ],
    time: Annotated[float, typer.Option(min=0, help="Seconds to search for.")] = 60.0,
    workers: Workers = 2,
    memory: Annotated[int, typer.Option(min=LEAST_MEMORY, metavar="MIB", help="Memory for the whole search, in MiB.")] = 2048,
    all: Annotated[int, typer.Option("--all", min=0, help="List every optimal plan, up to this many.")] = 0,
    unique: Annotated[bool, typer.Option("--unique", help="Say whether another action or plan is as good.")] = False,
    why: Annotated[bool, typer.Option("--why", help="Sensitivity: which requirement or limit holds the answer down.")] = False,
    hint: Annotated[int, typer.Option(min=0, help="Show only this many actions of the plan.")] = 0,
    engine: Annotated[Engines, typer.Option(help="Who answers: the sooner of both, one alone, or both.")] = Engines.SOONEST,
    second: Annotated[bool, typer.Option("--second-opinion", help="Check the proof of the search by CP-SAT: both.")] = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to step through the plan.")] = None,
    variant: Variant = "",
    players: Players = None,
    seed: Seed = 0,
    many: Annotated[
        bool,
        typer.Option(
            "--many", help="Several puzzles or folders, a puzzle for each worker; what was answered is not asked again."
        ),
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="With `--many`: ask also what was answered before.")] = False,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With `--many`: the answers so far; FOLDER/answers.jsonl by default.")
    ] = None,
    cluster: Cluster = "",
    json: Json = False,
) -> int:
    """Find the best plan, with a proof that none is better. Of a game: what its rules ask, from its set-up."""
    if second and engine not in (Engines.SOONEST, Engines.BOTH):
        raise usage_error(f"`--second-opinion` is of both engines, not of `--engine {engine.value}`", "leave out one of them")
    engines = Engines.BOTH if second else engine
    if many:
        if all or unique or why or hint or html or players is not None or seed:
            raise usage_error("`--many` takes no options that are of one puzzle", "leave out `--many`, or the options")
        from rulewright.cli.commands.solve_many import BatchOptions, solve_many
        from rulewright.cli.executors import executor_of
        from rulewright.studies.batch_solving import BatchLimits

        limits = BatchLimits(time, memory if cluster else max(memory // workers, LEAST_MEMORY), engines, variant)
        return solve_many(names, BatchOptions(limits, again, journal), executor_of(workers, cluster), Output(json))
    if len(names) > 1 or again or journal or cluster:
        raise usage_error("only with `--many` are several puzzles answered, noted or sent to a cluster", "add `--many`")
    from rulewright.cli.commands.solve import solve_named
    from rulewright.cli.views.answer_view import SolveOptions

    options = SolveOptions(time, workers, all, hint, variant, unique, why, engines, memory, html)
    return solve_named(names[0], players, seed, options, Output(json))


@app.command()
def score(puzzle: PuzzleName, variant: Variant = "", json: Json = False) -> int:
    """Score the position as it stands, item by item."""
    from rulewright.cli.commands.score import show_score

    return show_score(puzzle, variant, Output(json))


@app.command()
def actions(
    puzzle: PuzzleName,
    why: Annotated[
        str, typer.Option(metavar="ACTION", help="Say why this action is not legal here; a picture shows what is involved.")
    ] = "",
    svg: Svg = None,
    png: Png = None,
    dark: Dark = False,
    variant: Variant = "",
    json: Json = False,
) -> int:
    """List every legal action, or say why one is not legal."""
    from rulewright.cli.commands.actions import explain_action, list_actions

    files, output = files_of(svg, png, dark=dark), Output(json)
    return explain_action(puzzle, why, variant, files, output) if why else list_actions(puzzle, variant, files, output)


@app.command()
def show(
    name: ShownName,
    variant: Variant = "",
    players: Players = None,
    seed: Seed = 0,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw a picture to this file instead.")] = None,
    png: Png = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page that tells what may be done where.")] = None,
    cell: Annotated[int, typer.Option(min=16, max=256, help="The width of a cell of the picture, in pixels.")] = 56,
    dark: Dark = False,
    coordinates: Annotated[bool, typer.Option(help="Numbers of columns and rows in the picture.")] = True,
    all: Annotated[bool, typer.Option("--all", help="Of a large state also what is hidden, empty or on the board.")] = False,
    viewer: Annotated[int | None, typer.Option("--for", metavar="PLAYER", min=1, help="Only what this player may see.")] = None,
    ascii: Ascii = False,
    json: Json = False,
) -> int:
    """Draw the board of a puzzle, or of a game as it is set up."""
    from rulewright.cli.commands.show import Shown, draw_position, show_position

    if ascii:
        keep_to_ascii()
    shown = Shown(name, variant, players, seed, viewer, all)
    if svg is None and png is None and html is None:
        return show_position(shown, Output(json))
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.pictures.options import PictureOptions

    return draw_position(shown, PictureFiles(svg, png, html, PictureOptions(cell, dark, coordinates)), Output(json))


@app.command()
def play(
    name: AnyName,
    variant: Variant = "",
    players: Players = None,
    seed: Annotated[int | None, typer.Option(help="The seed of all random draws; by default a new one.")] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="POLICY",
            help="The computer plays the others: best, random, greedy, search(PLIES), paranoid(PLIES), beam(WIDTH).",
        ),
    ] = "",
    player: Annotated[int, typer.Option(min=1, help="With `--against`: who you are.")] = 1,
    time: Annotated[float, typer.Option(min=0, help="With `--against best`: seconds to think about a move.")] = 3.0,
    tui: Annotated[bool, typer.Option("--tui", help="On the whole screen (needs rulewright[tui]).")] = False,
    json: Json = False,
) -> int:
    """Play in the terminal."""
    from rulewright.cli.playing.table import Computer, Table

    table = Table.open(name, variant, players, seed, Computer(against, player, time))
    if tui:
        from rulewright.cli.screen.run import play_on_screen

        return play_on_screen(table, Output(json))
    from rulewright.cli.commands.play import play_here

    return play_here(table, Output(json))


@app.command()
def share(
    name: ShownName,
    text: Annotated[bool, typer.Option("--text", help="The other way: print what a line holds as a puzzle.")] = False,
    variant: Variant = "",
    players: Players = None,
    seed: Seed = 0,
    json: Json = False,
) -> int:
    """Print a position as one line to share."""
    from rulewright.cli.commands.share import print_shared, share_position

    output = Output(json)
    return print_shared(name, output) if text else share_position(name, variant, players, seed, output)


@app.command()
def replay(file: Annotated[Path, typer.Argument(metavar="FILE.play")], json: Json = False) -> int:
    """Replay a saved game and verify its scores."""
    from rulewright.cli.commands.replay import replay_file

    return replay_file(file, Output(json))


@app.command()
def tree(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A definition, action, table, … or a clause of it: worth.village.")
    ],
    of: Annotated[str, typer.Option("--of", metavar="MODULE|PUZZLE", help="Of which game; A+B links several modules.")] = "",
    svg: Svg = None,
    png: Png = None,
    dark: Dark = False,
    json: Json = False,
) -> int:
    """Show the clauses of a name, and the module of each."""
    from rulewright.cli.commands.tree import show_tree

    return show_tree(name, of, files_of(svg, png, dark=dark), Output(json))


@app.command("list")
def list_(
    word: Annotated[
        str, typer.Argument(metavar="WORD", help="Only what has this in its name, text or modules; or what a folder holds.")
    ] = "",
    all: Annotated[bool, typer.Option("--all", help="Also puzzles without a question, and files for tests.")] = False,
    json: Json = False,
) -> int:
    """List the modules there are, and the puzzles by game."""
    from rulewright.cli.commands.list_all import list_catalogue

    return list_catalogue(word, all, Output(json))


@app.command()
def fmt(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="`*.rules` and `*.puzzle` files, and folders of them.")],
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit 1 if a file would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Change nothing; show what would change.")] = False,
    json: Json = False,
) -> int:
    """Format files."""
    from rulewright.cli.commands.fmt import format_files

    return format_files(files, check, diff, Output(json))


@app.command()
def explain(
    code: Annotated[str, typer.Argument(metavar="RW0xx", help="The code of an error or a warning.")] = "",
    list: Annotated[bool, typer.Option("--list", help="List every code.")] = False,
    json: Json = False,
) -> int:
    """Explain an error code, with an example."""
    from rulewright.cli.commands.explain import explain_code, list_codes

    output = Output(json)
    return list_codes(output) if list or not code else explain_code(code, output)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER")],
    of: Annotated[str, typer.Option("--of", metavar="MODULE", help="The module to vary.")] = "",
    json: Json = False,
) -> int:
    """Make a starting folder for an author."""
    from rulewright.cli.commands.new import make_folder

    return make_folder(folder, of, Output(json))


@app.command()
def lsp() -> int:
    """Serve an editor by the Language Server Protocol."""
    from rulewright.cli.commands.lsp import serve

    return serve()


@app.command()
def studio(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to work in.")] = Path(),
    port: Annotated[int, typer.Option(min=0, max=65535, show_default="any", help="The port of the page.")] = 0,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page in the browser.")] = False,
    json: Json = False,
) -> int:
    """Serve a local page: rules on the left, the game on the right."""
    from rulewright.cli.commands.studio import open_studio

    return open_studio(folder, port, browser, Output(json))


app.registered_commands += studies.registered_commands


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
