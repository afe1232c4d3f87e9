"""Games played at random with every rule that ships, and at every choice everything that must hold of any state.

python -m tests.campaigns.random_play [--most CHOICES] [--set-ups] [GAMES [FIRST [MODULE …]]]
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import repeat

from attrs import define, field, frozen

from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import BOX
from rulewright.rules.model.state import COUNTED, SEED, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_move
from rulewright.rules.play.scores import score_items
from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.paths import ROOT
from tests.puzzles.positions import read_state

MOST = 150
"""Choices of a game: a few of the classics can be played for very long."""

JUDGED = "beacon_patrol"
"""The module whose scores the independent judge counts again; of variants that change what is worth what it does not."""

BATCH = 10


@frozen
class Beginning:
    """Where games begin: after the set-up by chance, or in the position of a puzzle."""

    engine: Engine
    position: State | None = None

    def state(self, seed: int) -> State:
        return self.engine.start(seed) if self.position is None else self.position


@define
class Tally:
    """What many games came to."""

    games: Counter[str] = field(factory=Counter)
    choices: Counter[str] = field(factory=Counter)
    ended: Counter[str] = field(factory=Counter)
    faults: list[str] = field(factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.choices += other.choices
        self.ended += other.ended
        self.faults += other.faults


@cache
def project() -> Project:
    return Project(ROOT / "rules" / "library")


@cache
def modules() -> tuple[str, ...]:
    """Every module that ships and is a whole game."""
    return tuple(name for name in project().modules() if is_whole(name))


def is_whole(name: str) -> bool:
    """Whether a module is a game, not a part of games. It is linked, which takes long for some."""
    try:
        return bool(project().load(name).flow)
    except RulesError:
        return False


@cache
def beginnings(module: str) -> tuple[tuple[Beginning, ...], tuple[Beginning, ...]]:
    """The set-up for each number of players; the puzzles that ship under these rules alone."""
    game = project().load(module)
    catalogue = Catalogue(project())
    known = [catalogue.position(entry.path) for entry in catalogue.puzzles if entry.rules == (module,)]
    positions = [position for position in known if not position.puzzle.allow_impossible]
    return (
        tuple(Beginning(Engine.of(game, players)) for players in range(game.players.low, game.players.high + 1)),
        tuple(Beginning(position.engine, position.state) for position in positions),
    )


def choose(dice: random.Random, moves: Sequence[Move], busy: bool) -> Move:
    """Any move; of a busy player mostly one of the first kind listed, which makes boards grow."""
    if busy and dice.random() < 0.7:
        moves = [move for move in moves if move[0] == moves[0][0]]
    return dice.choice(moves)


def beginning_of(module: str, number: int, set_ups_only: bool) -> Beginning:
    """Numbers of players in turn; every other game from a puzzle, unless only set-ups are wanted."""
    set_ups, puzzles = beginnings(module)
    if set_ups_only or not puzzles:
        return set_ups[number % len(set_ups)]
    known = puzzles if number % 2 else set_ups
    return known[number // 2 % len(known)]


def play(module: str, number: int, most: int = MOST, set_ups_only: bool = False) -> int:
    """Play one game, or its first choices, and hold everything against it; the number of choices. Raises `AssertionError`."""
    dice = random.Random(number)
    beginning = beginning_of(module, number, set_ups_only)
    engine, state = beginning.engine, beginning.state(number)
    everything = tiles(engine, state)
    passed: list[tuple[State, int, Move]] = []
    while True:
        assert tiles(engine, state) == everything, "a tile was lost or found"
        assert engine.score(state) == sum(item.points for item in score_items(engine, state)), "the items are another score"
        if module == JUDGED:
            assert engine.score(state) == _judged(engine, state), "the judge counts another score"
        assert comparable(again(engine, state, module)) == comparable(state), "the text is another state"
        moves = engine.legal(state)
        assert engine.over(state) == (not moves), "there is nothing to choose"
        assert len(set(moves)) == len(moves), "a move is listed twice"
        if not moves or len(passed) == most:
            break
        move = choose(dice, moves, number % 3 > 0)
        assert parse_move(engine, state, format_move(engine, state, move)) == move, "the move is written as another"
        passed.append((state, hash(state), move))
        state = engine.apply(state, move)
    for before, marked, move in reversed(passed):
        assert hash(before) == marked, "a state that was left has changed"
        assert engine.apply(before, move) == state, "from here the game goes on another way"
        state = before
    assert state == beginning.state(number), "undo does not lead back to the beginning"
    return len(passed) + 1


def again(engine: Engine, state: State, module: str) -> State:
    return read_state(engine, write_position(engine, state, "here", [module]), "here")


def comparable(state: State) -> State:
    """Without what no text says: what a horizon has counted, and the state of chance where chance is over."""
    columns = list(state)
    columns[COUNTED] = columns[SEED] = 0
    return tuple(columns)


def tiles(engine: Engine, state: State) -> Counter[int]:
    """How many of each kind there are, wherever they lie."""
    found: Counter[int] = Counter()
    for column in engine.layout.columns.values():
        if column.variable.is_board:
            found.update(tile for tile in state[column.start] if tile)
        elif column.variable.is_zone or column.variable.name == BOX:
            for zone in state[column.start : column.start + column.count]:
                found.update(zone)
    return found


def _judged(engine: Engine, state: State) -> int:
    """The score of the board by the independent judge."""
    window, kinds = engine.instance.windows["sea"], engine.game.tiles
    column = state[engine.layout.position("sea", None)]
    board = {window.coordinates[cell]: kinds[tile - 1].name for cell, tile in enumerate(column) if tile}
    return sum(oracle.FACES[kind].points for cell, kind in board.items() if oracle.explored(board, cell))


def play_many(module: str, numbers: range, most: int = MOST, set_ups_only: bool = False) -> Tally:
    tally = Tally()
    for number in numbers:
        try:
            choices = play(module, number, most, set_ups_only)
            tally.choices[module] += choices
            tally.ended[module] += choices <= most
        except (AssertionError, RulesError) as error:
            tally.faults.append(f"{module}, game {number}: {error}")
        tally.games[module] += 1
    return tally


def campaign(
    games: int, first: int = 0, names: Sequence[str] = (), most: int = MOST, set_ups_only: bool = False, workers: int = 2
) -> Tally:
    """Play so many games of each module."""
    batches = [
        (m, range(at, min(at + BATCH, first + games))) for m in names or modules() for at in range(first, first + games, BATCH)
    ]
    tally = Tally()
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(play_many, *zip(*batches, strict=True), repeat(most), repeat(set_ups_only)):
            tally.add(part)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, nargs="?", default=20)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--most", type=int, default=MOST, help="choices of a game")
    parser.add_argument("--set-ups", action="store_true", help="no game from a puzzle")
    wish = parser.parse_args()
    began = time.perf_counter()
    tally = campaign(wish.games, wish.first, wish.modules, wish.most, wish.set_ups)
    print("\n".join(tally.faults[:20]))
    found = {"games": tally.games, "ended": tally.ended, "choices": tally.choices, "faults": len(tally.faults)}
    print(json.dumps({**found, "seconds": round(time.perf_counter() - began)}, indent=2))
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
