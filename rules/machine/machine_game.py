"""A game in progress on flat arrays: loads states, and lists, applies and undoes moves with a compiled program."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from itertools import accumulate
from types import ModuleType
from typing import Any

from rulewright.base.deadline import TimeUp, halts
from rulewright.base.records import define, frozen
from rulewright.rules.model import types
from rulewright.rules.model.game import Action, Game
from rulewright.rules.model.state import SEED, Move, State, StateLayout
from rulewright.rules.model.terms import Term
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.intrinsics import wrap
from rulewright.subset.lowering import Source
from rulewright.subset.program import Program

from . import runtime, zone_runtime
from .memory_layout import Arrangement
from .runtime import REGISTERS, Fault, GameMemory
from .state_hash import Hashes, HashTables

TRAIL_LENGTH = 1 << 22
MOVES_LENGTH = 1 << 20
"""Most changes that can be undone, and words for moves that are listed: where they are full, the search stops with a fault."""


class GameFault(Exception):
    """The rules stopped the game, or a buffer was full; the concrete semantics gives the reason."""


@define(eq=False)
class MachineGame:
    """A game in progress: its memory, a buffer of moves, and the program that works on both."""

    game: GameText
    program: Program
    arrangement: Arrangement
    memory: GameMemory
    moves: Array
    hashes: HashTables

    @classmethod
    def of(cls, game: GameText, program: Program, arrangement: Arrangement, hashes: HashTables) -> MachineGame:
        tables = game.tables.fill(arrangement)
        memory = GameMemory(
            state=ints(arrangement.size),
            tables=ints(len(tables)).fill(tables),
            scratch=ints(game.tables.scratch),
            registers=longs(REGISTERS),
            trail=ints(TRAIL_LENGTH),
            hash_rows=hashes.rows,
            hash_words=hashes.words,
        )
        memory.trail_limit = TRAIL_LENGTH - 1
        memory.moves_limit = MOVES_LENGTH - game.width
        machine = cls(game, program, arrangement, memory, ints(MOVES_LENGTH), hashes)
        halts(machine)
        return machine

    @property
    def bytes(self) -> int:
        """The size of its own arrays in bytes when all pages are touched."""
        own = ("state", "tables", "scratch", "registers", "trail")
        return self.moves.items.nbytes + sum(self.memory.array_named(name).items.nbytes for name in own)

    def load(self, state: State) -> None:
        """Set the memory to a state, with an empty trail."""
        memory, slots = self.memory, self.slots
        for slot in range(self.arrangement.size):
            slots[slot] = 0
        self.arrangement.load(state, slots)
        memory.seed = wrap(state[SEED])
        memory.trail_length = 0
        memory.hash, memory.other_hash = self.hash_from_scratch()

    def hash_from_scratch(self) -> Hashes:
        return self.hashes.of(self.arrangement, self.slots)

    @property
    def hash(self) -> Hashes:
        return self.memory.hash, self.memory.other_hash

    @property
    def slots(self) -> memoryview:
        return self.memory.array_named("state").items

    @property
    def state(self) -> State:
        return self.arrangement.unload(self.slots, self.memory.seed % (1 << 64))

    def legal(self) -> list[Move]:
        end = self.program.legal(self.memory, self.moves, 0)
        self._check()
        return [self.move_in(self.moves, at) for at in range(0, end, self.game.width)]

    def move_in(self, moves: Array, at: int) -> Move:
        """The move at an index of an array of moves."""
        number = moves.items[at]
        if number < 0:
            return (number,)
        actions = list(self.arrangement.instance.game.actions.values())
        return tuple(moves.items[at : at + 1 + len(actions[number].parameters)])

    def apply(self, move: Move) -> None:
        for at, value in enumerate(move):
            self.moves[at] = value
        self.program.apply(self.memory, self.moves, 0)
        self._check()

    def begin(self) -> None:
        """Set the game up."""
        self.program.begin(self.memory)
        self._check()

    @property
    def mark(self) -> int:
        """The length of the trail, to which `undo` can return."""
        return self.memory.trail_length

    @property
    def seed(self) -> int:
        return self.memory.seed

    def undo(self, mark: int, hash: Hashes, seed: int) -> None:
        """Undo all changes beyond a length of the trail, and restore hashes and seed."""
        self.program.undo(self.memory, mark)
        self.memory.hash, self.memory.other_hash = hash
        self.memory.seed = seed

    def value(self) -> int:
        found = self.program.value(self.memory)
        self._check()
        return found

    def _check(self) -> None:
        if self.memory.fault != Fault.NONE:
            raise self.failure()

    def halt(self) -> None:
        """Have everything that plays this game end with a fault, for good. Any thread may call it."""
        self.memory.halt = 1

    def failure(self) -> GameFault | TimeUp:
        """What to raise after a fault, which is cleared: `TimeUp` if the game was halted."""
        self.memory.fault = Fault.NONE
        return TimeUp() if self.is_halted else GameFault()

    @property
    def is_halted(self) -> bool:
        return bool(self.memory.halt)


def capacity_of(game: Game, layout: StateLayout, state: State) -> int:
    """The most tiles that a zone can hold: those of a state, or of its game's box."""
    zones = [c for c in layout.columns.values() if c.variable.is_zone]
    boards = [c for c in layout.columns.values() if c.variable.is_board]
    in_zones = sum(len(state[at]) for c in zones for at in range(c.start, c.start + c.count))
    on_boards = sum(len(state[c.start]) - state[c.start].count(0) for c in boards)
    players = {kind.group: layout.columns[kind.group].count for kind in game.tiles if kind.owned}
    return max(1, sum(kind.count * players.get(kind.group, 1) for kind in game.tiles), in_zones + int(on_boards))


# What is generated of a game as subset source --------------------------------------------------------------------------


@frozen
class FilledTables:
    """The entries by place, of which there are `count`: numbers, tables, and the sizes of pieces of scratch memory."""

    count: int
    numbers: Mapping[int, int]
    tables: Mapping[int, Sequence[int]]
    rooms: Mapping[int, int]

    def fill(self, arrangement: Arrangement) -> list[int]:
        """The tables as one array."""
        filled = [0] * self.count
        for at, value in (arrangement.header | dict(self.numbers)).items():
            filled[at] = value
        for at, start in zip(self.rooms, accumulate(self.rooms.values(), initial=0), strict=False):
            filled[at] = start
        for at, values in self.tables.items():
            filled[at] = len(filled)
            filled += values
        return filled

    @property
    def scratch(self) -> int:
        """The size of the scratch memory, in integers."""
        return sum(self.rooms.values())


@frozen
class GameText:
    """The source of a game, its constants, the tables that it reads, and the number of integers of a move."""

    text: str
    constants: dict[str, Any]
    tables: FilledTables
    width: int

    def sources(self, kernels: Sequence[ModuleType]) -> list[Source]:
        """The sources of the game, of the runtime that it calls, and of the kernels that call it."""
        modules = [runtime, zone_runtime, *kernels]
        return [Source(self.text, {**vars(runtime), **vars(zone_runtime), **self.constants})] + [
            Source(inspect.getsource(module), {**vars(module), "WIDTH": self.width}) for module in modules
        ]


@frozen
class Asked:
    """A term with parameters, each with its name and type; about the state that the effects of an action of these would leave
    if `after` is given."""

    term: Term
    parameters: tuple[tuple[str, types.Type], ...] = ()
    after: Action | None = None
