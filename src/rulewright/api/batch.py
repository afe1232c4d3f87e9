"""Thousands of games side by side in machine code, with numpy arrays in and out. Needs numpy, which OR-Tools brings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulewright.base.diagnostics import usage_error
from rulewright.base.records import define, field
from rulewright.rules.semantics.rng import mix, next_seed
from rulewright.solver.playouts.batches import FAULTED, ILLEGAL, OVER, RUNNING, STUCK, TOLD
from rulewright.solver.playouts.runner import GameBatch
from rulewright.subset.refusal import CannotCompile

from .action import Action
from .start import Start
from .state import State


@define(eq=False)
class Batch:
    """Games side by side, from `Game.batch` or `State.batch`. The arrays are views: the next `step` writes them anew.

    Actions have numbers from 0 to `actions` - 1, the same in every state; `number` and `action` translate.
    """

    _start: Start = field(repr=False)
    _games: GameBatch = field(repr=False)
    count: int
    seed: int
    _begun: int = field(default=0, repr=False)

    @classmethod
    def of(cls, start: Start, is_set_up: bool, count: int, seed: int, workers: int) -> Batch:
        """Raises `RulesError` for rules that cannot be compiled, or with too many actions."""
        try:
            games = GameBatch.of(start.engine, start.state if is_set_up else None, count, workers)
        except CannotCompile as error:
            raise usage_error(f"`{start.title}` cannot be compiled: {error}", "play it by `State`") from error
        batch = cls(start, games, count, seed)
        batch.reset()
        return batch

    @property
    def actions(self) -> int:
        """How many actions are numbered, legal or not."""
        return self._games.numbers.count

    @cached_property
    def legal(self) -> NDArray[np.int32]:
        """1 for each legal action: shape (count, actions). A game that has ended has none."""
        return np.asarray(self._games.mask.items).reshape(self.count, self.actions)

    @cached_property
    def _told(self) -> NDArray[np.int64]:
        return np.asarray(self._games.told.items).reshape(self.count, self._games.width)

    @cached_property
    def _chosen(self) -> NDArray[np.int32]:
        return np.asarray(self._games.chosen.items)

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each game has ended: it is over, or nobody can act."""
        return np.isin(self._told[:, 0], (OVER, STUCK))

    @property
    def player(self) -> NDArray[np.int64]:
        """The player to move in each game, counted from 1; 0 in a game that is over."""
        return self._told[:, 1]

    @property
    def score(self) -> NDArray[np.int64]:
        """The score of each game; with several players, at its end only, and 0 before."""
        return self._told[:, 3]

    @property
    def scores(self) -> NDArray[np.int64]:
        """Each player's score at the end: shape (count, players), or (count, 0) if players have none."""
        return self._told[:, TOLD : TOLD + self._games.scores]

    @property
    def outcomes(self) -> NDArray[np.int64]:
        """1, 0 or -1 for each player at the end: shape (count, players), or (count, 0) if the rules name no winner."""
        return self._told[:, TOLD + self._games.scores :]

    def reset(self, games: Sequence[int] | NDArray[Any] | None = None) -> None:
        """Begin games anew (all, or those of the given indices), each with chance of its own."""
        self._chosen[:] = games is None
        if games is not None:
            self._chosen[np.asarray(games)] = 1
        self._begun += 1
        self._games.reset(mix(next_seed(mix(self.seed) + self._begun)))
        self._check()

    def step(self, actions: NDArray[Any] | Sequence[int]) -> None:
        """Take an action in each game, by its number; games that have ended take none, whatever their number.

        Raises `RulesError` if one was illegal (that game has not changed, the others have), or the rules stop a game.
        """
        self._chosen[:] = actions
        if self._games.step():
            game = int(np.argmax(self._told[:, 0] == ILLEGAL))
            self._told[self._told[:, 0] == ILLEGAL, 0] = RUNNING
            raise usage_error(f"action {int(self._chosen[game])} is not legal in game {game}", "`legal` has the legal ones")
        self._check()

    def random(self, seed: int) -> NDArray[np.int32]:
        """A random legal action for each game, -1 for those that have ended; the same seed chooses the same."""
        self._games.pick(mix(seed))
        return self._chosen.copy()

    def state(self, game: int) -> State:
        """The state of a game."""
        return State(self._start, self._games.state(game))

    def number(self, action: Action) -> int:
        """The number of an action."""
        return self._games.numbers.number(action.move)

    def action(self, game: int, number: int) -> Action:
        """A legal action of a game by its number. Raises `KeyError`."""
        found = {self.number(action): action for action in self.state(game).legal}
        return found[number]

    def _check(self) -> None:
        if (self._told[:, 0] == FAULTED).any():
            game = int(np.argmax(self._told[:, 0] == FAULTED))
            raise usage_error(f"the rules stopped game {game}", "the same play by `State` says why")
