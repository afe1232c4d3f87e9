"""The commands that study rules and puzzles, and their options; a part of the application."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from rulewright.base.sole_solutions import Sole
from rulewright.cli.views.output import Output

from .option_types import (
    LEAST_MEMORY,
    MOST_WORKERS,
    AnyName,
    Cluster,
    Dark,
    Evidence,
    Json,
    Modules,
    Players,
    Png,
    Seconds,
    Seed,
    Svg,
    Workers,
    files_of,
)
from .usage_errors import usage_error

studies = typer.Typer()


@studies.command()
def simulate(
    name: AnyName,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="POLICY",
            help="How the players choose: random, greedy, search(PLIES), paranoid(PLIES) or beam(WIDTH); 2=greedy for one.",
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Seed = 1,
    players: Players = None,
    workers: Annotated[
        int, typer.Option(min=1, max=MOST_WORKERS, show_default="all", help="How many processors may be used.")
    ] = min(os.cpu_count() or 1, MOST_WORKERS),
    memory: Annotated[int, typer.Option(min=LEAST_MEMORY, metavar="MIB", help="Memory for all games together, in MiB.")] = 2048,
    cluster: Cluster = "",
    longest: Annotated[int, typer.Option(min=1, help="The most actions of a game; longer games are cut.")] = 10_000,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against", metavar="MODULE", help="Compare with other rules by games with the same seeds; of a puzzle, variants."
        ),
    ] = None,
    precision: Annotated[
        float | None,
        typer.Option(min=0, help="With `--against`: stop when it is clear whether scores differ, or by less than this."),
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="CLAUSE=VALUES", help="Vary a clause, or two: `allowance.tokens[1] = 2..6`."),
    ] = None,
    luck: Annotated[
        bool, typer.Option("--luck", help="How much of the score is skill, and how much luck; with `--against` of each.")
    ] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="With `--against` or `--sweep`: the figures as a table.")
    ] = None,
    svg: Svg = None,
    png: Png = None,
    dark: Dark = False,
    json: Json = False,
) -> int:
    """Play many games: the distribution of the scores, by rules."""
    from rulewright.cli.commands.simulate import Workplace, simulate_games
    from rulewright.cli.executors import cluster_at
    from rulewright.cli.seat_policies import read_seats
    from rulewright.studies.simulation.playouts import Resources, Simulation

    simulation = Simulation(read_seats(policy or ()), games, seed, longest)
    if sweep and (against or luck):
        raise usage_error("`--sweep` is a question of its own", "ask one after the other")
    compares = bool(against) and not luck
    if (precision is not None and not compares) or (csv is not None and not (compares or sweep)):
        raise usage_error("`--precision` is of `--against` without `--luck`, and `--csv` of that or of `--sweep`")
    workplace = Workplace(Resources(workers, memory), cluster_at(cluster) if cluster else None)
    files, output = files_of(svg, png, dark=dark), Output(json)
    if luck:
        from rulewright.cli.commands.simulate_luck import show_luck

        return show_luck((name, *(against or ())), players, simulation, workplace, output)
    if against:
        from rulewright.cli.commands.simulate_against import ComparisonFiles, compare_rules

        return compare_rules(name, against, players, simulation, precision, workplace, ComparisonFiles(csv, files), output)
    if sweep:
        from rulewright.cli.commands.simulate_against import ComparisonFiles
        from rulewright.cli.commands.simulate_sweep import sweep_rules

        return sweep_rules(name, sweep, players, simulation, workplace, ComparisonFiles(csv, files), output)
    return simulate_games(name, players, simulation, workplace, files, output)


@studies.command()
def make(
    name: AnyName,
    goal: Annotated[
        str, typer.Option(metavar="QUESTION", help="What is asked, as behind `ask:`; by default what the rules ask.")
    ] = "",
    count: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 10,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to; a run that was interrupted goes on there.")] = Path(
        "made"
    ),
    tiles: Annotated[str, typer.Option(metavar="6..9", help="How many tiles are to come.")] = "",
    moves: Annotated[str, typer.Option(metavar="4..12", help="How many moves the solution has.")] = "",
    grades: Annotated[str, typer.Option(metavar="1..5", help="How difficult.")] = "",
    unique: Annotated[
        Sole,
        typer.Option(help="What there is one of: the key, each action of its turn, the plan; by default the key or the plan."),
    ] = Sole.SOLUTION,
    uses: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Without this action, marker or clause the answer is another.")
    ] = None,
    gap: Annotated[
        int | None, typer.Option(min=0, help="By how much greedy play falls short, at least; of scores 1 by default.")
    ] = None,
    lead: Annotated[int, typer.Option(min=1, help="By how much any other first action does.")] = 1,
    reduce: Annotated[bool, typer.Option(help="Leave out what the puzzle does not need.")] = True,
    stem: Annotated[str, typer.Option(metavar="NAME", help="What the names of the puzzles begin with.")] = "",
    time: Annotated[float, typer.Option(min=0, help="Seconds for all of them; no attempt is begun later.")] = 600.0,
    proof: Annotated[float, typer.Option(min=0.1, help="Seconds for one proof.")] = 20.0,
    workers: Workers = 2,
    cluster: Cluster = "",
    memory: Annotated[int, typer.Option(min=LEAST_MEMORY, metavar="MIB", help="Memory for all workers, in MiB.")] = 2048,
    players: Players = None,
    seed: Seed = 1,
    json: Json = False,
) -> int:
    """Make new puzzles of a game, each with a proof."""
    from rulewright.cli.commands.make import MakeOptions, MakeResources, make_puzzles
    from rulewright.cli.executors import executor_of

    options = MakeOptions(goal, players, tiles, moves, grades, unique, tuple(uses or ()), gap, lead, reduce, seed)
    resources = MakeResources(count, out, stem, time, proof, executor_of(workers, cluster), memory)
    return make_puzzles(name, options, resources, Output(json))


@studies.command()
def diff(
    one: Annotated[str, typer.Argument(metavar="MODULES_A", help="Modules, A+B, a file, or a puzzle with its modules.")],
    other: Annotated[str, typer.Argument(metavar="MODULES_B")],
    on: Annotated[
        list[str] | None, typer.Option("--on", metavar="PUZZLES", help="Puzzles, folders, patterns: show the impact on these.")
    ] = None,
    time: Annotated[float, typer.Option(min=0, help="With `--on`: seconds to search for each answer.")] = 20.0,
    workers: Workers = 2,
    cluster: Cluster = "",
    exit_code: Annotated[bool, typer.Option("--exit-code", help="Exit 1 when there is a difference.")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="With `--on`: a page of the changed answers, before and after.")
    ] = None,
    json: Json = False,
) -> int:
    """Compare two sets of rules, clause by clause."""
    if on:
        from rulewright.cli.commands.diff_effects import Effort, show_effects
        from rulewright.cli.executors import executor_of

        return show_effects(one, other, on, exit_code, Effort(time, executor_of(workers, cluster)), html, Output(json))
    if html is not None or cluster:
        what = "a cluster works on" if html is None else "a page is of"
        raise usage_error(f"{what} what changes for puzzles", "name some: `--on PUZZLES`")
    from rulewright.cli.commands.diff import show_differences

    return show_differences(one, other, exit_code, Output(json))


@studies.command()
def review(
    accept: Annotated[list[str] | None, typer.Option("--accept", metavar="NAME", help="Accept a group, or `all`.")] = None,
    correct: Annotated[
        bool, typer.Option("--correct", help="Bring `answer:` and the scores of saved games up to date with what is accepted.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show every changed record, not only what it comes to.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the board of each puzzle.")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write a picture of each puzzle there.")] = None,
    time: Seconds = 10.0,
    workers: Workers = 2,
    json: Json = False,
) -> int:
    """Review snapshots that changed, by the rules that changed them."""
    from rulewright.cli.commands.review import ReviewOptions
    from rulewright.cli.commands.review import review as review_all
    from rulewright.cli.commands.review_lines import Detail

    options = ReviewOptions(tuple(accept or ()), correct, Detail(boards, full), svg, time, workers)
    return review_all(options, Output(json))


@studies.command()
def trace(
    modules: Modules,
    on: Evidence = None,
    all: Annotated[bool, typer.Option("--all", help="List every clause of the rulebook, not only the gaps.")] = False,
    json: Json = False,
) -> int:
    """List clauses without a rule, and rules without evidence."""
    from rulewright.cli.commands.trace import show_traces

    return show_traces(modules, on or [], all, Output(json))


@studies.command()
def mutate(
    modules: Modules,
    on: Evidence = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="Try so many of all mutants, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(help="The seed by which a sample is drawn.")] = 1,
    time: Annotated[float, typer.Option(min=0, help="Seconds to search for each answer; 0 asks nothing.")] = 5.0,
    journal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The verdicts so far; what has not changed since is not tried again.")
    ] = None,
    workers: Workers = 2,
    cluster: Cluster = "",
    json: Json = False,
) -> int:
    """List mutants of the rules that no puzzle or game kills."""
    from rulewright.cli.commands.mutate import Sample, show_mutants
    from rulewright.cli.executors import executor_of

    return show_mutants(modules, on or [], Sample(sample, seed), time, journal, executor_of(workers, cluster), Output(json))
