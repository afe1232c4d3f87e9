"""The best score in a number of turns: a workshop with prices, stocks and turns by seed.

The peers pay for each turn the difference between the best sale and its earnings, so that the least cost is the most wealth.
Coins are counted for them only up to the greatest price of saws: more coins buy nothing more.
"""

from __future__ import annotations

from random import Random

from planning_task import Task, asked_of, domain_of, problem_of

STOCK, SAWS = 6, 2
GOODS = ("wood", "boards", "chairs", "saws")


def workshop(rng: Random, name: str) -> Task:
    """Ten to twenty turns."""
    turns = rng.randint(10, 20)
    stocks = dict(zip(GOODS, (rng.randint(0, 4), rng.randint(0, 4), rng.randint(0, 1), 0), strict=True))
    coins, prices = rng.randint(0, 6), {"board": rng.randint(1, 3), "chair": rng.randint(6, 14), "saw": rng.randint(3, 9)}
    best = STOCK * prices["chair"]
    entries = [f"    {good}: {number}" for good, number in stocks.items()]
    entries += [f"    coins: {coins}", *(f"    {thing}_price: {price}" for thing, price in prices.items())]
    facts = [f"start_{good}({number})." for good, number in stocks.items()]
    top = SAWS * prices["saw"]
    facts += [f"start_coins({min(coins, top)}).", *(f"{thing}_price({price})." for thing, price in prices.items())]
    return Task(
        "workshop",
        name,
        asked_of("workshop", entries, f"maximise wealth for {turns} turns"),
        domain_of("workshop"),
        _problem(turns, stocks, min(coins, top), prices),
        " ".join((*facts, f"turns({turns}).")),
        turns * best + coins,
    )


def _problem(turns: int, stocks: dict[str, int], coins: int, prices: dict[str, int]) -> str:
    best, top = STOCK * prices["chair"], SAWS * prices["saw"]
    purses = range(top + 1)

    def after(fact: str, gain: int) -> list[str]:
        return [f"({fact} p{purse} p{min(purse + gain, top)})" for purse in purses if purse + gain >= 0]

    init = ["(= (total-cost) 0)", "(now t0)", f"(coins p{coins})", *(f"({good} n{number})" for good, number in stocks.items())]
    init += [f"(then t{turn} t{turn + 1})" for turn in range(turns)]
    init += [f"(few n{number})" for number in range(SAWS)]
    init += [f"(plus n{a} n{b} n{a + b})" for a in range(STOCK + 1) for b in range(1, STOCK + 1 - a)]
    init += after("after_board", prices["board"]) + after("after_saw", -prices["saw"])
    init += [fact for number in range(1, STOCK + 1) for fact in after(f"after_chairs n{number}", number * prices["chair"])]
    init += [f"(= (loss) {best})", f"(= (loss_board) {best - prices['board']})", f"(= (loss_saw) {best + prices['saw']})"]
    init += [f"(= (loss_chairs n{number}) {best - number * prices['chair']})" for number in range(STOCK + 1)]
    levels = " ".join(f"n{number}" for number in range(4, STOCK + 1))
    listed = " ".join(f"p{purse}" for purse in purses), " ".join(f"t{turn}" for turn in range(turns + 1))
    objects = f"{levels} - level {listed[0]} - purse {listed[1]} - turn"
    problem = problem_of("workshop", objects, init, [f"(now t{turns})"])
    return problem.removesuffix(")\n") + "  (:metric minimize (total-cost)))\n"
