"""A word diff of two texts on one line."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from rulewright.base.styled_text import Line, Style, Styled, escape, line

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
