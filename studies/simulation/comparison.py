"""Compares rules by paired games: game n has the same seeds under all of them (common random numbers), so much of chance
cancels out.

Without a precision, the given number of games is played. With one, play stops once every difference is clear: its interval
excludes 0, or is narrow enough. Intervals then come from a confidence sequence, valid after every batch; with Student's t, such
optional stopping would claim false differences far too often.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property

from rulewright.base.records import define, field, frozen
from rulewright.rules.play.coverage import ClauseKey, CoverageEngine
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import action_of
from rulewright.solver.playouts.policies import seeds

from .playouts import GameEnd, Playouts, Simulator, tally_of
from .score_statistics import UNKNOWN, Interval, Moments, Tally, mean_interval, median_interval, sequence_interval

# Features of play under some rules ------------------------------------------------------------------------------------
# The amount of choice, and how often each action and clause is used.


LOOKED_AT, COVERED = 30, 3
"""Most games examined move by move, and of those examined clause by clause, which takes longer."""


@define
class Features:
    """Counts over some games. `choices` counts states with a legal move, `moves` those moves, `worths` the distinct scores
    they lead to at once. In the `covered` games, `looked_ahead` counts such states, and `prospects` the distinct best scores
    within two moves; `clauses` counts the games in which each clause was used."""

    games: int = 0
    choices: int = 0
    moves: int = 0
    forced: int = 0
    worths: int = 0
    actions: Counter[str] = field(factory=Counter)
    covered: int = 0
    looked_ahead: int = 0
    prospects: int = 0
    clauses: Counter[ClauseKey] = field(factory=Counter)

    @property
    def moves_a_choice(self) -> float | None:
        """The mean number of legal moves."""
        return self.moves / self.choices if self.choices else None

    @property
    def worths_a_choice(self) -> float | None:
        """The mean number of distinct scores that legal moves lead to at once."""
        return self.worths / self.choices if self.choices else None

    @property
    def prospects_a_choice(self) -> float | None:
        """The mean number of distinct highest scores one move after a legal move."""
        return self.prospects / self.looked_ahead if self.looked_ahead else None

    @property
    def forced_share(self) -> float | None:
        """The share of states with a single legal move."""
        return self.forced / self.choices if self.choices else None


def features_of(simulator: Simulator, games: int) -> Features:
    """The features of the first games of a simulation, at most `LOOKED_AT`."""
    found, count = Features(), min(games, LOOKED_AT)
    for number in range(count):
        _look(simulator, number, found, CoverageEngine(simulator.engine) if number < COVERED else None)
    found.games, found.covered = count, min(count, COVERED)
    return found


def _look(simulator: Simulator, number: int, found: Features, observer: CoverageEngine | None) -> None:
    engine, (seed, choices) = simulator.engine, simulator.seeds(number)
    state, random = simulator.begin(seed), seeds(choices)
    for _ in range(simulator.simulation.most_moves):
        moves = engine.legal(state)
        if not moves:
            break
        found.choices += 1
        found.moves += len(moves)
        found.forced += len(moves) == 1
        found.worths += len({engine.score(engine.apply(state, move)) for move in moves})
        move, after = simulator.choose(state, moves, next(random))
        found.actions[action_of(engine, move)] += 1
        if observer is not None:
            observer.act(state, move)
            found.looked_ahead += 1
            found.prospects += len({_prospect(engine, engine.apply(state, other)) for other in moves})
        state = after
    if observer is not None:
        observer.look(state)
        found.clauses.update(observer.shown.all)


def _prospect(engine: Engine, state: State) -> int:
    """The highest score after one more move; that of the state itself if there is no move."""
    return max((engine.score(engine.apply(state, move)) for move in engine.legal(state)), default=engine.score(state))


# Compares rules by paired games ---------------------------------------------------------------------------------------


FIRST_BATCH, GROWTH = 100, 0.5
"""By definition of the sequential test: the games of the first batch, and each further batch as a share of the games played."""


class Verdict(Enum):
    """The verdict on a difference; `SAME`: no game differs, `CLOSE`: it is less than the given precision."""

    MORE = "more"
    LESS = "less"
    SAME = "same"
    CLOSE = "close"
    UNCLEAR = "unclear"


@frozen
class Precision:
    """The half-width at which an interval is narrow enough, and the maximum number of games."""

    half_width: float | None
    games: int


@frozen
class Difference:
    """The paired differences of one number: under other rules minus under the first."""

    values: tuple[int, ...]
    precision: Precision

    @cached_property
    def moments(self) -> Moments:
        """The moments of the differences, of which there is at least one."""
        return Moments.of(self.values)

    @property
    def is_sequential(self) -> bool:
        return self.precision.half_width is not None

    @property
    def method(self) -> str:
        """How the interval is found."""
        return "confidence sequence" if self.is_sequential else "paired t"

    @cached_property
    def interval(self) -> Interval:
        """The interval of the mean difference."""
        if self.is_sequential:
            return sequence_interval(self.moments, self.precision.games)
        return mean_interval(self.moments)

    @cached_property
    def median(self) -> float:
        return statistics.median(self.values)

    @cached_property
    def median_interval(self) -> Interval:
        """The interval of the median difference; None if games were stopped early by their results."""
        return UNKNOWN if self.is_sequential else median_interval(self.values)

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict so far."""
        if not any(self.values):
            return Verdict.SAME
        if self.interval.excludes(0):
            return Verdict.MORE if self.moments.mean > 0 else Verdict.LESS
        narrow = self.precision.half_width
        return Verdict.CLOSE if narrow is not None and self.interval.half <= narrow else Verdict.UNCLEAR

    @property
    def is_clear(self) -> bool:
        """Whether no more games are needed. That no game differs is clear only at the end."""
        return self.verdict in (Verdict.MORE, Verdict.LESS, Verdict.CLOSE)


@define(eq=False)
class RulesInPlay:
    """Games under some rules, by number."""

    title: str
    playouts: Playouts
    ends: list[GameEnd] = field(factory=list)

    @property
    def tally(self) -> Tally:
        """The counts of the games."""
        return tally_of(self.ends)

    def ranks(self) -> dict[str, int]:
        """The number of games that earned each rank."""
        return self.tally.ranks(self.playouts.simulator.engine.rank)


@define(eq=False)
class Comparison:
    """The first rules and the others. A pair in which either game was cut is left out."""

    first: RulesInPlay
    others: Sequence[RulesInPlay]
    precision: Precision

    @property
    def all(self) -> tuple[RulesInPlay, ...]:
        return (self.first, *self.others)

    @property
    def games(self) -> int:
        """The number of games played under all of the rules."""
        return min(len(rules.ends) for rules in self.all)

    def pairs(self, other: RulesInPlay) -> list[tuple[GameEnd, GameEnd]]:
        """The pairs of games that ended under both the first and other rules."""
        found = zip(self.first.ends, other.ends, strict=False)
        return [(one, two) for one, two in found if one.length is not None and two.length is not None]

    def scores(self, other: RulesInPlay) -> Difference | None:
        """The differences of scores; None if no game ended."""
        values = tuple(two.score - one.score for one, two in self.pairs(other))
        return Difference(values, self.precision) if values else None

    def lengths(self, other: RulesInPlay) -> Difference | None:
        """The differences of game lengths, in actions."""
        values = tuple((two.length or 0) - (one.length or 0) for one, two in self.pairs(other))
        return Difference(values, self.precision) if values else None

    @property
    def is_clear(self) -> bool:
        """Whether all differences of scores are clear."""
        found = [self.scores(other) for other in self.others]
        return all(difference is not None and difference.is_clear for difference in found)


def play(comparison: Comparison) -> Iterator[int]:
    """Play the games in batches; yields the number of further games played under all of the rules."""
    precision = comparison.precision
    while (played := comparison.games) < precision.games:
        more = max(FIRST_BATCH, int(GROWTH * played)) if precision.half_width is not None else precision.games
        numbers = range(played, min(precision.games, played + more))
        streams = [rules.playouts.games(numbers) for rules in comparison.all]
        for rules, stream in zip(comparison.all, streams, strict=True):
            for ends in stream:
                before = comparison.games
                rules.ends += ends
                if comparison.games > before:
                    yield comparison.games - before
        if precision.half_width is not None and comparison.is_clear:
            return
