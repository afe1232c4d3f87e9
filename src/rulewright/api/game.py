"""A game: linked rules for a number of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import field, frozen
from rulewright.rules.clauses.clause_text import Clause, clauses_of

from .action import Action
from .named import Named
from .start import Start, start_of_game
from .state import State

if TYPE_CHECKING:
    from rulewright.studies.simulation.playouts import Playouts, Resources, Simulation

    from .batch import Batch

Policy = str | Callable[[State], Action]
"""A policy by its name (`random`, `greedy`, `search(2)`, `paranoid(2)`, `beam(20)`, `module:function`), or a function."""


def load_game(
    name: str | Path = "",
    *,
    text: str = "",
    players: int | None = None,
    seed: int = 0,
    variant: str = "",
    changes: str = "",
    folder: str | Path = ".",
    limits: Limits = DEFAULT_LIMITS,
) -> Game:
    """A game by the name of its module (`A+B` for several), by the path of a `*.rules` file, or from the text of a module.

    `players` are the fewest by default; `seed` decides chance. `variant` names modules whose changes apply too; `changes` are
    the items of one more, as text. Raises `RulesError` for what `rulewright check` refuses, and `OSError`.
    """
    named = Named(str(name), variant, Path(folder).resolve(), limits)
    if text:
        named.name, named.project = named.project.with_text(text)
        named.is_puzzle = False
    linked = named.game
    changed = named.project.changed(linked, changes) if changes else linked
    return Game(named, start_of_game(changed, players, seed), seed)


@frozen(eq=False)
class Game:
    """Rules for a number of players, and a seed for chance, from `load_game`."""

    _named: Named = field(repr=False)
    _start: Start = field(repr=False)
    seed: int

    def __repr__(self) -> str:
        return f"<Game {self.name} for {self.players}>"

    @property
    def name(self) -> str:
        """The names of its modules, joined by ` + `."""
        return self._start.title

    @property
    def about(self) -> str:
        """The text below the module's name; may be empty."""
        return self._start.text

    @property
    def players(self) -> int:
        """The number of players."""
        return self._start.engine.instance.players

    @property
    def start(self) -> State:
        """The state after the set-up with the game's seed."""
        return State(self._start, self._start.state)

    @cached_property
    def rules(self) -> tuple[Clause, ...]:
        """The clauses of the rules, each with `name`, `text`, `module`, `cite` (the rulebook's clause) and `span`.

        The clauses of `changes` are not among them.
        """
        combination = self._named.combination
        return clauses_of(combination.book, combination.family)

    def started(self, seed: int) -> State:
        """The state after the set-up with another seed."""
        return State(self._start, self._start.engine.start(seed))

    def playouts(self, simulation: Simulation, resources: Resources) -> Playouts:
        """The playouts of a simulation."""
        from .simulation import playouts_of

        return playouts_of(self._start, simulation, resources)

    def batch(self, count: int, *, workers: int = 2) -> Batch:
        """Many games side by side in machine code, with numpy arrays in and out. Raises `RulesError` if that cannot be."""
        from .batch import Batch

        return Batch.of(self._start, False, count, self.seed, workers)

    def simulate(
        self, games: int = 1000, policy: Policy | Sequence[Policy] = "random", *, workers: int = 1, memory_mib: int = 2048
    ) -> Mapping[str, list[int | None]]:
        """Play games by policies, one for all players or one for each; a column for each thing measured, a row for each game.

        Columns, as `pandas.DataFrame` and matplotlib take them: `length` in actions (None: given up after 10,000), `score` and,
        if the rules say so, for each player `score_1`, … and `outcome_1`, … (1 won, 0 drawn, -1 lost). The same seed gives the
        same games. Raises `RulesError` for an unknown policy.
        """
        from .simulation import simulated

        return simulated(self, games, policy, workers, memory_mib)
