"""One-line descriptions of the language's functions, for the reference and for editors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulewright.base.records import frozen


@frozen
class FunctionForm:
    """A form of call of a function: its arguments, its result, and its meaning."""

    call: str
    result: str
    meaning: str


def _forms() -> Mapping[str, Sequence[FunctionForm]]:
    found: dict[str, list[FunctionForm]] = {}
    for line in Path(__file__).with_name("forms.txt").read_text("utf-8").splitlines():
        form = FunctionForm(*line.split(" | "))
        found.setdefault(form.call.partition("(")[0], []).append(form)
    return found


FUNCTION_FORMS = _forms()
"""The forms of each function by its name, from `forms.txt`: one a line, its call, result and meaning."""
