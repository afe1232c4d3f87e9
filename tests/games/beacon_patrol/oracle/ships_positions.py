"""Positions in the middle of games with special ships, and what is best from there, by looking at everything."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import fields, replace

from tests.games.beacon_patrol.oracle.base_game import STEPS, step
from tests.games.beacon_patrol.oracle.ships import State, legal, over, score, successor
from tests.games.beacon_patrol.oracle.shores import MODULE_TILES

Begin = Callable[[random.Random], State]


def random_position(rng: random.Random, begin: Begin, tiles_on_board: int, tiles_to_come: int) -> State:
    """The start of a turn: so many tiles on the board, so many in hands and pile; the rest of the pile is out of the game."""
    while True:
        state = begin(rng)
        while not over(state) and len(state.board) < tiles_on_board:
            state = _random_turn(rng, state, tiles_on_board)
        coming = sum(map(len, state.hands)) + len(state.draw)
        if not over(state) and len(state.board) == tiles_on_board and coming >= tiles_to_come:
            return cut(state, tiles_to_come)


def _random_turn(rng: random.Random, state: State, tiles_on_board: int) -> State:
    for _ in range(20):
        texts = [text for text in legal(state) if len(state.board) < tiles_on_board or not text.startswith("place")]
        (text,) = rng.choices(texts, [_weight(state, text) for text in texts])
        state = successor(state, text)
        if text == "stop" or text.startswith("keep"):
            return state
    return successor(state, "stop")


def _weight(state: State, text: str) -> float:
    """Mostly places, best beside several tiles, and best a tile of a module."""
    verb, *words = text.split()
    if verb == "place":
        beside = sum(step(step(state.ship, words[-1]), direction) in state.board for direction in STEPS)
        return 4.0**beside * (8 if words[-2] in MODULE_TILES else 1)
    return {"sail": 1, "jettison": 0.05, "swap": 0.1, "keep": 0.05, "stop": 0.05}.get(verb, 1)


def cut(state: State, tiles_to_come: int) -> State:
    """Without the end of the pile, and of the hands if need be, the player whose turn it is served first.

    Of the discarded tiles only the two on top are left.
    """
    order = [(state.me + n) % state.players for n in range(state.players)]
    coming = [kind for p in order for kind in state.hands[p]] + list(state.draw)
    rest, hands = coming[:tiles_to_come], list(state.hands)
    for p in order:
        hands[p], rest = tuple(sorted(rest[: len(hands[p])])), rest[len(hands[p]) :]
    return replace(state, hands=tuple(hands), draw=tuple(rest), dealt=tuple(map(bool, hands)), discarded=state.discarded[:2])


CHANGING = tuple(field.name for field in fields(State) if field.name not in ("board", "vessels", "listed", "german", "fleet"))


def key(state: State) -> object:
    """What tells two positions of one game apart."""
    return (frozenset(state.board.items()), *(getattr(state, name) for name in CHANGING))


def best_score(state: State, most: int = 1_000_000) -> int | None:
    """The highest score at the end over every way to play on; None where there are more positions than `most`."""
    seen, waiting, best = {key(state)}, [state], -(10**6)
    while waiting:
        here = waiting.pop()
        if over(here):
            best = max(best, score(here))
        for text in legal(here):
            there = successor(here, text)
            mark = key(there)
            if mark not in seen:
                if len(seen) >= most:
                    return None
                seen.add(mark)
                waiting.append(there)
    return best
