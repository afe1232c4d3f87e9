"""Many games side by side in machine code: the arrays of the threads that play them, over memory of the caller's."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import prod

from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import player_terms
from rulewright.rules.semantics.rng import mix
from rulewright.rules.static.action_numbers import ActionNumbers
from rulewright.solver.kernel import state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.state_pool import pool_of, store_state
from rulewright.subset.buffers import Array, ints
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.intrinsics import wrap
from rulewright.subset.program import Maker, Program, as_machine_code

from . import batches
from .batches import TOLD, Games


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
