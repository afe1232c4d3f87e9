"""The automorphisms of a question: those of its spaces that the rules and the question respect (symmetry reduction: Emerson and
Sistla 1996; orbit search: Pochter, Zohar and Rosenschein 2011).

An automorphism maps plays to plays of the same length and value. So a search needs only one state of each orbit, a set of
states that automorphisms map to each other.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress

from rulewright.rules.model.terms import Term
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.static.dataflow import DataflowAnalysis

from .equivariance import Equivariance
from .space_maps import Automorphism, candidates
from .tabulation import OutOfTime, Tabulation

MOST_AUTOMORPHISMS = 16
"""Automorphisms used: each costs a hash of every state."""


SECONDS = 1.0
"""Time after which the search for automorphisms stops."""


def automorphisms_of(
    engine: Engine, root: State, analysis: DataflowAnalysis, objective: Iterable[Term], deadline: float
) -> Sequence[Automorphism]:
    """The automorphisms that play from a root and an objective respect, without the identity; as many as are found before
    `time.monotonic()` reaches the deadline."""
    terms = tuple(objective)
    tabulation = Tabulation(engine, root, analysis, min(deadline, time.monotonic() + SECONDS))
    found: list[Automorphism] = []
    with suppress(OutOfTime):
        for candidate in candidates(engine.instance):
            if candidate not in found and Equivariance(candidate, tabulation).of_play(terms):
                more = generated([*found, candidate])
                found = more if len(more) <= MOST_AUTOMORPHISMS else found
            if len(found) == MOST_AUTOMORPHISMS:
                break
    return found


def generated(some: Sequence[Automorphism]) -> list[Automorphism]:
    """The compositions of some automorphisms, without the identity: these need no check.

    The closure ends early, with more than `MOST_AUTOMORPHISMS`, if there are too many.
    """
    found = list(some)
    for one in found:
        for other in some:
            product = one.then(other)
            if not product.is_identity and product not in found:
                found.append(product)
        if len(found) > MOST_AUTOMORPHISMS:
            break
    return found
