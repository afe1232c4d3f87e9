"""The policies of simulated players by name, `greedy`, `2=random`, `module:function`, and by functions of the user's."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path

from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import evolve, field, frozen
from rulewright.grammar.tree.puzzles import Goal, Others
from rulewright.puzzles.checks import hidden_variables
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question, who_plays
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.engine import State as Values
from rulewright.solver.playouts.policies import MOST, RANDOM, Kind, Policy, Seats, Weigh, policy_named, weighing

from .action import Action
from .start import Start, best_question, start_of_puzzle
from .state import State

_RESPONSES = (Goal.MAXIMISE, Goal.MINIMISE, Goal.REACH, Goal.WIN)

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

    def __call__(self, engine: Engine) -> Weigh:
        """All weight is on what the function chooses. Calls raise `RulesError` if that is not legal, or the function fails."""
        start = Start(engine.game.roots[0], "", engine.game.roots, engine, engine.unset)

        def weigh(values: Values, moves: list[Move]) -> list[int]:
            state = State(start, values)
            try:
                chosen = state.move_of(self.function(state))
                return [int(move == chosen) for move in moves]
            except RulesError:
                raise
            except Exception as error:
                raise usage_error(f"the policy `{self.name}` failed: {type(error).__name__}: {error}") from error

        return weigh


def policy_from(policy: Policy, start: Start) -> Policy:
    """The policy as it is played from a start: `mixed` becomes the strategies of the puzzle's question, of a game those of best
    play. Raises `RulesError` if there are none."""
    if policy.kind is not Kind.MIXED:
        return policy
    engine, position = start.engine, start.position
    question = best_question(engine, 1) if position is None else position.question
    players = engine.instance.players
    if question is None or players > 2 or (players == 2 and not question.is_against):
        help = "`random`, `greedy`, `search(2)` and `beam(20)` play any game"
        raise usage_error("`mixed` needs a game of two players against each other, or of one", help)
    if position is None:
        secret = tuple(variable.name for variable in hidden_variables(engine))
        question = evolve(question, in_expectation=True, secret_state=secret, is_dealt=True)
    elif not question.in_expectation:
        help = "ask the question `against best play in expectation`, or name the game"
        raise usage_error(f"`{position.puzzle.name}` is not asked in expectation, so it has no mixed strategies", help)
    from rulewright.solver.versus.mixed_policy import MixedPolicy

    return Policy(Kind.MIXED, function=MixedPolicy(question, start.state))


def response_to(policy: Policy, position: Position, question: Question) -> Question:
    """The question in expectation with the other players following a policy. Raises `RulesError` if it cannot be asked so."""
    is_fixed = question.own_turns is not None or question.others is Others.GIVEN
    if question.goal not in _RESPONSES or is_fixed or position.engine.instance.players < 2:
        help = "ask `maximise …`, `minimise …`, `reach …` or `win for …` of a game of several players"
        raise usage_error(f"there is no best response to the question of `{position.puzzle.name}`", help)
    replies = weighing(policy_from(policy, start_of_puzzle(position, None)), position.asked)
    return evolve(question, others=Others.AGAINST, in_expectation=True, replies=replies)


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
        known = f"random, greedy, mixed, search(1 to {MOST}), paranoid(1 to {MOST}), beam(1 to {MOST}), module:function"
        raise usage_error(f"there is no policy `{name}`", f"the policies are {known}; see `--help`")
    return policy


def policy_of(given: str | Chooses) -> Policy:
    """A policy by its name, or a function of the user's. Raises `RulesError` if there is none of this name."""
    if isinstance(given, str):
        return read_policy(given)
    return Policy(Kind.FUNCTION, function=PolicyFunction(str(getattr(given, "__name__", "function")), given))


def check_seats(seats: Seats, players: int) -> None:
    """Check that every player named exists among `players`. Raises `RulesError`."""
    for player, policy in seats.own:
        if player > players:
            help = f"{who_plays(players)}; `--players` sets their number"
            raise usage_error(f"there is no player {player} for `{player}={policy.name}`", help)
