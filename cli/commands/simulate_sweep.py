"""`rulewright simulate --sweep`: mean scores as one or two clauses vary over values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.api.named import Named
from rulewright.api.start import start_of_game, start_of_puzzle
from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.games import SimulateSweep
from rulewright.cli.names import named
from rulewright.puzzles.from_tree import set_up_position
from rulewright.studies.simulation.comparison import Comparison, Precision, RulesInPlay
from rulewright.studies.simulation.playouts import Simulation
from rulewright.studies.simulation.score_statistics import LEVEL
from rulewright.studies.simulation.sweep import NotSwept, SweptClause, SweptPoint, grid

from .simulate import Played
from .simulate_against import played, scored

WIDE = 48
"""In characters: the width of a curve from the least to the greatest mean."""

MOST_CLAUSES = 2


@frozen
class Sweep:
    """The clauses, and the result for each combination of their values."""

    title: str
    clauses: tuple[SweptClause, ...]
    points: tuple[SweptPoint, ...]

    @property
    def below(self) -> str:
        """The name of the clause on the horizontal axis."""
        return self.clauses[0].name


def sweep_rules(name: str, texts: Sequence[str], how: Played) -> None:
    """Play under the rules with each combination of values, with the same seeds, and print the means."""
    clauses, simulation, session = _clauses(texts), how.simulation, named(name)
    found = [(values, _in_play(session, change, how)) for values, change in grid(clauses)]
    first, *others = [in_play for _, in_play in found]
    played(Comparison(first, others, Precision(None, simulation.games)), how)
    points = tuple(SweptPoint.of(values, in_play) for values, in_play in found if in_play.ends)
    sweep = Sweep(session.name, clauses, points)
    swept = [clause.name for clause in clauses]
    policy, seed = simulation.seats.name, simulation.seed
    how.output.document(SimulateSweep, sweep, name=sweep.title, policy=policy, seed=seed, clauses=swept)
    how.output.lines(_lines(sweep, simulation))
    if how.files is not None:
        how.files.write_csv(_csv_rows(sweep), how.output)
    _draw(sweep, how)


def _in_play(session: Named, change: str, how: Played) -> RulesInPlay:
    """The rules with a change. Raises `RulesError` if the change does not fit them."""
    try:
        game = session.project.changed(session.game, change)
    except RulesError as error:
        message = f"the rules are invalid with `{change}`: {error.diagnostics[0].message}"
        raise usage_error(message, "`rulewright tree NAME --of MODULE` shows the clauses") from None
    if session.is_puzzle:
        start = start_of_puzzle(set_up_position(session.puzzle, game), how.players)
    else:
        start = start_of_game(game, how.players, how.simulation.seed)
    return RulesInPlay(change, how.playouts(scored(start)))


def _clauses(texts: Sequence[str]) -> tuple[SweptClause, ...]:
    if len(texts) > MOST_CLAUSES:
        raise usage_error(f"at most {MOST_CLAUSES} clauses can be swept, found {len(texts)}")
    try:
        return tuple(SweptClause.read(text) for text in texts)
    except NotSwept as error:
        help = (
            "write `allowance.tokens[1] = 2..6`, or a change with the values in braces: `change worth: replace lamp: {1, 2, 4}`"
        )
        raise usage_error(str(error), help) from None


# For people -----------------------------------------------------------------------------------------------------------


def _lines(sweep: Sweep, simulation: Simulation) -> Iterator[Line]:
    yield line(Styled(escape(sweep.title), Style.STRONG), f"  {_played(sweep, simulation)}")
    known = [point for point in sweep.points if point.mean is not None]
    if len(sweep.clauses) == 1 or not known:
        yield line(escape(sweep.below))
        yield from _curve(sweep.points)
        return
    yield line(escape(f"mean scores: {sweep.clauses[1].name} downwards, {sweep.below} across"))
    means = {point.values: "-" if point.mean is None else f"{point.mean:.2f}" for point in sweep.points}
    across, down = (clause.values for clause in sweep.clauses)
    width = max(len(text) for text in (*means.values(), *map(str, across)))
    side = max(len(str(value)) for value in down)
    yield line(Styled(" ".join([" " * side, *(str(value).rjust(width) for value in across)]), Style.FAINT))
    for value in down:
        cells = [means.get((other, value), "-").rjust(width) for other in across]
        yield line(Styled(str(value).rjust(side), Style.FAINT), " " + " ".join(cells))


def _curve(points: Sequence[SweptPoint]) -> Iterator[Line]:
    """A row for each value: its mean as a point in its interval."""
    known = [point.interval for point in points if point.interval is not None and point.games > 1]
    low, high = min((one.low for one in known), default=0.0), max((one.high for one in known), default=1.0)
    name = max(len(str(point.values[0])) for point in points) if points else 0
    for point in points:
        shown = str(point.values[0]).rjust(name)
        if point.mean is None or point.interval is None or point.games < 2:
            yield line(f"{shown}  no game ended" if point.mean is None else f"{shown}  mean {point.mean:.2f}")
            continue
        begin, middle, end = (
            round((WIDE - 1) * (value - low) / ((high - low) or 1))
            for value in (point.interval.low, point.mean, point.interval.high)
        )
        bar = "".join("o" if at == middle else "-" if begin <= at <= end else " " for at in range(WIDE))
        yield line(f"{shown}  ", Styled(bar, Style.BLUE), f"  {point.mean:.2f} ± {point.interval.half:.2f}")


def _played(sweep: Sweep, simulation: Simulation) -> str:
    games = max((point.games for point in sweep.points), default=0)
    intervals = f"{100 * LEVEL:.0f} % intervals by Student's t"
    return f"{simulation.seats.name} policy, {counted(games, 'game')} each, seed {simulation.seed}; {intervals}"


# For scripts ----------------------------------------------------------------------------------------------------------


def _csv_rows(sweep: Sweep) -> Iterator[list[object]]:
    """A row for each combination of values."""
    yield [*(clause.name for clause in sweep.clauses), "games", "mean", "low", "high", "deviation"]
    for point in sweep.points:
        ends = (point.interval and point.interval.ends) or ("", "")
        yield [*point.values, point.games, point.mean, *ends, point.deviation]


def _draw(sweep: Sweep, how: Played) -> None:
    """Draw a curve, or one for each value of the second clause, to files, if there are any."""
    if how.files is None or all(point.mean is None for point in sweep.points):
        return
    from rulewright.pictures.charts import Curve, Point, curves

    by_second: dict[tuple[int, ...], list[Point]] = {}
    for point in sweep.points:
        if point.mean is not None:
            ends = (point.interval and point.interval.ends) or ()
            by_second.setdefault(point.values[1:], []).append(Point(point.values[0], point.mean, *ends))
    drawn = [
        Curve(f"{sweep.clauses[1].name} = {values[0]}" if values else sweep.below, tuple(points))
        for values, points in by_second.items()
    ]
    remarks, axes = [_played(sweep, how.simulation)], (sweep.below, "mean score")
    how.files.write(curves(f"{sweep.title}: mean score", remarks, axes, drawn, how.files.options.palette), how.output)
