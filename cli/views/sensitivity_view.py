"""The sensitivity analysis of `solve --why`, for people and for scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents import answers as documents
from rulewright.cli.documents.common import Origin
from rulewright.cli.documents.document import document_of
from rulewright.grammar.tree.puzzles import Goal

from .paths import place_text

if TYPE_CHECKING:
    from rulewright.puzzles.perturbations import Perturbation
    from rulewright.studies.sensitivity import Sensitivity


def sensitivity_lines(found: Sequence[Sensitivity], goal: Goal) -> Iterator[Line]:
    """The perturbations with a gain, greatest first; then the number without a gain, and the open ones."""
    gains = [one for one in _by_gain(found) if one.gain]
    if not gains:
        yield line("no change tried would improve the answer")
    else:
        yield line(Styled("changes that would improve the answer", Style.STRONG))
    width = max((len(_change(one)) for one in gains), default=0)
    for one in gains:
        origin = Styled(escape(_origin(one.perturbation)), Style.FAINT)
        yield line(f"  {escape(_change(one)).ljust(width)}  {_gained(one, goal)}  ", origin)
    nothing = sum(one.gain == 0 for one in found)
    if nothing and gains:
        yield line(f"  {counted(nothing, 'other change')} would gain nothing")
    unplayable = [f"{_change(one)} ({one.problem})" for one in found if one.problem]
    unsettled = [_change(one) for one in found if one.gain is None and not one.problem]
    if unplayable:
        yield line(f"  cannot be played: {', '.join(map(escape, unplayable))}")
    if unsettled:
        yield line(f"  not settled in time: {', '.join(map(escape, unsettled))}")


def sensitivities_of(found: Sequence[Sensitivity]) -> list[documents.Sensitivity]:
    """The perturbations for scripts, greatest gain first."""
    return [document_of(documents.Sensitivity, one, **document_of(Origin, one.perturbation)) for one in _by_gain(found)]


def _gained(found: Sensitivity, goal: Goal) -> str:
    """`19, +2`, `at least 19, +2`, or `5, -1` if less is better."""
    match goal:
        case Goal.REACH:
            return "reached"
        case Goal.MINIMISE | Goal.LEAST:
            return f"{'' if found.proved else 'at most '}{found.score}, -{found.gain}"
        case Goal.MAXIMISE | Goal.COUNT_BEST | Goal.WIN:
            return f"{'' if found.proved else 'at least '}{found.score}, +{found.gain}"


def _change(found: Sensitivity) -> str:
    return f"{found.perturbation.name} {found.perturbation.change}"


def _origin(perturbation: Perturbation) -> str:
    return f"{place_text(perturbation.span)}  {perturbation.message}".strip()


def _by_gain(found: Sequence[Sensitivity]) -> list[Sensitivity]:
    """Sorted by gain, greatest first, open ones last."""
    return sorted(found, key=lambda one: -1 if one.gain is None else one.gain, reverse=True)
