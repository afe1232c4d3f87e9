"""Beacon Patrol, 2023 edition, one to four players, written by hand from the rulebook and rulings R1, R2, R3 and R5.

Plain on purpose and slow on purpose: every rule is checked where the rulebook states it. See README.md.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from tests.games.beacon_patrol.oracle.faces import BASE_TILES, FACES, HQ

Cell = tuple[int, int]  # column, row; rows grow to the south
Tiles = tuple[str, ...]


TILES_PER_PLAYER = {1: 3, 2: 3, 3: 3, 4: 2}
TOKENS_PER_PLAYER = {1: 4, 2: 3, 3: 3, 4: 2}

STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
SIDE_TOWARDS = {"north": "N", "east": "E", "south": "S", "west": "W"}
SIDE_FACING_BACK = {"north": "S", "east": "W", "south": "N", "west": "E"}


@dataclass(frozen=True)
class State:
    """A position within a turn. What belongs to a player is a tuple indexed by player number less one."""

    board: dict[Cell, str]
    ships: tuple[Cell, ...]
    hands: tuple[Tiles, ...]  # each sorted
    kept: tuple[Tiles, ...]  # empty except while a turn ends
    tokens: tuple[int, ...]
    dealt: tuple[bool, ...]  # R1: did the player get a tile at the last deal?
    swapped: bool  # in the current turn
    draw: Tiles  # first to be drawn first
    discarded: Tiles  # sorted
    player: int  # whose turn it is; 0 when the game is over

    @property
    def players(self) -> int:
        return len(self.ships)

    def key(self) -> tuple[object, ...]:
        rest = (self.ships, self.hands, self.kept, self.tokens, self.dealt, self.swapped, self.draw, self.discarded)
        return (frozenset(self.board.items()), *rest, self.player)


def set_up(players: int, pile: Tiles) -> State:
    """The start of a game with that pile, before anybody has drawn from it."""
    size = TILES_PER_PLAYER[players]
    return State(
        board={(0, 0): HQ},
        ships=((0, 0),) * players,
        hands=tuple(tuple(sorted(pile[size * p : size * (p + 1)])) for p in range(players)),
        kept=((),) * players,
        tokens=(TOKENS_PER_PLAYER[players],) * players,
        dealt=(True,) * players,
        swapped=False,
        draw=pile[size * players :],
        discarded=(),
        player=1,
    )


def shuffled_start(rng: random.Random, players: int) -> State:
    pile = list(BASE_TILES)
    rng.shuffle(pile)
    return set_up(players, tuple(pile))


# --- what is legal ---------------------------------------------------------------------------------------------------


def step(cell: Cell, direction: str) -> Cell:
    return cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]


def direction_between(start: Cell, end: Cell) -> str | None:
    """The direction of a side neighbour, never diagonal."""
    for direction in STEPS:
        if step(start, direction) == end:
            return direction
    return None


def is_land(kind: str, side: str) -> bool:
    return side in FACES[kind].land


def matches(board: dict[Cell, str], kind: str, cell: Cell) -> bool:
    """Land beside land and water beside water, for each neighbour there is."""
    for direction in STEPS:
        neighbour = board.get(step(cell, direction))
        if neighbour is not None:
            mine = is_land(kind, SIDE_TOWARDS[direction])
            theirs = is_land(neighbour, SIDE_FACING_BACK[direction])
            if mine != theirs:
                return False
    return True


def may_place(state: State, kind: str, cell: Cell) -> bool:
    ship = state.ships[state.player - 1]
    # 1. Ship adjacent: a vacant space beside the current tile.
    if cell in state.board:
        return False
    towards = direction_between(ship, cell)
    if towards is None:
        return False
    # 2. Correct orientation: tiles are never turned, so there is nothing to choose.
    # 3. Matching edges, on all sides.
    if not matches(state.board, kind, cell):
        return False
    # 4. Required movement: that is what happens next, see `successor`.
    # 5. Move by water: the edge to the current tile is water.
    return not is_land(kind, SIDE_FACING_BACK[towards])


def may_travel(state: State, direction: str) -> bool:
    """Whether the ship could go to the next tile in that direction by water, whatever pays for it."""
    ship = state.ships[state.player - 1]
    here, there = state.board[ship], state.board.get(step(ship, direction))
    if there is None:
        return False
    return not is_land(here, SIDE_TOWARDS[direction]) and not is_land(there, SIDE_FACING_BACK[direction])


def nearby_cells(board: dict[Cell, str]) -> Iterator[Cell]:
    """Every cell of the smallest rectangle around the board, enlarged by two on each side."""
    columns, rows = [column for column, _ in board], [row for _, row in board]
    for row in range(min(rows) - 2, max(rows) + 3):
        for column in range(min(columns) - 2, max(columns) + 3):
            yield column, row


def legal(state: State) -> list[str]:
    """Every legal action, sorted; equal tiles give one action."""
    if over(state):
        return []
    me = state.player - 1
    hand = set(state.hands[me])
    actions = {"stop"}
    for cell in nearby_cells(state.board):
        for kind in hand:
            if may_place(state, kind, cell):
                actions.add(f"place {kind} {direction_between(state.ships[me], cell)}")
    for direction in STEPS:
        if may_travel(state, direction):
            if state.tokens[me] >= 1:
                actions.add(f"sail {direction}")
            actions.update(f"jettison {kind} {direction}" for kind in hand)
    if not state.swapped:
        for other in range(1, state.players + 1):
            if other != state.player:
                theirs = state.hands[other - 1]
                actions.update(f"swap {give} for {take} of {other}" for give in hand for take in theirs)
    if state.players == 1 and state.dealt[me]:  # R1
        actions.update(f"keep {kind}" for kind in hand)
    return sorted(actions)


# --- what an action does ---------------------------------------------------------------------------------------------


def without(hand: Tiles, kind: str) -> Tiles:
    tiles = list(hand)
    tiles.remove(kind)
    return tuple(tiles)


def within(hand: Tiles, *kinds: str) -> Tiles:
    return tuple(sorted(hand + kinds))


def changed(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])


def apply(state: State, action: str) -> State:
    """The position after a legal action; anything else is a ValueError."""
    if action not in legal(state):
        raise ValueError(f"`{action}` is not legal here")
    return successor(state, action)


def successor(state: State, action: str) -> State:
    """The position after an action that is known to be legal."""
    me = state.player - 1
    hand = state.hands[me]
    match action.split():
        case ["place", kind, direction]:
            cell = step(state.ships[me], direction)
            return replace(
                state,
                board=state.board | {cell: kind},
                hands=changed(state.hands, me, without(hand, kind)),
                ships=changed(state.ships, me, cell),
            )
        case ["sail", direction]:
            return replace(
                state,
                tokens=changed(state.tokens, me, state.tokens[me] - 1),
                ships=changed(state.ships, me, step(state.ships[me], direction)),
            )
        case ["jettison", kind, direction]:
            return replace(
                state,
                hands=changed(state.hands, me, without(hand, kind)),
                discarded=within(state.discarded, kind),
                ships=changed(state.ships, me, step(state.ships[me], direction)),
            )
        case ["swap", mine, "for", theirs, "of", number]:
            other = int(number) - 1
            hands = changed(state.hands, me, within(without(hand, mine), theirs))
            hands = changed(hands, other, within(without(hands[other], theirs), mine))
            return replace(state, hands=hands, swapped=True)
        case ["keep", kind]:
            hands = changed(state.hands, me, without(hand, kind))
            return end_turn(replace(state, hands=hands, kept=changed(state.kept, me, (kind,))))
        case ["stop"]:
            return end_turn(state)
    raise ValueError(f"`{action}` is no action")


def end_turn(state: State) -> State:
    me = state.player - 1
    hand = state.kept[me]
    deal = TILES_PER_PLAYER[state.players] - len(hand)
    after = replace(
        state,
        hands=changed(state.hands, me, within(hand, *state.draw[:deal])),
        kept=changed(state.kept, me, ()),
        tokens=changed(state.tokens, me, TOKENS_PER_PLAYER[state.players]),
        dealt=changed(state.dealt, me, bool(state.draw)),
        swapped=False,
        draw=state.draw[deal:],
        discarded=within(state.discarded, *state.hands[me]),
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


def over(state: State) -> bool:
    return state.player == 0


# --- score -----------------------------------------------------------------------------------------------------------


def explored(board: dict[Cell, str], cell: Cell) -> bool:
    """A tile with a tile on each of its four sides (R5)."""
    return cell in board and all(step(cell, direction) in board for direction in STEPS)


def score_items(state: State) -> list[tuple[Cell, str, int]]:
    """The explored tiles with their points, row by row from the top."""
    cells = sorted(state.board, key=lambda cell: (cell[1], cell[0]))
    return [(cell, state.board[cell], FACES[state.board[cell]].points) for cell in cells if explored(state.board, cell)]


def score(state: State) -> int:
    return sum(points for _, _, points in score_items(state))


def best_score(state: State) -> int:
    """The highest score at the end of the game over every way to play on; for four tiles to come at the most."""
    seen = {state.key()}
    waiting = [state]
    best = 0
    while waiting:
        here = waiting.pop()
        if over(here):
            best = max(best, score(here))
        for action in legal(here):
            there = successor(here, action)
            if there.key() not in seen:
                seen.add(there.key())
                waiting.append(there)
    return best


# --- puzzles as text -------------------------------------------------------------------------------------------------


def read_settings(text: str) -> dict[str, list[str]]:
    """Each setting of a puzzle with its lines: the rest of its own, then the deeper-indented ones that continue it."""
    lines = [line.split("#")[0].rstrip() for line in text.splitlines()]
    body = [line for line in lines if line.strip() and not line.startswith("puzzle ")]
    margin = min(len(line) - len(line.lstrip()) for line in body)
    settings: dict[str, list[str]] = {}
    for line in body:
        if len(line) - len(line.lstrip()) == margin:
            name, colon, value = line.strip().partition(":")
            if not colon:
                name, _, value = name.partition(" ")  # `players 1`, `rules beacon_patrol`
            settings[name] = [value.strip()] if value.strip() else []
        else:
            settings[name].append(line.strip())
    return settings


def read_tiles(lines: list[str]) -> Tiles:
    tiles: list[str] = []
    for entry in " ".join(lines).split(","):
        kind, *repeat = entry.split()
        if kind == "none":
            continue
        if kind not in FACES:
            raise ValueError(f"no such tile: {kind}")
        tiles += [kind] * (int(repeat[0].removeprefix("x")) if repeat else 1)
    return tuple(tiles)


def parse_puzzle(text: str) -> State:
    """The position of a puzzle with a drawn board; the top left cell of the drawing is (0, 0)."""
    settings = read_settings(text)
    players = int(settings["players"][0])
    numbers = range(1, players + 1)
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

    return State(
        board=board,
        ships=tuple(ships[n] for n in numbers),
        hands=tuple(within(tiles(f"hand {n}")) for n in numbers),
        kept=tuple(tiles(f"kept {n}") for n in numbers),
        tokens=tuple(int(one(f"tokens {n}", str(TOKENS_PER_PLAYER[players]))) for n in numbers),
        dealt=tuple(one(f"dealt {n}", "yes") == "yes" for n in numbers),
        swapped=one("swapped", "no") == "yes",
        draw=tiles("draw"),
        discarded=within(tiles("discarded")),
        player=int(one("start", "turn of 1").removeprefix("turn of ")),
    )


def parse_answer(text: str) -> int:
    return int(read_settings(text)["answer"][0])


def write_tiles(tiles: Tiles) -> str:
    """`none`, or the tiles with neighbours of one kind counted: `open x2, buoy`."""
    words: list[str] = []
    for kind, group in groupby(tiles):
        count = len(list(group))
        words.append(kind if count == 1 else f"{kind} x{count}")
    return ", ".join(words) or "none"


def to_puzzle(state: State, name: str) -> str:
    """The position in the puzzle form. Settings that have their usual value (kept, dealt, swapped) are left out."""
    columns, rows = [column for column, _ in state.board], [row for _, row in state.board]
    lines = [f"puzzle {name}:", "    rules beacon_patrol", f"    players {state.players}", "", "    sea:"]
    for row in range(min(rows), max(rows) + 1):
        words = []
        for column in range(min(columns), max(columns) + 1):
            here = [f"@{n}" for n, ship in enumerate(state.ships, 1) if ship == (column, row)]
            words.append(state.board.get((column, row), ".") + "".join(here))
        lines.append("        " + " ".join(word.ljust(17) for word in words).rstrip())
    lines.append("")
    for n in range(1, state.players + 1):
        lines.append(f"    hand {n}: {write_tiles(state.hands[n - 1])}")
        lines.append(f"    tokens {n}: {state.tokens[n - 1]}")
        if state.kept[n - 1]:
            lines.append(f"    kept {n}: {write_tiles(state.kept[n - 1])}")
        if not state.dealt[n - 1]:
            lines.append(f"    dealt {n}: no")
    if state.swapped:
        lines.append("    swapped: yes")
    lines += [f"    draw: {write_tiles(state.draw)}", f"    discarded: {write_tiles(state.discarded)}"]
    if over(state):
        raise ValueError("a game that is over stands at nobody's turn")
    lines += [f"    start: turn of {state.player}", "", "    ask: maximise score until end", ""]
    return "\n".join(lines)


# --- positions to test with ------------------------------------------------------------------------------------------


def random_position(rng: random.Random, players: int, tiles_on_board: int, tiles_to_come: int) -> State:
    """The start of a turn in the middle of a game: so many tiles on the board (HQ included), so many in hands and pile.

    Up to 40 tiles on the board are found at once; the pile is cut by discarding its end.
    """
    while True:
        state = shuffled_start(rng, players)
        while not over(state) and len(state.board) < tiles_on_board:
            state = random_turn(rng, state, tiles_on_board)
        coming = sum(map(len, state.hands)) + len(state.draw)
        if not over(state) and len(state.board) == tiles_on_board and coming >= tiles_to_come > 0:
            return cut(state, tiles_to_come)


def random_turn(rng: random.Random, state: State, tiles_on_board: int) -> State:
    """One turn that mostly places, best beside several tiles, and mostly does not discard."""
    for _ in range(20):
        weights = {action: weight(state, action, tiles_on_board) for action in legal(state)}
        (action,) = rng.choices(list(weights), list(weights.values()))
        state = successor(state, action)
        if action == "stop" or action.startswith("keep"):
            return state
    return successor(state, "stop")


def weight(state: State, action: str, tiles_on_board: int) -> float:
    verb, *words = action.split()
    if verb == "place":
        if len(state.board) >= tiles_on_board:
            return 0
        cell = step(state.ships[state.player - 1], words[1])
        return 4.0 ** sum(step(cell, direction) in state.board for direction in STEPS)
    return {"sail": 1, "jettison": 0.05, "swap": 0.1, "keep": 0.05, "stop": 0.05}[verb]


def cut(state: State, tiles_to_come: int) -> State:
    """Discards the end of the pile, and of the hands if need be, the player whose turn it is served first."""
    order = [(state.player - 1 + n) % state.players for n in range(state.players)]
    coming = tuple(kind for p in order for kind in state.hands[p]) + state.draw
    rest, gone = coming[:tiles_to_come], coming[tiles_to_come:]
    hands = list(state.hands)
    for p in order:
        hands[p], rest = within(rest[: len(hands[p])]), rest[len(hands[p]) :]
    dealt = tuple(map(bool, hands))
    return replace(state, hands=tuple(hands), dealt=dealt, draw=rest, discarded=within(state.discarded, *gone))
