"""Games played by policies, measured in columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import usage_error
from rulewright.base.records import evolve
from rulewright.solver.playouts.policies import Seats
from rulewright.studies.simulation.playouts import Playouts, Resources, Simulation, Simulator

from .policies import check_seats, policy_from, policy_of
from .start import Start

if TYPE_CHECKING:
    from .game import Game, Policy

MOST_MOVES = 10_000
"""Longer games are given up."""


def playouts_of(start: Start, simulation: Simulation, resources: Resources) -> Playouts:
    """The playouts of a simulation.

    Raises `RulesError` if there are no such players, or they need too much memory.
    """
    engine, seats = start.engine, simulation.seats
    check_seats(seats, engine.instance.players)
    own = tuple((player, policy_from(policy, start)) for player, policy in seats.own)
    simulation = evolve(simulation, seats=Seats(policy_from(seats.policy, start), own))
    simulator = Simulator(simulation, engine, None if start.is_dealt else start.state)
    if simulator.bytes > resources.bytes:
        least = simulator.least_mib
        message = (
            f"{simulation.seats.name} needs up to {least} MiB in this game, but only {resources.memory_mib} MiB are allowed"
        )
        raise usage_error(message, f"allow more with `--memory {least}`, or use a smaller search")
    return Playouts(simulator, resources)


def simulated(
    game: Game, games: int, policy: Policy | Sequence[Policy], workers: int, memory_mib: int
) -> Mapping[str, list[int | None]]:
    """The columns of `Game.simulate`."""
    seats = _seats(policy)
    if callable(policy) or any(map(callable, policy)):
        workers = 1
    simulation = Simulation(seats, games, game.seed, MOST_MOVES)
    playouts = game.playouts(simulation, Resources(workers, memory_mib))
    columns: dict[str, list[int | None]] = {"length": [], "score": []}
    for end in chain.from_iterable(playouts.games(range(games))):
        columns["length"].append(end.length)
        measures = {"score": end.score}
        measures |= {f"score_{player}": score for player, score in enumerate(end.own, 1)}
        measures |= {f"outcome_{player}": outcome for player, outcome in enumerate(end.outcomes, 1)}
        for name, value in measures.items():
            columns.setdefault(name, [None] * (len(columns["length"]) - 1)).append(value if end.length is not None else None)
        for column in columns.values():
            column.extend([None] * (len(columns["length"]) - len(column)))
    return columns


def _seats(policy: Policy | Sequence[Policy]) -> Seats:
    if isinstance(policy, str) or callable(policy):
        return Seats(policy_of(policy))
    return Seats(policy_of(policy[0]), tuple((player, policy_of(each)) for player, each in enumerate(policy, 1)))
