"""`rulewright diff`: the differences of two sets of rules, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.cli.documents.common import Origin
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import Change, Diff
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output
from rulewright.rules.clauses.clause_diff import Comparison, Difference, Order, together
from rulewright.rules.clauses.clause_text import Clause, clause_of, text_of
from rulewright.rules.linking.project import Combination

from .tree import origin

SIGNS = {"added": Styled("+", Style.GREEN), "dropped": Styled("-", Style.RED), "changed": Styled("~", Style.WARNING)}


def show_differences(one: str, other: str, exit_code: bool, output: Output) -> int:
    """Print every clause that was added, changed or dropped, with both texts. With `exit_code`, returns 1 if there is any."""
    old, new = named(one).combination, named(other).combination
    comparison = Comparison.of(old.book, new.book)
    output.document(Diff, a=old.roots, b=new.roots, changes=[change_of(one, old, new) for one in comparison.differences])
    output.lines(difference_lines(comparison, old, new))
    if not comparison.differences:
        output.say("no differences")
    return Exit.NO if exit_code and comparison.differences else Exit.YES


def change_of(difference: Difference, old: Combination, new: Combination) -> Change:
    """A changed clause with both texts and its origin, for scripts."""
    origin = document_of(Origin, _clause(difference, old, new))
    before, after = _text(difference.before), _text(difference.after)
    return document_of(Change, difference, change=_change(difference), a=before, b=after, **origin)


def difference_lines(comparison: Comparison, old: Combination, new: Combination) -> Iterator[Line]:
    """One line for each difference; equal differences of actions `like` each other share a line."""
    for alike in together(comparison.differences):
        yield difference_line(alike, old, new)


def difference_line(alike: tuple[Difference, ...], old: Combination, new: Combination) -> Line:
    """The clause before and after, with its origin."""
    first = alike[0]
    name = ", ".join(str(difference.place) for difference in alike)
    clause = _clause(first, old, new)
    before, after = _text(first.before), _text(first.after)
    said = word_diff(before, after) if before is not None and after is not None else line(escape(before or after or ""))
    where = Styled(f"   {origin(clause)}", Style.FAINT) if clause else Styled("")
    return line(SIGNS[_change(first)], " ", Styled(escape(name), Style.STRONG), "  ", *said, where)


def difference_texts(difference: Difference) -> tuple[str, str]:
    """The clause before and after; "" if there is none."""
    return _text(difference.before) or "", _text(difference.after) or ""


def _change(difference: Difference) -> str:
    if difference.before is None:
        return "added"
    return "dropped" if difference.after is None else "changed"


def _text(part: object) -> str | None:
    match part:
        case None:
            return None
        case Order(names):
            return ", ".join(names)
        case _:
            return text_of(part)  # type: ignore[arg-type]


def _clause(difference: Difference, old: Combination, new: Combination) -> Clause | None:
    """The clause after the change; a dropped clause, before it."""
    part, family = (difference.before, old.family) if difference.after is None else (difference.after, new.family)
    return None if part is None or isinstance(part, Order) else clause_of(difference.place, part, family)


MOST = 3
"""The maximum number of places at which the texts may differ; beyond it, both are printed whole."""

_WORD = re.compile(r"\w+|\s+|.")


def word_diff(before: str, after: str) -> Line:
    """`{3 -> 4} when …`: the differing words, in braces if others do not differ."""
    one, other = _WORD.findall(before), _WORD.findall(after)
    parts: list[str | Styled] = []
    steps = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    shared = sum(len("".join(one[a:b])) for tag, a, b, _, _ in steps if tag == "equal")
    if 2 * shared < min(len(before), len(after)) or sum(tag != "equal" for tag, *_ in steps) > MOST:
        return line(*_both(before, after))
    for tag, a, b, c, d in steps:
        if tag == "equal":
            parts.append(escape("".join(one[a:b])))
        else:
            parts += ["{", *_both("".join(one[a:b]), "".join(other[c:d])), "}"]
    return line(*parts)


def _both(before: str, after: str) -> list[str | Styled]:
    old, new = Styled(escape(before), Style.RED), Styled(escape(after), Style.GREEN)
    if before and after:
        return [old, " -> ", new]
    return [Styled("-", Style.RED), old] if before else [Styled("+", Style.GREEN), new]
