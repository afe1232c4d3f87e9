"""Which bound names a term reads."""

from __future__ import annotations

from functools import lru_cache

from .terms import Local, Term
from .walking import parts_of


@lru_cache(maxsize=4096)
def free_names(term: Term) -> frozenset[str]:
    """Every local that occurs in a term; those it binds itself are among them, which only ever delays a test."""
    found: set[str] = set()
    pending: list[object] = [term]
    while pending:
        here = pending.pop()
        if isinstance(here, Local):
            found.add(here.name)
        else:
            pending += parts_of(here)
    return frozenset(found)


@lru_cache(maxsize=4096)
def weight(term: Term) -> int:
    """How many nodes a term has: what is lighter is tested first."""
    found = 0
    pending: list[object] = [term]
    while pending:
        here = pending.pop()
        found += hasattr(here, "__attrs_attrs__")
        pending += parts_of(here)
    return found
