"""The solution of a problem in words: keys, tries and set play, as problem pages print them, with cooks and duals.

Set play is what would happen if the other side moved first: how each of its moves is already answered in the position.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from rulewright.base.records import evolve, frozen
from rulewright.base.styled_text import Line as TextLine
from rulewright.base.styled_text import Style, Styled, counted, escape, line
from rulewright.puzzles.from_tree import turn_variable
from rulewright.rules.linking.questions import Question
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.solver.result import Limits
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.solver.versus.solution import Line, solution_of

from .alternative_plans import Alternatives, KeyAndDuals


@frozen
class Variation:
    """A move in words, and what may follow: all defences, or each continuation that solves the problem. `number` is that of the
    move in its line, from 1."""

    number: int
    player: int
    text: str
    is_own: bool
    replies: tuple[Variation, ...]


@frozen
class Try:
    """A first move that only one reply refutes."""

    text: str
    refutation: str


@frozen
class ProblemSolution:
    """All that a problem page prints below the position. `set_play` has only the moves that are already answered."""

    variations: tuple[Variation, ...]
    tries: tuple[Try, ...]
    set_play: tuple[Variation, ...]
    is_together: bool = False

    @property
    def lines(self) -> tuple[tuple[Variation, ...], ...]:
        """Every line from the first move to the last."""
        return tuple(_lines(self.variations))

    @property
    def uniqueness(self) -> KeyAndDuals | None:
        """The key with its cooks, and the duals after it; None if the other side begins."""
        if not self.variations or not self.variations[0].is_own:
            return None
        key, *cooks = self.variations
        found = Alternatives(1, key.text, tuple(cook.text for cook in cooks))
        return KeyAndDuals(found, tuple(_duals(key)), False)


def problem_solution(engine: Engine, root: State, question: Question, limits: Limits, tries: int) -> ProblemSolution | None:
    """The solution of a problem that can be solved: all variations, and at most so many tries; None if it is not found."""
    deadline = time.monotonic() + limits.seconds
    problem = MinimaxProblem(engine, root, question)
    found = solution_of(problem, limits, tries)
    if found is None:
        return None
    after = {shown.move: engine.apply(root, shown.move) for shown in found.tries}
    shown = tuple(
        Try(format_move(engine, root, one.move), format_move(engine, after[one.move], one.refutation)) for one in found.tries
    )
    variations = tuple(_told(engine, root, found.lines, 1))
    set_play: tuple[Variation, ...] = ()
    if tries and (other := _other_side(problem)) is not None:
        prepared = solution_of(other, evolve(limits, seconds=deadline - time.monotonic()), 0)
        told = () if prepared is None else _told(engine, other.root, prepared.lines, 2)
        set_play = tuple(one for one in told if one.replies)
    return ProblemSolution(variations, shown, set_play, problem.is_together)


def _other_side(problem: MinimaxProblem) -> MinimaxProblem | None:
    """The problem with the other side to move first, where two players move one by one and the key is not the last move."""
    engine, root, question = problem.engine, problem.root, problem.question
    variable = turn_variable(engine, engine.choice(root))
    turns = question.own_turns
    if problem.is_together or not problem.is_own(root) or engine.instance.players != 2 or variable is None:
        return None
    if turns is None or turns < 2:
        return None
    state = list(root)
    state[engine.layout.columns[variable].start] = 3 - problem.player
    if not engine.legal(tuple(state)):
        return None
    return MinimaxProblem(engine, tuple(state), evolve(question, own_turns=turns - 1))


def _told(engine: Engine, state: State, lines: Sequence[Line], number: int) -> Iterator[Variation]:
    for each in lines:
        after = engine.apply(state, each.move)
        replies = tuple(_told(engine, after, each.replies, number + 1))
        yield Variation(number, engine.player(state), format_move(engine, state, each.move), each.is_own, replies)


def _lines(variations: Sequence[Variation]) -> Iterator[tuple[Variation, ...]]:
    for first in variations:
        for rest in _lines(first.replies) if first.replies else ((),):
            yield (first, *rest)


def _duals(after: Variation) -> Iterator[Alternatives]:
    """Where several continuations solve the problem after a move."""
    if len(after.replies) > 1 and after.replies[0].is_own:
        first, *others = after.replies
        yield Alternatives(first.number, first.text, tuple(other.text for other in others))
    for reply in after.replies:
        yield from _duals(reply)


# In the words of a problem page ---------------------------------------------------------------------------------------


OTHERS = "otherwise"
"""All defences that the same continuation answers as the last group."""


def solution_lines(found: ProblemSolution | None) -> Iterator[TextLine]:
    """Set play, tries, keys and variations."""
    if found is None:
        yield line(Styled("no whole solution", Style.WARNING), ": time is up, or positions can repeat")
        return
    if found.set_play:
        yield line(Styled("set play", Style.STRONG))
        yield from _variations(found.set_play, 1)
    for one in found.tries:
        yield line(Styled("try", Style.STRONG), f"  {escape(one.text)}? but {escape(one.refutation)}!")
    if not found.variations[0].is_own:
        yield from _variations(found.variations, 0)
        return
    if found.is_together:
        yield line(Styled(counted(len(found.lines), "solution"), Style.STRONG))
        for solution in found.lines:
            yield line("  " + "  ".join(f"{move.number}. {escape(move.text)}" for move in solution))
        return
    for key in found.variations:
        yield line(
            Styled("key" if len(found.variations) == 1 else "one of several keys", Style.STRONG), f"  {escape(key.text)}!"
        )
        yield from _variations(key.replies, 1)


def _variations(defences: Sequence[Variation], depth: int) -> Iterator[TextLine]:
    """A line for the defences that the same continuations answer, then what follows."""
    groups: dict[tuple[object, ...], list[Variation]] = {}
    for own in defences:
        if own.is_own:  # the turn goes on
            yield line(f"{'  ' * depth}then {escape(own.text)}")
            yield from _variations(own.replies, depth + 1)
    for defence in (one for one in defences if not one.is_own):
        groups.setdefault(_shape(defence.replies), []).append(defence)
    ordered = sorted(groups.values(), key=len)
    for group in ordered:
        is_rest = len(ordered) > 1 and group is ordered[-1] and len(group) > 2
        told = OTHERS if is_rest else ", ".join(escape(defence.text) for defence in group)
        first = group[0]
        answers = " or ".join(f"{escape(reply.text)}" for reply in first.replies)
        number = (first.number + 1) // 2
        dual = Styled("   dual", Style.WARNING) if len(first.replies) > 1 else ""
        after = f"   {number + 1}. {answers}" if answers else "   no move follows"
        yield line(f"{'  ' * depth}{number}… {told}{after}", dual)
        for reply in first.replies:
            yield from _variations(reply.replies, depth + 1)


def _shape(replies: Sequence[Variation]) -> tuple[object, ...]:
    """What tells the answers to a defence apart, whatever their number in the line."""
    return tuple((reply.text, _shape(reply.replies)) for reply in replies)
