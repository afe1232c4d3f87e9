"""A plan that lays a given last board, found by playing: a depth-first search that visits each concrete state once.

The tiles come in groups; all of one group are laid before any of the next. So the rounds of a model are tried first, then the
board as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from rulewright.base.records import define, evolve, field, frozen
from rulewright.rules.model.state import Move, State
from rulewright.rules.symbolic.circuit import GivenUp, Lit, holds
from rulewright.solver.best.problem import Problem

from .marker_moves import Step, StepGraph
from .placements import Placements
from .round_graph import Round

MOST_STATES = 30_000
"""The number of states visited before a board is given up."""

Group = dict[int, int]
"""The kinds of some tiles by cell."""


@define
class Realisation:
    """A search for plays of a problem that lay given tiles on a board."""

    problem: Problem
    board: str
    _seen: dict[Any, list[tuple[int, ...]]] = field(factory=dict)
    _states: int = 0

    def plan(self, groups: Sequence[Group], most_states: int = MOST_STATES) -> tuple[Move, ...] | None:
        """A play to its end that lays these tiles and no others; None if there is none. Raises `GivenUp`."""
        self._seen.clear()
        self._states = most_states
        found = self._from(self.problem.root, [dict(group) for group in groups if group])
        return None if found is None else tuple(reversed(found))

    def _from(self, state: State, groups: list[Group]) -> list[Move] | None:
        """The moves from a state on, the last one first."""
        engine = self.problem.engine
        if engine.over(state):
            return None if groups else []
        if not self._is_worth_a_look(state, groups):
            return None
        self._states -= 1
        if self._states < 0:
            raise GivenUp
        before = state[self._column]
        children = [(move, engine.apply(state, move)) for move in engine.legal(state)]
        for move, child in sorted(children, key=lambda found: found[1][self._column] == before):
            left = self._left(before, child[self._column], groups)
            if left is None:
                continue
            found = self._from(child, left)
            if found is not None:
                found.append(move)
                return found
        return None

    @property
    def _column(self) -> int:
        return self.problem.engine.layout.columns[self.board].start

    def _left(self, before: Sequence[int], after: Sequence[int], groups: list[Group]) -> list[Group] | None:
        """The groups left to lay; None if something else was laid."""
        if before == after:
            return groups
        first = dict(groups[0]) if groups else {}
        for cell, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new and first.pop(cell, None) != new:
                return None
        return [first, *groups[1:]] if first else groups[1:]

    def _is_worth_a_look(self, state: State, groups: list[Group]) -> bool:
        """Whether the remaining tiles can still be supplied, and no state was seen that is equal or dominates this one."""
        needed = Counter(kind for group in groups for kind in group.values())
        if needed - Counter(tile for at in self.problem.reachable.supplies for tile in state[at]):
            return False
        key, spent = self.problem.key(state), self.problem.spent(state)
        seen = self._seen.setdefault(key, [])
        if any(all(map(int.__ge__, other, spent)) for other in seen):
            return False
        seen.append(spent)
        return True


# Cuts for markers that walk too far -----------------------------------------------------------------------------------
# A few facts of a solution that together leave a marker no way.
#
# A fact is the round in which a tile is laid on a cell; its kind, if that forbids steps; that a cell stays vacant to the end;
# or the number of steps of a round. An irreducible set of facts that leaves no way (deletion filtering: Chinneck and
# Dravnieks 1991) is excluded.


@frozen
class _Facts:
    """The round of each cell on which a tile is laid, kinds by cell, cells without a tile, and the rounds played."""

    visits: Mapping[int, int]
    kinds: Mapping[int, int]
    vacant: frozenset[int]
    rounds: Sequence[Round]

    def is_open(self, step: Step, number: int) -> bool:
        """Whether the facts allow a marker a step in a round."""
        is_there = step.end not in self.vacant and self.visits.get(step.end, number) <= number
        kinds = self.kinds
        return (
            is_there
            and (step.start not in kinds or kinds[step.start] in step.leaving)
            and (step.end not in kinds or kinds[step.end] in step.entering)
        )


@frozen
class TravelCuts:
    """Cuts for solutions of a model; `starts` are the cells of the markers by column."""

    placements: Placements
    steps: StepGraph
    starts: Mapping[int, int]

    def cut(self, solution: Sequence[int]) -> tuple[Lit, ...] | None:
        """A clause that excludes a solution in which a marker walks too far; None if none does."""
        placements = self.placements
        groups = placements.groups(solution)
        played = [next((one for one, lit in rounds.items() if holds(lit, solution)), None) for rounds in placements.rounds]
        rounds = [one for one in played if one is not None]
        visits = {cell: number for number, group in enumerate(groups) for cell in group}
        kinds = {cell: kind for group in groups for cell, kind in group.items()}
        facts = _Facts(visits, kinds, frozenset(placements.on) - visits.keys(), rounds)
        last = self._too_far(facts)
        if last is None:
            return None
        later = frozenset(cell for cell, number in visits.items() if number > last)
        sooner = {cell: number for cell, number in visits.items() if number <= last}
        return self._clause(self._reduced(_Facts(sooner, kinds, facts.vacant | later, rounds[: last + 1])))

    def _reduced(self, facts: _Facts) -> _Facts:
        """Rounds as long, and facts as few, as possible that still leave no way."""

        def fails(found: _Facts) -> bool:
            return self._too_far(found) is not None

        for number, played in enumerate(facts.rounds):
            longest = max(self.placements.rounds[number], key=lambda one: (one.marker == played.marker, one.steps))
            longer = evolve(facts, rounds=[*facts.rounds[:number], longest, *facts.rounds[number + 1 :]])
            facts = longer if longest.marker == played.marker and fails(longer) else facts
        facts = evolve(facts, vacant=_fewest(facts.vacant, lambda kept: fails(evolve(facts, vacant=kept))))
        facts = evolve(facts, kinds=_kept(facts.kinds, lambda kept: fails(evolve(facts, kinds=kept))))
        return evolve(facts, visits=_kept(facts.visits, lambda kept: fails(evolve(facts, visits=kept))))

    def _clause(self, facts: _Facts) -> tuple[Lit, ...]:
        """The clause that some fact does not hold, or a round has more steps or is another marker's."""
        placements, last = self.placements, len(facts.rounds) - 1
        found = [-placements.in_round[cell][number] for cell, number in sorted(facts.visits.items())]
        found += [-placements.board.laid[cell][kind] for cell, kind in sorted(facts.kinds.items())]
        found += [placements.by_round[cell][last] for cell in sorted(facts.vacant)]
        for number, played in enumerate(facts.rounds):
            found.append(placements.longer(number, played.marker, played.steps))
        return tuple(found)

    def _too_far(self, facts: _Facts) -> int | None:
        """The first round whose steps do not suffice; None if all do."""
        stands = {marker: frozenset((cell,)) for marker, cell in self.starts.items()}
        for number, played in enumerate(facts.rounds):
            if played.marker is not None:
                after = self._walked(stands[played.marker], facts, number)
                if not after:
                    return number
                stands[played.marker] = after
        return None

    def _walked(self, starts: Collection[int], facts: _Facts, number: int) -> frozenset[int]:
        """The cells where a marker may stand after a round in which it visits all cells of the round."""
        visits = frozenset(cell for cell, visited in facts.visits.items() if visited == number)
        front = {(start, visits) for start in starts}
        seen = set(front)
        for _ in range(facts.rounds[number].steps):
            front = {
                (step.end, left - {step.end})
                for cell, left in front
                for step in self.steps.out[cell]
                if facts.is_open(step, number)
            } - seen
            seen |= front
        return frozenset(cell for cell, left in seen if not left)


def _kept(found: Mapping[int, int], fails: Callable[[Mapping[int, int]], bool]) -> Mapping[int, int]:
    """As few entries of a mapping as still fail, by `_fewest`."""
    kept = _fewest(found, lambda cells: fails({cell: found[cell] for cell in cells}))
    return {cell: found[cell] for cell in kept}


def _fewest(cells: Collection[int], fails: Callable[[frozenset[int]], bool]) -> frozenset[int]:
    """A minimal set of cells that still fails: cells are dropped by all, halves, quarters, … down to single ones."""
    kept = sorted(cells)
    size = len(kept)
    while size:
        place = 0
        while place < len(kept):
            fewer = kept[:place] + kept[place + size :]
            if fails(frozenset(fewer)):
                kept = fewer
            else:
                place += size
        size //= 2
    return frozenset(kept)
