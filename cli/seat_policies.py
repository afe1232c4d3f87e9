"""Reads the policies of simulated players from the command line: `greedy`, `2=random`."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.usage_errors import usage_error
from rulewright.solver.search.playout_policies import MOST, RANDOM, Policy, Seats, policy_named


def read_seats(words: Sequence[str]) -> Seats:
    """The policy of each player, `random` by default. Raises `RulesError` for an unknown policy or a player with two."""
    everyone: Policy | None = None
    own: dict[int, Policy] = {}
    for word in words:
        number, is_of_player, name = word.partition("=")
        policy = read_policy(name if is_of_player else word)
        if not is_of_player:
            if everyone is not None:
                raise usage_error(f"`{word}` gives a second policy for all players", f"for one player, write `2={word}`")
            everyone = policy
            continue
        if not number.isdigit() or int(number) < 1:
            raise usage_error(
                f"`{number}` in `{word}` is not the number of a player", f"for the first player, write `1={name}`"
            )
        if int(number) in own:
            raise usage_error(f"`{word}` gives a second policy for player {number}")
        own[int(number)] = policy
    return Seats(everyone or RANDOM, tuple(sorted(own.items())))


def read_policy(name: str) -> Policy:
    """A policy by its name."""
    policy = policy_named(name)
    if policy is None:
        known = f"random, greedy, search(1 to {MOST}), paranoid(1 to {MOST}), beam(1 to {MOST})"
        raise usage_error(f"there is no policy `{name}`", f"the policies are {known}; see `--help`")
    return policy


def check_seats(seats: Seats, players: int) -> None:
    """Check that every player named exists among `players`. Raises `RulesError`."""
    for player, policy in seats.own:
        if player > players:
            who = "there is only player 1" if players == 1 else f"the players are 1 to {players}"
            raise usage_error(
                f"there is no player {player} for `{player}={policy.name}`", f"{who}; `--players` sets their number"
            )
