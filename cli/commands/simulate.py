"""`rulewright simulate`: the distribution of the scores of many games."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulewright.api.simulation import playouts_of
from rulewright.api.start import Start
from rulewright.base.ending import until_stopped
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.games import Simulate, SimulatedPlayer
from rulewright.cli.names import named
from rulewright.cli.views.output import Output, track
from rulewright.studies.simulation.playouts import Playouts, Resources, Simulation, run_simulation
from rulewright.studies.simulation.score_statistics import QUANTILES, Tally, describe, deviation, mean_of, quantile

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles

BAR = 40
"""In characters: the length of the longest bar of a histogram."""
ROWS = 24
"""Most rows of a histogram: more distinct scores are grouped."""


@frozen
class Played:
    """How games are played, with what, and where the results go."""

    players: int | None
    simulation: Simulation
    resources: Resources
    files: PictureFiles | None
    output: Output

    def playouts(self, start: Start) -> Playouts:
        """The playouts from a start. Raises `RulesError`."""
        return playouts_of(start, self.simulation, self.resources)


def simulate_games(name: str, how: Played) -> None:
    """Play the games, print their statistics and draw them to files; after an interrupt, those of the games so far."""
    simulation, files, output = how.simulation, how.files, how.output
    start = named(name).start(how.players, simulation.seed)
    playouts = how.playouts(start)
    total, began = Tally(), time.perf_counter()
    games = track(run_simulation(playouts), simulation.games, "playing", output, lambda tally: tally.games)
    with how.resources:
        for tally in until_stopped(games):
            total.add(tally)
    remarks = playouts.remarks
    speed = total.games / (time.perf_counter() - began)
    output.document(
        Simulate,
        total,
        **describe(total.scores),
        name=start.title,
        rules=start.engine.game.roots,
        players=start.engine.instance.players,
        policy=simulation.seats.name,
        seed=simulation.seed,
        ranks=total.ranks(start.engine.rank),
        lengths=describe(total.lengths),
        by_player=[_player(player, simulation, total) for player in total.players],
        games_per_second=round(speed, 1),
        remarks=remarks,
    )
    output.lines(_lines(start, simulation, total, speed))
    output.lines(line(Styled(escape(remark), Style.FAINT)) for remark in remarks)
    if files is not None and total.scores:
        from rulewright.pictures import charts

        remarks = [f"{counted(total.games, 'game')}, {_played(start, simulation)}", f"score {_summary(total.scores)}"]
        bars = [charts.Bar(*bar) for bar in intervals(total.scores)]
        files.write(charts.histogram(start.title, remarks, ("score", "games"), bars, files.options.palette), output)


def _lines(start: Start, simulation: Simulation, tally: Tally, speed: float) -> Iterator[Line]:
    yield line(Styled(start.title, Style.STRONG), f"  {_played(start, simulation)}")
    yield line(f"games    {tally.games}, {speed:,.0f} a second")
    if tally.unfinished:
        cut = f"{tally.unfinished} not finished after {counted(simulation.most_moves, 'action')}: their scores are not counted"
        yield line(Styled(cut, Style.WARNING))
    if not tally.scores:
        return
    yield line("score    ", _summary(tally.scores))
    yield line("actions  ", _summary(tally.lengths))
    for player in tally.players:
        yield _player_line(player, simulation, tally)
    yield line()
    yield from histogram(tally.scores)
    ranks = tally.ranks(start.engine.rank)
    if ranks:
        yield line()
    width = max(map(len, ranks), default=0)
    for rank, count in ranks.items():
        yield line(f"{rank.ljust(width)}  {100 * count / tally.scores.total():5.1f} %  {count}")


def _played(start: Start, simulation: Simulation) -> str:
    """A text on the number of players and their policies."""
    return f"{counted(start.engine.instance.players, 'player')}, {simulation.seats.name} policy, seed {simulation.seed}"


def _player(player: int, simulation: Simulation, tally: Tally) -> SimulatedPlayer:
    """A player's own scores and games won, for scripts."""
    found, games = tally.players[player], tally.scores.total()
    scores = describe(found.scores) if found.scores else None
    own = {"player": player, "policy": simulation.seats.of(player).name, "scores": scores}
    if not tally.winners_are_known:
        return document_of(SimulatedPlayer, None, **own)
    shares = {"share": found.share(games), "share_error": found.share_error(games)}
    return document_of(SimulatedPlayer, found, losses=games - found.wins - found.draws, **own, **shares)


def _player_line(player: int, simulation: Simulation, tally: Tally) -> Line:
    """The mean and median of the player's own scores, and the share of wins; `even` is the share expected from the number of
    seats alone."""
    found, games = tally.players[player], tally.scores.total()
    policy = f"  {simulation.seats.of(player).name}" if simulation.seats.own else ""
    parts: list[str] = []
    if found.scores:
        parts.append(f"{_mean(found.scores)}, median {quantile(found.scores, 0.5)}")
    if tally.winners_are_known:
        draws = f", draws {found.draws / games:.1%}" if found.draws else ""
        share, error, even = found.share(games), found.share_error(games), 1 / len(tally.players)
        parts.append(f"wins {found.wins / games:.1%}{draws}; share {share:.1%} ± {error:.1%}, {share - even:+.1%} to even")
    return line(Styled(f"player {player}", Style.STRONG), f"{policy}  {'; '.join(parts)}")


def _summary(counts: Counter[int]) -> str:
    parts = ", ".join(f"{q:.0%} {quantile(counts, q)}" for q in QUANTILES)
    return f"{_mean(counts)}, from {min(counts)} to {max(counts)} ({parts})"


def _mean(counts: Counter[int]) -> str:
    """A mean with its standard error."""
    mean = mean_of(counts)
    return f"mean {mean:.2f} ± {deviation(counts, mean) / math.sqrt(counts.total()):.2f}"


def histogram(counts: Counter[int]) -> Iterator[Line]:
    """One bar for each number, or for each interval if there are many."""
    rows = intervals(counts)
    most = max(count for _, count in rows)
    width = max(len(name) for name, _ in rows)
    for name, count in rows:
        bar = "#" * math.ceil(BAR * count / most)
        yield line(f"{name.rjust(width)}  ", Styled(bar.ljust(BAR), Style.BLUE), f"  {count}")


def intervals(counts: Counter[int]) -> list[tuple[str, int]]:
    """The numbers in ascending order with their counts; if there are many, in intervals."""
    low, high = min(counts), max(counts)
    step = (high - low) // ROWS + 1
    rows = [(start, sum(counts[n] for n in range(start, start + step))) for start in range(low, high + 1, step)]
    return [(str(start) if step == 1 else f"{start}..{start + step - 1}", count) for start, count in rows]
