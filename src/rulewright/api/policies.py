"""The policies of simulated players by name, `greedy`, `2=random`, `module:function`, and by functions of the user's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path

from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import field, frozen
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.engine import State as Values
from rulewright.solver.playouts.policies import MOST, RANDOM, Kind, Policy, Seats, policy_named

from .action import Action
from .start import Start
from .state import State

Chooses = Callable[[State], Action | str]
"""A user's policy: one of the legal actions of a state, as such or as players write it."""


@frozen
class PolicyFunction:
    """A function of the user's as a policy: by its name, `module:function`, where modules of the working folder are found, or
    the function itself, which cannot be sent to other processes."""

    name: str
    given: Chooses | None = field(default=None, eq=id)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def function(self) -> Chooses:
        """The function. Raises `RulesError` if it cannot be imported."""
        if self.given is not None:
            return self.given
        module, _, name = self.name.partition(":")
        here = str(Path.cwd())
        if here not in sys.path:
            sys.path.append(here)
        try:
            function = getattr(import_module(module), name)
        except (ImportError, AttributeError, SyntaxError, ValueError) as error:
            help = "it is a function of a state, in a module that Python can import from here"
            raise usage_error(f"the policy `{self.name}` cannot be imported: {error}", help) from error
        if not callable(function):
            raise usage_error(f"`{self.name}` is not a function")
        return function  # type: ignore[no-any-return]

    def __call__(self, engine: Engine) -> Callable[[Values], Move]:
        """What the function chooses. Calls raise `RulesError` if that is not legal, or the function fails."""
        start = Start(engine.game.roots[0], "", engine.game.roots, engine, engine.unset)

        def chosen(values: Values) -> Move:
            state = State(start, values)
            try:
                return state.move_of(self.function(state))
            except RulesError:
                raise
            except Exception as error:
                raise usage_error(f"the policy `{self.name}` failed: {type(error).__name__}: {error}") from error

        return chosen


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
    """A policy by its name. Raises `RulesError` if there is none, or its function cannot be imported."""
    if ":" in name:
        function = PolicyFunction(name)
        _ = function.function
        return Policy(Kind.FUNCTION, function=function)
    policy = policy_named(name)
    if policy is None:
        known = f"random, greedy, search(1 to {MOST}), paranoid(1 to {MOST}), beam(1 to {MOST}), module:function"
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
