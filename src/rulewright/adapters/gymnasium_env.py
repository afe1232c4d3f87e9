"""A game for one player as a Gymnasium environment (Towers et al. 2024). Needs the extra `gymnasium`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from rulewright.api.game import Game
from rulewright.api.puzzle import Puzzle
from rulewright.api.state import State
from rulewright.base.diagnostics import usage_error

from .observations import Encoding

Observation = dict[str, "np.ndarray[Any, np.dtype[Any]]"]


class GameEnv(gymnasium.Env[Any, Any]):
    """A game or puzzle for one player. The reward of a step is what the score gains.

    An observation has the vector of the state (`observation`) and `action_mask`, 1 for each legal action by its number. An
    illegal action changes nothing, and has the reward `illegal`. `reset(seed=…)` decides chance.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (Gymnasium's own)

    def __init__(self, game: Game | Puzzle, illegal: float = 0.0, render_mode: str | None = None) -> None:
        """Raises `RulesError` for a game of several players, or with too many actions."""
        self.state = game.start
        if self.state.players != 1:
            raise usage_error(f"`{game.name}` is played by {self.state.players}", "`pettingzoo_env.GameEnv` is for several")
        self.game, self.illegal, self.render_mode = game, illegal, render_mode
        self.encoding = Encoding.of(self.state)
        low, high = (np.array(each, dtype=np.int32) for each in zip(*self.encoding.bounds, strict=True))
        count = self.encoding.actions.count
        self.action_space = spaces.Discrete(count)
        self.observation_space = spaces.Dict(
            {"observation": spaces.Box(low, high, dtype=np.int32), "action_mask": spaces.MultiBinary(count)}
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, dict[str, Any]]:
        """A new game; without a seed, one drawn from the last."""
        super().reset(seed=seed)
        chance = int(self.np_random.integers(1 << 62)) if seed is None else seed
        self.state = begun(self.game, chance)
        return self._seen(), self._told()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take the action of a number."""
        at = self.encoding.legal(self.state).get(int(action))
        if at is None:
            return self._seen(), self.illegal, self.state.is_over, False, self._told()
        before, self.state = self.state.score, self.state.play(self.state.legal[at])
        is_stuck = not self.state.is_over and not self.state.legal
        return self._seen(), float(self.state.score - before), self.state.is_over or is_stuck, False, self._told()

    def render(self) -> str:
        """The position as the text of a puzzle."""
        return str(self.state)

    def _seen(self) -> Observation:
        return observed(self.encoding, self.state, 1)

    def _told(self) -> dict[str, Any]:
        return {"score": self.state.score, "legal": [str(action) for action in self.state.legal]}


def begun(game: Game | Puzzle, seed: int) -> State:
    """The start of a game with another seed; a puzzle keeps its position, and only chance to come differs."""
    return game.started(seed) if isinstance(game, Game) else game.start.reseeded(seed)


def observed(encoding: Encoding, state: State, player: int, is_to_act: bool = True) -> Observation:
    """What a player sees of a state; a player who is not to act has no legal actions."""
    mask = np.zeros(encoding.actions.count, dtype=np.int8)
    if is_to_act:
        mask[list(encoding.legal(state))] = 1
    return {"observation": np.array(encoding.vector(state, player), dtype=np.int32), "action_mask": mask}
