"""Games of Penguin Pirates by name: reading and writing parts of a state."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from rulewright.rules.play.engine import Engine, State
from tests.rules.playing import engine_of

GAME = "penguin_pirates"


def engine(players: int, *roots: str) -> Engine:
    return engine_of(players, *(roots or (GAME,)))


def get(engine: Engine, state: State, name: str, index: int | None = None) -> Any:
    """The value of a variable; of one over cells, that of the cell."""
    column = engine.layout.columns[name]
    value = state[engine.layout.position(name, index)]
    return value[index] if column.over_cells else value


def put(engine: Engine, state: State, values: Mapping[str | tuple[str, int], Any]) -> State:
    """The state with other values, by `name` or `(name, index)`."""
    columns = list(state)
    for key, value in values.items():
        name, index = key if isinstance(key, tuple) else (key, None)
        columns[engine.layout.position(name, index)] = value
    return tuple(columns)


def cell(engine: Engine, column: int, row: int) -> int:
    return engine.instance.windows["sea"].cell((column, row))


def member(engine: Engine, enumeration: str, name: str) -> int:
    return engine.game.enumerations[enumeration].index(name)


def actions_here(engine: Engine, state: State) -> set[str]:
    """The names of the actions of which some move is legal."""
    names = list(engine.game.actions)
    return {names[move[0]] for move in engine.legal(state) if move[0] >= 0}


def point(engine: Engine, state: State) -> str:
    """The innermost point of the flow."""
    choice = engine.choice(state)
    return choice.points[-1] if choice is not None and choice.points else ""


def random_game(engine: Engine, seed: int) -> Iterator[State]:
    """The states of a game of which every choice is made at random."""
    dice, state = random.Random(seed), engine.start(seed)
    while not engine.over(state):
        yield state
        state = engine.apply(state, dice.choice(engine.legal(state)))
    yield state
