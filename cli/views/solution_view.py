"""The solution of a problem as a problem page prints it, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents import answers as documents
from rulewright.cli.documents.document import document_of

if TYPE_CHECKING:
    from rulewright.studies.problem_solution import ProblemSolution, Variation

OTHERS = "otherwise"
"""All defences that the same continuation answers as the last group."""


def solution_of(found: ProblemSolution) -> documents.Solution:
    """The solution for scripts."""
    return document_of(documents.Solution, found)


def solution_lines(found: ProblemSolution | None) -> Iterator[Line]:
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


def _variations(defences: Sequence[Variation], depth: int) -> Iterator[Line]:
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
