"""The machine-code reading against the concrete one: every shipped module, mixtures of them, random changes of the rules.

    python -m tests.campaigns.machine_code [STATES [VARIANTS [FIRST]]]

At each state of a random game: the same value, the same legal actions in the same order; for two of them the same successor, a
hash that is right, and the same state again when it is taken back.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from functools import lru_cache

from attrs import define, field

from rulewright.rules.engine import Engine
from rulewright.rules.faults import PlayError
from rulewright.rules.native.text import CannotCompile
from tests.campaigns.agreement import Case, made
from tests.campaigns.random_play import modules, project
from tests.campaigns.sea_play import Mixture, mixture
from tests.rules.native.agreeing import Agreement
from tests.rules.test_two_readings import WIDE_ENOUGH

LENGTH = 60
"""States of one game; a game is begun at another seed each time."""


@define
class Tally:
    """What was compared. `refused` are the rules that are not for machine code, `faults` the differences."""

    rules: int = 0
    states: int = 0
    refused: Counter[str] = field(factory=Counter)
    faults: list[str] = field(factory=list)

    def add(self, other: Tally) -> None:
        self.rules += other.rules
        self.states += other.states
        self.refused += other.refused
        self.faults += other.faults


def compare(name: str, engine: Engine, games: range, case: Case | None = None) -> Tally:
    """Games from the set-up on, or from a position."""
    tally = Tally(1)
    try:
        agreement = Agreement(engine, compiled=True, capacity=0 if case is None else 200)
        for number in games:
            if case is None:
                agreement.game_of(number, LENGTH)
            else:
                _from(agreement, case, number)
        tally.states = agreement.states
    except CannotCompile as reason:
        tally.refused[str(reason)] += 1
    except (AssertionError, PlayError) as error:
        tally.faults.append(f"{name}: {type(error).__name__}: {error}")
    return tally


def _from(agreement: Agreement, case: Case, number: int) -> None:
    rng, state = random.Random(number), case.state
    table = agreement.at(state)
    for _ in range(LENGTH):
        if case.engine.over(state):
            return
        following = agreement.check(state, table, rng, 2)
        if following is None:
            return
        state = following


@lru_cache(maxsize=64)
def engine_of(modules: Mixture, players: int) -> Engine:
    """With as much sea as a game of so many moves can need."""
    return Engine.of(project().load("+".join(modules)), players, {"sea": WIDE_ENOUGH})


def module_case(name: str, games: range) -> Tally:
    """A shipped module alone, for each number of captains."""
    allowed = project().load(name).players
    tally = Tally()
    for number in games:
        tally.add(
            compare(
                name, engine_of((name,), allowed.low + number % (allowed.high - allowed.low + 1)), range(number, number + 1)
            )
        )
    return tally


def mixture_case(number: int) -> Tally:
    """A mixture of ships, editions and house rules."""
    chosen, players = mixture(number)
    return compare("+".join(chosen), engine_of(chosen, players), range(number, number + 1))


def variant_case(number: int) -> Tally:
    """A random change of the rules, from a position in mid-game."""
    case = made(number, 6)
    return compare(f"variant {number}", case.engine, range(5), case)


def campaign(states: int, variants: int, first: int = 0) -> Tally:
    """At least so many states of modules and mixtures, turn and turn about; then so many variants."""
    tally, number = Tally(), first
    while tally.states < states:
        for name in modules():
            tally.add(module_case(name, range(number, number + 1)))
        for other in range(10):
            tally.add(mixture_case(10 * number + other))
        number += 1
    for number in range(first, first + variants):
        tally.add(variant_case(number))
    return tally


def main() -> int:
    states, variants, first = (int(given) for given in (*sys.argv[1:], *("10000", "200", "0")[len(sys.argv) - 1 :]))
    began = time.monotonic()
    tally = campaign(states, variants, first)
    found = {
        "rules": tally.rules,
        "states": tally.states,
        "refused": dict(tally.refused),
        "faults": tally.faults[:20],
        "seconds": round(time.monotonic() - began),
    }
    print(json.dumps(found, indent=2))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
