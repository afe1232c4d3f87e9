"""Variables of two indices: the best play of one merchant, held against a model of the game in plain Python."""

from __future__ import annotations

from functools import cache

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from tests.rules.playing import own_module
from tests.solver.asking import searched

DAYS, GOODS, CELLS = 4, 3, 4
Stock = tuple[int, ...]
Prices = tuple[tuple[int, ...], ...]

BESIDE = {0: (1, 2), 1: (0, 3), 2: (0, 3), 3: (1, 2)}
SOUTH = {0: 2, 1: 3}


@cache
def best(day: int, here: int, purse: int, stock: Stock, prices: Prices, seen: frozenset[int]) -> int:
    if day == DAYS:
        below = sum(prices[south][g] > prices[c][g] for c, south in SOUTH.items() for g in range(GOODS))
        return purse + len(seen) + 4 * min(stock) + below
    found = [best(day + 1, to, purse, stock, prices, seen | {to}) for to in BESIDE[here]]
    for good in range(GOODS):
        price = prices[here][good]
        if stock[good] < 3 and purse >= price:
            found.append(best(day + 1, here, purse - price, _with(stock, good, 1), _priced(prices, here, good, 1), seen))
        if stock[good] and purse + price <= 9:
            found.append(best(day + 1, here, purse + price, _with(stock, good, -1), _priced(prices, here, good, -1), seen))
    return max(found)


def _with(stock: Stock, good: int, more: int) -> Stock:
    return tuple(number + more * (at == good) for at, number in enumerate(stock))


def _priced(prices: Prices, here: int, good: int, more: int) -> Prices:
    return tuple(
        tuple(min(3, max(0, price + more * (cell == here and at == good))) for at, price in enumerate(row))
        for cell, row in enumerate(prices)
    )


def test_the_best_four_days_of_a_merchant() -> None:
    text = "puzzle p:\n    rules markets\n    players 1\n    ask: maximise score until end\n"
    position = set_up_position(parse_puzzle(text, "p"), own_module("markets"))
    assert position.question is not None
    prices = ((1, 1, 1), (1, 1, 1), (1, 1, 3), (1, 1, 3))
    # Beyond the southern border a price is what it would begin with if nothing were said: none is dearer there.
    wanted = best(0, 0, 2, (1, 1, 1), prices, frozenset({0}))
    assert searched(position.asked, position.state, position.question).score == wanted
