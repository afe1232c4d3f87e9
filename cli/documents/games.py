"""Documents about simulated games."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rulewright.studies.simulation.score_statistics import Sample

from .document import Document, Of

Interval = list[float] | None
"""The ends of a confidence interval; null if there is none."""


class SimulatedPlayer(TypedDict):
    """A player's own scores and games won; null if there are no such scores or wins. `share` is that of first places."""

    player: int
    policy: str
    scores: Sample | None
    wins: int | None
    draws: int | None
    losses: int | None
    share: float | None
    share_error: float | None


class Simulate(Sample, Document):
    """`simulate`: the distribution of the score, and more."""

    name: str
    rules: list[str]
    players: int
    policy: str
    games: int
    seed: int
    ranks: dict[str, int]
    lengths: Sample
    unfinished: int
    by_player: list[SimulatedPlayer]
    games_per_second: float
    remarks: list[str]


class RulesPlayed(TypedDict):
    """Games under one of the rules. `moves` to `forced` are means over the choices that were looked at, `actions` and
    `clauses` how often each occurs in a game."""

    name: str
    score: Sample
    length: Sample
    unfinished: int
    ranks: dict[str, int]
    looked_at: Annotated[int, Of("games")]
    moves: Annotated[float | None, Of("moves_a_choice")]
    scores_at_once: Annotated[float | None, Of("worths_a_choice")]
    scores_a_move_on: Annotated[float | None, Of("prospects_a_choice")]
    forced: Annotated[float | None, Of("forced_share")]
    actions: dict[str, float]
    clauses_looked_at: Annotated[int, Of("covered")]
    clauses: dict[str, float]


class Compared(TypedDict):
    """A difference between pairs of games with the same seed."""

    verdict: str
    pairs: Annotated[int, Of("moments.count")]
    mean: Annotated[float, Of("moments.mean")]
    deviation: Annotated[float | None, Of("moments.deviation")]
    interval: Annotated[Interval, Of("interval.ends")]
    method: str
    median: float | None
    median_interval: Annotated[Interval, Of("median_interval.ends")]


class RulesCompared(TypedDict):
    """Other rules against the first ones, in one sentence and in numbers."""

    rules: str
    answer: str
    score: Compared | None
    length: Compared | None


class SimulateAgainst(Document):
    """`simulate --against`"""

    policy: str
    players: int
    seed: int
    games: int
    precision: float | None
    rules: list[RulesPlayed]
    differences: list[RulesCompared]


class PolicyMean(TypedDict):
    """A policy with its mean score."""

    policy: str
    mean: float


class RulesLuck(TypedDict):
    """How much of the score is skill and how much luck, with confidence intervals."""

    name: str
    seed: int
    games: int
    policies: list[PolicyMean]
    skill: float | None
    skill_interval: Annotated[Interval, Of("skill_interval.ends")]
    luck: float | None
    luck_interval: Annotated[Interval, Of("luck_interval.ends")]


class SimulateLuck(RulesLuck, Document):
    """`simulate --luck`"""


class SimulateLuckAgainst(Document):
    """`simulate --luck --against`"""

    rules: list[RulesLuck]


class Swept(TypedDict):
    """The mean score under some values of the clauses."""

    values: list[int]
    games: int
    mean: float | None
    interval: Annotated[Interval, Of("interval.ends")]
    deviation: float | None


class SimulateSweep(Document):
    """`simulate --sweep`"""

    name: str
    policy: str
    seed: int
    clauses: list[str]
    points: list[Swept]
