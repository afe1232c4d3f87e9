"""What the dual bound is made of: the sum of the highest prices, and the sweeps that lower it."""

from __future__ import annotations

import random

from rulewright.solver.best.dual.arena import Bound, Candidate, Need, RankedNeed, Term
from rulewright.solver.best.dual.dual_bound import UNIT, descend, dual_value, split_costs
from rulewright.subset.bundles import TableBuilder
from rulewright.subset.records import size_of
from tests.solver.best.dual.bounds import bound_with


def test_the_largest_are_added_up() -> None:
    rng = random.Random(1)
    for count in (1, 2, 3, 10, 40):
        for number in range(count + 2):
            values = [rng.randrange(20) for _ in range(count)]
            bound = bound_with({"prices": count})
            bound.node.cells, bound.node.threshold = count, rng.randrange(30)
            for at, value in enumerate(values):
                bound.prices[at] = value
            assert dual_value(bound, number) == sum(sorted(values, reverse=True)[:number])
            threshold = bound.node.threshold
            assert sum(value > threshold for value in values) <= number
            assert threshold == 0 or sum(value >= threshold for value in values) > number


CELLS, TERMS, LACKED = 8, 10, 3


def random_bound(rng: random.Random) -> Bound:
    """Terms of random worth, each of which lacks random cells."""
    builder = TableBuilder(Bound)
    empty = dict.fromkeys(("cell", "need_count", "worth_by_tile", "worths"), 0)
    firsts = range(0, LACKED * TERMS, LACKED)
    records = [builder.add("tables", Candidate.words(**empty, first_share=first, needs=[])) for first in firsts]
    sizes = {"active": size_of(Term) * TERMS, "needs": size_of(Need) * LACKED * TERMS, "ranked": size_of(RankedNeed) * LACKED}
    bound = bound_with({**sizes, "prices": CELLS}, builder=builder, shares=LACKED * TERMS)
    bound.node.cells = CELLS
    for number, first in enumerate(firsts):
        term = bound.active[number]
        term.missing, term.missing_count = bound.needs[first:], rng.randrange(1, LACKED + 1)
        term.candidate = Candidate(bound, records[number])
        term.most = term.least = rng.randrange(1, 4)
        for place, cell in enumerate(rng.sample(range(CELLS), term.missing_count)):
            term.missing[place].cell, term.missing[place].place = cell, place
    return bound


def test_sweeps_lower_the_sum_and_lose_nothing() -> None:
    lowered = 0
    for seed in range(100):
        rng = random.Random(seed)
        bound, tiles = random_bound(rng), rng.randrange(1, CELLS)
        shares, worth = bound.shares[0], UNIT * sum(term.most for term in bound.active[:TERMS])
        split_costs(bound, shares, TERMS, 3)
        first = value = dual_value(bound, tiles)
        for _ in range(4):
            descend(bound, shares, TERMS)
            assert sum(bound.prices[:CELLS]) == sum(shares[: LACKED * TERMS]) == worth
            value, before = dual_value(bound, tiles), value
            assert value <= before
        lowered += value < first
    assert lowered > 50
