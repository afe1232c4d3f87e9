"""Games of Beacon Patrol's expansions, ships and house rules played at random to the end, alone and in random mixtures.

    python -m tests.campaigns.sea_play [GAMES [FIRST]]

Of every game: no error; tiles are neither lost nor found; the invariants hold; what is recorded leads to the same state again;
the score at the end is what the independent judge counts on the board.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache

from attrs import define, field

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_move
from tests.campaigns.random_play import choose, project, tiles
from tests.games.beacon_patrol.oracle import shores

SEA = "beacon_patrol"
SHIPS = tuple(
    f"{SEA}.ships.{name}"
    for name in ("research", "construction", "hovercraft", "coast_guard", "ferry", "pilot_boat", "submarine")
)
EXPANSIONS = (f"{SEA}.windmills", f"{SEA}.piers", f"{SEA}.german")
LONGEST = 2_000
SOME = 20
"""At every so many-th choice the invariants are looked at, and the move is written and read."""

Mixture = tuple[str, ...]


def house_rules() -> Mixture:
    return tuple(name for name in project().modules() if name.startswith("house."))


AT_ODDS = {f"{SEA}.ships.pilot_boat": {"house.rotating"}}
GERMAN_AT_ODDS = {"house.diagonal_sailing", "house.storm"}
"""House rules that change the same clauses as one ship, or as the German edition, which all ships extend: linking them is an
error (RW104)."""


def mixture(number: int) -> tuple[Mixture, int]:
    """Two to four ships, every other time with a house rule; and how many captains."""
    dice = random.Random(number)
    chosen = dice.sample(SHIPS, dice.randint(2, 4))
    if number % 2:
        refused = GERMAN_AT_ODDS.union(*(AT_ODDS.get(name, ()) for name in chosen))
        chosen.append(dice.choice([rule for rule in house_rules() if rule not in refused]))
    return tuple(sorted(chosen)), dice.randint(1, 4)


@define
class Tally:
    """What many games came to."""

    games: Counter[str] = field(factory=Counter)
    choices: int = 0
    explored: Counter[str] = field(factory=Counter)
    faults: list[str] = field(factory=list)

    def add(self, other: Tally) -> None:
        self.games += other.games
        self.choices += other.choices
        self.explored += other.explored
        self.faults += other.faults


@lru_cache(maxsize=64)
def engine_of(modules: Mixture, players: int) -> Engine:
    return Engine.of(project().load("+".join(modules)), players)


def play(modules: Mixture, players: int, number: int, tally: Tally) -> None:
    """One game. Raises `AssertionError` or what stops a game."""
    engine, dice = engine_of(modules, players), random.Random(number)
    state = engine.start(number)
    everything, record = tiles(engine, state), []
    while not engine.over(state):
        moves = engine.legal(state)
        assert moves, "there is nothing to choose"
        move = choose(dice, moves, number % 3 > 0)
        if len(record) % SOME == 0:
            hold(engine, state)
            assert parse_move(engine, state, format_move(engine, state, move)) == move, "the move is written as another"
        record.append(move)
        assert len(record) < LONGEST, "the game does not end"
        state = engine.apply(state, move)
        assert tiles(engine, state) == everything, "a tile was lost or found"
    hold(engine, state)
    again = engine.start(number)
    for move in record:
        again = engine.apply(again, move)
    assert again == state, "what is recorded leads to another state"
    tally.choices += len(record)
    if not any(name.startswith("house.") for name in modules):
        board = board_of(engine, state)
        off = 10 * players if any(name.startswith(f"{SEA}.ships") for name in modules) else 0
        assert engine.score(state) == shores.score(board) - off, "the judge counts another score"
        tally.explored.update(
            shores.MODULE_TILES[kind].of
            for cell, kind in board.items()
            if kind in shores.MODULE_TILES and shores.explored(board, cell)
        )


def hold(engine: Engine, state: State) -> None:
    for invariant in engine.game.invariants:
        assert engine.value(invariant.condition, state), invariant.message


def board_of(engine: Engine, state: State) -> shores.Board:
    window, kinds = engine.instance.windows["sea"], engine.game.tiles
    column = state[engine.layout.position("sea", None)]
    return {window.coordinates[cell]: kinds[tile - 1].name for cell, tile in enumerate(column) if tile}  # type: ignore[misc]


def play_many(modules: Mixture, numbers: range) -> Tally:
    """Games of some modules, or with none of a mixture for every ten numbers."""
    tally = Tally()
    for number in numbers:
        chosen, players = (modules, number % 4 + 1) if modules else mixture(number // 10)
        name = " + ".join(modules) or "mixtures"
        try:
            play(chosen, players, number, tally)
        except (AssertionError, RulesError) as error:
            tally.faults.append(f"{' + '.join(chosen)}, {players} players, game {number}: {error}")
        tally.games[name] += 1
    return tally


def campaign(games: int, first: int = 0, wanted: Sequence[Mixture] | None = None, workers: int = 2) -> Tally:
    """So many games of every expansion, ship and house rule, and of mixtures."""
    if wanted is None:
        wanted = [*((name,) for name in (*EXPANSIONS, *SHIPS, *house_rules())), ()]
    batches = [(m, range(at, min(at + 50, first + games))) for m in wanted for at in range(first, first + games, 50)]
    tally = Tally()
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(play_many, *zip(*batches, strict=True)):
            tally.add(part)
    return tally


def main() -> int:
    games, first = (*map(int, sys.argv[1:]), *(20, 0)[len(sys.argv) - 1 :])
    began = time.perf_counter()
    tally = campaign(games, first)
    print("\n".join(tally.faults[:20]))
    found = {"games": tally.games, "choices": tally.choices, "explored": tally.explored, "faults": len(tally.faults)}
    print(json.dumps({**found, "seconds": round(time.perf_counter() - began)}, indent=2))
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
