"""Many games by a policy in machine code: solver/search/playout_policies.py says what it does, and comes to the same ends."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.base.records import define, frozen
from rulewright.rules.machine.from_game import GameText, write_game
from rulewright.rules.machine.machine_game import MachineGame, capacity_of, random_words
from rulewright.rules.machine.memory_layout import Arrangement, Slots
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.native.kernels import playouts
from rulewright.solver.search.playout_policies import PLIES, Kind, Policy
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.program import Maker, Program, as_machine_code

KINDS = {Kind.RANDOM: playouts.RANDOM, Kind.SEARCH: playouts.SEARCH, Kind.BEAM: playouts.BEAM}

MOST_MOVES = 1 << 16
"""Numbers that the moves of one state may take."""


@frozen
class End:
    """How many moves a game had (None: it was not finished), and what it came to."""

    length: int | None
    score: int


@define(eq=False)
class Games:
    """A game made ready to be played often, from its set-up on or from one opening."""

    engine: Engine
    root: State
    is_fresh: bool
    policy: Policy
    longest: int
    game: GameText
    program: Program
    arrangement: Arrangement
    words: Array

    @classmethod
    def of(cls, engine: Engine, opening: State | None, policy: Policy, longest: int, make: Maker = as_machine_code) -> Games:
        """Raises `CannotCompile`, and `ImportError` without the compiler."""
        root = engine.unset if opening is None else opening
        slots = Slots.of(engine.layout, capacity_of(engine.game, engine.layout, root))
        values = [score.value for score in engine.game.scores]
        game = write_game(engine.instance, slots, engine.flow, values, engine.horizon, from_start=True)
        arrangement = Arrangement(slots, engine.instance)
        program = make(game.sources((playouts,)), ("games",))
        return cls(engine, root, opening is None, policy, longest, game, program, arrangement, random_words(arrangement.hashed))

    @property
    def room(self) -> int:
        """How many bytes a hand takes at most."""
        return self.hand().room

    def hand(self) -> Hand:
        """What one thread plays with."""
        kinds = range(len(self.engine.game.tiles) + 1)
        table = MachineGame.of(self.game, self.program, self.arrangement, kinds, self.words)
        table.load(self.root)
        width, size = self.policy.number if self.policy.kind is Kind.BEAM else 1, len(table.slots)
        counts = [place.slot for place in self.arrangement.slots.places.values() if place.column.variable.is_board]
        line = playouts.FIRST_MOVE + PLIES * self.game.width
        c = [0] * playouts.FIRST_BOARD + counts
        c[playouts.SIZE], c[playouts.FRESH], c[playouts.BOARDS] = size, int(self.is_fresh), len(counts)
        return Hand(
            self, table, ints(len(c)).fill(c), longs(MOST_MOVES), ints(size).fill(table.slots),
            longs(2 * width * line), longs(width * (playouts.CHILD + self.game.width)), longs(2 * width),
        )  # fmt: skip


@define(eq=False)
class Hand:
    """The arrays of one thread."""

    games: Games
    table: MachineGame
    c: Array
    o: Array
    a: Array
    i: Array
    j: Array
    e: Array

    @property
    def room(self) -> int:
        """How many bytes its arrays take when all of them are in use."""
        return self.table.bytes + sum(array.items.nbytes for array in (self.c, self.o, self.a, self.i, self.j, self.e))

    def play(self, seeds: Sequence[int]) -> list[End | None]:
        """A game for each seed; None where the rules stop it, which the plain reading can explain."""
        t, policy = self.table, self.games.policy
        b = longs(3 * len(seeds))
        for at, seed in enumerate(seeds):
            b.items[3 * at] = (seed + (1 << 63)) % (1 << 64) - (1 << 63)
        t.program.games(
            t.memory, t.moves, self.c, self.o, self.a, self.i, self.j, self.e, b, 0, len(seeds),
            KINDS[policy.kind], policy.number, self.games.longest, MOST_MOVES,
        )  # fmt: skip
        return [_end(b.items[at + 1], b.items[at + 2]) for at in range(0, 3 * len(seeds), 3)]


def _end(length: int, score: int) -> End | None:
    if length == playouts.FAULTED:
        return None
    return End(None, 0) if length == playouts.UNFINISHED else End(length, score)
