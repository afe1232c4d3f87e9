"""A game for several players as a PettingZoo environment of turns (AEC; Terry et al. 2021). Needs the extra `pettingzoo`."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from rulewright.api.game import Game
from rulewright.api.puzzle import Puzzle

from .gymnasium_env import Observation, begun, observed
from .observations import Encoding


class GameEnv(AECEnv):  # type: ignore[misc]  # untyped
    """A game or puzzle; its players are `player_1`, … An observation is as in `gymnasium_env`, each player's own.

    Rewards come at the end: each player's outcome (1, 0 or -1) where the rules name a winner, else each player's score. Who
    takes an illegal action loses: -1, and the game ends.
    """

    metadata = {"render_modes": ["ansi"], "name": "rulewright_v0", "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's)

    def __init__(self, game: Game | Puzzle, render_mode: str | None = None) -> None:
        """Raises `RulesError` for a game with too many actions."""
        super().__init__()
        self.game, self.render_mode, self.state_now = game, render_mode, game.start
        self.encoding = Encoding.of(self.state_now)
        self.possible_agents = [f"player_{player}" for player in range(1, self.state_now.players + 1)]
        self._seeds = np.random.default_rng(0)
        self._low, self._high = (np.array(each, dtype=np.int32) for each in zip(*self.encoding.bounds, strict=True))

    @cache  # noqa: B019 (PettingZoo asks for the same object each time)
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for all players."""
        mask = spaces.Box(0, 1, (self.encoding.actions.count,), dtype=np.int8)
        return spaces.Dict({"observation": spaces.Box(self._low, self._high, dtype=np.int32), "action_mask": mask})

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of all actions."""
        return spaces.Discrete(self.encoding.actions.count)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; without a seed, one drawn from the last."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self.state_now = begun(self.game, int(self._seeds.integers(1 << 62)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> Observation:
        """What a player sees; only the player to move has legal actions."""
        is_to_act = agent == self.agent_selection and not self.terminations.get(agent, True)
        return observed(self.encoding, self.state_now, self.possible_agents.index(agent) + 1, is_to_act)

    def step(self, action: int | None) -> None:
        """Take the action of a number; None for a player whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        at = None if action is None else self.encoding.legal(self.state_now).get(int(action))
        if at is None:
            self._end({each: -1.0 if each == agent else 0.0 for each in self.possible_agents})
        else:
            self.state_now = self.state_now.play(self.state_now.legal[at])
            if not self.state_now.is_over and self.state_now.legal:
                self.agent_selection = self._to_move()
            else:
                found = self.state_now.outcomes or self.state_now.scores
                everyone = found if len(found) == len(self.possible_agents) else found * len(self.possible_agents)
                self._end(dict(zip(self.possible_agents, map(float, everyone), strict=True)))
        self._accumulate_rewards()

    def render(self) -> str:
        """The position as the text of a puzzle."""
        return str(self.state_now)

    def close(self) -> None:
        """Nothing is held."""

    def _end(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]

    def _to_move(self) -> str:
        return self.possible_agents[max(self.state_now.player, 1) - 1]
