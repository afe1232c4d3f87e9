"""What the kernels think possible at each state of games played at random, and what then came of it."""

from __future__ import annotations

import random
from collections.abc import Iterator

from attrs import frozen

from rulewright.rules.model.game import Game
from rulewright.solver.best.dual.arena import Bound, Candidate
from rulewright.solver.best.kernel_problem import ENTRIES, Worker
from rulewright.solver.best.problem import Problem
from rulewright.subset.program import as_baseline_code
from rulewright.subset.records import index_of
from tests.rules.playing import lively
from tests.solver.asking import random_position, worker_of
from tests.solver.best.kernels.test_kernels import asked

LOOKING = (*ENTRIES, "count_coming", "gather", "keep_reached", "reach_by_laying")


@frozen
class Look:
    """At a state: the kind of tile on each cell that is covered, in the order in which they were laid; the worth of each record
    that counts already, and the most of each other that is hoped for; for each vacant cell with a number the kinds that may
    come to lie there, as bits, and how many tiles that takes."""

    lying: dict[int, int]
    complete: dict[int, int]
    hopes: dict[int, int]
    kinds: dict[int, int]
    far: dict[int, int]

    @classmethod
    def at(cls, worker: Worker) -> Look:
        """Of the state that the machine is in."""
        t, bound = worker.machine, worker.state_bound
        tiles = t.program.count_coming(bound)
        active = t.program.gather(bound, tiles)
        numbered = bound.node.numbered
        if bound.direction_count:
            t.program.reach_by_laying(bound, numbered)
            active = t.program.keep_reached(bound, active, tiles)
        terms = list(bound.active[:active])
        cells = list(bound.cell_of_number[:numbered])
        lying = {cell: bound.kind_of[bound.board[cell]] for cell in bound.lying[: bound.state[bound.lying_slot]]}
        return cls(
            lying,
            {index_of(c): c.worth_by_tile[bound.board[c.cell]] for c in _complete(bound, lying)},
            {index_of(term.candidate): term.most for term in terms},
            {cell: bound.kinds_there[number] for number, cell in enumerate(cells)},
            {cell: bound.travel[number] for number, cell in enumerate(cells)},
        )


def _complete(bound: Bound, lying: dict[int, int]) -> Iterator[Candidate]:
    """The candidates all of whose needs are covered."""
    for candidate in bound.candidates[: bound.candidate_count]:
        if lying.keys() >= set(candidate.needs[: candidate.need_count]):
            yield candidate


def games(rng: random.Random, game: Game, players: int, coming: int, number: int) -> Iterator[tuple[list[Look], Look]]:
    """From one position so many games: what was thought possible at each state, and the end."""
    engine, root = random_position(rng, game, players, coming)
    question = asked(engine)
    worker = worker_of(Problem(engine, root, question), as_baseline_code, LOOKING)
    t = worker.machine
    for _ in range(number):
        t.load(root)
        looks = []
        while moves := t.legal():
            looks.append(Look.at(worker))
            t.apply(lively(rng, moves))
        yield looks, Look.at(worker)
