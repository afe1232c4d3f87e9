"""The machine-code reading against the concrete one: every shipped module, all pairs, larger mixtures, random changes of rules.

    python -m tests.campaigns.machine_code {modules,pairs,mixtures,variants} [--states N] [--record FILE] [--seconds S]

Random games, at each state of which there must be the same value and the same legal actions in the same order; for two of them
the same successor, a hash that is right, and the same state again when it is taken back. What has been compared is kept in the
record, one subject a line, and not repeated: a long campaign can be run in pieces.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

from attrs import asdict, define, field, frozen

from rulewright.base.diagnostics import RulesError
from rulewright.rules.linking.project import Project
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.subset.refusal import CannotCompile
from tests.campaigns.agreement import made
from tests.campaigns.random_play import Beginning, beginnings, modules, project
from tests.rules.machine.agreeing import Agreement
from tests.rules.pycode.test_against_reference import WIDE_ENOUGH

LONGEST = 300
"""States of one game: all of a game that ends by itself, some of one that does not."""

LARGEST = 8
"""Modules of a mixture at most."""

COMING = 6
"""Tiles still to come in the position from which games under changed rules begin."""


@define
class Tally:
    """What was compared under some rules. `refused` says why they are not for machine code, `faults` the differences."""

    name: str
    games: int = 0
    states: int = 0
    successors: int = 0
    stopped: int = 0
    refused: str = ""
    faults: list[str] = field(factory=list)
    seconds: float = 0.0


@frozen(eq=False)
class Table:
    """One way to begin games, and both readings."""

    agreement: Agreement
    position: State | None

    @classmethod
    def of(cls, beginning: Beginning) -> Table:
        """Raises `CannotCompile`."""
        engine, position = beginning.engine, beginning.position
        capacity = 0 if position is None else capacity_of(engine.game, engine.layout, position)
        return cls(Agreement(engine, compiled=True, capacity=capacity), position)

    def game(self, number: int) -> None:
        """Raises `AssertionError` where the readings differ."""
        if self.position is None:
            self.agreement.game_of(number, LONGEST)
        else:
            self.agreement.play_on(self.position, random.Random(number), LONGEST)


@frozen
class Subject:
    """Some rules, and how games under them begin."""

    name: str
    beginnings: Callable[[], Iterable[Beginning]]

    def compared(self, states: int) -> Tally:
        """Games from each beginning in turn, until there are so many states."""
        tally, began = Tally(self.name), time.process_time()
        try:
            tables = [Table.of(beginning) for beginning in self.beginnings()]
            while sum(table.agreement.states for table in tables) < states and tally.games < states:
                tables[tally.games % len(tables)].game(tally.games)
                tally.games += 1
            tally.states = sum(table.agreement.states for table in tables)
            tally.successors = sum(table.agreement.moves for table in tables)
            tally.stopped = sum(table.agreement.faults for table in tables)
        except CannotCompile as reason:
            tally.refused = str(reason)
        except (AssertionError, PlayError) as error:
            tally.faults.append(f"game {tally.games}: {type(error).__name__}: {error}")
        tally.seconds = round(time.process_time() - began, 2)
        return tally


def single(name: str) -> Subject:
    """A shipped module: the set-up for each number of players with as much sea as a game may need, and the shipped puzzles."""

    def found() -> Iterator[Beginning]:
        yield from _set_ups(project(), name)
        yield from beginnings(name)[1]

    return Subject(name, found)


def together(names: Iterable[str]) -> Subject:
    name = "+".join(names)
    return Subject(name, lambda: _set_ups(project(), name))


def _set_ups(rules: Project, name: str) -> Iterator[Beginning]:
    game = rules.load(name)
    extents = {space: WIDE_ENOUGH for space in ("sea",) if space in game.spaces}
    for players in range(game.players.low, game.players.high + 1):
        yield Beginning(Engine.of(game, players, extents))


def singles() -> list[Subject]:
    return [single(name) for name in modules()]


def pairs() -> Iterator[Subject]:
    """All pairs of shipped modules of one game that can be played together. Each is linked when its turn comes."""
    family = {name: {module.header.name for module in project().modules_of((name,))} for name in modules()}
    for names in combinations(family, 2):
        if family[names[0]] & family[names[1]] and links(names):
            yield together(names)


def mixture(number: int) -> Subject:
    """Three modules or more by chance, as many as go together."""
    dice = random.Random(number)
    sea = [name for name in modules() if name.startswith(("beacon_patrol", "house."))]
    wished, chosen = dice.randint(3, LARGEST), ()
    for name in dice.sample(sea, len(sea)):
        if len(chosen) < wished and links((*chosen, name)):
            chosen = (*chosen, name)
    return together(sorted(chosen))


@cache
def links(names: tuple[str, ...]) -> bool:
    try:
        return bool(project().load("+".join(names)).flow)
    except RulesError:
        return False


def variant(number: int) -> Subject:
    """A random change of the rules, from a position in mid-game."""

    def found() -> Iterator[Beginning]:
        case = made(number, COMING)
        yield Beginning(case.engine, case.state)

    return Subject(f"variant {number}", found)


def campaign(
    subjects: Iterable[Subject], states: int, record: Path | None = None, seconds: float = float("inf")
) -> list[Tally]:
    """Each subject that the record does not have, until the time is up; gives what is in the record then."""
    tallies = [Tally(**json.loads(line)) for line in _lines(record)]
    done, until = {tally.name for tally in tallies}, time.monotonic() + seconds
    for subject in subjects:
        if time.monotonic() > until:
            break
        if subject.name not in done:
            tallies.append(subject.compared(states))
            if record is not None:
                with record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(tallies[-1])) + "\n")
    return tallies


def _lines(record: Path | None) -> list[str]:
    return record.read_text("utf-8").splitlines() if record is not None and record.exists() else []


PARTS: dict[str, tuple[Callable[[int], Iterable[Subject]], int]] = {
    "modules": (lambda count: singles(), 10_000),
    "pairs": (lambda count: pairs(), 1000),
    "mixtures": (lambda count: [mixture(number) for number in range(count)], 200),
    "variants": (lambda count: [variant(number) for number in range(count)], 100),
}
"""The parts of the campaign, and how many states of each subject."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--states", type=int, help="of each subject")
    parser.add_argument("--count", type=int, default=200, help="mixtures or variants")
    parser.add_argument("--record", type=Path)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="no subject is begun later")
    wish = parser.parse_args()
    subjects, states = PARTS[wish.part]
    tallies = campaign(subjects(wish.count), wish.states or states, wish.record, wish.seconds)
    faults = [f"{tally.name}: {fault}" for tally in tallies for fault in tally.faults]
    found = {
        "subjects": len(tallies),
        "games": sum(tally.games for tally in tallies),
        "states": sum(tally.states for tally in tallies),
        "fewest states": min((tally.states for tally in tallies), default=0),
        "successors": sum(tally.successors for tally in tallies),
        "stopped by the rules in both readings": sum(tally.stopped for tally in tallies),
        "refused": {tally.name: tally.refused for tally in tallies if tally.refused},
        "faults": faults[:20],
        "processor seconds": round(sum(tally.seconds for tally in tallies)),
    }
    print(json.dumps(found, indent=2))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
