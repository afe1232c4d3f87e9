"""`rulewright simulate`: how the scores of many games are distributed."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from .interrupts import noticing_interrupts
from .opening import Opening
from .output import Exit, Output
from .progress import track
from .session import Session
from .simulation import Means, Player, Series, Table, tallies
from .tally import QUANTILES, Tally, describe, deviation, quantile
from .text import Line, Style, Styled, escape, line

BAR = 40
"""The length of the longest bar of a histogram."""
ROWS = 24
"""More different scores than this are put together."""


def simulate_series(name: str, players: int | None, series: Series, means: Means, output: Output) -> int:
    """Play the games and print what they came to; interrupted, what the games so far came to."""
    opening = Session(name).opening(players, series.seed)
    player = Player(series, opening.engine, opening.state if opening.position else None)
    total, began = Tally(), time.perf_counter()
    remarks: list[str] = []
    with noticing_interrupts() as interrupted:
        played = tallies(series, Table(name, players), means, player, remarks)
        for tally in track(played, series.games, "playing", output, lambda tally: tally.games):
            total.add(tally)
    speed = total.games / (time.perf_counter() - began)
    output.document(_as_json(opening, series, total, speed) | {"remarks": remarks})
    output.lines(_lines(opening, series, total, speed))
    output.lines(line(Styled(escape(remark), Style.FAINT)) for remark in remarks)
    return Exit.INTERRUPTED if interrupted.happened else Exit.YES


def _as_json(opening: Opening, series: Series, tally: Tally, speed: float) -> dict[str, Any]:
    return {
        "name": opening.title,
        "rules": list(opening.engine.game.roots),
        "players": opening.engine.ground.players,
        "policy": series.policy.name,
        "games": tally.games,
        "seed": series.seed,
        **describe(tally.scores),
        "ranks": tally.ranks(opening.engine.rank),
        "lengths": describe(tally.lengths),
        "unfinished": tally.unfinished,
        "games_per_second": round(speed, 1),
    }


def _lines(opening: Opening, series: Series, tally: Tally, speed: float) -> Iterator[Line]:
    players = opening.engine.ground.players
    who = f"{players} player{'s' if players > 1 else ''}"
    yield line(Styled(opening.title, Style.STRONG), f"  {who}, {series.policy.name} policy, seed {series.seed}")
    yield line(f"games    {tally.games}, {speed:,.0f} a second")
    if tally.unfinished:
        cut = f"{tally.unfinished} not finished after {series.longest} actions: their scores are left out"
        yield line(Styled(cut, Style.WARNING))
    if not tally.scores:
        return
    yield line("score    ", _summary(tally.scores))
    yield line("actions  ", _summary(tally.lengths))
    yield line()
    yield from histogram(tally.scores)
    ranks = tally.ranks(opening.engine.rank)
    if ranks:
        yield line()
    width = max(map(len, ranks), default=0)
    for rank, count in ranks.items():
        yield line(f"{rank.ljust(width)}  {100 * count / tally.scores.total():5.1f} %  {count}")


def _summary(counts: Counter[int]) -> str:
    total = counts.total()
    mean = sum(value * count for value, count in counts.items()) / total
    error = deviation(counts, mean) / math.sqrt(total)
    parts = ", ".join(f"{q:.0%} {quantile(counts, q)}" for q in QUANTILES)
    return f"mean {mean:.2f} ± {error:.2f}, from {min(counts)} to {max(counts)} ({parts})"


def histogram(counts: Counter[int]) -> Iterator[Line]:
    """A bar for each number, or for each stretch of numbers when there are many."""
    low, high = min(counts), max(counts)
    step = (high - low) // ROWS + 1
    rows = [(start, sum(counts[n] for n in range(start, start + step))) for start in range(low, high + 1, step)]
    most = max(count for _, count in rows)
    names = [str(start) if step == 1 else f"{start}..{start + step - 1}" for start, _ in rows]
    width = max(map(len, names))
    for name, (_, count) in zip(names, rows, strict=True):
        bar = "#" * math.ceil(BAR * count / most)
        yield line(f"{name.rjust(width)}  ", Styled(bar.ljust(BAR), Style.BLUE), f"  {count}")
