"""What a code means, with an example that has the flaw and one that has not."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve

from rulewright.base.limits import Limits
from rulewright.base.records import frozen

from .codes import CODES, Code

_FENCE = re.compile(r"^```(rules|puzzle) (bad|good)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Example:
    """A text of an explanation; `limits` are the ones it is read with."""

    text: str
    puzzle: bool
    limits: Limits


@frozen
class Explanation:
    """The page of one code. Codes that no single text can show have no examples."""

    code: Code
    page: str
    bad: Example | None
    good: Example | None


def explanation(code: str) -> Explanation:
    """The explanation of `RW011`; KeyError when there is no such code."""
    known = CODES[code]
    page = (Path(__file__).parent / "explanations" / f"{code}.md").read_text("utf-8")
    examples = {kind: _example(text, language, options) for language, kind, options, text in _FENCE.findall(page)}
    return Explanation(known, page, examples.get("bad"), examples.get("good"))


def _example(text: str, language: str, options: str) -> Example:
    raised = {name: int(value) for name, _, value in (option.partition("=") for option in options.split())}
    return Example(text, language == "puzzle", evolve(Limits(), **raised))
