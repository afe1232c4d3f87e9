"""A peer to race against: solo Beacon Patrol (2023 edition) as a fast simulator a Python programmer writes by hand.

Random policy: list every legal action, pick one uniformly, apply it. The board is a flat bytearray, tiles and actions
are ints, what a tile allows comes from tables, the state changes in place. Nothing is carried from game to game.
"""

from __future__ import annotations

from random import Random

NAMES = (
    *("hq", "open", "buoy", "n_village", "n_house", "n_buoy", "n_buoy_house", "n_light", "e_village", "e_house"),
    *("e_buoy", "e_buoy_house", "e_light", "s_village", "s_house", "s_buoy", "s_buoy_house", "s_light", "w_village"),
    *("w_house", "w_buoy", "w_buoy_house", "w_light", "ns_house_n", "ns_house_s", "ns_buoy", "ew", "ew_buoy"),
    *("ne_house", "ne_light", "es_house", "es_light", "sw_house", "sw_light", "nw_house", "nw_light", "new_house"),
    *("new_light_house", "nes_house", "nes_light", "esw_village", "esw_light", "nsw_house", "nsw_light_house"),
)
COPIES = {"open": 6, "buoy": 6, "ew": 2}
KINDS = ("", *NAMES)  # the number of a kind is its place here; 0 is a vacant cell
HQ = KINDS.index("hq")
PILE = [number for number, name in enumerate(KINDS) if name and number != HQ for _ in range(COPIES.get(name, 1))]
HAND, TOKENS = 3, 4

DIRECTIONS = ("north", "east", "south", "west")
WIDTH = 128  # a chain of 54 tiles from the middle stays inside
CENTRE = 64 * WIDTH + 64
NORTH, EAST, SOUTH, WEST = STEP = (-WIDTH, 1, WIDTH, -1)

# An action is a number: four for each kind placed, four for each kind jettisoned, four to sail, one for each kind
# kept, and the last to stop.
JETTISON = 4 * len(KINDS)
SAIL = 2 * JETTISON
KEEP = SAIL + 4
STOP = KEEP + len(KINDS)


def sides(name: str) -> int:
    """The land sides as bits, north 1, east 2, south 4, west 8; the name begins with them."""
    word = name.split("_", maxsplit=1)[0]
    return sum(1 << bit for bit, letter in enumerate("nesw") if letter in word) if set(word) <= set("nesw") else 0


LAND = tuple(map(sides, KINDS))
POINTS = tuple(0 if not name else 3 if "light" in name or name == "hq" else 2 if "buoy" in name else 1 for name in KINDS)
# The ways out of a tile by water, as (direction, step).
WAYS = tuple(tuple((d, STEP[d]) for d in range(4) if not land >> d & 1) for land in LAND)
# What a tile asks of the four cells around it, as a bit: 1 to 8 land on that side of theirs, 16 to 128 water.
ASKS = tuple(tuple((1 if land >> d & 1 else 16) << ((d + 2) % 4) for d in range(4)) for land in LAND)
# FITS[asked][kind]: does the kind meet everything asked of the cell?
FITS = tuple(bytes(not (asked & 15 & ~land or asked >> 4 & land) for land in LAND) for asked in range(256))


class Game:
    """One solo game, standing within a turn or over."""

    __slots__ = ("asked", "board", "cells", "choice", "dealt", "hand", "over", "pile", "ship", "tokens")

    def __init__(self, pile: list[int]) -> None:
        """`pile` is drawn from its end, and used up."""
        self.board = bytearray(WIDTH * WIDTH)
        self.asked = bytearray(WIDTH * WIDTH)  # what the neighbours ask of each cell, see ASKS
        self.cells: list[int] = []  # the occupied ones
        self.pile = pile
        self.hand: list[int] = []
        self.lay(HQ, CENTRE)
        self.over = False
        self.deal()

    def lay(self, kind: int, cell: int) -> None:
        self.board[cell] = kind
        self.cells.append(cell)
        self.ship = cell
        asked = self.asked
        north, east, south, west = ASKS[kind]
        asked[cell + NORTH] |= north
        asked[cell + EAST] |= east
        asked[cell + SOUTH] |= south
        asked[cell + WEST] |= west

    def deal(self) -> None:
        """Fills the hand and the tokens for the next turn."""
        hand, pile = self.hand, self.pile
        self.dealt = bool(pile)
        while pile and len(hand) < HAND:
            hand.append(pile.pop())
        self.tokens = TOKENS
        self.over = not hand
        self.choice = set(hand)

    def legal(self) -> list[int]:
        board, asked, ship, tokens, choice = self.board, self.asked, self.ship, self.tokens, self.choice
        actions = [STOP]
        for direction, step in WAYS[board[ship]]:
            cell = ship + step
            if board[cell]:
                if tokens:
                    actions.append(SAIL + direction)
                for kind in choice:
                    actions.append(JETTISON + 4 * kind + direction)
            else:
                fits = FITS[asked[cell]]
                for kind in choice:
                    if fits[kind]:
                        actions.append(4 * kind + direction)
        if self.dealt:
            for kind in choice:
                actions.append(KEEP + kind)
        return actions

    def apply(self, action: int) -> None:
        if action >= KEEP:  # keep or stop
            self.hand = [action - KEEP] if action < STOP else []
            self.deal()
        elif action >= SAIL:
            self.ship += STEP[action - SAIL]
            self.tokens -= 1
        else:
            if action < JETTISON:
                kind = action >> 2
                self.lay(kind, self.ship + STEP[action & 3])
            else:
                kind = (action - JETTISON) >> 2
                self.ship += STEP[action & 3]
            self.hand.remove(kind)
            self.choice = set(self.hand)

    def score(self) -> int:
        board = self.board
        return sum(
            POINTS[board[cell]]
            for cell in self.cells
            if board[cell + NORTH] and board[cell + EAST] and board[cell + SOUTH] and board[cell + WEST]
        )


def text(action: int) -> str:
    if action == STOP:
        return "stop"
    if action >= KEEP:
        return f"keep {KINDS[action - KEEP]}"
    if action >= SAIL:
        return f"sail {DIRECTIONS[action - SAIL]}"
    verb, action = ("place", action) if action < JETTISON else ("jettison", action - JETTISON)
    return f"{verb} {KINDS[action >> 2]} {DIRECTIONS[action & 3]}"


def play_random(seed: int) -> tuple[int, int]:
    """Plays one game; the number of actions and the score."""
    rng = Random(seed)
    pile = PILE.copy()
    rng.shuffle(pile)
    game = Game(pile)
    legal, apply, pick = game.legal, game.apply, rng.random
    actions = 0
    while not game.over:
        options = legal()
        apply(options[int(pick() * len(options))])
        actions += 1
    return actions, game.score()
