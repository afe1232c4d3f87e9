"""`rulewright review`: changed snapshots, grouped by the cause of the change, accepted or rejected."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

from rulewright.base.diagnostics import Diagnostic, did_you_mean
from rulewright.cli.session import current_project
from rulewright.cli.start_position import viewer_of
from rulewright.cli.usage_errors import usage_error
from rulewright.cli.views.output import Exit, Output
from rulewright.cli.views.paths import display_path, escaped_path
from rulewright.cli.views.render_diagnostics import diagnostics_as_json, say_diagnostics
from rulewright.cli.views.state_view import turn_line
from rulewright.cli.views.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.views.symbols import Symbols
from rulewright.rules.clauses.clause_diff import together
from rulewright.studies.records.rule_changes import Change
from rulewright.studies.records.snapshot_review import GONE, NEW, ChangedPuzzle, ReviewGroup, SnapshotReview

from .diff import difference_as_json, difference_line
from .diff_effects import contribution_texts
from .show import board_lines

ALL = "all"
FEW_ROWS = 40
"""Rows of a changed text that are shown."""

ASKED = "accept, reject, each, quit? "
OF_ONE = "accept, reject, quit? "


def review(accept: Sequence[str], seconds: float, output: Output) -> int:
    """Show the groups of changed snapshots; accept those named, or ask on a terminal. Exit status 1 where some are left."""
    in_ci = bool(os.environ.get("CI"))
    if accept and in_ci:
        raise usage_error("nothing is accepted where CI is set", "review at home, and commit what was accepted")
    pending = SnapshotReview(current_project(), seconds)
    groups = pending.groups
    accepted = [group for group in groups if _is_named(group, accept)]
    unknown = [name for name in accept if name != ALL and not any(_is_named(group, [name]) for group in groups)]
    if unknown:
        raise usage_error(f"nothing to accept is called `{escape(unknown[0])}`", did_you_mean(unknown[0], _names(groups)))
    output.document(_as_json(pending, accepted))
    say_diagnostics(dict.fromkeys(_faults(pending)), output)
    asking = not accept and not in_ci and not output.as_json and _is_interactive()
    left = list(groups)
    for group in groups:
        output.lines(group_lines(group))
        if group in accepted:
            pending.accept(group)
            left.remove(group)
            output.line(Styled("accepted", Style.GOOD))
        elif asking:
            answer = _ask(pending, group, output)
            if answer == "quit":
                break
            if answer == "accept":
                left.remove(group)
    _conclude(pending, groups, left, output)
    return Exit.NO if left else Exit.WRONG if pending.faults else Exit.YES


def _conclude(pending: SnapshotReview, groups: Sequence[ReviewGroup], left: Sequence[ReviewGroup], output: Output) -> None:
    for path, why in pending.undecided.items():
        output.say(Styled("not known", Style.WARNING), f": {escaped_path(path)}: {escape(why)}")
    if not groups:
        output.say("nothing else to review" if pending.faults else "nothing to review")
    elif left:
        names = ", ".join(f"`{group.title}`" for group in left)
        output.say(f"left as it is: {escape(names)}; `--accept NAME` accepts, `--accept {ALL}` everything")
    else:
        output.say(f"accepted: {counted(len(groups), 'group')}")


# What is accepted -----------------------------------------------------------------------------------------------------


def _is_named(group: ReviewGroup, names: Sequence[str]) -> bool:
    return ALL in names or any(name in _names([group]) for name in names)


def _names(groups: Sequence[ReviewGroup]) -> set[str]:
    """The names by which groups can be accepted: title, the only clause, the only puzzle."""
    found = {group.title for group in groups}
    found |= {str(place) for group in groups if len(group.change_sets) == 1 for place in group.change_sets[0]}
    return found | {group.puzzles[0].solved.puzzle.name for group in groups if len(group.puzzles) == 1}


def _is_interactive() -> bool:
    return sys.stdin.isatty()


def _ask(pending: SnapshotReview, group: ReviewGroup, output: Output) -> str:
    """Ask what to do with a group, and do it; the answer."""
    several = len(group.puzzles) > 1
    answer = _typed(ASKED if several else OF_ONE, ("accept", "reject", *(("each",) if several else ()), "quit"))
    if answer == "accept":
        pending.accept(group)
    if answer != "each":
        return answer
    accepted: list[ChangedPuzzle] = []
    for puzzle in group.puzzles:
        output.line(Styled(puzzle.solved.puzzle.name, Style.STRONG))
        answer = _typed(OF_ONE, ("accept", "reject", "quit"))
        if answer == "quit":
            break
        if answer == "accept":
            accepted.append(puzzle)
    if len(accepted) == len(group.puzzles):
        pending.accept(group)
        return "accept"
    pending.accept(group, accepted)
    return "quit" if answer == "quit" else "reject"


def _typed(question: str, words: Sequence[str]) -> str:
    """The first of the words that begins with the input; `quit` at its end."""
    while True:
        try:
            said = input(question).strip().lower()
        except EOFError:
            return "quit"
        for word in words:
            if said and word.startswith(said):
                return word


# For people -----------------------------------------------------------------------------------------------------------


def group_lines(group: ReviewGroup) -> Iterator[Line]:
    """The cause with its clauses before and after, then each puzzle with its changed snapshots."""
    yield line()
    what = [counted(len(group.puzzles), "puzzle")] if group.puzzles else []
    if group.change_sets and group.changes:
        what.append(counted(len(group.changes), "saved game"))
    elif group.change_sets and not group.puzzles:
        what = ["changes no puzzle"]
    elif group.title not in (NEW, GONE) and not group.change_sets:
        what = ["the puzzle itself changed" if group.puzzles else "the saved game goes otherwise"]
    yield line(Styled(escape(group.title), Style.STRONG), *([f": {', '.join(what)}"] if what else []))
    for rules, differences in group.differences:
        for alike in together(differences):
            yield difference_line(alike, rules.old, rules.new)
    for puzzle in group.puzzles:
        yield from puzzle_lines(puzzle)
    for change in group.changes:
        yield line(f"    {escaped_path(change.path)}")
        yield from _rows(change)


def puzzle_lines(puzzle: ChangedPuzzle) -> Iterator[Line]:
    """The board, the contribution of each cause, and every changed snapshot."""
    position = puzzle.solved.position
    yield line()
    yield line("  ", Styled(position.puzzle.name, Style.STRONG), f"  {escaped_path(puzzle.solved.path)}")
    engine, state = position.engine, position.state
    for row in (*board_lines(engine, state, viewer_of(position.puzzle), Symbols.of(engine.game)), turn_line(engine, state)):
        yield line("    ", *row)
    if puzzle.impact is not None:
        for contribution in puzzle.impact.contributions:
            name = ", ".join(map(str, contribution.change_set)) or "only together"
            yield line(f"    {escape(name)}: {', '.join(contribution_texts(puzzle.impact, contribution))}")
    for change in puzzle.changes:
        yield line("    ", Styled(change.path.stem.replace("_", " "), Style.STRONG))
        yield from _rows(change)


def _rows(change: Change) -> Iterator[Line]:
    """The lines that were dropped and added."""
    before, after = ((text or "").splitlines() for text in (change.before, change.after))
    rows = [row for row in unified_diff(before, after, lineterm="", n=0) if not row.startswith(("---", "+++", "@@"))]
    for row in rows[:FEW_ROWS]:
        yield line("      ", Styled(escape(row), Style.GREEN if row.startswith("+") else Style.RED))
    if len(rows) > FEW_ROWS:
        yield line(f"      … and {len(rows) - FEW_ROWS} lines more")


def _faults(pending: SnapshotReview) -> list[Diagnostic]:
    """The errors of files. An error in rules is one of every file that names them."""
    return [diagnostic for diagnostics in pending.faults.values() for diagnostic in diagnostics]


# For scripts ----------------------------------------------------------------------------------------------------------


def _as_json(pending: SnapshotReview, accepted: Sequence[ReviewGroup]) -> dict[str, Any]:
    return {
        "groups": [_group_as_json(group, group in accepted) for group in pending.groups],
        "undecided": [display_path(path) for path in pending.undecided],
        "errors": diagnostics_as_json(_faults(pending)),
    }


def _group_as_json(group: ReviewGroup, accepted: bool) -> dict[str, Any]:
    changes = [
        difference_as_json(difference, rules.old, rules.new)
        for rules, differences in group.differences
        for difference in differences
    ]
    return {
        "cause": group.title,
        "changes": changes,
        "puzzles": [
            {"puzzle": puzzle.solved.puzzle.name, "snapshots": [_change_as_json(change) for change in puzzle.changes]}
            for puzzle in group.puzzles
        ],
        "snapshots": [_change_as_json(change) for change in group.changes],
        "accepted": accepted,
    }


def _change_as_json(change: Change) -> dict[str, Any]:
    return {"file": display_path(change.path), "before": change.before, "after": change.after}
