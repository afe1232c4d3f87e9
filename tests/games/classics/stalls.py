"""The market of stalls, by a judge that knows nothing of Rulewright."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from attrs import evolve, frozen

GOODS = ("silk", "salt", "tea")

Row = tuple[int, ...]


@frozen
class Position:
    """Stock and prices by player and good, coins, the days left, whose turn it is."""

    stock: tuple[Row, ...]
    prices: tuple[Row, ...]
    coins: Row
    days: int
    player: int = 0


def read(text: str) -> Position:
    """A position of two players from the text of a puzzle; what it leaves out is as the rules begin."""

    def number(pattern: str, otherwise: int) -> int:
        found = re.findall(rf"^ +{pattern}: (\d+)$", text, re.MULTILINE)
        return int(found[0]) if found else otherwise

    stock, prices = (
        tuple(tuple(number(f"{what} {player} {good}", 2) for good in GOODS) for player in (1, 2)) for what in ("stock", "price")
    )
    return Position(stock, prices, (number("coins 1", 6), number("coins 2", 6)), number("days", 3))


def changed(rows: tuple[Row, ...], player: int, good: int, value: int) -> tuple[Row, ...]:
    row = (*rows[player][:good], value, *rows[player][good + 1 :])
    return (*rows[:player], row, *rows[player + 1 :])


def moves(here: Position) -> Iterator[tuple[str, Position]]:
    """Every move as it is written, with what comes of it."""
    if here.days == 0:
        return
    own, other = here.player, 1 - here.player
    for good, name in enumerate(GOODS):
        price = here.prices[other][good]
        if here.stock[other][good] and here.coins[own] >= price:
            stock = changed(here.stock, other, good, here.stock[other][good] - 1)
            stock = changed(stock, own, good, stock[own][good] + 1)
            coins = [here.coins[0], here.coins[1]]
            coins[own] -= price
            coins[other] += price
            prices = changed(here.prices, other, good, min(price + 1, 4))
            yield f"buy {name} from {other + 1}", night(Position(stock, prices, tuple(coins), here.days, own))
        for to in range(1, 5):
            if abs(to - here.prices[own][good]) == 1 and here.stock[own][good]:
                yield f"mark {name} {to}", night(evolve(here, prices=changed(here.prices, own, good, to)))
    yield "wait", night(here)


def night(here: Position) -> Position:
    return evolve(here, player=1) if here.player == 0 else evolve(here, player=0, days=here.days - 1)


def wealth(here: Position, player: int) -> int:
    return here.coins[player] + 5 * min(here.stock[player])


@cache
def lead(here: Position) -> int:
    """By how much the first player is richer at the end, both playing for that."""
    values = [lead(after) for _, after in moves(here)]
    if not values:
        return wealth(here, 0) - wealth(here, 1)
    return max(values) if here.player == 0 else min(values)
