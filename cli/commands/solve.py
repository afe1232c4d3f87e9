"""`rulewright solve`: the best plan with a proof, or the best plan found and a bound; of a folder, one answer a line.

Engines that disagree leave a file from which the disagreement can be reproduced.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.api.named import PUZZLE, Named
from rulewright.base.deadline import OutOfTime, TimeUp, deadline, limited
from rulewright.base.diagnostics import Diagnostic, RulesError, Sink, usage_error
from rulewright.base.ending import is_stopped, last_word, unless_stopped, until_stopped
from rulewright.base.input_files import display_path, read_text
from rulewright.base.records import define, evolve
from rulewright.base.spans import NO_SPAN
from rulewright.base.styled_text import Style, Styled, counted, escape
from rulewright.base.version import installed_version
from rulewright.cli.names import all_named, is_folder, named
from rulewright.cli.views.answer_view import Answer, SolveOptions, answer_lines, headline
from rulewright.cli.views.output import Exit, Output, Watch, say_diagnostics, watching
from rulewright.cli.views.paths import check_writable
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.solver.answer.portfolio import Disagreement
from rulewright.solver.result import Limits, Result, Status
from rulewright.studies.verdicts import check_plan
from rulewright.studies.verified_plan import PlanStep, solve_verified

PREPARING = 0.75
"""Most seconds after the time limit for reading and setting up."""

SET_UP = "the question was read and the game set up"
"""What comes before a search."""

LATE = 1.25
"""Most seconds after the time limit for whatever follows the search."""

NOT_JUDGED = "the time limit was reached before all plans of `accept:` and `refuse:` had been played"
"""A remark."""

UNVERIFIED = "stopped before the whole plan had been replayed by the rules"
"""A remark."""

Say = Callable[[Answer], None]
"""Prints an answer."""


def solve_named(name: str, players: int | None, seed: int, options: SolveOptions, output: Output) -> int:
    """Answer the question of a puzzle or a game, and print a verified plan; for a folder, each answer on a line.

    Exit status 1 if an expected answer differs, or the rules contradict an `accept:` or `refuse:` of the puzzle.
    """
    if is_folder(name):
        single = {"--html": options.page, "--certificate": options.certificate, "--against": options.against}
        if wished := [option for option, value in single.items() if value]:
            raise usage_error(f"`{wished[0]}` needs a single puzzle", "name a puzzle or a module")
        return solve_folder(name, options, output)
    session, began = named(name, options.variant), time.monotonic()
    with limited(options.seconds + PREPARING, SET_UP):
        position = session.asked(players, seed)
        _ = position.root  # found by play, for given plans and for what no player chooses
    question = position.question
    if question is None:
        raise usage_error(f"`{position.puzzle.name}` asks no question", "add a line `ask: maximise score until end`")
    if options.against:
        from rulewright.api.policies import read_policy, response_to

        question = response_to(read_policy(options.against), position, question)
    if not session.is_puzzle and position.puzzle.ask is not None:
        from rulewright.web.questions import in_plain_words

        number = counted(position.engine.instance.players, "player")
        asked = in_plain_words(position.puzzle, position.engine.game)
        output.line(Styled(escape(f"{asked} From the set-up for {number}, seed {seed}."), Style.FAINT))

    def say(found: Answer) -> None:
        if output.as_json:
            from rulewright.cli.documents.answers import Solve
            from rulewright.cli.views.answer_document import solved_puzzle

            from .exchange import puzzle_line

            puzzle = evolve(position.puzzle, rules=tuple((name, NO_SPAN) for name in session.rules))
            output.document(Solve, **solved_puzzle(found, question, options), line=puzzle_line(session, puzzle))
        output.lines(answer_lines(found, question, options))

    found = Solving(session, position, question, options, output, began).answer(say)
    say(found)
    if options.page is not None:
        from rulewright.cli.solution_file import write_solution

        write_solution(options.page, found, question, output)
    return found.exit(question, options)


@define(eq=False)
class Solving:
    """The question of a puzzle or game, on its way to an answer; time counts from `began`."""

    session: Named
    position: Position
    question: Question
    options: SolveOptions
    output: Output
    began: float

    def answer(self, say: Say) -> Answer:
        """The answer, or the best so far if the run is stopped; `say` prints what is known if that takes long.

        Other plans and the sensitivity analysis use the remaining time.
        """
        self._check()
        position, options, rules = self.position, self.options, self.session.rules
        expected = None if options.variant or options.against else position.puzzle.answer
        limits = Limits(self._left(), options.workers, options.memory_mib, options.engines)
        progress, steps = Watch("searching"), list[PlanStep]()
        found: Answer | None = None

        def known() -> Answer:
            return found or Answer(position, rules, _told(progress), tuple(steps), expected, is_verified=False)

        with last_word(lambda: say(known())):
            try:
                with watching(progress, self.output), deadline(self._left(LATE)):
                    asked = position.asked, position.root, self.question
                    result, replayed = solve_verified(*asked, limits, progress, steps.append)
                    found = Answer(position, rules, result, replayed, expected)
            except TimeUp:
                return known()
            except (Disagreement, AssertionError) as error:
                raise self._contradiction(error) from error
            if not (options.variant or options.against or is_stopped()):
                found = _with_verdicts(found, self._left(LATE))
            return self._with_studies(found)

    def _check(self) -> None:
        """Raises `RulesError` if the options do not fit the question, or a file cannot be written."""
        options, question, name = self.options, self.question, self.position.puzzle.name
        if options.page is not None:
            options.page.check()
        if options.certificate is not None:
            check_writable(options.certificate)
            _check_certifiable(question)
        if question.in_expectation and (options.unique or options.why):
            raise usage_error(f"`{name}` is asked in expectation", "omit `--unique` and `--why`")
        is_against = question.is_against and question.own_turns is None
        if not question.in_expectation and is_against and (options.all or options.unique):
            raise usage_error(f"`{name}` is asked against best play", "omit `--all` and `--unique`")

    def _left(self, late: float = 0.0) -> float:
        """The remaining seconds; with `late`, those until what is still under way is given up."""
        return max(0.0, self.options.seconds + late - (time.monotonic() - self.began))

    def _with_studies(self, found: Answer) -> Answer:
        """The answer with what the options ask about it besides, as far as time allows."""
        options, status = self.options, found.result.status
        if status is Status.OPTIMAL and not is_stopped():
            limits = Limits(self._left(), memory_mib=options.memory_mib, engines=options.engines)
            with watching(Watch("examining other plans"), self.output), suppress(TimeUp), deadline(self._left(LATE)):
                found = unless_stopped(lambda: self._with_others(found, limits), lambda: found)
        if options.why and status in (Status.OPTIMAL, Status.IMPOSSIBLE) and not is_stopped():
            from rulewright.studies.sensitivity import sensitivities

            limits = Limits(self._left(), options.workers, options.memory_mib)
            with watching(Watch("examining sensitivity"), self.output), suppress(TimeUp), deadline(self._left(LATE)):
                tried = until_stopped(sensitivities(self.session.project, self.position, found.result, limits))
                found = evolve(found, sensitivities=tuple(tried))
        if options.certificate is not None and not is_stopped():
            from rulewright.cli.solution_file import write_certificate

            limits = Limits(self._left(LATE), memory_mib=options.memory_mib)
            try:
                file = write_certificate(options.certificate, self.session, found, self.question, limits, self.output)
            except AssertionError as error:
                raise self._contradiction(error) from error
            found = evolve(found, certificate=file)
        return found

    def _with_others(self, found: Answer, limits: Limits) -> Answer:
        """The answer with other optimal plans, if the options or the question ask for them."""
        question, options, position = self.question, self.options, self.position
        if question.in_expectation or not (options.all or options.unique or question.counts_plans):
            return found
        if question.own_turns is not None:
            from rulewright.studies.problem_solution import problem_solution

            return evolve(found, solution=problem_solution(position.asked, position.root, question, limits, options.all))
        from rulewright.studies.alternative_plans import alternative_plans

        asked = position.asked, position.root, question, found.result
        return evolve(found, others=alternative_plans(*asked, options.all, limits, options.unique))

    def _contradiction(self, error: Exception) -> Contradiction:
        """Write the report into the current folder; returns the exception that names it."""
        from rulewright.base.atomic_write import write_atomically
        from rulewright.puzzles.to_text import write_position

        position, files, rules = self.position, self.session.project.modules(), self.session.rules
        puzzle = position.puzzle
        bundle = {
            "disagreement": str(error),
            "seconds": self.options.seconds,
            "workers": self.options.workers,
            "variant": self.options.variant,
            "python": sys.version.split()[0],
            "system": platform.system(),
            "versions": {name: installed_version(name) or "not installed" for name in ("rulewright", "ortools")},
            "puzzle": puzzle.name,
            "position": write_position(position.engine, position.state, puzzle.name, rules, ask=puzzle.ask),
            "modules": {name: read_text(files[name]) for name in position.engine.game.modules if name in files},
        }
        path = Path(f"{puzzle.name}.disagreement.json")
        write_atomically(path, json.dumps(bundle, indent=1) + "\n")
        return Contradiction(f"{error}; `{display_path(path)}` contains everything needed to reproduce it")


class Contradiction(Exception):
    """Two engines contradict each other, or a plan fails its replay. The message names the report file."""


def _told(progress: Watch) -> Result:
    """The result as far as it was reported, without its plan."""
    status = Status.UNKNOWN if progress.best is None else Status.FEASIBLE
    seconds = time.monotonic() - progress.began
    return Result(status, progress.best, progress.bound, (), progress.states, seconds, remarks=(UNVERIFIED,))


def _check_certifiable(question: Question) -> None:
    from rulewright.solver.certificates.claims import Uncertified, check_certifiable

    try:
        check_certifiable(question)
    except Uncertified as none:
        raise usage_error(f"there can be no certificate: {none}", "omit `--certificate`") from none


def _with_verdicts(found: Answer, seconds: float) -> Answer:
    """The answer with what contradicts it; a remark if there is no time to find that out."""
    try:
        with deadline(seconds):
            return evolve(found, misjudged=tuple(_misjudged(found.position)))
    except TimeUp:
        return evolve(found, result=evolve(found.result, remarks=(*found.result.remarks, NOT_JUDGED)))


def _misjudged(position: Position) -> Iterator[str]:
    """The contradictions between the rules and the puzzle's `accept:` and `refuse:` plans, each with its line."""
    for plan in position.puzzle.plans:
        sink = Sink()
        try:
            check_plan(position, plan, sink)
            sink.stop()
        except RulesError as error:  # also a rule error during play, which is no reason to withhold the answer
            yield f"line {plan.span.line}: {error.diagnostics[0].message}"


# All puzzles of a folder ----------------------------------------------------------------------------------------------


def solve_folder(name: str, options: SolveOptions, output: Output) -> int:
    """Answer every puzzle that has a question. An error in rules is reported once, however many puzzles it affects."""
    from rulewright.cli.documents.answers import SolvedPuzzle, SolveFolder
    from rulewright.cli.views.answer_document import solved_puzzle

    documents: list[SolvedPuzzle] = []
    errors: dict[Diagnostic, None] = {}
    statuses: list[Exit] = []
    silent = broken = 0
    for session in all_named(name, (PUZZLE,), options.variant):
        began = time.monotonic()
        try:
            with limited(options.seconds + PREPARING, SET_UP):
                position = session.position
                _ = position.root
            if (question := position.question) is None:
                silent += 1
                continue

            def say(found: Answer, question: Question = question) -> None:
                answers = [*documents, solved_puzzle(found, question, options)]
                output.document(SolveFolder, puzzles=answers, errors=[])
                output.line(*headline(found, question))

            found = Solving(session, position, question, options, output, began).answer(say)
        except RulesError as error:
            errors |= dict.fromkeys(error.diagnostics)
            broken += 1
            statuses.append(Exit.UNPROVED if isinstance(error, OutOfTime) else Exit.WRONG)
            output.line(
                Styled(escape(session.name), Style.STRONG), "  ", Styled("error", Style.ERROR), f" {error.diagnostics[0].code}"
            )
            continue
        documents.append(solved_puzzle(found, question, options))
        output.line(*headline(found, question))
        for judgement in found.misjudged:
            output.line(Styled(f"  {escape(judgement)}", Style.ERROR))
        if is_stopped():
            break
        statuses.append(found.exit(question, options))
    output.document(SolveFolder, puzzles=documents, errors=errors)
    say_diagnostics(errors, output)
    rest = [f"{counted(silent, 'puzzle')} without a question"] if silent else []
    rest += [f"{counted(broken, 'puzzle')} with errors"] if broken else []
    output.say(f"solved {counted(len(documents), 'puzzle')}{', not '.join(('', *rest))}")
    return Exit.worst(statuses)
