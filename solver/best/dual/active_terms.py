"""The terms of a state's covering program: the candidates that may still come to count, with the cells that each lacks."""

from __future__ import annotations

from rulewright.subset.records import Run, index_of

from .arena import MOST, UNUSED, Bound, Candidate, Layer, Need, ProblemTables, Room, Term

NEVER = -1
"""As a number of cells: they cannot all be covered."""


def number_coming(problem: ProblemTables) -> int:
    """The number of tiles to come."""
    total = 0
    for supply in problem.supplies[: problem.supply_count]:
        total += problem.state[supply.length]
    return total


def count_coming(bound: Bound) -> int:
    """Count the tiles to come by kind, in `bound.coming`; returns their total."""
    coming = bound.coming
    for kind in range(bound.kind_count):
        coming[kind] = 0
    total = 0
    for supply in bound.supplies[: bound.supply_count]:
        tiles = supply.tiles
        length = bound.state[supply.length]
        for tile in tiles[:length]:
            coming[bound.kind_of[tile]] += 1
        total += length
    return total


def kinds_coming(bound: Bound, counts: Room) -> int:
    """The kinds with a positive count in `counts`, as bits."""
    coming = 0
    for kind in range(bound.kind_count):
        if counts[kind] > 0:
            coming = coming | (1 << kind)
    return coming


def kinds_fitting(bound: Bound, cell: int, coming: int) -> int:
    """Which of the kinds in `coming` may be laid on a cell, as far as nearby tiles decide, as bits."""
    domain = bound.domains[cell]
    if index_of(domain) < 0:
        return coming
    board = bound.board
    found = 0
    at = index_of(domain.layers)
    for _ in range(domain.layer_count):
        layer = Layer(bound, at)
        kinds = coming
        for constraint in layer.constraints[: layer.constraint_count]:
            kinds = kinds & constraint.kinds[board[constraint.cell]]
        found = found | kinds
        at = index_of(layer.constraints[layer.constraint_count :])
    return found


def gather(bound: Bound, tiles: int) -> int:
    """List in `bound.active` the terms that `tiles` tiles may complete; returns how many."""
    coming = kinds_coming(bound, bound.coming)
    node = bound.node
    needs = bound.needs
    node.certain = bound.constant
    node.numbered = 0
    node.completed = 0
    active = 0
    measure_distances(bound)
    for number in range(bound.candidate_count):
        candidate = bound.candidates[number]
        distance = bound.distance[number]
        if distance > 0 and distance > tiles - candidate.need_count + 1:
            continue
        count = list_missing(bound, candidate, needs, coming, tiles)
        if count == 0:
            node.certain += candidate.worth_by_tile[bound.board[candidate.cell]]
        elif count > 0:
            term = bound.active[active]
            weigh(bound, candidate, coming, term)
            if term.most > 0:
                term.missing = needs
                term.missing_count = count
                term.candidate = candidate
                needs = needs[count:]
                active += 1
    number_program(bound, active)
    return active


def measure_distances(bound: Bound) -> None:
    """Set in `bound.distance` the distance of each candidate's support set from the nearest laid tile; 0 if unknown."""
    distance = bound.distance
    at_root = bound.distance_at_root
    count = bound.candidate_count
    for number in range(count):
        distance[number] = at_root[number]
    if index_of(bound.distances) >= 0:
        for cell in bound.lying[bound.lying_at_root : bound.state[bound.lying_slot]]:
            distances = bound.distances[cell]
            for number in range(count):
                distance[number] = min(distance[number], distances[number])


def keep_reached(bound: Bound, active: int, tiles: int) -> int:
    """Keep the terms that `tiles` tiles may complete if markers bring them, after `reach_by_laying`; returns how many."""
    coming = kinds_coming(bound, bound.coming)
    remaining = 0
    for term in bound.active[:active]:
        missing = term.missing
        count = term.missing_count
        nearest = MOST
        farthest = 0
        for need in missing[:count]:
            number = bound.number_of_cell[bound.board_cell[need.cell]]
            need.cell = number
            nearest = min(nearest, bound.travel[number])
            farthest = max(farthest, bound.travel[number])
        weigh(bound, term.candidate, coming, term)
        if nearest <= tiles - count + 1 and farthest <= tiles and term.most > 0:
            bound.active[remaining].copy(term)
            remaining += 1
    number_program(bound, remaining)
    return remaining


def number_program(bound: Bound, active: int) -> None:
    """Number the cells that the first `active` terms lack within the program."""
    node = bound.node
    for number in range(node.numbered):
        bound.number_in_program[number] = UNUSED
    node.active = active
    node.cells = 0
    node.undecided = 0
    for term in bound.active[:active]:
        if term.most > term.least:
            node.undecided += 1
        for need in term.missing[: term.missing_count]:
            need.cell = number_in_program(bound, need.cell)


def list_missing(bound: Bound, candidate: Candidate, needs: Run[Need], coming: int, tiles: int) -> int:
    """List the vacant cells of a support set, by number; returns how many, or NEVER if `tiles` tiles cannot cover them."""
    count = 0
    for place in range(candidate.need_count):
        cell = candidate.needs[place]
        if bound.board[cell] == 0:
            if count == tiles:
                return NEVER
            number = number_of(bound, cell, coming)
            if bound.kinds_there[number] == 0:
                return NEVER
            need = needs[count]
            need.cell = number
            need.place = place
            count += 1
    return count


def number_of(bound: Bound, cell: int, coming: int) -> int:
    """The number of a vacant cell of the board; numbers it if necessary."""
    numbered = bound.node.numbered
    if is_numbered(bound, cell, numbered):
        return bound.number_of_cell[cell]
    bound.node.numbered = numbered + 1
    bound.number_of_cell[cell] = numbered
    bound.cell_of_number[numbered] = cell
    bound.kinds_there[numbered] = kinds_fitting(bound, cell, coming)
    return numbered


def is_numbered(bound: Bound, cell: int, numbered: int) -> bool:
    """Whether a cell of the board is among the `numbered` vacant cells with a number (a sparse set)."""
    number = bound.number_of_cell[cell]
    return number < numbered and bound.cell_of_number[number] == cell


def number_in_program(bound: Bound, number: int) -> int:
    """The number that a numbered vacant cell has in the program."""
    if bound.number_in_program[number] == UNUSED:
        cells = bound.node.cells
        bound.number_in_program[number] = cells
        bound.board_cell[cells] = bound.cell_of_number[number]
        bound.kinds_fitting[cells] = bound.kinds_there[number]
        bound.node.cells = cells + 1
    return bound.number_in_program[number]


def weigh(bound: Bound, candidate: Candidate, coming: int, term: Term) -> None:
    """Set the most and the least that a candidate may be worth, by the tile on its cell or those that may be laid there."""
    cell = candidate.cell
    tile = bound.board[cell]
    most = candidate.worth_by_tile[tile]
    least = most
    worths = candidate.worths
    if tile == 0 and worths.count > 0:
        kinds = coming
        if is_numbered(bound, cell, bound.node.numbered):
            kinds = bound.kinds_there[bound.number_of_cell[cell]]
        most = 0
        least = 0
        for worth in worths.by_worth[: worths.count]:
            if kinds & worth.kinds[0] != 0:
                least = worth.worth
                most = max(most, least)
    term.most = most
    term.least = least
