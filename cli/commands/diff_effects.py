"""`rulewright diff --on`: the impact of the differences on puzzles, grouped by the clauses that cause it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from rulewright.api.named import PUZZLE
from rulewright.api.start import viewer_of
from rulewright.base.diagnostics import usage_error
from rulewright.base.ending import until_stopped
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line, plain
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import DiffEffects, Effect, PuzzlesByCause
from rulewright.cli.names import current_project, named, named_files
from rulewright.cli.views.output import Exit, Output, track
from rulewright.grammar.tree.puzzles import OUTCOMES, Puzzle
from rulewright.pictures.pages.comparison import Cause, Change, Side, comparison_page
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.clauses.clause_diff import Comparison
from rulewright.rules.model.game import Game
from rulewright.rules.play.move_notation import format_move
from rulewright.studies.rule_impact import ChangeSet, Contribution, Impact, Outcome, RuleSubstitution, impacts
from rulewright.workers.executor import Executor

from .diff import change_of, difference_lines, difference_texts

if TYPE_CHECKING:
    from rulewright.cli.picture_files import PictureFiles

TOGETHER = "only in combination"


def show_effects(
    one: str,
    other: str,
    on: Sequence[str],
    exit_code: bool,
    seconds: float,
    executor: Executor,
    page: PictureFiles | None,
    output: Output,
) -> int:
    """Print the differences and their impact on puzzles, with so many seconds for each answer; with `page`, write one of the
    changed answers."""
    if page is not None:
        page.check()
    old, new = named(one).combination, named(other).combination
    substitution = RuleSubstitution(current_project(), old, new, seconds)
    comparison = Comparison.of(old.book, new.book)
    puzzles = named_puzzles(on)
    found: list[Impact] = []
    with executor:
        found += until_stopped(track(impacts(substitution, puzzles, executor), len(puzzles), "solving", output))
    differences = comparison.differences
    output.document(
        DiffEffects,
        a=old.roots,
        b=new.roots,
        changes=[change_of(difference, old, new) for difference in differences],
        puzzles=map(_effect, found),
        causes=[_puzzles_of(change_set, group) for change_set, group in by_cause(found).items()],
    )
    output.lines(difference_lines(comparison, old, new))
    output.lines(effect_lines(found))
    if page is not None:
        _write_page(page, substitution, found, puzzles, output)
    return Exit.NO if exit_code and differences else Exit.YES


def named_puzzles(names: Sequence[str]) -> list[Puzzle]:
    """The puzzles named, in named folders, or matching a pattern; each once."""
    catalogue = Catalogue(current_project())
    found = named_files(names, (PUZZLE,), catalogue)
    for name, paths in found.items():
        if not paths:
            raise usage_error(f"there is no puzzle in `{name}`")
    return [catalogue.read(path) for path in dict.fromkeys(chain.from_iterable(found.values()))]


def by_cause(found: Sequence[Impact]) -> dict[ChangeSet, list[tuple[Impact, Contribution]]]:
    """The impacts that each change set contributes to, with its contribution."""
    groups: dict[ChangeSet, list[tuple[Impact, Contribution]]] = {}
    for impact in found:
        for part in impact.contributions:
            groups.setdefault(part.change_set, []).append((impact, part))
    return groups


# For people -----------------------------------------------------------------------------------------------------------


def effect_lines(found: Sequence[Impact]) -> Iterator[Line]:
    """The changed puzzles by cause; then the unchanged ones, and those that cannot be compared."""
    for change_set, group in by_cause(found).items():
        yield line()
        yield line(Styled(cause(change_set), Style.STRONG), f": {', '.join(summary(group))}")
        width = max(len(impact.puzzle) for impact, _ in group)
        for impact, part in group:
            yield line(f"    {escape(impact.puzzle).ljust(width)}  {', '.join(contribution_texts(impact, part))}")
    if rest := list(_rest(found)):
        yield line()
        yield from rest


def _rest(found: Sequence[Impact]) -> Iterator[Line]:
    """The puzzles that are unchanged, not proved in time, or invalid under one of the rules."""
    undecided = [impact for impact in found if not all(o is None or o.is_decided for o in (impact.before, impact.after))]
    same = [impact for impact in found if impact.is_nothing and impact not in undecided]
    if same:
        yield line(f"no change: {counted(len(same), 'puzzle')}")
    if undecided:
        yield line(Styled("not proved in time", Style.WARNING), f": {escape(', '.join(e.puzzle for e in undecided))}")
    for impact in (impact for impact in found if impact.refused):
        if impact.before is None and impact.after is None:
            where = "invalid under both rules"
        else:
            where = f"valid only under {'the second' if impact.before is None else 'the first'} rules"
        yield line(Styled(where, Style.WARNING), f": {escape(impact.puzzle)}: {escape(impact.refused)}")


def cause(change_set: ChangeSet) -> str:
    """The clauses of a change set."""
    return escape(", ".join(map(str, change_set))) or TOGETHER


def summary(group: Sequence[tuple[Impact, Contribution]]) -> Iterator[str]:
    """The number of puzzles, and the total effect of the change set on them."""
    yield counted(len(group), "puzzle")
    wins = [part.answer for impact, part in group if part.answer and _is_of_a_win(impact)]
    answers = [part.answer for impact, part in group if part.answer and not _is_of_a_win(impact)]
    scores = [part.score for _, part in group if part.score]
    if answers:
        yield f"answers {_range(answers)}"
    if better := sum(change > 0 for change in wins):
        yield f"{better} better for the player"
    if worse := sum(change < 0 for change in wins):
        yield f"{worse} worse for the player"
    if scores:
        yield f"scores {_range(scores)}"
    if within := sum(part.reached > 0 for _, part in group):
        yield f"{within} within reach now"
    if beyond := sum(part.reached < 0 for _, part in group):
        yield f"{beyond} out of reach now"
    if legal := sum(part.legal for _, part in group):
        yield f"legal actions of {legal}"


def _range(numbers: Sequence[int | Fraction]) -> str:
    low, high = min(numbers), max(numbers)
    return _signed(low) if low == high else f"{_signed(low)} to {_signed(high)}"


def _signed(number: int | Fraction) -> str:
    return f"{'+' if number >= 0 else ''}{number}"


def contribution_texts(impact: Impact, part: Contribution) -> Iterator[str]:
    """The contribution of a change set in words."""
    before, after = impact.before, impact.after
    assert before is not None and after is not None
    for what, number, difference in (
        ("answer", before.answer, part.answer),
        ("score", before.score, part.score),
    ):
        if difference and number is not None and what == "answer" and before.is_of_a_win:
            yield _change_of_a_win(number, difference if part.change_set else 0, difference)
        elif difference and number is not None:
            yield f"{what} {_signed(difference)}" + (f" ({number} -> {number + difference})" if part.change_set else "")
    if part.reached:
        yield "within reach now" if part.reached > 0 else "out of reach now"
    if part.items and not part.score:
        yield "score composed differently"
    if part.legal:
        yield actions_text(*impact.legal_changes)


def _is_of_a_win(impact: Impact) -> bool:
    return impact.before is not None and impact.before.is_of_a_win


def _change_of_a_win(before: int | Fraction, known: int | Fraction, difference: int | Fraction) -> str:
    """`answer loss -> win`; where only the difference is known, or comes of several change sets, whom it serves."""
    old, new = OUTCOMES.get(int(before)), OUTCOMES.get(int(before + known))
    if old is None or new is None or old is new:
        return f"{'better' if difference > 0 else 'worse'} for the player"
    return f"answer {old.value} -> {new.value}"


def actions_text(added: Sequence[str], dropped: Sequence[str]) -> str:
    """The actions that became legal and illegal, or their numbers."""
    texts = [f"+ {text}" for text in added] + [f"- {text}" for text in dropped]
    return escape("  ".join(texts)) if len(texts) <= 4 else f"{len(added)} more actions, {len(dropped)} fewer"


# Pictures -------------------------------------------------------------------------------------------------------------


def _write_page(
    page: PictureFiles, substitution: RuleSubstitution, found: Sequence[Impact], puzzles: Sequence[Puzzle], output: Output
) -> None:
    """The changed answers side by side, grouped by the clauses that changed them."""
    old, new = substitution.one, substitution.other
    named = {puzzle.name: puzzle for puzzle in puzzles}
    differences = {difference.place: difference for difference in Comparison.of(old.book, new.book).differences}
    causes = []
    for change_set, group in by_cause(found).items():
        texts = tuple(difference_texts(differences[place]) for place in change_set if place in differences)
        changes = tuple(_changed(impact, part, named[impact.puzzle], substitution) for impact, part in group)
        causes.append(Cause(cause(change_set), texts, changes))
    rest = [plain(parts) for parts in _rest(found)]
    title = f"{' + '.join(old.roots)} and {' + '.join(new.roots)}"
    page.write_page(comparison_page(title, causes, rest, bool(page.options.dark)), output)


# For scripts ----------------------------------------------------------------------------------------------------------


def _effect(impact: Impact) -> Effect:
    added, dropped = impact.legal_changes
    return document_of(Effect, impact, changed=not impact.is_nothing, legal_added=added, legal_dropped=dropped)


def _puzzles_of(change_set: ChangeSet, group: list[tuple[Impact, Contribution]]) -> PuzzlesByCause:
    return document_of(
        PuzzlesByCause,
        clauses=change_set,
        puzzles=[impact.puzzle for impact, _ in group],
        answers=[part.answer for _, part in group],
        scores=[part.score for _, part in group],
        legal=sum(part.legal for _, part in group),
    )


CELL = 40.0
"""In pixels: the width of a cell."""


def _changed(impact: Impact, part: Contribution, puzzle: Puzzle, substitution: RuleSubstitution) -> Change:
    """A puzzle with known outcomes under both rules, and the change in words."""
    assert impact.before is not None and impact.after is not None
    old, new = substitution.analysis(puzzle).games
    sides = _side(puzzle, impact.before, old), _side(puzzle, impact.after, new)
    return Change(puzzle.name, puzzle.text, tuple(contribution_texts(impact, part)), sides)


def _side(puzzle: Puzzle, outcome: Outcome, game: Game) -> Side:
    """The puzzle under some rules, at the end of the best plan found."""
    position = set_up_position(puzzle, game)
    engine = position.asked
    states = [*accumulate(outcome.plan, engine.apply, initial=position.root)]
    actions = tuple(format_move(engine, state, move) for state, move in zip(states, outcome.plan, strict=False))
    worth = f"answer {outcome.answer}" if outcome.answer is not None else f"score {outcome.score}"
    worth = "impossible" if not outcome.is_reached else worth if outcome.is_decided else "not proved in time"
    scene = Scene(engine, viewer_of(position), puzzle.name, PictureOptions(CELL))
    return Side(scene, states[-1], position.root, worth, actions)
