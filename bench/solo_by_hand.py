"""Solo Beacon Patrol for `cpsat_by_hand.py`: a position, the tiles that each turn may lay, and whether a board can be laid."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from attrs import field, frozen, mutable
from clingo_beacon_patrol import WORTH

from rulewright.puzzles.position import Position

HAND, TOKENS = 3, 4
WAYS = ((0, -1), (1, 0), (0, 1), (-1, 0))

Cell = tuple[int, int]


@frozen
class Task:
    """A position of the solo game at the start of a turn; kinds by name, `land` their sides N, E, S, W."""

    lying: dict[Cell, str]
    ship: Cell
    hand: tuple[str, ...]
    pile: tuple[str, ...]
    land: dict[str, tuple[bool, ...]]
    worth: dict[str, int]

    @classmethod
    def of(cls, position: Position) -> Task:
        """Raises `ValueError` if it is not the start of a turn of the solo game."""
        engine, state = position.engine, position.state
        layout, kinds, markers = engine.layout, engine.game.tiles, engine.game.enumerations["marker"]
        names = [kind.name for kind in kinds]
        if engine.instance.players != 1 or state[layout.position("kept", 1)] or state[layout.position("tokens", 1)] != TOKENS:
            raise ValueError("only the start of a turn in the game for one")
        at = engine.instance.windows["sea"].coordinates

        def cell(number: int) -> Cell:
            return at[number][0], at[number][1]

        def held(kind: Any) -> int:
            return max((WORTH.get(name, 1) for number, name in enumerate(markers) if kind.number(number)), default=1)

        return cls(
            {cell(number): names[tile - 1] for number, tile in enumerate(state[layout.position("sea", None)]) if tile},
            cell(state[layout.position("ship", 1)]),
            tuple(names[tile - 1] for tile in state[layout.position("hand", 1)]),
            tuple(names[tile - 1] for tile in state[layout.position("draw", None)]),
            {kind.name: tuple(bool(kind.side(side)) for side in "NESW") for kind in kinds},
            {kind.name: held(kind) for kind in kinds},
        )

    @property
    def coming(self) -> tuple[str, ...]:
        return self.hand + self.pile


@frozen
class Turn:
    """An edge between nodes (the hand, the rest of the pile, whether any tile was dealt), laying some tiles."""

    source: tuple[tuple[str, ...], int, bool]
    target: tuple[tuple[str, ...], int, bool]
    laid: tuple[str, ...]
    steps: int


def turns(task: Task) -> list[list[Turn]]:
    """The possible first turns, second turns, and so on."""
    front = {(tuple(sorted(task.hand)), len(task.pile), True)}
    layers: list[list[Turn]] = []
    while front := {node for node in front if node[0]}:
        layers.append([turn for node in sorted(front) for turn in _turns_from(task, node)])
        front = {turn.target for turn in layers[-1]}
    return layers


def _turns_from(task: Task, node: tuple[tuple[str, ...], int, bool]) -> Iterator[Turn]:
    hand, left, dealt = node
    found: dict[tuple[Any, ...], Turn] = {}
    for kept in {None, *hand} if dealt else {None}:
        rest = list(hand)
        if kept is not None:
            rest.remove(kept)
        drawn = min(left, HAND - (kept is not None))
        begin = len(task.pile) - left
        target = (tuple(sorted((*task.pile[begin : begin + drawn], *((kept,) if kept else ())))), left - drawn, drawn > 0)
        for size in range(len(rest) + 1):
            for laid in set(itertools.combinations(rest, size)):
                found[target, laid] = Turn(node, target, laid, TOKENS + len(rest))
    yield from found.values()


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in WAYS]


@mutable
class Walk:
    """Whether a last board can be laid: depth first over turns, tokens, hands and places of the ship."""

    task: Task
    board: dict[Cell, str]
    _seen: set[Any] = field(factory=set)

    def exists(self) -> bool:
        hand = tuple(sorted(self.task.hand))
        return self._goes_on(self.task.ship, TOKENS, hand, 0, True, frozenset())

    def _goes_on(self, ship: Cell, tokens: int, hand: tuple[str, ...], drawn: int, dealt: bool, laid: frozenset[Cell]) -> bool:
        if len(laid) == len(self.board):
            return True
        state = ship, tokens, hand, drawn, dealt, laid
        if state in self._seen or not hand:
            return False
        self._seen.add(state)
        land = self.task.land
        for side, near in enumerate(beside(ship)):
            if land[self._at(ship, laid)][side]:
                continue
            lies = self._at(near, laid)
            if not lies:
                kind = self.board.get(near, "")
                fits = kind in hand and not land[kind][(side + 2) % 4]
                if fits and self._goes_on(near, tokens, _without(hand, kind), drawn, dealt, laid | {near}):
                    return True
            elif not land[lies][(side + 2) % 4]:
                if tokens and self._goes_on(near, tokens - 1, hand, drawn, dealt, laid):
                    return True
                if any(self._goes_on(near, tokens, _without(hand, kind), drawn, dealt, laid) for kind in set(hand)):
                    return True
        return any(self._ends_turn(ship, kept, drawn, laid) for kept in ({None, *hand} if dealt else {None}))

    def _ends_turn(self, ship: Cell, kept: str | None, drawn: int, laid: frozenset[Cell]) -> bool:
        held = () if kept is None else (kept,)
        new = self.task.pile[drawn : drawn + HAND - len(held)]
        return self._goes_on(ship, TOKENS, tuple(sorted((*held, *new))), drawn + len(new), bool(new), laid)

    def _at(self, cell: Cell, laid: frozenset[Cell]) -> str:
        return self.board[cell] if cell in laid else self.task.lying.get(cell, "")


def _without(hand: tuple[str, ...], kind: str) -> tuple[str, ...]:
    place = hand.index(kind)
    return hand[:place] + hand[place + 1 :]
