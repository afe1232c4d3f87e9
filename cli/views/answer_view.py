"""The answer of `solve`, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.choices import Engines
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.grammar.tree.puzzles import OUTCOMES, Goal, Others, Puzzle, answer_text
from rulewright.grammar.tree.puzzles import Answer as ExpectedAnswer
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.solver.result import Result, Status
from rulewright.studies.verified_plan import PlanStep, proved_answer, refutes

from .output import Exit
from .plan_view import (
    expectation_lines,
    fraction_text,
    plan_lines,
    sensitivity_lines,
    strategy_lines,
    uniqueness_lines,
)

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.studies.alternative_plans import AlternativePlans, KeyAndDuals
    from rulewright.studies.problem_solution import ProblemSolution
    from rulewright.studies.sensitivity import Sensitivity


@frozen
class SolveOptions:
    """The options of `solve`: `all` is the number of plans to list and `hint` the number of moves to show, 0 for neither;
    `against` names the policy of the other players, if they follow one."""

    seconds: float
    workers: int
    all: int = 0
    hint: int = 0
    variant: str = ""
    unique: bool = False
    why: bool = False
    engines: Engines = Engines.SOONEST
    memory_mib: int = 2048
    page: PictureFiles | None = None
    certificate: Path | None = None
    against: str = ""


@frozen
class CertificateFile:
    """A certificate that was asked for; `none` says why it was not written, after so many states."""

    file: Path
    states: int
    bytes: int | None = None
    none: str = ""


@frozen
class Answer:
    """The answer to a puzzle's question; `others` and `sensitivities` are None if they were not requested.

    `solution` is that of a problem, if it was requested. `misjudged` describes each `accept:` and `refuse:` of the puzzle that
    the rules contradict (RW337). Of a plan that is not verified, `steps` are those that have been replayed.
    """

    position: Position
    rules: tuple[str, ...]
    result: Result
    steps: tuple[PlanStep, ...]
    expected: ExpectedAnswer | None
    others: AlternativePlans | None = None
    solution: ProblemSolution | None = None
    sensitivities: tuple[Sensitivity, ...] | None = None
    misjudged: tuple[str, ...] = ()
    is_verified: bool = True
    certificate: CertificateFile | None = None

    @property
    def number(self) -> int | None:
        """The number of optimal plans, if known."""
        return None if self.others is None else self.others.number

    @property
    def uniqueness(self) -> KeyAndDuals | None:
        """The key and what is as good, if that was asked for and found."""
        source = self.solution or self.others
        return None if source is None else source.uniqueness

    @property
    def sequences(self) -> int | None:
        """The number of optimal plans as sequences of moves, if they were counted so."""
        from rulewright.solver.plans.optimal_plans import Order

        return self.number if self.others is not None and self.others.order is Order.MATTERS else None

    def exit(self, question: Question, options: SolveOptions) -> Exit:
        """NO if the expected answer is refuted, a plan is misjudged, or there is provably no plan, and none is expected.

        UNPROVED if the answer, the number of plans or, if the options ask for it, their uniqueness is not proved; or if there
        is no certificate that they ask for.
        """
        if self.misjudged or self.is_refuted(question):
            return Exit.NO
        if not self.is_proved(question) or (options.unique and self.steps and self.uniqueness is None):
            return Exit.UNPROVED
        if options.certificate is not None and (self.certificate is None or self.certificate.bytes is None):
            return Exit.UNPROVED
        return Exit.NO if self.expected is None and self.result.status is Status.IMPOSSIBLE else Exit.YES

    def is_refuted(self, question: Question) -> bool:
        """Whether another answer is expected."""
        return self.expected is not None and refutes(self.result, question, self.expected, self.number)

    def is_proved(self, question: Question) -> bool:
        """Whether the question is answered with proof."""
        return proved_answer(self.result, question, self.number) is not None


def answer_lines(answer: Answer, question: Question, options: SolveOptions) -> Iterator[Line]:
    """The headline with the status, the plan or plans, and whatever the options request."""
    players, others = answer.position.engine.instance.players, answer.others
    objective = "" if question.goal is Goal.WIN or question.reaches_condition else answer.position.objective
    yield line(*headline(answer, question))
    if (expectation := answer.result.expectation) is not None:
        position = answer.position
        steps = hinted(answer.steps, options)
        if answer.result.choices:
            yield from strategy_lines(answer.result.choices, position.asked, options.all)
        else:
            yield from expectation_lines(expectation, steps, position.asked, position.root, options.all)
    elif options.all and question.own_turns is not None and answer.steps:
        from rulewright.studies.problem_solution import solution_lines

        yield from solution_lines(answer.solution)
    elif options.all and others is not None and others.plans:
        yield line(_how_many(others))
        for plan in others.plans:
            yield line()
            yield from plan_lines(hinted(plan, options), players, objective)
    else:
        yield from plan_lines(hinted(answer.steps, options), players, objective)
    if options.unique and answer.steps:
        yield line()
        yield from uniqueness_lines(answer.uniqueness, None if others is None else others.uncounted)
    if answer.sensitivities is not None:
        yield line()
        yield from sensitivity_lines(answer.sensitivities, question.goal)
    if options.against:
        yield line(Styled(_response_to(options.against, question), Style.FAINT))
    elif players > 1 and question.others is Others.TOGETHER:
        yield line(Styled("all players cooperate", Style.FAINT))
    if question.others is Others.GIVEN:
        yield line(Styled(_who_follows(answer.position.puzzle), Style.FAINT))
    if answer.certificate is not None:
        lacks_count = question.counts_plans and answer.sequences is None and bool(answer.result.plan)
        yield line(_certified(answer.certificate, answer.result.states, lacks_count))
    for remark in answer.result.remarks:
        yield line(Styled(escape(remark), Style.FAINT))
    for judgement in answer.misjudged:
        yield line(Styled(escape(judgement), Style.ERROR))


def _certified(file: CertificateFile, searched: int, lacks_count: bool) -> Styled:
    """What a certificate takes; nothing is left out of it by symmetry or dominance, so the search took fewer states."""
    states, name = counted(file.states, "state"), escaped_path(file.file)
    if file.bytes is not None:
        only = "; it is about the value, not about the number of plans" if lacks_count else ""
        size = f"{states} ({counted(searched, 'state')} in the search), {counted(file.bytes, 'byte')}"
        return Styled(f"certificate: {name}, {size}{only}", Style.FAINT)
    return Styled(f"no certificate, after {states}: {escape(file.none)}", Style.WARNING)


def _response_to(policy: str, question: Question) -> str:
    """What the answer is, and whether the others see more than they may."""
    from rulewright.solver.playouts.policies import policy_named

    found = policy_named(policy)
    cards = ", ".join(f"`{name}`" for name in question.secret_state if found is not None and not found.is_blind)
    return f"the best response to {escape(policy)}{', which plays with open cards: it sees ' if cards else ''}{cards}"


def _who_follows(puzzle: Puzzle) -> str:
    numbers = sorted(given.player for given in puzzle.given)
    if len(numbers) == 1:
        return f"player {numbers[0]} follows the given plan"
    return f"players {', '.join(map(str, numbers[:-1]))} and {numbers[-1]} follow the given plans"


def said(value: int | None, question: Question) -> str:
    """A value in words: a number, or how the game ends for a player."""
    return OUTCOMES[value].value if question.goal is Goal.WIN and value in OUTCOMES else known(value)


def expected_of(question: Question, objective: str) -> str:
    """What is expected where chance decides."""
    return {Goal.REACH: "probability", Goal.WIN: "expected outcome"}.get(question.goal, f"expected {objective}")


def known(value: int | None) -> str:
    """A number, or `not known`."""
    return "not known" if value is None else str(value)


def hinted(steps: tuple[PlanStep, ...], options: SolveOptions) -> tuple[PlanStep, ...]:
    return steps[: options.hint] if options.hint else steps


def _how_many(others: AlternativePlans) -> str:
    if others.number == 1:
        return "the only best plan, up to the order of commuting actions"
    if others.is_complete:
        return f"all {counted(len(others.plans), 'best plan')}"
    if others.uncounted is not None:
        return f"{len(others.plans)} of the best plans, which were not counted: {others.uncounted.value}"
    return f"the first {len(others.plans)} of {others.number} best plans"


def _counting(others: AlternativePlans | None) -> Iterator[str]:
    """Why best plans are not counted, or what counts as one plan."""
    if others is None:
        return
    if others.uncounted is not None:
        yield f": {others.uncounted.value}"
    from rulewright.solver.plans.optimal_plans import Order

    match others.order:
        case Order.FREE:
            yield " in any order"
        case Order.PARTLY:
            yield " up to the order of commuting actions"
        case Order.MATTERS | None:
            pass


def headline(answer: Answer, question: Question) -> Iterator[str | Styled]:
    """The puzzle and the result of its question, on one line."""
    yield Styled(answer.position.puzzle.name, Style.STRONG)
    yield "  "
    result = answer.result
    match result.status:
        case Status.OPTIMAL:
            yield Styled("optimal", Style.GOOD)
            if question.reaches_condition and result.expectation is None:
                yield ", reached"
            elif result.expectation is None:
                yield f", {answer.position.objective} {said(result.score, question)}"
            else:
                yield f", {expected_of(question, answer.position.objective)} {fraction_text(result.expectation.value)}"
            if question.counts_plans:
                number = answer.number
                yield ", best plans not counted" if number is None else f", {counted(number, 'best plan')}"
                yield from _counting(answer.others)
        case Status.FEASIBLE:
            yield Styled("not proved", Style.WARNING)
            yield f", best {result.score}, bound {known(result.bound)}"
        case Status.IMPOSSIBLE:
            yield Styled("impossible", Style.GOOD)
            yield ", proved"
        case Status.UNKNOWN:
            yield Styled("unknown", Style.WARNING)
            yield ", no plan found"
    yield f"  ({'about ' if result.is_about else ''}{counted(result.states, 'state')}, {result.seconds:.2f} s)"
    if answer.expected is not None and answer.is_refuted(question):
        yield Styled(f"  the puzzle expects {answer_text(answer.expected)}", Style.WARNING)
    elif answer.expected is not None and not answer.is_proved(question):
        yield Styled(f"  the puzzle expects {answer_text(answer.expected)}, which was not checked", Style.WARNING)
