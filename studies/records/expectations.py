"""The expectations of an author's files as checks: rules without errors, possible positions, plans, counts, answers, scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from rulewright.base.diagnostics import RulesError, Sink
from rulewright.base.records import define, frozen
from rulewright.grammar.tree.puzzles import Answer, Puzzle, answer_text
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.puzzles.saved_games import begin_saved_game, read_saved_game, replay_saved_game
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game
from rulewright.solver.result import Limits, Result, Status
from rulewright.studies.rule_checks import NEED, check_rules
from rulewright.studies.verdicts import check_plan, check_positions
from rulewright.studies.verified_plan import proved_answer, refutes, solve_verified

CHECKS = "checks"
"""The expectation of a module."""


class ExpectationFailed(Exception):
    """An expectation does not hold."""


class Inconclusive(Exception):
    """The time limit was reached before the expectation was decided."""


@frozen
class Expectation:
    """A named check, which raises `ExpectationFailed`, `Inconclusive` or `RulesError`. `solves`: it needs the answer."""

    name: str
    check: Callable[[], object]
    solves: bool = False


@define
class SolvedPuzzle:
    """A puzzle with its position and the answer to its question, each computed once. `seconds` limits the solving."""

    path: Path
    project: Project
    seconds: float

    @cached_property
    def puzzle(self) -> Puzzle:
        """The tree of the puzzle. Raises `RulesError`."""
        return Catalogue(self.project).read(self.path)

    @property
    def rules(self) -> str:
        """The modules that the puzzle names, joined by `+`."""
        return "+".join(name for name, _ in self.puzzle.rules)

    @cached_property
    def position(self) -> Position:
        """The position. Raises `RulesError`."""
        return Catalogue(self.project).position(self.path)

    @cached_property
    def result(self) -> Result:
        """The result of solving the question, its plan verified."""
        position, question = self.position, self.position.question
        assert question is not None
        return solve_verified(position.asked, position.root, question, Limits(self.seconds))[0]

    @cached_property
    def answer(self) -> Answer | None:
        """The proved answer, as a puzzle writes it; None if the puzzle asks nothing. Raises `Inconclusive`."""
        question = self.position.question
        if question is None:
            return None
        number = self.number if question.counts_plans and self.result.status is Status.OPTIMAL else None
        return proved_answer(self.decided, question, number)

    @cached_property
    def number(self) -> int:
        """The number of best plans. Raises `Inconclusive`."""
        from rulewright.studies.alternative_plans import alternative_plans

        position, question = self.position, self.position.question
        assert question is not None
        found = alternative_plans(position.asked, position.root, question, self.result, 0, Limits(self.seconds))
        if found.number is None:
            why = "" if found.uncounted is None else f": {found.uncounted.value}"
            raise Inconclusive(f"the best plans were not counted{why}")
        return found.number

    @property
    def decided(self) -> Result:
        """The result, if it is proved. Raises `Inconclusive`."""
        found = self.result
        if found.status in (Status.OPTIMAL, Status.IMPOSSIBLE):
            return found
        known = f"best {found.score}, bound {found.bound}" if found.score is not None else "no plan found"
        raise Inconclusive(f"not proved in {self.seconds:g} seconds: {known}")


def of_rules(path: Path, project: Project) -> Iterator[Expectation]:
    """The expectation of a module: its static checks find no error."""
    yield Expectation(CHECKS, lambda: _check(path, project))


def linked(path: Path, project: Project) -> Game:
    """A module linked alone or, if it needs other modules, as a part of games. Raises `RulesError`."""
    try:
        return project.load(path)
    except RulesError as error:
        if any(diagnostic.code != NEED for diagnostic in error.diagnostics):
            raise
        return project.load_part(path)


def _check(path: Path, project: Project) -> None:
    found = check_rules(lambda: project.load(path), lambda: project.load_part(path))
    if found.errors:
        raise RulesError(found.errors)


def of_puzzle(solved: SolvedPuzzle) -> Iterator[Expectation]:
    """The expectations of a puzzle: a valid position, the verdicts on plans, the counts of lines and the answer."""
    puzzle = solved.puzzle
    yield Expectation("position", lambda: solved.position)
    for number, line in enumerate(puzzle.plans, 1):
        word = "accept" if line.accepted else "refuse"
        yield Expectation(f"{word}_{number}", lambda line=line: _reported(lambda sink: check_plan(solved.position, line, sink)))  # type: ignore[misc]
    if (positions := puzzle.positions) is not None:
        yield Expectation("positions", lambda: _reported(lambda sink: check_positions(solved.position, positions, sink)))
    if puzzle.answer is not None and puzzle.ask is not None:
        yield Expectation("answer", lambda: _answered(solved), solves=True)


def _reported(check: Callable[[Sink], None]) -> None:
    sink = Sink()
    check(sink)
    sink.stop()


def _answered(solved: SolvedPuzzle) -> None:
    position, result = solved.position, solved.result
    question, expected = position.question, position.puzzle.answer
    assert question is not None and expected is not None
    number = solved.number if question.counts_plans and result.status is Status.OPTIMAL else None
    if refutes(result, question, expected, number):
        what = "it can be reached" if question.reaches_condition else f"{position.objective} {result.score} is possible"
        if number is not None:
            what = f"there are {number}"
        elif result.status is Status.IMPOSSIBLE:
            what = "it cannot be reached"
        elif result.expectation is not None:
            what = f"the expected value is {result.value}"
        elif result.score is None:
            what = f"the bound is {result.bound}"
        raise ExpectationFailed(f"the puzzle expects {answer_text(expected)}, but {what}")
    _ = solved.decided


def of_play(path: Path, project: Project) -> Iterator[Expectation]:
    """The expectation of a saved game: it can be replayed with the recorded scores."""
    yield Expectation("replay", lambda: _replay(path, project))


def _replay(path: Path, project: Project) -> None:
    play = read_saved_game(path, project.texts)
    replay_saved_game(play, *begin_saved_game(play, Catalogue(project)))
