"""Positions of the judge of ships as states of an engine."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.rules.model.state import OVER, POINT
from rulewright.rules.play.engine import Engine, State
from tests.games.beacon_patrol.oracle import ships as judge

ONCE = {"barter_done": "bartered", "stow_done": "stowed", "salvage_done": "salvaged"}


def state_of(engine: Engine, judged: judge.State) -> State:
    """The engine's state of a position within a turn, column by column; what is not on the table is out of the game."""
    columns = list(engine.unset)
    window, tile = engine.instance.windows["sea"], engine.game.tile_number

    def put(name: str, index: int | None, value: object) -> None:
        if name in engine.layout.columns:
            columns[engine.layout.position(name, index)] = value

    def zone(kinds: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(map(tile, kinds)))

    board = bytearray(window.size + 1)
    for cell, kind in judged.board.items():
        board[window.cell(cell)] = tile(kind)
    put("sea", None, bytes(board))
    for player in range(1, judged.players + 1):
        put("ship", player, window.cell(judged.ships[player - 1]))
        put("hand", player, zone(judged.hands[player - 1]))
        put("kept", player, zone(judged.kept[player - 1]))
        put("tokens", player, judged.tokens[player - 1])
        put("dealt", player, int(judged.dealt[player - 1]))
        if judged.fleet:
            put("vessel", player, engine.game.enumerations["fleet"].index(judged.vessels[player - 1]))
    put("swapped", None, int(judged.swapped))
    for column, flag in ONCE.items():
        put(column, None, int(getattr(judged, flag)))
    put("draw", None, tuple(map(tile, judged.draw)))
    put("discarded", None, tuple(map(tile, judged.discarded)))
    put("box", None, ())
    put("player", None, judged.player or 1)
    put("first", None, 1)
    turn = next(choice.number for choice in engine.choices if choice.points[-1:] == ("turn",))
    columns[POINT] = OVER if judge.over(judged) else turn
    return tuple(columns)


def comparable(engine: Engine, state: State) -> State:
    """A state without what the judge does not know: chance, the box, and flags that only the next turn takes back."""
    columns = list(state)
    columns[1] = 0
    columns[engine.layout.position("box", None)] = ()
    if engine.over(state):
        for column in ONCE:
            if column in engine.layout.columns:
                columns[engine.layout.position(column, None)] = 0
    return tuple(columns)


def listed(engine: Engine) -> tuple[str, ...]:
    """All kinds of tile, in the order of the box."""
    return tuple(kind.name for kind in engine.game.tiles)
