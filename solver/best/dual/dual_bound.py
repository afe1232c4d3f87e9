"""The dual bound of the covering program: an upper bound on the value of any state reachable from this one.

Each term's worth is split among the cells that it lacks (dual cost splitting). The shares of a cell add up to its dual price,
and K tiles earn at most the K highest prices, however the worths are split. Coordinate descent, one term at a time, brings that
sum close to the optimum of the linear program whose dual this is, warm-started by the last shares.

A vacant cell is worth the best tile that may lie there. A worth cap limits that worth, and each of the K best tiles adds its
worth above the cap (the excess charge). The least bound over all caps counts.
"""

from __future__ import annotations

from rulewright.subset.records import Run

from .active_terms import count_coming, gather
from .arena import MOST, UNUSED, Bound, CellState, Shares, Term

UNIT = 240
"""Parts of a point in which shares and prices are counted."""

SWEEPS = 8
"""Sweeps of coordinate descent for the bound of a state. Measured on sixteen puzzles: with 4, 0.7 % more states, with 16, 1.8 %
fewer and 5 % more time."""

OUTLOOK = 12
"""Sweeps continue while the gap to the goal is at most OUTLOOK times the gain of the last sweep. Measured on four goals with 18
tiles to come: with 3 and 6, 1.09 and 1.03 times the time."""

SELDOM = 32
"""A worth cap that succeeds less than once in SELDOM tries is tried only once in SELDOM turns. Measured on positions with 12
tiles to come: where all are tried, two proofs take 1.1 and 2.3 times as long."""


def excess_charge(bound: Bound, cap: int, number: int) -> int:
    """The worth above a cap of the best tiles to come, `number` at most. Kinds are in order of worth."""
    total = 0
    for kind in range(bound.kind_count):
        worth = bound.kind_worth[kind]
        if worth <= cap or number == 0:
            return total
        taken = min(bound.coming[kind], number)
        total += taken * (worth - cap)
        number -= taken
    return total


def split_costs(bound: Bound, shares: Shares, active: int, cap: int) -> None:
    """Set the prices of all cells from the shares of the last call, rescaled where a worth or the missing cells changed."""
    prices = bound.prices
    for cell in range(bound.node.cells):
        prices[cell] = 0
    for term in bound.active[:active]:
        missing = term.missing
        count = term.missing_count
        split = shares[term.candidate.first_share :]
        worth = max(min(term.most, cap), term.least) * UNIT
        before = 0
        for need in missing[:count]:
            before += split[need.place]
        if before != worth:
            rest = worth
            for number in range(count - 1, 0, -1):
                place = missing[number].place
                split[place] = split[place] * worth // before if before > 0 else worth // count
                rest -= split[place]
            split[missing[0].place] = rest
        for need in missing[:count]:
            prices[need.cell] += split[need.place]


def descend(bound: Bound, shares: Shares, active: int) -> None:
    """One sweep of coordinate descent: water-filling splits a term's worth anew to where the prices are lowest.

    A term without a share in one of the largest prices is left alone: no split of its worth would lower their sum.
    """
    prices = bound.prices
    ranked = bound.ranked
    threshold = bound.node.threshold
    for term in bound.active[:active]:
        missing = term.missing
        count = term.missing_count
        split = shares[term.candidate.first_share :]
        counts = False
        for need in missing[:count]:
            if prices[need.cell] >= threshold and split[need.place] > 0:
                counts = count > 1
                break
        if counts:
            worth = 0
            for number in range(count):
                need = missing[number]
                share = split[need.place]
                worth += share
                price = prices[need.cell] - share
                rank = number
                while rank > 0 and ranked[rank - 1].price > price:
                    ranked[rank].copy(ranked[rank - 1])
                    rank -= 1
                ranked[rank].price = price
                ranked[rank].need = need
            raised = 1
            total = worth + ranked[0].price
            while raised < count and total > ranked[raised].price * raised:
                total += ranked[raised].price
                raised += 1
            water_level = total // raised
            remainder = total - water_level * raised
            for rank in range(count):
                need = ranked[rank].need
                share = 0
                if rank < raised:
                    share = water_level - ranked[rank].price
                    if rank < remainder:
                        share += 1
                split[need.place] = share
                prices[need.cell] = ranked[rank].price + share


def dual_value(bound: Bound, tiles: int) -> int:
    """The sum of the highest prices, one for each tile, in parts of a point.

    Sets `node.threshold`: the least price that no more cells than tiles exceed, found by galloping from the last one.
    """
    node = bound.node
    prices = bound.prices
    cells = node.cells
    low = 0
    high = 0
    for price in prices[:cells]:
        high = max(high, price)
    guess = node.threshold
    step = 1
    while low < high:
        if guess < low or guess >= high:
            guess = (low + high) >> 1
        above = 0
        for price in prices[:cells]:
            above += price > guess
        if above > tiles:
            low = guess + 1
            guess = low + step
        else:
            high = guess
            guess = high - step
        step += step
    node.threshold = low
    total = tiles * low
    for price in prices[:cells]:
        total += max(0, price - low)
    return total


def undecided_above(bound: Bound, active: int, cap: int) -> int:
    """How many terms a tile may make worth more than a cap."""
    return undecided_among(bound, bound.active, active, cap) + undecided_among(
        bound, bound.completed, bound.node.completed, cap
    )


def undecided_among(bound: Bound, terms: Run[Term], count: int, cap: int) -> int:
    """How many of the first `count` terms a tile may make worth more than a cap."""
    found = 0
    for term in terms[:count]:
        if term.most > term.least and term.most > cap:
            found += 1
    return found


def certain_worth(bound: Bound, cap: int) -> int:
    """The worth that counts already, plus that of the completed terms under a cap."""
    total = bound.node.certain
    for term in bound.completed[: bound.node.completed]:
        total += max(min(term.most, cap), term.least)
    return total


def bound_by_dual_costs(bound: Bound, goal: int, sweeps: int) -> int:
    """An upper bound on the value of any state reachable from this one; at most the goal if `sweeps` sweeps show that."""
    tiles = count_coming(bound)
    active = gather(bound, tiles)
    return least_over_caps(bound, goal, active, tiles, sweeps, False)


def least_over_caps(bound: Bound, goal: int, active: int, tiles: int, sweeps: int, is_branch: bool) -> int:
    """The least bound over the worth caps, or the first within the goal. The last cap that achieved that is tried first.

    A branch tries one cap only; its assignments count, and reduced-cost fixing applies.
    """
    node = bound.node
    least = MOST
    favourite = node.favourite
    for turn in range(bound.cap_count):
        if turn > 0 and (is_branch or node.undecided == 0):
            return least
        number = turn
        if turn == 0:
            number = favourite
        elif turn <= favourite:
            number = turn - 1
        record = bound.cap_records[number]
        if turn > 0 and record.successes * SELDOM < record.tries and record.skipped < SELDOM:
            record.skipped += 1
            continue
        record.tries += 1
        record.skipped = 0
        found = bound_under_cap(bound, number, goal, active, tiles, sweeps, is_branch)
        if found <= goal:
            record.successes += 1
            node.favourite = number
            return found
        least = min(least, found)
    return least


def bound_under_cap(bound: Bound, number: int, goal: int, active: int, tiles: int, sweeps: int, is_branch: bool) -> int:
    """The bound under worth cap `number`."""
    cap = bound.caps[number]
    shares = bound.shares[number]
    base = certain_worth(bound, cap) + excess_charge(bound, cap, undecided_above(bound, active, cap))
    split_costs(bound, shares, active, cap)
    total = dual_value(bound, tiles)
    target = (goal + 1 - base) * UNIT - 1
    for _ in range(sweeps):
        if total <= target:
            break
        before = total
        descend(bound, shares, active)
        total = dual_value(bound, tiles)
        if total - target > OUTLOOK * (before - total):
            break
    if total > target and is_branch:
        fix(bound, active, tiles, total - target)
    bound.node.rest = total // UNIT + excess_charge(bound, cap, undecided_among(bound, bound.active, active, cap))
    return base + total // UNIT


def assign(bound: Bound, cell: int, state: int, is_choice: bool) -> None:
    """Assign a state to a cell of the program, by choice or by necessity."""
    node = bound.node
    bound.cell_state[cell] = state
    bound.assignments[node.assigned] = 2 * cell + is_choice
    node.assigned += 1
    if state == CellState.FILLED:
        node.tiles_left -= 1


def fix(bound: Bound, active: int, tiles: int, slack: int) -> None:
    """Reduced-cost fixing (Dantzig, Fulkerson and Johnson 1954): fill the cells that must be filled on every final board worth
    more than the goal, and strike out the terms that cannot count there (`missing_count` UNUSED).

    The sum of the largest prices, one for each tile, exceeds the goal by `slack`. Covering other cells displaces the cheapest
    of them; leaving one vacant costs what its price exceeds the next by. A choice that costs the slack or more is excluded.
    """
    node = bound.node
    prices = bound.prices
    cells = node.cells
    following = node.threshold
    cheapest = bound.cheapest
    list_cheapest(bound, tiles)
    for term in bound.active[:active]:
        cost = 0
        displaced = 0
        for need in term.missing[: term.missing_count]:
            price = prices[need.cell]
            if price < cheapest[0]:
                cost += cheapest[displaced] - price
                displaced += 1
        if cost >= slack:
            term.missing_count = UNUSED
            node.news += 1
    for cell in range(cells):
        if prices[cell] - following >= slack and bound.cell_state[cell] == CellState.OPEN_CELL:
            assign(bound, cell, CellState.FILLED, False)
            node.news += 1


def list_cheapest(bound: Bound, tiles: int) -> None:
    """List in `bound.cheapest` the least of the largest prices, one for each tile, for as many cells as a term may lack; MOST
    where there are fewer."""
    prices = bound.prices
    threshold = bound.node.threshold
    for rank in range(bound.most_missing):
        bound.cheapest[rank] = MOST
    ties = tiles
    for price in prices[: bound.node.cells]:
        if price > threshold:
            insert_price(bound, price)
            ties -= 1
    for _ in range(min(ties, bound.most_missing)):
        insert_price(bound, threshold)


def insert_price(bound: Bound, price: int) -> None:
    """Insert a price into `bound.cheapest`, where the greatest gives way."""
    cheapest = bound.cheapest
    rank = bound.most_missing - 1
    if price < cheapest[rank]:
        while rank > 0 and cheapest[rank - 1] > price:
            cheapest[rank] = cheapest[rank - 1]
            rank -= 1
        cheapest[rank] = price
