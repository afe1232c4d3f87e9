"""Playouts in machine code: a game and a policy compiled, and the arrays of the threads that play it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.base.records import define, frozen
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import MachineGame, capacity_of, random_words
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.native.kernels import playouts, state_pool
from rulewright.solver.native.kernels.playouts import Node, PlayedGame, PlayedGames, Playout, PlayoutBeam, RankedNode
from rulewright.solver.native.kernels.state_pool import store_state
from rulewright.solver.search.playout_policies import PLIES, Kind, Policy
from rulewright.subset.buffers import Array, longs
from rulewright.subset.program import Maker, Program, as_machine_code
from rulewright.subset.records import size_of
from rulewright.subset.table_builder import TableBuilder

from .worker import pool_of


@frozen
class Outcome:
    """How many moves a game had (None: it was not finished), and its score."""

    length: int | None
    score: int


@define(eq=False)
class PlayoutProgram:
    """Playouts of a game from a start state, by a policy, of at most `longest` moves; `has_setup`: each begins with set-up."""

    start: State
    has_setup: bool
    policy: Policy
    longest: int
    game: GameText
    program: Program
    arrangement: Arrangement
    hash_words: Array

    @classmethod
    def of(
        cls, engine: Engine, start: State | None, policy: Policy, longest: int, make: Maker = as_machine_code
    ) -> PlayoutProgram:
        """From the set-up where there is no start. Raises `CannotCompile`, and `ImportError` without the compiler."""
        root = engine.unset if start is None else start
        slots = Slots.of(engine.layout, capacity_of(engine.game, engine.layout, root))
        values = [score.value for score in engine.game.scores]
        game = write_game(engine.instance, slots, engine.flow, values, engine.horizon, from_start=True)
        arrangement = Arrangement(slots, engine.instance)
        program = make(game.sources((state_pool, playouts)), ("play_games",))
        words = random_words(arrangement.hashed)
        return cls(root, start is None, policy, longest, game, program, arrangement, words)

    @property
    def room(self) -> int:
        """How many bytes the arrays of a thread take at most."""
        return self.worker().room

    def worker(self) -> PlayoutWorker:
        """The arrays of one thread."""
        machine = MachineGame.of(self.game, self.program, self.arrangement, self.hash_words)
        start = pool_of(machine, 1)
        machine.load(self.start)
        store_state(start, machine.memory, 0, 0)
        nodes = 1 + PLIES * (self.policy.number if self.policy.kind is Kind.BEAM else 0)
        playout = Playout(machine.memory, machine.moves, longs(playouts.MOST_MOVES), self.settings())
        tree, ranking = longs((size_of(Node) + self.game.width) * nodes), longs(size_of(RankedNode) * nodes)
        return PlayoutWorker(machine, PlayoutBeam(playout, start, tree, ranking))

    def settings(self) -> Array:
        builder = TableBuilder(Playout)
        builder.set(Playout.kind, self.policy.kind)
        builder.set(Playout.number, self.policy.number)
        builder.set(Playout.longest, self.longest)
        builder.set(Playout.has_setup, int(self.has_setup))
        boards = [place.slot for place in self.arrangement.slots.places.values() if place.column.variable.is_board]
        builder.set(Playout.board_count, len(boards))
        builder.add("settings", boards)
        return builder.array("settings")


@define(eq=False)
class PlayoutWorker:
    """The arrays of one thread."""

    machine: MachineGame
    beam: PlayoutBeam

    @property
    def room(self) -> int:
        """How many bytes they take when all of them are in use."""
        beam = self.beam
        own = (beam.playout, "marks"), (beam.start, "pool_slots"), (beam, "nodes"), (beam, "ranking")
        return self.machine.bytes + sum(bundle.array_named(name).items.nbytes for bundle, name in own)

    def play(self, seeds: Sequence[int]) -> list[Outcome | None]:
        """A game for each seed; None where the rules stop it, which the engine can explain."""
        size = size_of(PlayedGame)
        games = longs(size * len(seeds))
        # By whole columns: a view of each game takes longer than playing it.
        games.items[::size] = array("q", [(seed + (1 << 63)) % (1 << 64) - (1 << 63) for seed in seeds])
        self.machine.program.play_games(self.beam, PlayedGames(games, len(seeds)))
        words = games.items.tolist()
        return [_outcome(length, value) for length, value in zip(words[1::size], words[2::size], strict=True)]


def _outcome(length: int, value: int) -> Outcome | None:
    if length == playouts.FAULTED:
        return None
    return Outcome(None, 0) if length == playouts.UNFINISHED else Outcome(length, value)
