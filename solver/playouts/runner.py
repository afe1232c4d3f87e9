"""Playouts in machine code: a compiled game and policy, and the arrays of the threads that play it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from rulewright.base.records import define, frozen
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import PlayerTerms, player_terms
from rulewright.solver.kernel import state_pool
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.state_pool import pool_of, store_state
from rulewright.subset.buffers import Array, longs
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.program import Maker, Program, as_machine_code
from rulewright.subset.records import size_of

from . import playouts
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
