"""The limits of a call, for texts and games, raised by `--limits nesting=128,nodes=200000`."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar

from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.base.limits import Limits

SAID: ContextVar[str] = ContextVar("SAID", default="")
"""The option `--limits` of this call; `main.run` gives every call its own context."""


def limits_of_call() -> Limits:
    """The limits of this call. Raises `RulesError` for an unknown limit or a value that is not a number."""
    return read_limits(SAID.get())


def read_limits(text: str) -> Limits:
    """Limits from `name=number, …`. Raises `RulesError`."""
    return Limits(**dict(_pairs(text)))


def _pairs(text: str) -> Iterator[tuple[str, int]]:
    known = {attribute.name for attribute in Limits.__attrs_attrs__}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in known:
            help = did_you_mean(name, known) or f"limits: {', '.join(sorted(known))}"
            raise usage_error(f"there is no limit `{name}`", help)
        if not number.isdigit():
            raise usage_error(f"`{part}` has no number", f"write `{name}=1000`")
        yield name, int(number)
