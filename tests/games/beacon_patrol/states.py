"""Positions of the independent judge as states of the engine, and its moves as the engine writes them."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.rules.model.state import OVER, POINT
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from tests.games.beacon_patrol.oracle import base_game as oracle


def state_of(engine: Engine, judged: oracle.State) -> State:
    """The engine's state of a position, column by column."""
    columns = list(engine.unset)
    window = engine.instance.windows["sea"]
    tile = engine.game.tile_number

    def put(name: str, index: int | None, value: object) -> None:
        columns[engine.layout.position(name, index)] = value

    def zone(kinds: Iterable[str]) -> tuple[int, ...]:
        return tuple(sorted(map(tile, kinds)))

    board = bytearray(window.size + 1)
    for cell, kind in judged.board.items():
        board[window.cell(cell)] = tile(kind)
    put("sea", None, bytes(board))
    put("box", None, ())
    for player in range(1, judged.players + 1):
        put("ship", player, window.cell(judged.ships[player - 1]))
        put("hand", player, zone(judged.hands[player - 1]))
        put("kept", player, zone(judged.kept[player - 1]))
        put("tokens", player, judged.tokens[player - 1])
        put("dealt", player, int(judged.dealt[player - 1]))
    put("swapped", None, int(judged.swapped))
    put("draw", None, tuple(map(tile, judged.draw)))
    put("discarded", None, tuple(reversed([tile(kind) for kind in judged.discarded])))
    put("first", None, 1)
    put("player", None, judged.player or 1)
    columns[POINT] = OVER if oracle.over(judged) else 0
    return tuple(columns)


def comparable(engine: Engine, state: State) -> State:
    """A state without what the judge does not know: the state of chance, the order of the discarded tiles."""
    columns = list(state)
    columns[1] = 0
    at = engine.layout.position("discarded", None)
    columns[at] = tuple(sorted(columns[at]))
    return tuple(columns)


def written_moves(engine: Engine, state: State) -> dict[str, tuple[int, ...]]:
    return {format_move(engine, state, move): move for move in engine.legal(state)}
