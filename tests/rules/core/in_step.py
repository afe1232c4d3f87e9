"""Games played in the core and in compiled Python, which must agree on every list of moves, state and score."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from rulewright.rules.core.interpreter import Faulted
from rulewright.rules.core.lower import lower
from rulewright.rules.core.player import CorePlayer
from rulewright.rules.core.states import core_state, set_up_state
from rulewright.rules.model.state import SEED
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from tests.rules.playing import Policy, any_move

Result = TypeVar("Result")


def player_of(engine: Engine) -> CorePlayer:
    return CorePlayer(lower(engine.instance, engine.flow, engine.horizon))


def begun(player: CorePlayer, engine: Engine, seed: int) -> State | None:
    """The state after set-up, in both readings; None for a fault in both."""
    unset = list(engine.unset)
    unset[SEED] = seed
    before = set_up_state(player.core, engine.layout, tuple(unset))
    started = outcome(engine.start, seed)
    assert outcome(player.start, before) == (started and core_state(player.core, engine.layout, started))
    return started


def play_in_step(player: CorePlayer, engine: Engine, state: State, seed: int, policy: Policy = any_move, most: int = 40) -> int:
    """Play the first choices of a game; the number of states compared. Raises `AssertionError`."""
    dice = random.Random(seed)
    for compared in range(1, most + 1):
        seen = core_state(player.core, engine.layout, state)
        moves = outcome(engine.legal, state)
        assert outcome(player.legal, seen) == moves
        assert outcome(player.scores, seen) == outcome(scores_of, engine, state)
        if not moves:
            return compared
        move = policy(dice, moves)
        after = outcome(engine.apply, state, move)
        assert outcome(player.apply, seen, move) == (after and core_state(player.core, engine.layout, after))
        if after is None:
            return compared
        state = after
    return most


def outcome(read: Callable[..., Result], *arguments: object) -> Result | None:
    """What a reading says; None for a fault of the rules."""
    try:
        return read(*arguments)
    except (PlayError, Faulted):
        return None


def scores_of(engine: Engine, state: State) -> tuple[int, ...]:
    return tuple(score(state) for score in engine.scores)
