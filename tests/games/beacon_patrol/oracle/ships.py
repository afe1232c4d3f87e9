"""Ships & Shores by hand, over the German edition, and either edition alone: who may do what, and what it does (R1 to R17).

Plain on purpose: every ability is a paragraph that asks which ship it is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.games.beacon_patrol.oracle import shores
from tests.games.beacon_patrol.oracle.base_game import (
    SIDE_FACING_BACK,
    SIDE_TOWARDS,
    STEPS,
    TILES_PER_PLAYER,
    TOKENS_PER_PLAYER,
    Cell,
    Tiles,
    changed,
    step,
    within,
    without,
)
from tests.games.beacon_patrol.oracle.faces import BASE_TILES, HQ
from tests.games.beacon_patrol.oracle.shores import MODULE_TILES, Board, land_of

PATROL_SHIP = "patrol_ship"
BROUGHT = {
    "research_ship": "seal_banks",
    "construction_ship": "windmills",
    "hovercraft": "ponds",
    "coast_guard": "outposts",
    "ferry": "piers",
    "pilot_boat": "far_bays",
    "submarine": "wrecks",
}
"""The special ships, with the set of tiles that each brings."""


@dataclass(frozen=True)
class State:
    """A position within a turn; what belongs to a player is indexed by player number less one.

    `listed` is the order of all kinds of tile in the box, `german` the edition, `fleet` whether Ships & Shores is played.
    """

    board: Board
    ships: tuple[Cell, ...]
    vessels: tuple[str, ...]
    hands: tuple[Tiles, ...]
    kept: tuple[Tiles, ...]
    tokens: tuple[int, ...]
    dealt: tuple[bool, ...]
    draw: Tiles
    discarded: Tiles  # the top first
    player: int  # 0 when the game is over
    listed: Tiles
    german: bool
    fleet: bool
    swapped: bool = False
    bartered: bool = False
    stowed: bool = False
    salvaged: bool = False

    @property
    def players(self) -> int:
        return len(self.ships)

    @property
    def me(self) -> int:
        return self.player - 1

    @property
    def vessel(self) -> str:
        return self.vessels[self.me]

    @property
    def ship(self) -> Cell:
        return self.ships[self.me]


def supply(state: State, index: int) -> int:
    return TOKENS_PER_PLAYER[state.players] + (state.vessels[index] == "ferry")


def begin(
    rng: random.Random,
    vessels: Sequence[str],
    listed: Tiles,
    sets: Sequence[str] = (),
    german: bool = False,
    fleet: bool = True,
) -> State:
    """A shuffled game with these ships, and with sets of tiles besides those that they bring."""
    along = [BROUGHT[vessel] for vessel in vessels if vessel != PATROL_SHIP] + list(sets)
    pile = [*BASE_TILES]
    pile += [
        kind for kind, tile in MODULE_TILES.items() if tile.of in along and tile.of != "wrecks" for _ in range(tile.copies)
    ]
    rng.shuffle(pile)
    players, size = len(vessels), TILES_PER_PLAYER[len(vessels)]
    empty = State(
        board={(0, 0): HQ},
        ships=((0, 0),) * players,
        vessels=tuple(vessels),
        hands=tuple(tuple(sorted(pile[size * p : size * (p + 1)])) for p in range(players)),
        kept=((),) * players,
        tokens=(0,) * players,
        dealt=(True,) * players,
        draw=tuple(pile[size * players :]),
        discarded=("wreck",) * 4 if "submarine" in vessels else (),
        player=1,
        listed=listed,
        german=german or fleet,
        fleet=fleet,
    )
    return replace(empty, tokens=tuple(supply(empty, p) for p in range(players)))


def over(state: State) -> bool:
    return state.player == 0


def score(state: State) -> int:
    return shores.score(state.board) - (10 * state.players if state.fleet else 0)


# --- what is legal ---------------------------------------------------------------------------------------------------


def edge(board: Board, cell: Cell, direction: str) -> str:
    """What two tiles show each other: "water", "land", or "" where they do not agree or one is missing."""
    there = step(cell, direction)
    if cell not in board or there not in board:
        return ""
    one, other = SIDE_TOWARDS[direction] in land_of(board[cell]), SIDE_FACING_BACK[direction] in land_of(board[there])
    return ("land" if one else "water") if one == other else ""


def matches(board: Board, kind: str, cell: Cell) -> bool:
    return all(edge(board | {cell: kind}, cell, d) for d in STEPS if step(cell, d) in board)


def legal(state: State) -> list[str]:
    """Every legal action, sorted; equal tiles give one action."""
    return [] if over(state) else sorted({*_placing(state), *_moving(state), *_tiles(state), "stop"})


def _placing(state: State) -> Iterator[str]:
    for direction in STEPS:
        cell = step(state.ship, direction)
        for kind in set(state.hands[state.me]):
            if cell in state.board or not matches(state.board, kind, cell):
                continue
            by_land = SIDE_FACING_BACK[direction] in land_of(kind)
            if not by_land or state.vessel == "pilot_boat":
                yield f"place {kind} {direction}"
            if by_land and state.vessel == "hovercraft" and state.tokens[state.me] >= 1:
                yield f"place ashore {kind} {direction}"


def _moving(state: State) -> Iterator[str]:
    tokens, hand = state.tokens[state.me], set(state.hands[state.me])
    for direction in STEPS:
        if edge(state.board, state.ship, direction) == "water":
            if tokens >= 1:
                yield f"sail {direction}"
            if not state.german:
                yield from (f"jettison {kind} {direction}" for kind in hand)
        if edge(state.board, state.ship, direction) == "land" and state.vessel == "hovercraft" and tokens >= 2:
            yield f"cross {direction}"
        if state.vessel == "ferry" and tokens >= 1:
            here = state.ship
            for number in (1, 2, 3):
                if edge(state.board, here, direction) != "water":
                    break
                here = step(here, direction)
                if number > 1:
                    yield f"steam {_written(here)}"
    if state.german:
        yield from (f"jettison {kind}" for kind in hand)
    if state.vessel == "coast_guard" and tokens >= 1:
        for cell, kind in state.board.items():
            if cell != state.ship and (kind == HQ or "outpost" in kind):
                yield f"patrol {_written(cell)}"


def _written(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def _tiles(state: State) -> Iterator[str]:
    mine, tokens = set(state.hands[state.me]), state.tokens[state.me]
    for other in range(1, state.players + 1):
        if other == state.player:
            continue
        for give in mine:
            for take in set(state.hands[other - 1]):
                if not state.swapped and state.vessel != "ferry":
                    yield f"swap {give} for {take} of {other}"
                if state.swapped and not state.bartered and state.vessel == "research_ship" and tokens >= 1:
                    yield f"barter {give} for {take} of {other}"
    if state.players == 1 and state.dealt[0] and state.vessel != "ferry":
        yield from (f"keep {kind}" for kind in mine)
        if state.vessel == "research_ship" and tokens >= 1 and not state.stowed:
            yield from (f"stow {kind}" for kind in mine)
    if state.vessel == "submarine" and tokens >= 2 and state.discarded and not state.salvaged:
        yield "salvage"


# --- what an action does ---------------------------------------------------------------------------------------------


def successor(state: State, action: str) -> State:
    """The position after an action that is known to be legal."""
    match action.split():
        case ["place", "ashore", kind, direction]:
            return _go(_pay(_lay(state, kind, direction), 1), step(state.ship, direction))
        case ["place", kind, direction]:
            after = _lay(state, kind, direction)
            if state.vessel == "construction_ship":
                after = _pay(after, -1 if after.tokens[after.me] < supply(after, after.me) else 0)
            return after if state.vessel == "pilot_boat" else _go(after, step(state.ship, direction))
        case ["sail", direction]:
            return _go(_pay(state, 1), step(state.ship, direction))
        case ["cross", direction]:
            return _go(_pay(state, 2), step(state.ship, direction))
        case ["steam" | "patrol", there]:
            column, row = there.strip("()").split(",")
            return _go(_pay(state, 1), (int(column), int(row)))
        case ["jettison", kind, direction]:
            return _go(_discard(state, kind), step(state.ship, direction))
        case ["jettison", kind]:
            return _pay(_discard(state, kind), -1 if state.tokens[state.me] < supply(state, state.me) else 0)
        case ["swap", mine, "for", theirs, "of", other]:
            return replace(_swap(state, mine, theirs, int(other) - 1), swapped=True)
        case ["barter", mine, "for", theirs, "of", other]:
            return replace(_pay(_swap(state, mine, theirs, int(other) - 1), 1), bartered=True)
        case ["stow", kind]:
            return replace(_pay(_keep(state, kind), 1), stowed=True)
        case ["keep", kind]:
            return end_turn(_keep(state, kind))
        case ["salvage"]:
            top, *rest = state.discarded
            hands = changed(state.hands, state.me, within(state.hands[state.me], top))
            return replace(_pay(state, 2), hands=hands, discarded=tuple(rest), salvaged=True)
        case ["stop"]:
            return end_turn(state)
    raise ValueError(f"`{action}` is no action")


def _lay(state: State, kind: str, direction: str) -> State:
    hands = changed(state.hands, state.me, without(state.hands[state.me], kind))
    return replace(state, board=state.board | {step(state.ship, direction): kind}, hands=hands)


def _go(state: State, cell: Cell) -> State:
    return replace(state, ships=changed(state.ships, state.me, cell))


def _pay(state: State, tokens: int) -> State:
    return replace(state, tokens=changed(state.tokens, state.me, state.tokens[state.me] - tokens))


def _discard(state: State, kind: str) -> State:
    hands = changed(state.hands, state.me, without(state.hands[state.me], kind))
    return replace(state, hands=hands, discarded=(kind, *state.discarded))


def _keep(state: State, kind: str) -> State:
    hands = changed(state.hands, state.me, without(state.hands[state.me], kind))
    return replace(state, hands=hands, kept=changed(state.kept, state.me, within(state.kept[state.me], kind)))


def _swap(state: State, mine: str, theirs: str, other: int) -> State:
    hands = changed(state.hands, state.me, within(without(state.hands[state.me], mine), theirs))
    return replace(state, hands=changed(hands, other, within(without(hands[other], theirs), mine)))


def end_turn(state: State) -> State:
    me, hand = state.me, state.kept[state.me]
    deal = TILES_PER_PLAYER[state.players] - len(hand)
    left = sorted(state.hands[me], key=state.listed.index)
    after = replace(
        state,
        hands=changed(state.hands, me, within(hand, *state.draw[:deal])),
        kept=changed(state.kept, me, ()),
        tokens=changed(state.tokens, me, supply(state, me)),
        dealt=changed(state.dealt, me, bool(state.draw)),
        draw=state.draw[deal:],
        discarded=(*reversed(left), *state.discarded),
        swapped=False,
        bartered=False,
        stowed=False,
        salvaged=False,
    )
    return replace(after, player=next_player(after))


def next_player(state: State) -> int:
    """The next one round the table with a tile (R2), or 0: the end is looked for only at the start of a round."""
    player = state.player
    while True:
        player += 1
        if player > state.players:
            player = 1
            if not state.draw and not any(state.hands):
                return 0
        if state.hands[player - 1]:
            return player
