"""A game as flat arrays: positions loaded, moves listed, applied and taken back by the functions of a program."""

from __future__ import annotations

import random
from collections.abc import Sequence

from ...grammar.classes import define
from ..compile import Move
from ..game import Game, Storage
from ..layout import SEED as SEED_COLUMN
from ..layout import Layout, State
from .arrays import Array, ints, longs
from .module import GameText
from .program import Program
from .runtime import FAULT, HASH, MOVES_END, OTHER_HASH, REGISTERS, SEED, TRAIL, TRAIL_END
from .slots import Arrangement

TRAIL_LENGTH = 1 << 22
MOVES_LENGTH = 1 << 20


class Fault(Exception):
    """The rules stopped the game, or a buffer was full: the concrete reading says what happens."""


@define(eq=False)
class Table:
    """One game at one table: its state and all that the program works with."""

    game: GameText
    program: Program
    arrangement: Arrangement
    classes: Sequence[int]
    s: Array
    g: Array
    w: Array
    x: Array
    t: Array
    r: Array
    m: Array

    @classmethod
    def of(cls, game: GameText, program: Program, arrangement: Arrangement, classes: Sequence[int], r: Array) -> Table:
        tables = game.tables.fill(arrangement, classes)
        x = longs(REGISTERS)
        x.items[TRAIL_END] = TRAIL_LENGTH - 1
        x.items[MOVES_END] = MOVES_LENGTH - game.width
        g = ints(len(tables)).fill(tables)
        return cls(
            game, program, arrangement, classes, ints(arrangement.size), g, ints(game.tables.scratch), x,
            ints(TRAIL_LENGTH), r, ints(MOVES_LENGTH),
        )  # fmt: skip

    @property
    def room(self) -> int:
        """How many bytes its own arrays take when all of them are in use."""
        return sum(array.items.nbytes for array in (self.s, self.g, self.w, self.x, self.t, self.m))

    def load(self, state: State) -> None:
        """Stand at a state; what was done before cannot be taken back any more."""
        for at in range(self.arrangement.size):
            self.s.items[at] = 0
        self.arrangement.load(state, self.s.items)
        self.x.items[SEED] = _signed(state[SEED_COLUMN])
        self.x.items[TRAIL] = 0
        self.x.items[HASH], self.x.items[OTHER_HASH] = self.hash_from_scratch()

    def hash_from_scratch(self) -> tuple[int, int]:
        one, other = (_signed(self.arrangement.hash_of(self.s.items, self.classes, self.r.items, half)) for half in (0, 1))
        return one, other

    @property
    def hash(self) -> tuple[int, int]:
        return self.x.items[HASH], self.x.items[OTHER_HASH]

    @property
    def state(self) -> State:
        return self.arrangement.unload(self.s.items, self.x.items[SEED] % (1 << 64))

    def legal(self) -> list[Move]:
        end = self.program.legal(self.s, self.g, self.w, self.x, self.m, 0)
        self._check()
        return [self.move_in(self.m, at) for at in range(0, end, self.game.width)]

    def move_in(self, moves: Array, at: int) -> Move:
        """The move that begins at an index of an array of them."""
        number = moves.items[at]
        if number < 0:
            return (number,)
        actions = list(self.arrangement.ground.game.actions.values())
        return tuple(moves.items[at : at + 1 + len(actions[number].parameters)])

    def apply(self, move: Move) -> None:
        for at, value in enumerate(move):
            self.m.items[at] = value
        self.program.apply(self.s, self.g, self.w, self.x, self.t, self.r, self.m, 0)
        self._check()

    def begin(self) -> None:
        """Set the game up."""
        self.program.begin(self.s, self.g, self.w, self.x, self.t, self.r)
        self._check()

    @property
    def mark(self) -> int:
        """How long the trail is now."""
        return self.x.items[TRAIL]

    @property
    def seed(self) -> int:
        return self.x.items[SEED]

    def undo(self, mark: int, hash: tuple[int, int], seed: int) -> None:
        """Go back to where the trail had that length, and hash and seed were those."""
        self.program.undo(self.s, self.x, self.t, mark)
        self.x.items[HASH], self.x.items[OTHER_HASH], self.x.items[SEED] = *hash, seed

    def value(self) -> int:
        found = self.program.value(self.s, self.g, self.w, self.x)
        self._check()
        return found

    def _check(self) -> None:
        if self.x.items[FAULT]:
            self.x.items[FAULT] = 0
            raise Fault


def capacity_of(game: Game, layout: Layout, state: State) -> int:
    """How many tiles there are in a state or in the box of its game: no zone can ever hold more."""
    zones = [c for c in layout.columns.values() if c.variable.storage is not Storage.VALUE]
    boards = [c for c in layout.columns.values() if c.variable.is_board]
    in_zones = sum(len(state[at]) for c in zones for at in range(c.start, c.start + c.count))
    on_boards = sum(len(state[c.start]) - state[c.start].count(0) for c in boards)
    return max(1, sum(kind.count for kind in game.tiles), in_zones + int(on_boards))


def random_words(count: int, seed: int = 1) -> Array:
    """Two words for each place of the hash."""
    rng = random.Random(seed)
    return longs(2 * count).fill(rng.getrandbits(64) - (1 << 63) for _ in range(2 * count))


def _signed(value: int) -> int:
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)
