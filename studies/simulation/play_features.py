"""What play looks like under some rules: how much choice there is, and how often each action and clause is used."""

from __future__ import annotations

from collections import Counter

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model.moves import STOP
from rulewright.rules.play.coverage import ClauseKey, CoverageEngine
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.search.playout_policies import seeds

from .playouts import Simulator

LOOKED_AT, COVERED = 30, 3
"""So many games are looked at move by move, and so many clause by clause, which takes longer."""

STOPPED = "stop"
"""What the end of a turn is called among actions."""


@define
class Features:
    """Counts over some games. `choices` counts states with something to choose from, `moves` what could be chosen there,
    `worths` how many different scores the moves lead to at once. Of `covered` games, `looked_ahead` counts such states too, and
    `prospects` how many different scores can be had there within two moves; `clauses` in how many each clause was used."""

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
        """How many legal moves there are on average."""
        return self.moves / self.choices if self.choices else None

    @property
    def worths_a_choice(self) -> float | None:
        """How many of them differ in the score that they lead to at once, on average."""
        return self.worths / self.choices if self.choices else None

    @property
    def prospects_a_choice(self) -> float | None:
        """How many of them differ in the highest score that can be had by the next move after them, on average."""
        return self.prospects / self.looked_ahead if self.looked_ahead else None

    @property
    def forced_share(self) -> float | None:
        """In which part of the states there was a single legal move."""
        return self.forced / self.choices if self.choices else None


@frozen
class FeatureStudy:
    """Plays the first games of a simulation, and looks."""

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
    """The highest score that can be had by one more move; that of the state where there is none."""
    moves = [] if engine.over(state) else engine.legal(state)
    return max((engine.score(engine.apply(state, move)) for move in moves), default=engine.score(state))


def _name(engine: Engine, move: tuple[int, ...]) -> str:
    return STOPPED if move == STOP else list(engine.game.actions)[move[0]]
