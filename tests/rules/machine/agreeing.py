"""The machine-code reading held against the concrete one: moves, successors, values, hashes, faults, undoing."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from rulewright.base.hash_keys import PROCESS_KEY
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import GameFault, GameText, MachineGame, capacity_of
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.machine.state_hash import hash_tables
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.subset.program import Program, as_machine_code, as_python

Value = TypeVar("Value")

ENTRIES = ("apply", "begin", "legal", "undo", "value")


class Agreement:
    """One game in both readings. `compiled` runs it as machine code, otherwise as plain Python. `closures` are said to have
    been computed before."""

    def __init__(self, engine: Engine, compiled: bool, capacity: int = 0, closures: int = 0) -> None:
        values = [score.value for score in engine.game.scores]
        self.engine = engine
        self.closures = closures
        self.slots = Slots.of(
            engine.instance, engine.layout, max(capacity, capacity_of(engine.game, engine.layout, engine.unset))
        )
        self.game: GameText = write_game(engine.instance, self.slots, engine.flow, values, engine.horizon, from_start=True)
        self.program: Program = (as_machine_code if compiled else as_python)(self.game.sources(()), ENTRIES)
        self.states = self.moves = self.faults = 0

    def at(self, state: State) -> MachineGame:
        """A table at which that state stands."""
        arrangement = Arrangement(self.slots, self.engine.instance)
        table = MachineGame.of(self.game, self.program, arrangement, hash_tables(arrangement, None, True, PROCESS_KEY))
        table.memory.stamp = self.closures
        table.load(state)
        assert table.state == state
        return table

    def check(self, state: State, table: MachineGame, rng: random.Random, most: int = 4) -> State | None:
        """Everything about a state and some of its successors; the last of these, where `table` then stands."""
        engine, following = self.engine, None
        self.states += 1
        _both(lambda: engine.score(state), table.value)
        moves = _both(lambda: engine.legal(state), table.legal)
        if moves is None:
            self.faults += 1
            return None
        mark, before, seed = table.mark, table.hash, table.seed
        for move in rng.sample(moves, min(most, len(moves))):
            if following is not None:
                table.undo(mark, before, seed)
                assert table.state == state
                assert table.hash == table.hash_from_scratch()
                following = None

            def applied(move: tuple[int, ...] = move) -> State:
                table.apply(move)
                return table.state

            following = _both(lambda m=move: engine.apply(state, m), applied)
            if following is None:
                self.faults += 1
                table.undo(mark, before, seed)
                continue
            assert table.hash == table.hash_from_scratch()
            self.moves += 1
        return following

    def game_of(self, seed: int, limit: int = 10_000) -> None:
        """A random game, from set-up on."""
        try:
            state = self.engine.start(seed)
        except PlayError:
            return
        self._begins_alike(seed, state)
        self.play_on(state, random.Random(seed), limit)

    def play_on(self, state: State, rng: random.Random, limit: int) -> None:
        """A random game, from a state on."""
        table = self.at(state)
        following: State | None = state
        for _ in range(limit):
            if following is None or self.engine.over(following):
                return
            following = self.check(following, table, rng, 2)

    def _begins_alike(self, seed: int, state: State) -> None:
        unset = list(self.engine.unset)
        unset[1] = seed
        table = self.at(tuple(unset))
        table.begin()
        assert table.state == state
        assert table.hash == table.hash_from_scratch()


def _both(concrete: Callable[[], Value], native: Callable[[], Value]) -> Value | None:
    """The value, which must be the same in both readings; None where there is a fault in both."""
    expected = found = None
    with suppress(PlayError):
        expected = concrete()
    with suppress(GameFault):
        found = native()
    assert found == expected
    return expected
