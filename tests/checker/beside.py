"""Games read by the checker and by the engine, side by side."""

from __future__ import annotations

import json
import random
from typing import Any

from rulewright.checker.rulewright_check import Fault, Game, State, digest_of
from rulewright.rules.core.lower import lower
from rulewright.rules.core.to_json import json_of, start_of
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.engine import State as EngineState
from rulewright.rules.semantics.play_errors import PlayError


def finished(core: dict[str, Any]) -> Any:
    """A core document with its schema, texts and digest, as a file has it."""
    whole = {"schema": "rulewright/core/1", "rules": [], "texts": "", **core}
    return json.loads(json.dumps({**whole, "digest": digest_of(whole)}))


class Beside:
    """A game in both readings. The checker reads a state of the engine's from a document that starts with it."""

    def __init__(self, engine: Engine, start: EngineState) -> None:
        self.engine = engine
        self.core = lower(engine.instance, engine.flow, engine.horizon)
        self.document = json_of(self.core)
        self.scores = [[term] for term in self.document["scores"].values()]
        asked = {
            "goal": "maximise", "values": [term for (term,) in self.scores], "threshold": None, "until": None, "cost": None,
            "others": "together", "player": None, "in_expectation": False, "counts_plans": False, "own_turns": None,
        }  # fmt: skip
        self.game = Game(finished({**self.document, "start": self.start_of(start), "question": asked}))

    def start_of(self, state: EngineState) -> Any:
        return start_of(self.core, self.engine.layout, state)

    def state(self, state: EngineState) -> State:
        start = self.start_of(state)
        return self.game.read_state(start)

    def compare(self, state: EngineState, dice: random.Random, most: int) -> list[EngineState]:
        """Compare the moves, the value and some successors of a state; the successors. Raises `AssertionError`."""
        seen = self.state(state)
        assert value_of(self.game, seen) == score_of(self.engine, state)
        moves = self.legal(state)
        mine = self.my_legal(seen)
        assert mine == moves
        found = []
        for move in dice.sample(moves or [], min(most, len(moves or []))):
            after = self.apply(state, move)
            assert self.my_apply(seen, move) == (None if after is None else self.state(after))
            if after is not None:
                found.append(after)
        return found

    def legal(self, state: EngineState) -> list[Move] | None:
        try:
            return self.engine.legal(state)
        except PlayError:
            return None

    def my_legal(self, state: State) -> list[Move] | None:
        try:
            return self.game.legal(state)
        except Fault:
            return None

    def apply(self, state: EngineState, move: Move) -> EngineState | None:
        try:
            return self.engine.apply(state, move)
        except PlayError:
            return None

    def my_apply(self, state: State, move: Move) -> State | None:
        try:
            ((_, after),) = self.game.apply(state, move)
        except Fault:
            return None
        return after


def value_of(game: Game, state: State) -> int | None:
    try:
        return game.value(state)
    except Fault:
        return None


def score_of(engine: Engine, state: EngineState) -> int | None:
    try:
        return sum(score(state) for score in engine.scores)
    except PlayError:
        return None
