"""Random games under the eyes of the reckoning and of a diary: every build step, every piece, every score, what a turn ends,
and what must never change.

python -m tests.games.castles_by_the_sea.umpire PLAYERS GAMES [COMBINATION …]
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from tests.games.castles_by_the_sea import reckoning
from tests.games.castles_by_the_sea.beach import (
    COMBINATIONS,
    FOR_ONE,
    Table,
    engine,
    get,
    point,
    possessions,
    random_game,
    table,
)
from tests.games.castles_by_the_sea.diary import Diary

SAND, STONES = 50, 8
ROUNDS = {1: 6, 2: 6, 3: 5, 4: 4}


def watch(here: Engine, seed: int) -> tuple[list[str], Counter[str]]:
    """The faults of a game, and how often each action was made."""
    faults: list[str] = []
    seen: Counter[str] = Counter()
    players = here.instance.players
    names = list(here.game.actions)
    state = here.start(seed)
    kingdoms = {player: possessions(here, state, player) for player in range(1, players + 1)}
    stones = table(here, state).stones
    if len(stones) != STONES:
        faults.append("stones are missing")
    before, diary = table(here, state), Diary(here)
    for state, move, after_state in random_game(here, seed):
        after = table(here, after_state)
        name = names[move[0]] if move[0] >= 0 else "stop"
        seen[name] += 1
        diary.note(name, move, state, after_state)
        faults += [f"{name}: {fault}" for fault in diary.faults(after_state)]
        faults += [f"{name}: {fault}" for fault in _faults(here, name, move, (state, after_state), (before, after))]
        if after.stones != stones:
            faults.append(f"{name} moved a stone")
        for player, kingdom in kingdoms.items():
            if possessions(here, after_state, player) != kingdom:
                faults.append(f"{name} changed the kingdom of {player}")
        before = after
    if get(here, after_state, "sun") != ROUNDS[players] + 1:
        faults.append("the game ended too early")
    return faults, seen


def _faults(here: Engine, name: str, move: Move, states: tuple[State, State], tables: tuple[Table, Table]) -> list[str]:
    players = here.instance.players
    (state, after_state), (before, after) = states, tables
    faults = [f"{cell} hangs in the air" for cell in reckoning.hanging(after)]
    if len(after.sand) + _sand(here, after_state) != SAND:
        faults.append("sand is lost or made")
    if len(set(after.spots.values())) != len(after.spots):
        faults.append("two hazards are on one spot")
    shore = here.instance.windows["shore"].coordinates
    if name == "build":
        faults += reckoning.faults_of_build(before, shore[move[1]], players)
    if name.startswith("place_"):
        pattern = here.game.patterns["figures" if name[6:] in reckoning.FIGURES else "structures"]
        cells = {shore[cell] for role in pattern.places[move[1]].cells for cell in role}
        placed = [piece for piece in after.pieces if set(piece.cells) == cells]
        if placed:  # else a ranger's alarm has brought a hazard at once
            faults += reckoning.faults_of_piece(before, placed[0], players)
    if point(here, after_state) == "moving" and point(here, state) in ("piece", "studying"):
        player = here.player(state)
        earned = get(here, after_state, "dollars", player) - get(here, state, "dollars", player)
        if earned != reckoning.income(after, player):
            faults.append(f"{earned} earned for {reckoning.income(after, player)}")
    return faults


def _sand(here: Engine, state: State) -> int:
    """The blocks in the supply and on the mats."""
    mats = sum(len(get(here, state, "mat", player)) for player in range(1, here.instance.players + 1))
    return len(get(here, state, "supply")) + mats


def main() -> int:
    players, games, *wanted = sys.argv[1:]
    failures = 0
    for combination in wanted or (FOR_ONE if players == "1" else COMBINATIONS):
        here, seen, began = engine(int(players), combination), Counter[str](), time.process_time()
        wrong: list[str] = []
        for seed in range(int(games)):
            faults, made = watch(here, seed)
            wrong += [f"game {seed}: {fault}" for fault in faults]
            seen += made
        failures += len(wrong)
        spent = time.process_time() - began
        print(combination, games, "games", len(wrong), "faults", wrong[:5], f"{spent:.0f} s", dict(seen), flush=True)
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
