"""Puzzles of expansions and ships as positions of the judge, read without the project."""

from __future__ import annotations

from tests.games.beacon_patrol.oracle.base_game import TOKENS_PER_PLAYER, Cell, Tiles, read_settings, within
from tests.games.beacon_patrol.oracle.faces import FACES
from tests.games.beacon_patrol.oracle.ships import PATROL_SHIP, State
from tests.games.beacon_patrol.oracle.shores import MODULE_TILES


def read_tiles(lines: list[str]) -> Tiles:
    tiles: list[str] = []
    for entry in " ".join(lines).split(","):
        kind, *repeat = entry.split()
        if kind == "none":
            continue
        if kind not in FACES and kind not in MODULE_TILES:
            raise ValueError(f"no such tile: {kind}")
        tiles += [kind] * (int(repeat[0].removeprefix("x")) if repeat else 1)
    return tuple(tiles)


def parse_puzzle(text: str, listed: Tiles) -> State:
    """The position of a puzzle that draws a board; `listed` is the order of all kinds of tile in the box."""
    settings = read_settings(text)
    players = int(settings["players"][0])
    numbers = range(1, players + 1)
    rules = settings["rules"][0]
    board: dict[Cell, str] = {}
    ships: dict[int, Cell] = {}
    for row, line in enumerate(settings["sea"]):
        for column, word in enumerate(line.split()):
            if word != ".":
                kind, *here = word.split("@")
                board[column, row] = read_tiles([kind])[0]
                ships |= {int(number): (column, row) for number in here}

    def one(name: str, default: str) -> str:
        return settings.get(name, [default])[0]

    def tiles(name: str) -> Tiles:
        return read_tiles(settings.get(name, ["none"]))

    vessels = tuple(one(f"vessel {n}", PATROL_SHIP) for n in numbers)
    usual = [TOKENS_PER_PLAYER[players] + (vessel == "ferry") for vessel in vessels]
    return State(
        board=board,
        ships=tuple(ships[n] for n in numbers),
        vessels=vessels,
        hands=tuple(within(tiles(f"hand {n}")) for n in numbers),
        kept=tuple(tiles(f"kept {n}") for n in numbers),
        tokens=tuple(int(one(f"tokens {n}", str(usual[n - 1]))) for n in numbers),
        dealt=tuple(one(f"dealt {n}", "yes") == "yes" for n in numbers),
        draw=tiles("draw"),
        discarded=tiles("discarded"),
        player=int(one("start", "turn of 1").removeprefix("turn of ")),
        listed=listed,
        german="german" in rules or ".ships" in rules,
        fleet=".ships" in rules,
        swapped=one("swapped", "no") == "yes",
    )


def parse_answer(text: str) -> int:
    return int(read_settings(text)["answer"][0])
