"""`rulewright diff --on`: what the differences do to puzzles, grouped by the clause that does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulewright.base.input_files import files_below
from rulewright.cli.interrupts import noticing_interrupts
from rulewright.cli.limits import limits_of_call
from rulewright.cli.usage_errors import usage_error
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.progress import track
from rulewright.cli.views.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.studies.rule_impact import Effect, Measure, Outcome, Share, Step, effects

from .diff import combination_of, difference_as_json, difference_lines, rules_as_json

TOGETHER = "only together"


def show_effects(one: str, other: str, on: Sequence[str], exit_code: bool, seconds: float, workers: int, output: Output) -> int:
    """Print the differences and what they do to puzzles."""
    a, b = combination_of(one), combination_of(other)
    measure = Measure(a, b, seconds)
    puzzles = named_puzzles(on)
    found: list[Effect] = []
    with noticing_interrupts() as interrupted:
        for effect in track(effects(measure, puzzles, workers), len(puzzles), "solving", output):
            found.append(effect)
    differences = measure.comparison.differences
    output.document(
        {
            **rules_as_json(a, b),
            "changes": [difference_as_json(difference, a, b) for difference in differences],
            "puzzles": [_as_json(effect) for effect in found],
            "causes": [_cause_as_json(step, group) for step, group in by_cause(found).items()],
        }
    )
    output.lines(difference_lines(measure.comparison, a, b))
    output.lines(effect_lines(found))
    if interrupted.happened:
        return Exit.INTERRUPTED
    return Exit.NO if exit_code and differences else Exit.YES


def named_puzzles(names: Sequence[str]) -> list[Puzzle]:
    """The puzzles that are named, or that are in the folders named, or that fit a pattern; each once."""
    catalogue = Catalogue(Project(Path.cwd(), limits_of_call()))
    paths: dict[Path, None] = {}
    for name in (part.strip() for said in names for part in said.split(",")):
        if Path(name).is_dir():
            found = list(files_below(Path(name), ".puzzle", limits_of_call()))
        elif "*" in name:
            found = sorted(path for path in Path.cwd().glob(name) if path.suffix == ".puzzle")
        else:
            found = [catalogue.find(name)]
        if not found:
            raise usage_error(f"there is no puzzle in `{name}`")
        paths |= dict.fromkeys(found)
    return [catalogue.read(path) for path in paths]


def by_cause(found: Sequence[Effect]) -> dict[Step, list[tuple[Effect, Share]]]:
    """The puzzles that each step changes, with its share."""
    groups: dict[Step, list[tuple[Effect, Share]]] = {}
    for effect in found:
        for share in effect.shares:
            groups.setdefault(share.step, []).append((effect, share))
    return groups


# For people -----------------------------------------------------------------------------------------------------------


def effect_lines(found: Sequence[Effect]) -> Iterator[Line]:
    """Cause by cause the puzzles that it changes; then those that nothing changes, and those that cannot be compared."""
    for step, group in by_cause(found).items():
        yield line()
        yield line(Styled(cause(step), Style.STRONG), f": {', '.join(_summary(group))}")
        width = max(len(effect.puzzle) for effect, _ in group)
        for effect, share in group:
            yield line(f"    {escape(effect.puzzle).ljust(width)}  {', '.join(share_texts(effect, share))}")
    if rest := list(_rest(found)):
        yield line()
        yield from rest


def _rest(found: Sequence[Effect]) -> Iterator[Line]:
    """The puzzles that nothing changes, that take too long, and that are none under both rules."""
    undecided = [effect for effect in found if not all(o is None or o.is_decided for o in (effect.before, effect.after))]
    same = [effect for effect in found if effect.is_nothing and effect not in undecided]
    if same:
        yield line(f"no change: {counted(len(same), 'puzzle')}")
    if undecided:
        yield line(Styled("not proved in time", Style.WARNING), f": {escape(', '.join(e.puzzle for e in undecided))}")
    for effect in (effect for effect in found if effect.refused):
        if effect.before is None and effect.after is None:
            where = "under neither rules"
        else:
            where = f"only under {'the second' if effect.before is None else 'the first'} rules"
        yield line(Styled(where, Style.WARNING), f": {escape(effect.puzzle)}: {escape(effect.refused)}")


def cause(step: Step) -> str:
    """The clauses that are changed in a step."""
    return escape(", ".join(map(str, step))) or TOGETHER


def _summary(group: list[tuple[Effect, Share]]) -> Iterator[str]:
    yield counted(len(group), "puzzle")
    answers = [share.answer for _, share in group if share.answer]
    scores = [share.score for _, share in group if share.score]
    if answers:
        yield f"answers {_range(answers)}"
    if scores:
        yield f"scores {_range(scores)}"
    if within := sum(share.reached > 0 for _, share in group):
        yield f"{within} within reach now"
    if beyond := sum(share.reached < 0 for _, share in group):
        yield f"{beyond} out of reach now"
    if legal := sum(share.legal for _, share in group):
        yield f"legal actions of {legal}"


def _range(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def share_texts(effect: Effect, share: Share) -> Iterator[str]:
    """What a step did to a puzzle, in words."""
    before, after = effect.before, effect.after
    assert before is not None and after is not None
    for what, number, share_of_it in (("answer", before.answer, share.answer), ("score", before.score, share.score)):
        if share_of_it and number is not None:
            yield f"{what} {share_of_it:+d}" + (f" ({number} -> {number + share_of_it})" if share.step else "")
    if share.reached:
        yield "within reach now" if share.reached > 0 else "out of reach now"
    if share.items and not share.score:
        yield "score counted otherwise"
    if share.legal:
        added, dropped = legal_changes(before, after)
        texts = [f"+ {text}" for text in added] + [f"- {text}" for text in dropped]
        yield escape("  ".join(texts)) if len(texts) <= 4 else f"{len(added)} actions more, {len(dropped)} less"


def legal_changes(before: Outcome, after: Outcome) -> tuple[list[str], list[str]]:
    """The actions that became legal, and those that are legal no more."""
    return [t for t in after.legal if t not in before.legal], [t for t in before.legal if t not in after.legal]


# For scripts ----------------------------------------------------------------------------------------------------------


def _as_json(effect: Effect) -> dict[str, Any]:
    added, dropped = legal_changes(effect.before, effect.after) if effect.before and effect.after else ([], [])
    return {
        "puzzle": effect.puzzle,
        "changed": not effect.is_nothing,
        "a": _outcome_as_json(effect.before),
        "b": _outcome_as_json(effect.after),
        "legal_added": added,
        "legal_dropped": dropped,
        "refused": effect.refused or None,
        "causes": [_share_as_json(share) for share in effect.shares],
    }


def _outcome_as_json(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    status = outcome.status.value if outcome.status else None
    return {"legal": list(outcome.legal), "score": outcome.score, "answer": outcome.answer, "status": status}


def _share_as_json(share: Share) -> dict[str, Any]:
    clauses = [str(place) for place in share.step]
    return {"clauses": clauses, "answer": share.answer, "score": share.score, "reached": share.reached, "legal": share.legal}


def _cause_as_json(step: Step, group: list[tuple[Effect, Share]]) -> dict[str, Any]:
    return {
        "clauses": [str(place) for place in step],
        "puzzles": [effect.puzzle for effect, _ in group],
        "answers": [share.answer for _, share in group],
        "scores": [share.score for _, share in group],
        "legal": sum(share.legal for _, share in group),
    }
