"""`rulewright simulate --against`: compares rules by paired games, and says whether they make the game easier."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from rulewright.api.named import Named
from rulewright.api.start import Start
from rulewright.base.diagnostics import usage_error
from rulewright.base.ending import until_stopped
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.games import RulesCompared, RulesPlayed, SimulateAgainst
from rulewright.cli.names import named
from rulewright.cli.views.output import track
from rulewright.studies.simulation.comparison import (
    Comparison,
    Difference,
    Features,
    Precision,
    RulesInPlay,
    Verdict,
    features_of,
    play,
)
from rulewright.studies.simulation.playouts import Simulation
from rulewright.studies.simulation.score_statistics import LEVEL, Interval, Moments, describe, mean_interval, share_interval

from .simulate import Played, histogram

MOST_CLAUSES = 8
"""The maximum number of clauses named; `--json` has all."""

FEWEST = 20
"""By convention: of fewer games, no shares are printed: a game more or less would move them by more than 5 %."""


def compare_rules(name: str, against: Sequence[str], half_width: float | None, how: Played) -> None:
    """Play under all of the rules and print the differences; after an interrupt, those of the games so far."""
    simulation = how.simulation
    started = [start_with_score(session, how) for session in sessions_of(name, *against)]
    first, *others = [RulesInPlay(title, how.playouts(start)) for title, start in started]
    _check_comparable(first, others)
    comparison = played(Comparison(first, others, Precision(half_width, simulation.games)), how)
    if not comparison.games:  # stopped before the first
        return
    features = [features_of(rules.playouts.simulator, comparison.games) for rules in comparison.all]
    how.output.document(
        SimulateAgainst,
        comparison,
        policy=simulation.seats.name,
        players=first.playouts.simulator.engine.instance.players,
        seed=simulation.seed,
        precision=half_width,
        rules=[_played(rules, found) for rules, found in zip(comparison.all, features, strict=True)],
        differences=[_compared(comparison, other, simulation) for other in others],
    )
    how.output.lines(_lines(comparison, features, simulation))
    if how.files is not None:
        how.files.write_csv(_csv_rows(comparison), how.output)
    _draw(comparison, how)


def played(comparison: Comparison, how: Played) -> Comparison:
    """A comparison, once its games have been played; after an interrupt, with those so far."""
    games = track(play(comparison), comparison.precision.games, "playing", how.output, lambda games: games)
    with how.resources:
        for _ in until_stopped(games):
            pass
    return comparison


def sessions_of(name: str, *against: str) -> list[Named]:
    """The sessions of the compared rules: with modules, the others are modules too; with a puzzle, variants of its rules."""
    session = named(name)
    return [session, *(named(name, other) if session.is_puzzle else named(other) for other in against)]


def start_with_score(session: Named, how: Played) -> tuple[str, Start]:
    """The name of the rules, and the start of games under them. Raises `RulesError` if they have no score."""
    start = scored(session.start(how.players, how.simulation.seed))
    return " + ".join(filter(None, (start.title, session.variant))), start


def scored(start: Start) -> Start:
    """A start of games that have a score. Raises `RulesError` for others."""
    if not start.engine.game.scores:
        raise usage_error(f"`{start.title}` has no score to compare")
    return start


def _check_comparable(first: RulesInPlay, others: Sequence[RulesInPlay]) -> None:
    number = first.playouts.simulator.engine.instance.players
    for other in others:
        found = other.playouts.simulator.engine.instance.players
        if found != number:
            message = f"different numbers of players: {number} in `{first.title}`, {found} in `{other.title}`"
            raise usage_error(message, "set `--players` to a number that both allow")


# The sentence ---------------------------------------------------------------------------------------------------------


def sentence(comparison: Comparison, other: RulesInPlay, simulation: Simulation) -> str:
    """A sentence on whether other rules make the game easier, or raise scores if players compete, with the evidence."""
    difference, title = comparison.scores(other), f"`{other.title}`"
    engine = other.playouts.simulator.engine
    is_contest = engine.instance.players > 1 and bool(engine.game.winner)
    easier, harder = ("raises scores", "lowers scores") if is_contest else ("makes the game easier", "makes the game harder")
    if difference is None:
        return f"It is unknown whether {title} {easier}: no game ended under both rules."
    count = counted(difference.moments.count, "pair of games", "pairs of games")
    mean, evidence = difference.moments.mean, f"{_evidence(difference)}, {count} by the {simulation.seats.name} policy"
    match difference.verdict:
        case Verdict.MORE:
            return f"{title} {easier}: scores are {mean:.2f} higher on average ({evidence})."
        case Verdict.LESS:
            return f"{title} {harder}: scores are {-mean:.2f} lower on average ({evidence})."
        case Verdict.SAME:
            neither = "changes no score" if is_contest else "makes the game neither easier nor harder"
            count = counted(difference.moments.count, "game")
            ranks = "" if comparison.first.ranks() == other.ranks() else ", but ranks are not"
            return f"{title} {neither}: scores are the same in {count}{ranks}."
        case Verdict.CLOSE:
            return f"{title} makes little difference: scores are {mean:+.2f} on average ({evidence})."
        case Verdict.UNCLEAR:
            return f"It is unclear whether {title} {easier}: scores are {mean:+.2f} on average ({evidence})."


def _evidence(difference: Difference) -> str:
    how = "confidence sequence" if difference.is_sequential else "paired t"
    interval = difference.interval
    return f"{LEVEL:.0%} interval {interval.low:+.2f} to {interval.high:+.2f}, {how}".replace("%", " %")


# For people -----------------------------------------------------------------------------------------------------------


def _lines(comparison: Comparison, features: Sequence[Features], simulation: Simulation) -> Iterator[Line]:
    everyone = comparison.first.playouts.simulator.engine.instance.players
    heading = " and ".join(rules.title for rules in comparison.all)
    yield line(
        Styled(escape(heading), Style.STRONG),
        f"  {counted(everyone, 'player')}, {simulation.seats.name} policy, seed {simulation.seed}",
    )
    yield line(_how_long(comparison))
    yield line()
    titles = [rules.title for rules in comparison.all]
    yield from _table([["", *titles], *_rows(comparison, features)])
    yield line()
    if (covered := features[0].covered) < FEWEST:
        yield line(Styled(f"Clauses are not shown: {counted(covered, 'game')} are too few, {FEWEST} are enough.", Style.FAINT))
    else:
        yield from _table([[f"used, of {counted(covered, 'game')}", *titles], *_clauses(features)])
    for other in comparison.others:
        yield line()
        yield line(escape(sentence(comparison, other, simulation)))
        yield from _further(comparison, other)


def _how_long(comparison: Comparison) -> str:
    """A text on the number of games, and why there are not more."""
    games = counted(comparison.games, "game")
    if comparison.precision.half_width is None:
        return f"{games} each, with the same seeds"
    if comparison.is_clear:
        return f"{games} each, with the same seeds, until the answer was clear"
    return f"{games} each, with the same seeds; the answer is still unclear"


def _further(comparison: Comparison, other: RulesInPlay) -> Iterator[Line]:
    scores, lengths = comparison.scores(other), comparison.lengths(other)
    if scores is not None and scores.verdict is not Verdict.SAME:
        yield line("Differences in score, with the number of pairs of games:")
        yield from histogram(Counter(scores.values))
    if scores is not None and not scores.is_sequential and scores.verdict is not Verdict.SAME:
        yield line(f"The median difference is {scores.median:+g}{_between(scores.median_interval)}.")
    if lengths is not None and lengths.verdict in (Verdict.MORE, Verdict.LESS):
        word = "longer" if lengths.moments.mean > 0 else "shorter"
        yield line(f"Games are {abs(lengths.moments.mean):.2f} actions {word} on average ({_evidence(lengths)}).")
    if left := comparison.games - len(comparison.pairs(other)):
        yield line(Styled(f"{counted(left, 'pair')} not counted: one of the two games was cut", Style.WARNING))


def _between(interval: Interval) -> str:
    if math.isinf(interval.low):
        return ""
    return f" ({LEVEL:.0%} interval {interval.low:+g} to {interval.high:+g}, order statistics)".replace("%", " %")


def _table(rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    """A table with a column for each of the rules, headed by its name."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        yield line(Styled(escape("  ".join(cells)), Style.STRONG if number == 0 else Style.PLAIN))


def _rows(comparison: Comparison, features: Sequence[Features]) -> Iterator[list[str]]:
    scores = [[end.score for end in rules.ends if end.length is not None] for rules in comparison.all]
    lengths = [[end.length for end in rules.ends if end.length is not None] for rules in comparison.all]
    moments = [Moments.of(values) if values else None for values in scores]
    yield ["mean score", *(_number(found.mean if found else None) for found in moments)]
    yield [
        f"{LEVEL:.0%} interval".replace("%", " %"),
        *(_interval(mean_interval(found) if found else None) for found in moments),
    ]
    yield ["median score", *(_number(statistics.median(values) if values else None) for values in scores)]
    yield ["deviation", *(_number(found.deviation if found else None) for found in moments)]
    yield ["actions per game", *(_number(Moments.of(values).mean if values else None) for values in lengths)]
    yield ["legal actions", *(_number(found.moves_a_choice) for found in features)]
    yield ["scores reached at once", *(_number(found.worths_a_choice) for found in features)]
    yield ["scores after the next", *(_number(found.prospects_a_choice) for found in features)]
    yield ["no choice", *(_share(found.forced_share) for found in features)]
    for action in dict.fromkeys(action for found in features for action in sorted(found.actions)):
        yield [f"{action} per game", *(_number(found.actions[action] / found.games) for found in features)]
    tallies = [rules.tally for rules in comparison.all]
    if any(tally.winners_are_known for tally in tallies):
        for player in tallies[0].players:
            totals = [tally.scores.total() for tally in tallies]
            shares = [tally.players[player].share(max(1, total)) for tally, total in zip(tallies, totals, strict=True)]
            yield [f"player {player} first", *map(_share, shares, totals)]
    ranks = [rules.ranks() for rules in comparison.all]
    for rank in dict.fromkeys(rank for found in ranks for rank in found):
        totals = [sum(found.values()) for found in ranks]
        yield [rank, *(_share(found.get(rank, 0) / max(1, total), total) for found, total in zip(ranks, totals, strict=True))]


def _clauses(features: Sequence[Features]) -> Iterator[list[str]]:
    """The share of games that use a clause: for the clauses that differ most between the rules or, if none differs, the most
    used ones."""
    shares = [Counter[str]() for _ in features]
    for share, found in zip(shares, features, strict=True):
        for (name, _), count in found.clauses.items():
            share[name] = max(share[name], count)
    rates = {
        name: [share[name] / max(1, found.covered) for share, found in zip(shares, features, strict=True)]
        for name in sorted({name for share in shares for name in share})
    }
    by_difference = sorted(rates, key=lambda name: (min(rates[name]) - max(rates[name]), -max(rates[name])))
    for name in by_difference[:MOST_CLAUSES]:
        yield [name, *map(_share, rates[name])]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _share(value: float | None, games: int = FEWEST) -> str:
    """A share; of too few games, none."""
    return "-" if value is None or games < FEWEST else f"{100 * value:.1f} %"


def _interval(interval: Interval | None) -> str:
    return "-" if interval is None or math.isinf(interval.low) else f"{interval.low:.2f}..{interval.high:.2f}"


# For scripts ----------------------------------------------------------------------------------------------------------


def _played(rules: RulesInPlay, features: Features) -> RulesPlayed:
    return document_of(
        RulesPlayed,
        features,
        name=rules.title,
        score=describe(rules.tally.scores),
        length=describe(rules.tally.lengths),
        unfinished=rules.tally.unfinished,
        ranks=rules.ranks(),
        actions={name: count / features.games for name, count in sorted(features.actions.items())},
        clauses={f"{name} ({module})": count / features.covered for (name, module), count in sorted(features.clauses.items())},
    )


def _compared(comparison: Comparison, other: RulesInPlay, simulation: Simulation) -> RulesCompared:
    said, score, length = sentence(comparison, other, simulation), comparison.scores(other), comparison.lengths(other)
    return document_of(RulesCompared, rules=other.title, answer=said, score=score, length=length)


def _csv_rows(comparison: Comparison) -> Iterator[list[object]]:
    """A row for each game under each of the rules; a game that was cut has neither score nor length."""
    yield ["game", "rules", "score", "actions"]
    for number in range(comparison.games):
        for rules in comparison.all:
            end = rules.ends[number]
            yield [number, rules.title, *(("", "") if end.length is None else (end.score, end.length))]


def _draw(comparison: Comparison, how: Played) -> None:
    """Draw the distribution of scores, one curve for each of the rules, to files, if there are any."""
    simulation, scored_rules = how.simulation, [rules for rules in comparison.all if rules.tally.scores]
    if how.files is None or not scored_rules:
        return
    from rulewright.pictures.charts import Curve, Point, curves

    drawn = []
    for rules in scored_rules:
        counts = rules.tally.scores
        scores = range(min(counts), max(counts) + 1)
        found = [(score, counts[score], share_interval(counts[score], counts.total())) for score in scores]
        points = [Point(at, 100 * count / counts.total(), 100 * one.low, 100 * one.high) for at, count, one in found]
        drawn.append(Curve(rules.title, tuple(points)))
    remarks = [sentence(comparison, other, simulation) for other in comparison.others]
    remarks.append(
        f"{simulation.seats.name} policy, {counted(comparison.games, 'game')} each, seed {simulation.seed}; "
        f"{100 * LEVEL:.0f} % intervals of each share by Wilson's score"
    )
    title = " and ".join(rules.title for rules in comparison.all)
    files = how.files
    files.write(curves(title, remarks, ("score", "games, per cent"), drawn, files.options.palette), how.output)
