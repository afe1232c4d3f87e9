"""Features of play under some rules: the amount of choice, and how often each action and clause is used."""

from __future__ import annotations

from collections import Counter

from rulewright.base.records import define, field, frozen
from rulewright.rules.model.state import STOP
from rulewright.rules.play.coverage import ClauseKey, CoverageEngine
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.playouts.policies import seeds

from .playouts import Simulator

LOOKED_AT, COVERED = 30, 3
"""The number of games examined move by move, and of those examined clause by clause, which takes longer."""

STOPPED = "stop"
"""The name of ending a turn among the actions."""


@define
class Features:
    """Counts over some games. `choices` counts states with a legal move, `moves` those moves, `worths` the distinct scores
    they lead to at once. In the `covered` games, `looked_ahead` counts such states, and `prospects` the distinct best scores
    within two moves; `clauses` counts the games in which each clause was used."""

    games: int = 0
    choices: int = 0
    moves: int = 0
    forced: int = 0
    worths: int = 0
    actions: Counter[str] = field(factory=Counter)
    covered: int = 0
    looked_ahead: int = 0
    prospects: int = 0
    clauses: Counter[ClauseKey] = field(factory=Counter)

    @property
    def moves_a_choice(self) -> float | None:
        """The mean number of legal moves."""
        return self.moves / self.choices if self.choices else None

    @property
    def worths_a_choice(self) -> float | None:
        """The mean number of distinct scores that legal moves lead to at once."""
        return self.worths / self.choices if self.choices else None

    @property
    def prospects_a_choice(self) -> float | None:
        """The mean number of distinct highest scores one move after a legal move."""
        return self.prospects / self.looked_ahead if self.looked_ahead else None

    @property
    def forced_share(self) -> float | None:
        """The share of states with a single legal move."""
        return self.forced / self.choices if self.choices else None


@frozen
class FeatureStudy:
    """Plays the first games of a simulation and collects their features."""

    simulator: Simulator

    def features(self, games: int) -> Features:
        """The features of the first games, at most `LOOKED_AT`."""
        found, count = Features(), min(games, LOOKED_AT)
        for number in range(count):
            observer = CoverageEngine(self.simulator.engine) if number < COVERED else None
            self._look(number, found, observer)
        found.games, found.covered = count, min(count, COVERED)
        return found

    def _look(self, number: int, found: Features, observer: CoverageEngine | None) -> None:
        simulator, engine = self.simulator, self.simulator.engine
        seed, choices = simulator.seeds(number)
        state, random = simulator.begin(seed), seeds(choices)
        for _ in range(simulator.simulation.most_moves):
            moves = [] if engine.over(state) else engine.legal(state)
            if not moves:
                break
            found.choices += 1
            found.moves += len(moves)
            found.forced += len(moves) == 1
            found.worths += len({engine.score(engine.apply(state, move)) for move in moves})
            move, after = simulator.choose(state, moves, next(random))
            found.actions[_name(engine, move)] += 1
            if observer is not None:
                observer.act(state, move)
                found.looked_ahead += 1
                found.prospects += len({_prospect(engine, engine.apply(state, other)) for other in moves})
            state = after
        if observer is not None:
            observer.look(state)
            found.clauses.update(observer.shown.all)


def _prospect(engine: Engine, state: State) -> int:
    """The highest score after one more move; that of the state itself if there is no move."""
    moves = [] if engine.over(state) else engine.legal(state)
    return max((engine.score(engine.apply(state, move)) for move in moves), default=engine.score(state))


def _name(engine: Engine, move: tuple[int, ...]) -> str:
    return STOPPED if move == STOP else list(engine.game.actions)[move[0]]
