"""The commands that study rules and puzzles, and their options; a part of the application."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from rulewright.base.choices import Sole
from rulewright.base.diagnostics import usage_error
from rulewright.cli.views.output import Output

from . import option_types as options

studies = typer.Typer()


@studies.command()
def simulate(
    name: options.AnyName,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="The policy of all: random, greedy, mixed, search(PLIES), paranoid(PLIES) or beam(WIDTH); of one: 2=greedy.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="The number of games.")] = 1000,
    seed: options.Seed = 1,
    players: options.Players = None,
    workers: Annotated[
        int, typer.Option(min=1, max=options.MOST_WORKERS, show_default="all", help="The number of processors to use.")
    ] = min(os.cpu_count() or 1, options.MOST_WORKERS),
    memory: Annotated[int, options.memory_option("The memory limit of all games together, in MiB.")] = 2048,
    cluster: options.Cluster = "",
    longest: Annotated[
        int, typer.Option(min=1, help="The maximum length of a game in actions; longer games are cut.")
    ] = 10_000,
    against: Annotated[
        list[str] | None,
        options.name_option(
            "--against",
            "MODULE",
            "Compare with other rules (for a puzzle: variants) by games with the same seeds.",
            completes=options.complete_module,
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(min=0, help="With `--against`: stop when scores clearly differ, or differ by less than this."),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="CLAUSE=VALUES", help="Vary one or two clauses: `allowance.tokens[1] = 2..6`."),
    ] = None,
    luck: Annotated[
        bool,
        typer.Option("--luck", help="Estimate how much of the score is skill and how much luck; with `--against`, for each."),
    ] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="With `--against` or `--sweep`: write the figures as a table.")
    ] = None,
    svg: options.Svg = None,
    png: options.Png = None,
    dark: options.Dark = False,
    json: options.Json = False,
) -> None:
    """Play many games, and show the distribution of their scores."""
    from rulewright.api.policies import read_seats
    from rulewright.cli.commands.simulate import Played, simulate_games
    from rulewright.cli.executors import cluster_at
    from rulewright.studies.simulation.playouts import Resources, Simulation

    simulation = Simulation(read_seats(policy or ()), games, seed, longest)
    if sweep and (against or luck):
        raise usage_error("`--sweep` cannot be combined with `--against` or `--luck`", "run them one after the other")
    compares = bool(against) and not luck
    if (precision is not None and not compares) or (csv is not None and not (compares or sweep)):
        raise usage_error("`--precision` needs `--against` without `--luck`; `--csv` needs the same, or `--sweep`")
    resources = Resources(workers, memory, cluster_at(cluster) if cluster else None)
    files = options.files_of(svg, png, dark=dark, csv=csv)
    if files is not None:
        files.check()
    how = Played(players, simulation, resources, files, Output(json))
    if luck:
        from rulewright.cli.commands.simulate_luck import show_luck

        show_luck((name, *(against or ())), how)
    elif against:
        from rulewright.cli.commands.simulate_against import compare_rules

        compare_rules(name, against, precision, how)
    elif sweep:
        from rulewright.cli.commands.simulate_sweep import sweep_rules

        sweep_rules(name, sweep, how)
    else:
        simulate_games(name, how)


@studies.command()
def make(
    name: options.AnyName,
    goal: Annotated[
        str, typer.Option(metavar="QUESTION", help="The question, as after `ask:`; by default that of the rules.")
    ] = "",
    count: Annotated[int, typer.Option(min=1, help="The number of puzzles.")] = 10,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="The folder to write to; an interrupted run continues there.")
    ] = Path("made"),
    tiles: Annotated[str, typer.Option(metavar="6..9", help="The number of tiles still to come.")] = "",
    moves: Annotated[str, typer.Option(metavar="4..12", help="The number of moves of the solution.")] = "",
    grades: Annotated[str, typer.Option(metavar="1..5", help="The difficulty.")] = "",
    unique: Annotated[
        Sole,
        typer.Option(
            help="What must be unique: the first action (key), each action of its turn, the plan, or key or plan (solution)."
        ),
    ] = Sole.SOLUTION,
    uses: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="An action, marker or clause that the answer must depend on.")
    ] = None,
    gap: Annotated[
        int | None, typer.Option(min=0, help="The least amount by which greedy play falls short; by default 1, or 0 for a win.")
    ] = None,
    lead: Annotated[int, typer.Option(min=1, help="The least amount by which any other first action falls short.")] = 1,
    reduce: Annotated[bool, typer.Option(help="Remove what the puzzle does not need.")] = True,
    stem: Annotated[str, typer.Option(metavar="NAME", help="The prefix of the puzzles' names.")] = "",
    time: Annotated[float, typer.Option(min=0, help="The time limit of the whole run, in seconds.")] = 600.0,
    proof: Annotated[float, typer.Option(min=0.1, help="The time limit of one proof, in seconds.")] = 20.0,
    workers: options.Workers = 2,
    cluster: options.Cluster = "",
    memory: Annotated[int, options.memory_option("The memory limit of all workers, in MiB.")] = 2048,
    players: options.Players = None,
    seed: options.Seed = 1,
    json: options.Json = False,
) -> int:
    """Make new puzzles of a game, each with a proof."""
    from rulewright.cli.commands.make import EVERY_GRADE, FEWEST_MEMORY, MakeResources, make_puzzles, read_interval
    from rulewright.cli.executors import executor_of
    from rulewright.studies.making.commission import Commission

    executor = executor_of(workers, cluster)
    wished = Commission(
        *((), 0, goal, seed),
        tiles=read_interval(tiles, "--tiles"),
        moves=read_interval(moves, "--moves"),
        sole=unique,
        lead=lead,
        uses=tuple(uses or ()),
        grades=read_interval(grades, "--grades") or EVERY_GRADE,
        reduces=reduce,
        seconds=proof,
        memory_mib=max(FEWEST_MEMORY, memory // executor.workers),
    )
    return make_puzzles(name, wished, players, gap, MakeResources(count, out, stem, time, executor), Output(json))


@studies.command()
def diff(
    one: Annotated[str, options.name_argument("MODULES_A", "A module, several as A+B, a file, or a puzzle with its modules.")],
    other: Annotated[str, options.name_argument("MODULES_B")],
    on: Annotated[
        list[str] | None,
        options.name_option(
            "--on", "PUZZLES", "Show the impact on these puzzles, folders or patterns.", completes=options.complete_puzzle
        ),
    ] = None,
    time: Annotated[float, typer.Option(min=0, help="With `--on`: the time limit of each answer, in seconds.")] = 20.0,
    workers: options.Workers = 2,
    cluster: options.Cluster = "",
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit with status 1 if there is a difference.")] = False,
    html: Annotated[
        Path | None, options.file_option("With `--on`: write an HTML page of the changed answers, before and after.")
    ] = None,
    dark: options.Dark = False,
    json: options.Json = False,
) -> int:
    """Compare two sets of rules, clause by clause."""
    if on:
        from rulewright.cli.commands.diff_effects import show_effects
        from rulewright.cli.executors import executor_of

        executor, page = executor_of(workers, cluster), options.files_of(html=html, dark=dark)
        return show_effects(one, other, on, exit_code, time, executor, page, Output(json))
    if html is not None or cluster:
        option = "--cluster" if html is None else "--html"
        raise usage_error(f"`{option}` needs puzzles", "add `--on PUZZLES`")
    from rulewright.cli.commands.diff import show_differences

    return show_differences(one, other, exit_code, Output(json))


@studies.command()
def review(
    accept: Annotated[list[str] | None, typer.Option("--accept", metavar="NAME", help="Accept a group, or `all`.")] = None,
    correct: Annotated[
        bool, typer.Option("--correct", help="Update `answer:` and the scores of saved games when accepting.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show every changed record, not only a summary.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board of each puzzle.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write a picture of each puzzle to this folder.")] = None,
    dark: options.Dark = False,
    time: options.Seconds = 10.0,
    workers: options.Workers = 2,
    json: options.Json = False,
) -> int:
    """Review changed snapshots by the rules that changed them."""
    from rulewright.cli.commands.review import Detail
    from rulewright.cli.commands.review import review as review_all

    return review_all(accept or (), correct, Detail(boards, full), svg, dark, time, workers, Output(json))


@studies.command()
def trace(
    modules: options.Modules,
    on: options.Evidence = None,
    all: Annotated[bool, typer.Option("--all", help="List every clause of the rulebook, not only the gaps.")] = False,
    json: options.Json = False,
) -> int:
    """List clauses without a rule, and rules without evidence."""
    from rulewright.cli.commands.trace import show_traces

    return show_traces(modules, on or [], all, Output(json))


@studies.command()
def mutate(
    modules: options.Modules,
    on: options.Evidence = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="Try only this many mutants, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(help="The random seed of the sample.")] = 1,
    time: Annotated[float, typer.Option(min=0, help="The time limit of each answer, in seconds; 0 asks no questions.")] = 5.0,
    journal: Annotated[
        Path | None, options.file_option("The file of verdicts; mutants that have not changed since are not tried again.")
    ] = None,
    workers: options.Workers = 2,
    cluster: options.Cluster = "",
    json: options.Json = False,
) -> int:
    """List mutants of the rules that no puzzle or game kills."""
    from rulewright.cli.commands.mutate import Sample, show_mutants
    from rulewright.cli.executors import executor_of

    return show_mutants(modules, on or [], Sample(sample, seed), time, journal, executor_of(workers, cluster), Output(json))
