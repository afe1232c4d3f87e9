"""Games for OpenSpiel (Lanctot et al. 2019): its searches, solvers and learners play them. Needs the extra `openspiel`.

Importing this module registers the game `rulewright`, whose parameter `module` names the rules:
`pyspiel.load_game("rulewright", {"module": "classics.connect_four"})`. Chance is decided by `seed`, so that a game with dice is
one game for each seed, and search would foresee it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from rulewright.api.game import Game, load_game
from rulewright.api.simulation import MOST_MOVES
from rulewright.base.diagnostics import usage_error
from rulewright.puzzles.checks import hidden_variables

from .observations import Encoding

PARAMETERS = {"module": "classics.noughts_and_crosses", "folder": ".", "players": 0, "seed": 0}
"""The parameters of the registered game with their defaults; 0 players are the fewest."""


def game_type(game: Game | None = None) -> pyspiel.GameType:
    """What OpenSpiel knows of a game before it is played; without one, of any."""
    information = pyspiel.GameType.Information
    is_open = game is not None and not hidden_variables(game.start.engine)
    outcomes = game is not None and len(game.start.outcomes) == 2
    return pyspiel.GameType(
        short_name="rulewright",
        long_name="Rulewright" if game is None else game.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information.PERFECT_INFORMATION if is_open else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if outcomes else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=100 if game is None else game.players,
        min_num_players=1 if game is None else game.players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(PARAMETERS),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # untyped
    """A game with its rules. Returns are each player's outcome (1, 0, -1) where the rules name a winner, else the scores."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises `RulesError` for rules that do not link, or have too many actions."""
        said = {**PARAMETERS, **(params or {})}
        self.rules = load_game(
            str(said["module"]), folder=str(said["folder"]), players=int(said["players"]) or None, seed=int(said["seed"])
        )
        start = self.rules.start
        if start.is_over:
            raise usage_error(f"`{self.rules.name}` is over before anybody can act")
        self.encoding = Encoding.of(start)
        most = 1.0 if start.outcomes else 1e9
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions.count,
            max_chance_outcomes=0,
            num_players=self.rules.players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if len(start.outcomes) == 2 else None,
            max_game_length=MOST_MOVES,
        )
        super().__init__(game_type(self.rules), info, params or {})

    def new_initial_state(self, state: str | None = None) -> SpielState:
        """The state after the set-up."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SpielObserver:
        """What writes states as vectors and texts."""
        return SpielObserver(self.encoding)


class SpielState(pyspiel.State):  # type: ignore[misc]  # untyped
    """A state of play."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.encoding, self.now, self.length = game.encoding, game.rules.start, 0

    def current_player(self) -> int:
        """The player to move, counted from 0."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.now.player - 1

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.encoding.legal(self.now))

    def _apply_action(self, action: int) -> None:
        self.now = self.now.play(self.now.legal[self.encoding.legal(self.now)[action]])
        self.length += 1

    def _action_to_string(self, player: int, action: int) -> str:
        at = self.encoding.legal(self.now).get(action)
        return f"action {action}" if at is None else str(self.now.legal[at])

    def is_terminal(self) -> bool:
        """Whether play has ended, nobody can act, or the game is given up."""
        return self.now.is_over or self.length >= MOST_MOVES or not self.now.legal

    def returns(self) -> list[float]:
        """The return of each player."""
        number = self.now.players
        if not self.is_terminal() or self.length >= MOST_MOVES:
            return [0.0] * number
        found = self.now.outcomes or self.now.scores
        return [float(each) for each in (found if len(found) == number else found * number)]

    def __str__(self) -> str:
        return str(self.now)


class SpielObserver:
    """Writes what a player sees, as `encoding` does."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.tensor = np.zeros(len(encoding.bounds), dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a state as this player sees it."""
        self.tensor[:] = self.encoding.vector(state.now, player + 1)

    def string_from(self, state: SpielState, player: int) -> str:
        """The numbers of a state as this player sees it."""
        return " ".join(map(str, self.encoding.vector(state.now, player + 1)))


pyspiel.register_game(game_type(), SpielGame)
