"""Games of Castles by the Sea by name, and states as they lie on the table: blocks and pieces by coordinates."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import frozen

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from tests.rules.playing import engine_of

Coordinate = tuple[int, ...]

COMBINATIONS = (
    "basic",
    "storm_watchers",
    "starfish_crossed_lovers",
    "crabs_and_robbers",
    "hurricane_season",
    "grimm_on_the_beach",
    "coastal_warfare",
    "seashore_zoning",
    "distant_shores",
    "buried_treasure",
)
FOR_ONE = (
    "basic",
    "storm_watchers",
    "starfish_crossed_lovers",
    "hurricane_season",
    "distant_shores",
)
"""The combinations without a piece that is aimed at others."""


@frozen
class Piece:
    kind: str
    cells: tuple[Coordinate, ...]
    owner: int
    front: Coordinate
    """The step to its front."""

    tall: bool


@frozen
class Table:
    """What lies on the beach, and what the players have."""

    sand: frozenset[Coordinate]
    stones: frozenset[Coordinate]
    pieces: tuple[Piece, ...]
    fresh: frozenset[Coordinate]
    hushed: frozenset[Coordinate]
    spots: Mapping[str, int]
    """Where the hazards of the game are on the rim."""

    @property
    def blocks(self) -> frozenset[Coordinate]:
        return self.sand | self.stones

    @property
    def covered(self) -> Mapping[Coordinate, Piece]:
        return {cell: piece for piece in self.pieces for cell in piece.cells}


def engine(players: int, combination: str) -> Engine:
    """The engine of a combination; for one player, with the rules for playing alone."""
    alone = ("castles_by_the_sea.solo",) if players == 1 else ()
    return engine_of(players, f"castles_by_the_sea.{combination}", *alone)


def get(engine: Engine, state: State, name: str, index: int | None = None) -> Any:
    """The value of a variable; of one over cells, all of them."""
    return state[engine.layout.position(name, index)]


def member(engine: Engine, enumeration: str, name: str) -> int:
    return engine.game.enumerations[enumeration].index(name)


def point(engine: Engine, state: State) -> str:
    """The innermost point of the flow."""
    choice = engine.choice(state)
    return choice.points[-1] if choice is not None and choice.points else ""


def table(engine: Engine, state: State) -> Table:
    """The table of a state."""
    shore = engine.instance.windows["shore"]
    at = dict(zip(shore.coordinates, get(engine, state, "shore"), strict=False))
    sand, stone = engine.game.tile_number("sand"), engine.game.tile_number("stone")
    pieces = (*_pieces(engine, state, "structures", "front"), *_pieces(engine, state, "figures", "outlook"))
    spots = {
        name: get(engine, state, "puck", number)
        for number, name in enumerate(engine.game.enumerations["hazard"])
        if get(engine, state, "puck", number) < engine.instance.windows["rim"].size
    }
    return Table(
        frozenset(cell for cell, kind in at.items() if kind == sand),
        frozenset(cell for cell, kind in at.items() if kind == stone),
        pieces,
        *(
            frozenset(cell for cell, is_in in zip(shore.coordinates, get(engine, state, name), strict=False) if is_in)
            for name in ("fresh", "hushed")
        ),
        spots,
    )


def _pieces(engine: Engine, state: State, name: str, looks: str) -> Iterator[Piece]:
    shore, pattern = engine.instance.windows["shore"], engine.game.patterns[name]
    steps = {"N": (0, -1, 0), "E": (1, 0, 0), "S": (0, 1, 0), "W": (-1, 0, 0)}
    fronts = get(engine, state, looks) if looks in engine.layout.columns else None
    moved = get(engine, state, "placed_here") if looks == "outlook" and fronts is not None else None
    for number in sorted(set(get(engine, state, f"{name}_lie")) - {len(pattern.places)}):
        place = pattern.places[number]
        cells = tuple(shore.coordinates[cell] for role in place.cells for cell in role)
        front = (0, 0, 0) if fronts is None else steps.get(shore.directions[fronts[place.cell]], (0, 0, 0))
        if moved is not None and not moved[place.cell]:
            front = (0, 0, 0)
        kind = engine.game.tiles[pattern.kinds[number] - 1].name
        yield Piece(kind, cells, get(engine, state, f"{name}_owner")[place.cell], front, len(cells) > 1)


def possessions(engine: Engine, state: State, player: int) -> Counter[str]:
    """The pieces of a player: on cards, destroyed, and on the beach."""
    zones = ("structures", "figures", "broken", "fallen")
    names = [engine.game.tiles[kind - 1].name for zone in zones for kind in get(engine, state, zone, player)]
    return Counter(names) + Counter(piece.kind for piece in table(engine, state).pieces if piece.owner == player)


def random_game(engine: Engine, seed: int) -> Iterator[tuple[State, Move, State]]:
    """The moves of a game at random, with the states before and after; stopping is put off."""
    dice, state = random.Random(seed), engine.start(seed)
    while not engine.over(state):
        moves = engine.legal(state)
        busy = [move for move in moves if move[0] >= 0]
        move = dice.choice(busy if busy and dice.random() < 0.8 else moves)
        after = engine.apply(state, move)
        yield state, move, after
        state = after
