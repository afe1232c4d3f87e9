"""The search by proof numbers, by its kernel, and in turn with that by null windows.

Null windows follow one line of play at a time, first the moves that cut best; proof numbers go where least is left to show.
Which is sooner depends on the game: on Hex with five by five cells proof numbers, by more than ten times; on Connect Four null
windows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType
from typing import Any, ClassVar

from rulewright.base.host import HAS_THREADS
from rulewright.base.records import define
from rulewright.rules.machine.machine_game import MOVES_LENGTH, GameFault, MachineGame
from rulewright.rules.model.state import Move
from rulewright.solver.kernel import orbits
from rulewright.solver.kernel.game_interface import DEEPEST, ENDLESS
from rulewright.solver.kernel.run import beside
from rulewright.solver.result import Limits
from rulewright.subset.buffers import longs
from rulewright.subset.records import size_of
from rulewright.subset.refusal import CannotCompile

from . import proof_kernel
from .kernel import BUCKET
from .kernel_search import ENTRIES, KernelSearch
from .problem import Clock, MinimaxProblem, OutOfReach, Repeats
from .proof_kernel import Child, Node, Numbered, Proof

Work = Callable[[KernelSearch, int, Callable[[], None]], int | None]
"""Has a search go on for so many states, and gives the bound if it is found."""

FIRST_TURN = 1 << 20
"""States of the first turn of a search beside another: a second, which most questions do not take. Measured on seven puzzles
of best play: a 16th, 1.24 times the states; eight times as many, no change."""


class ProofSearch(KernelSearch):
    """A judge by proof numbers, for questions without a clock in which the others play against the player who asks."""

    kernels: ClassVar[tuple[ModuleType, ...]] = (orbits, proof_kernel)
    entries: ClassVar[tuple[str, ...]] = ("prove", *ENTRIES)
    without_orbits: ClassVar[int] = 0
    """The hashes of states on the path must not change."""

    def arrays(self, machine: MachineGame) -> Any:
        count = self._most(Numbered)
        return Proof(
            **self.in_common(machine, count),
            known_words=longs(count * size_of(Numbered)),
            stack=longs(DEEPEST * size_of(Node)),
            children=longs(MOVES_LENGTH * size_of(Child)),
            search_words=longs(size_of(Proof, "search_words")),
            deepest=DEEPEST,
        )

    @property
    def comparisons(self) -> int:
        """How often hashes were compared in place of states."""
        return BUCKET * self._search.looks if self._has_begun else 0

    def set_clock(self, clock: Clock) -> None:
        pass


@define(eq=False)
class BothSearches:
    """A judge by null windows and, where these take long, by proof numbers: in turns that double. Whichever has answered goes
    first from then on. Raises as the search by null windows does; that by proof numbers is given up if it cannot go on."""

    windows: KernelSearch
    searches: list[KernelSearch]
    are_threaded: bool = False
    """Whether they work at the same time after the first turn."""

    @classmethod
    def of(cls, problem: MinimaxProblem, deadline: float, limits: Limits) -> BothSearches:
        if problem.question.own_turns is not None or problem.is_together:
            windows = KernelSearch(problem, deadline, limits)
            return cls(windows, [windows])
        windows = KernelSearch(problem, deadline, limits, 2)
        both = [windows, ProofSearch(problem, deadline, limits, 2)]
        return cls(windows, both, HAS_THREADS and limits.workers > 1)

    @property
    def remarks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(remark for search in self.searches for remark in search.remarks))

    @property
    def states(self) -> int:
        """The number of states searched."""
        return sum(search.states for search in self.searches)

    @property
    def comparisons(self) -> int:
        """How often hashes were compared in place of states."""
        return sum(search.comparisons for search in self.searches)

    @property
    def is_about(self) -> bool:
        """Whether the number of states differs from run to run."""
        are_beside = self.are_threaded and all(search.states for search in self.searches[1:])
        return are_beside or any(search.is_about for search in self.searches)

    @property
    def deadline(self) -> float:
        return self.windows.deadline

    def judge(
        self, path: Sequence[Move], goal: int, heard: Callable[[], None], most: int | None = None, patience: int = ENDLESS
    ) -> int | None:
        """A bound on the value after the moves of `path`, as specified by `Judge`."""
        states, turn, begun = 0, FIRST_TURN, set[KernelSearch]()

        def work(search: KernelSearch, states: int, heard: Callable[[], None]) -> int | None:
            try:
                if search not in begun:
                    begun.add(search)
                    search.begin(path, goal, most)
                return search.advance(states, heard)
            except (CannotCompile, GameFault, OutOfReach, Repeats):
                if search is self.windows:
                    raise
                self.searches.remove(search)
                return None

        while states < patience and time.monotonic() < self.deadline:
            if states and patience == ENDLESS and self.are_threaded and len(self.searches) > 1:
                answers = self._beside(work, heard)
            else:
                answers = ((search, work(search, min(turn, patience), heard)) for search in tuple(self.searches))
            for search, bound in answers:
                if bound is not None:
                    self.searches.sort(key=lambda other: other is not search)
                    return bound
            states, turn = states + turn, 2 * turn
        return None

    def _beside(self, work: Work, heard: Callable[[], None]) -> Iterator[tuple[KernelSearch, int | None]]:
        """The answers of two searches that work at the same time, until one has its answer or cannot go on."""
        first, second = self.searches
        answers = list[tuple[KernelSearch, int | None]]()
        first.is_stopped = second.is_stopped = False

        def answer(search: KernelSearch, other: KernelSearch, heard: Callable[[], None]) -> None:
            answers.append((search, work(search, ENDLESS, heard)))
            other.is_stopped = True

        def stop() -> None:
            second.is_stopped = True

        with beside([partial(answer, second, first, lambda: None)], stop):
            answer(first, second, heard)
        first.is_stopped = second.is_stopped = False
        yield from answers
