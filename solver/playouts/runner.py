"""Playouts in machine code: a compiled game and policy, and the arrays of the threads that play it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import prod

from rulewright.base.records import define, frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import PlayerTerms, player_terms
from rulewright.rules.semantics.rng import mix
from rulewright.rules.static.action_numbers import ActionNumbers
from rulewright.solver.kernel import state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.state_pool import pool_of, store_state
from rulewright.subset.buffers import Array, ints, longs
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.intrinsics import wrap
from rulewright.subset.program import Maker, Program, as_machine_code
from rulewright.subset.records import size_of

from . import batches, playouts
from .batches import TOLD, Games
from .playouts import Node, PlayedGame, PlayedGames, Playout, PlayoutBeam, RankedNode
from .policies import PLIES, Kind, Policy, Seats


@frozen
class Outcome:
    """A game's number of moves (None: unfinished), its score, each player's score, and each player's outcome."""

    length: int | None
    score: int
    own: tuple[int, ...] = ()
    outcomes: tuple[int, ...] = ()


@define(eq=False)
class PlayoutProgram:
    """Playouts of a game from a start state, with a policy for each player, of at most `longest` moves; with `has_setup`, each
    begins with set-up."""

    game: CompiledGame
    has_setup: bool
    policies: tuple[Policy, ...]
    longest: int
    program: Program
    players: PlayerTerms

    @classmethod
    def of(
        cls, engine: Engine, start: State | None, seats: Seats, longest: int, make: Maker = as_machine_code
    ) -> PlayoutProgram:
        """Playouts from `start`, or from the set-up if None. Raises `CannotCompile`, and `ImportError` without the compiler."""
        players = player_terms(engine)
        measures = (*players.aims, *players.scores, *players.outcomes)
        game = CompiledGame.played(engine, start, (state_pool, playouts), ("play_games",), measures)
        return cls(game, start is None, seats.all(engine.instance.players), longest, game.program(make), players)

    @property
    def room(self) -> int:
        """Most bytes that the arrays of a thread take."""
        return self.worker().room

    def worker(self) -> PlayoutWorker:
        """The arrays of one thread."""
        machine = self.game.machine(self.program)
        start = pool_of(machine.arrangement, 1)
        store_state(start, machine.memory, 0, 0)
        widest = max((policy.number for policy in self.policies if policy.kind is Kind.BEAM), default=0)
        deepest = max((policy.number for policy in self.policies if policy.kind in (Kind.SEARCH, Kind.PARANOID)), default=0)
        nodes = 1 + PLIES * widest
        rows = longs((1 + deepest) * max(1, len(self.players.aims)))
        playout = Playout(machine.memory, machine.moves, longs(playouts.MOST_MOVES), self.settings(), rows)
        tree, ranking = longs((size_of(Node) + machine.game.width) * nodes), longs(size_of(RankedNode) * nodes)
        return PlayoutWorker(machine, PlayoutBeam(playout, start, tree, ranking), self.players)

    def settings(self) -> Array:
        builder = TableBuilder(Playout)
        seats = self.policies if len(set(self.policies)) > 1 else self.policies[:1]
        builder.put(kind=seats[0].kind, number=seats[0].number, aim=0, aim_count=len(self.players.aims))
        builder.put(seats=[(policy.kind, policy.number) for policy in seats], seat_count=len(seats))
        builder.put(longest=self.longest, has_setup=int(self.has_setup))
        boards = [place.slot for place in self.game.arrangement.slots.places.values() if place.column.variable.is_board]
        builder.put(boards=boards, board_count=len(boards))
        return builder.array("settings")


@define(eq=False)
class PlayoutWorker:
    """The arrays of one thread."""

    machine: MachineGame
    beam: PlayoutBeam
    players: PlayerTerms

    @property
    def room(self) -> int:
        """Bytes that the arrays take when fully used."""
        beam = self.beam
        own = (beam.playout, "marks"), (beam.playout, "rows"), (beam.start, "pool_slots"), (beam, "nodes"), (beam, "ranking")
        return self.machine.bytes + sum(bundle.array_named(name).items.nbytes for bundle, name in own)

    def play(self, seeds: Sequence[int], choices: Sequence[int] = ()) -> list[Outcome | None]:
        """Play a game for each seed; `choices`, if given, are the seeds of the players' choices.

        None for a game that the rules stop; the engine can explain why.
        """
        size = size_of(PlayedGame)
        games = longs(size * len(seeds))
        # Set whole columns: making a view of each game takes longer than playing it.
        games.items[::size] = _words(seeds)
        games.items[1::size] = _words(choices or seeds)
        players = self.players
        first, split, width = len(players.aims), len(players.scores), len(players.scores) + len(players.outcomes)
        measured = longs(max(1, width * len(seeds)))
        self.machine.program.play_games(self.beam, PlayedGames(games, measured, len(seeds), first, width))
        words, measures = games.items.tolist(), measured.items.tolist()
        found: list[Outcome | None] = []
        for number, (length, value) in enumerate(zip(words[2::size], words[3::size], strict=True)):
            row = tuple(measures[number * width : (number + 1) * width])
            found.append(_outcome(length, value, row[:split], row[split:]))
        return found


def _words(numbers: Sequence[int]) -> array[int]:
    """Unsigned 64-bit numbers as signed words."""
    return array("q", [(number + (1 << 63)) % (1 << 64) - (1 << 63) for number in numbers])


def _outcome(length: int, value: int, own: tuple[int, ...], outcomes: tuple[int, ...]) -> Outcome | None:
    if length == playouts.FAULTED:
        return None
    return Outcome(None, 0) if length == playouts.UNFINISHED else Outcome(length, value, own, outcomes)


# Many games side by side in machine code ------------------------------------------------------------------------------
# The arrays of the threads that play them, over memory of the caller's.


@define(eq=False)
class GameBatch:
    """Games from a start state or, if that is None, from their set-up, divided among threads.

    `chosen` has an action for each game, `mask` a row of 0 and 1 by actions, `told` a row: see `kernels/batches.py`; after its
    first words come the players' scores and then their outcomes, as far as the rules have any.
    """

    numbers: ActionNumbers
    chosen: Array
    mask: Array
    told: Array
    width: int
    scores: int
    parts: tuple[Games, ...]
    machines: tuple[MachineGame, ...]
    program: Program
    threads: ThreadPoolExecutor

    @classmethod
    def of(cls, engine: Engine, start: State | None, count: int, workers: int, make: Maker = as_machine_code) -> GameBatch:
        """Raises `CannotCompile`, `ImportError` without the compiler, and `RulesError` if the actions cannot be numbered."""
        numbers, players = ActionNumbers.of(engine), player_terms(engine)
        measures = (*players.scores, *players.outcomes)
        entries = ("reset_games", "step_games", "pick_actions")
        game = CompiledGame.played(engine, start, (state_pool, batches), entries, measures)
        program = game.program(make)
        width, size = TOLD + len(measures), -(-count // workers)
        chosen, mask, told = ints(count), ints(count * numbers.count), Array.of("q", count * width)
        parts, machines = list[Games](), list[MachineGame]()
        for first in range(0, count, size):
            machine, mine = game.machine(program), min(size, count - first)
            pool, kept = pool_of(game.arrangement, 1), pool_of(game.arrangement, mine)
            store_state(pool, machine.memory, 0, 0)
            settings = TableBuilder(Games)
            settings.put(game_count=mine, action_count=numbers.count, measure_count=len(measures))
            settings.put(has_setup=int(start is None), has_scores=int(engine.instance.players == 1))
            own = (
                chosen.part(first, mine),
                mask.part(first * numbers.count, mine * numbers.count),
                _numbering(numbers, machine.game.width),
                told.part(first * width, mine * width),
                settings.array("settings"),
            )
            parts.append(Games(machine.memory, machine.moves, pool, kept, *own))
            machines.append(machine)
        threads = ThreadPoolExecutor(len(parts))
        return cls(numbers, chosen, mask, told, width, len(players.scores), tuple(parts), tuple(machines), program, threads)

    def reset(self, seed: int) -> None:
        """Begin each game anew that `chosen` is not 0 for."""
        self._each(self.program.reset_games, seed)

    def state(self, game: int) -> State:
        """The state of a game."""
        part, game = divmod(game, self.parts[0].game_count)
        pool, arrangement = self.parts[part].states, self.machines[part].arrangement
        slots = pool.array_named("pool_slots").items[game * pool.slot_count : (game + 1) * pool.slot_count]
        return arrangement.unload(slots, pool.heads[game].seed % (1 << 64))

    def step(self) -> int:
        """Take the chosen action of each game; returns how many were illegal."""
        return sum(self._each(lambda part, _: self.program.step_games(part)))

    def pick(self, seed: int) -> None:
        """Choose a random legal action for each game."""
        self._each(self.program.pick_actions, seed)

    def _each(self, kernel: Callable[[Games, int], int], seed: int = 0) -> list[int]:
        """Run a kernel for each part, the first in this thread, each with a seed of its own."""
        (first, own), *others = ((part, wrap(mix(seed + at))) for at, part in enumerate(self.parts))
        later = [self.threads.submit(kernel, *other) for other in others]
        return [kernel(first, own), *(each.result() for each in later)]


def _numbering(numbers: ActionNumbers, width: int) -> Array:
    """The rows of the kernel's `numbering`; an argument that an action has not takes one value, 0."""
    size = 3 * width - 1
    rows = ints(len(numbers.actions) * size)
    for at, action in enumerate(numbers.actions):
        row = [action.first, prod(action.sizes)]
        for argument in zip(action.lows, action.strides, action.sizes, strict=True):
            row += argument
        row = (row + [0, 1, 1] * width)[:size]
        rows.items[at * size : (at + 1) * size] = memoryview(array("i", row))
    return rows
