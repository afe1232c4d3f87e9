"""What the files of an author promise: that rules make sense, positions are possible, plans, counts, answers and games hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from ...grammar.classes import define, frozen
from ...grammar.diagnostics import RulesError, Sink
from ...grammar.scenarios import Puzzle
from ...puzzles.catalogue import Catalogue
from ...puzzles.plans import check_plan, check_positions
from ...puzzles.plays import begin_play, parse_play, verify_play
from ...puzzles.position import Position
from ...rules.loading import Project, read_text
from ...solver.limits import Limits
from ...solver.portfolio import answer
from ...solver.result import Result, Status
from ..answers import Answer
from ..check import check_rules
from ..output import Exit
from ..verified import verified


class Unmet(Exception):
    """What was expected does not hold."""


class Undecided(Exception):
    """Whether it holds was not found out in the time there is."""


@frozen
class Expectation:
    """`check` raises `Unmet`, `Undecided` or `RulesError`."""

    name: str
    check: Callable[[], object]


@define
class Solved:
    """The position of a puzzle, and what its question comes to; each found once."""

    path: Path
    project: Project
    seconds: float

    @cached_property
    def puzzle(self) -> Puzzle:
        """The tree of the puzzle. Raises `RulesError`."""
        return Catalogue(self.project).read(self.path)

    @property
    def rules(self) -> str:
        """The modules that it names."""
        return "+".join(name for name, _ in self.puzzle.rules)

    @cached_property
    def position(self) -> Position:
        """The position. Raises `RulesError`."""
        return Catalogue(self.project).position(self.path)

    @cached_property
    def result(self) -> Result:
        """What the question comes to; the plan has been replayed."""
        position, question = self.position, self.position.question
        assert question is not None
        found = answer(position.asked, position.state, question, Limits(self.seconds))
        verified(position.asked, position.state, question, found)
        return found

    @property
    def decided(self) -> Result:
        """The same, when it is proved. Raises `Undecided`."""
        found = self.result
        if found.status in (Status.OPTIMAL, Status.IMPOSSIBLE):
            return found
        known = f"best {found.score}, bound {found.bound}" if found.score is not None else "no plan was found"
        raise Undecided(f"not proved in {self.seconds:g} seconds: {known}")


def of_rules(path: Path, project: Project) -> Iterator[Expectation]:
    """What a module promises: that nothing is wrong with it."""
    yield Expectation("checks", lambda: _check(path, project))


def _check(path: Path, project: Project) -> None:
    found = check_rules(lambda: project.load(path), may_be_part=True)
    if errors := tuple(diagnostic for diagnostic in found.diagnostics if not diagnostic.warning):
        raise RulesError(errors)


def of_puzzle(solved: Solved) -> Iterator[Expectation]:
    """What a puzzle promises: a possible position, and whatever it says of plans, counts and the answer."""
    puzzle = solved.puzzle
    yield Expectation("position", lambda: solved.position)
    for number, line in enumerate(puzzle.plans, 1):
        word = "accept" if line.accepted else "refuse"
        yield Expectation(f"{word}_{number}", lambda line=line: _reported(lambda sink: check_plan(solved.position, line, sink)))  # type: ignore[misc]
    if (positions := puzzle.positions) is not None:
        yield Expectation("positions", lambda: _reported(lambda sink: check_positions(solved.position, positions, sink)))
    if puzzle.answer is not None and puzzle.ask is not None:
        yield Expectation("answer", lambda: _answered(solved))


def _reported(check: Callable[[Sink], None]) -> None:
    sink = Sink()
    check(sink)
    sink.stop()


def _answered(solved: Solved) -> None:
    position, result = solved.position, solved.result
    question, expected = position.question, position.puzzle.answer
    assert question is not None
    found = Answer(position, (), result, (), expected)
    if found.verdict(question) == Exit.NO:
        what = "it cannot be reached" if result.status is Status.IMPOSSIBLE else f"{found.asked} {result.score} is possible"
        raise Unmet(f"the puzzle expects {expected}, but {what}")
    _ = solved.decided


def of_play(path: Path, project: Project) -> Iterator[Expectation]:
    """What a saved game promises: that it can be played again, with the scores it says."""
    yield Expectation("replay", lambda: _replay(path, project))


def _replay(path: Path, project: Project) -> None:
    play = parse_play(read_text(path, project.limits), str(path), project.limits)
    verify_play(play, *begin_play(play, Catalogue(project)))
