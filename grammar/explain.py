"""Diagnostic codes: each has a title and a page with a text that has the fault and one that does not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from rulewright.base.limits import Limits
from rulewright.base.records import evolve, frozen

_PAGES = Path(__file__).parent / "explanations"
_FENCE = re.compile(r"^```(rules|puzzle) (bad|good)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Example:
    """A text in an explanation; `limits` are those it is read with."""

    text: str
    puzzle: bool
    limits: Limits


@frozen
class Explanation:
    """The page of one code, without its title. Codes that no single text can trigger have no examples."""

    title: str
    page: str
    bad: Example | None
    good: Example | None


@cache
def titles() -> dict[str, str]:
    """The title of every code, such as `RW011`, in order: the heading of its page."""
    return {path.stem: _parted(path)[0] for path in sorted(_PAGES.glob("RW*.md"))}


def explanation(code: str) -> Explanation:
    """The explanation of a code; raises KeyError for an unknown code."""
    if code not in titles():
        raise KeyError(code)
    title, page = _parted(_PAGES / f"{code}.md")
    examples = {kind: _example(text, language, options) for language, kind, options, text in _FENCE.findall(page)}
    return Explanation(title, page, examples.get("bad"), examples.get("good"))


def _parted(path: Path) -> tuple[str, str]:
    """The title of a page, and the text below it."""
    title, _, page = path.read_text("utf-8").partition("\n\n")
    return title.removeprefix("# "), page


def _example(text: str, language: str, options: str) -> Example:
    raised = {name: int(value) for name, _, value in (option.partition("=") for option in options.split())}
    return Example(text, language == "puzzle", evolve(Limits(), **raised))
