"""Generates positions to solve, by class and seed: solo Beacon Patrol in mid-game, with a number of tiles to come in a known
order.

`python bench/instances.py FOLDER [--count 10]` writes them as puzzles; the same arguments give the same files everywhere.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path
from random import Random

from attrs import frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State

GAME = "beacon_patrol"
HAND, TOKENS = 3, 4
"""A captain's hand and tokens at the start of a solo turn: at most as many tiles, at least as many tokens."""

COMING = (3, 6, 9, 12, 18, 24)
BOARD = range(10, 21)
"""The numbers of tiles on a board in mid-game."""


@frozen
class Class:
    """A class of positions; those of the beginning have only the headquarters on the board."""

    coming: int
    begin: bool = False

    @property
    def name(self) -> str:
        return f"{'begin' if self.begin else 'mid'}_k{self.coming:02}"

    @classmethod
    def named(cls, name: str) -> Class:
        """The class of a name such as `mid_k13`."""
        begin, _, coming = name.partition("_k")
        return cls(int(coming), begin == "begin")


CLASSES = (*(Class(coming) for coming in COMING), *(Class(coming, begin=True) for coming in (6, 9, 12)))


@frozen
class Instance:
    """A position and its text."""

    kind: Class
    name: str
    text: str

    def position(self) -> Position:
        return set_up_position(parse_puzzle(self.text, self.name), _engine().game)


def instance(kind: Class, seed: int) -> Instance:
    """The position of a class with that seed: the start of a turn, only the tiles to come left in the pile."""
    engine, rng = _engine(), Random(f"{kind.name} {seed}")
    state = _begin(engine, rng) if kind.begin else _mid_game(engine, rng, kind.coming)
    board = _lying(engine, state)
    name = f"{kind.name}_s{seed:02}" + ("" if kind.begin else f"_b{board}")
    ask = Ask(Goal.MAXIMISE, None, None, None)
    return Instance(kind, name, write_position(engine, _cut(engine, state, kind.coming), name, [GAME], ask=ask))


@cache
def _engine() -> Engine:
    return Engine.of(Project(Path(__file__).parent).load(GAME), 1)


def _begin(engine: Engine, rng: Random) -> State:
    return engine.start(rng.randrange(1 << 30))


def _mid_game(engine: Engine, rng: Random, coming: int) -> State:
    """Play games until one has the wanted number of tiles on the board at the start of a turn."""
    while True:
        wished = rng.choice(BOARD)
        state = _begin(engine, rng)
        while not engine.over(state) and _lying(engine, state) < wished:
            state = _play_turn(engine, state, rng)
        if not engine.over(state) and _lying(engine, state) in BOARD and _coming(engine, state) >= coming:
            return state


def _play_turn(engine: Engine, state: State, rng: Random) -> State:
    """A turn that prefers laying tiles, especially beside several others, and seldom gives one away."""
    pile = _zone(engine, state, "draw")
    while not engine.over(state) and _zone(engine, state, "draw") == pile:
        moves = engine.legal(state)
        (move,) = rng.choices(moves, [_weight(engine, state, move) for move in moves])
        state = engine.apply(state, move)
    return state


def _weight(engine: Engine, state: State, move: Move) -> float:
    name = list(engine.game.actions)[move[0]] if move[0] >= 0 else "stop"
    if name != "place":
        return {"sail": 1.0, "jettison": 0.05, "keep": 0.05, "stop": 0.05}[name]
    window, sea = engine.instance.windows["sea"], state[engine.layout.position("sea", None)]
    beside = [window.steps[way][move[2]] for way in window.around]
    return 4.0 ** sum(sea[near] != 0 for near in beside)


def _cut(engine: Engine, state: State, coming: int) -> State:
    """The state with nothing discarded, and only `coming` tiles to come, including those in hand."""
    columns = list(state)
    at = engine.layout.position("draw", None)
    columns[at] = columns[at][: coming - HAND]
    columns[engine.layout.position("discarded", None)] = ()
    return tuple(columns)


def _zone(engine: Engine, state: State, name: str, index: int | None = None) -> tuple[int, ...]:
    zone: tuple[int, ...] = state[engine.layout.position(name, index)]
    return zone


def _lying(engine: Engine, state: State) -> int:
    sea = state[engine.layout.position("sea", None)]
    return len(sea) - sea.count(0)


def _coming(engine: Engine, state: State) -> int:
    return len(_zone(engine, state, "draw")) + len(_zone(engine, state, "hand", 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=10, help="of each class")
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    for kind in CLASSES:
        for one in (instance(kind, seed) for seed in range(1, wish.count + 1)):
            (wish.folder / f"{one.name}.puzzle").write_text(one.text, "utf-8")


if __name__ == "__main__":
    main()
