"""A run: numbered attempts, distributed by an executor, until there are enough puzzles. The result does not depend on the
workers.

Attempts are processed in order, whichever worker finishes first; duplicates of earlier puzzles are dropped, and the others
selected for a varied set.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any

from attrs import asdict

from rulewright.base.atomic_write import append_line, drop_torn_line, write_atomically
from rulewright.base.choices import Sole
from rulewright.base.diagnostics import file_error
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import NO_SPAN
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Grade, Puzzle
from rulewright.puzzles.share_line import rules_digest, write_share_line
from rulewright.rules.linking.project import Project
from rulewright.workers.executor import Executor, Job

from .commission import Commission
from .composition import Selection, Traits, WrittenPuzzle
from .maker import Attempt, MadePuzzle, Maker, lost_attempt
from .move_values import GAMES, NO_PLAN
from .proof import Fault

# The name, the sentence and the file text of a made puzzle ------------------------------------------------------------


MADE_BY = "# Made by `rulewright make`"
"""The start of a made puzzle's file."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def stem_of(rules: tuple[str, ...]) -> str:
    """The default stem of puzzle names: `sea_mills` for `sea + sea.mills`."""
    parts = [part for name in rules for part in name.split(".")]
    return re.sub(r"\W", "_", "_".join(dict.fromkeys(parts)))


def named(made: MadePuzzle, name: str, commission: Commission) -> Puzzle:
    """The puzzle with a name and a sentence that reveals nothing of the solution."""
    parts = [f"{_counted(made.tiles, 'tile')} to come"] if commission.tiles is not None else []
    parts.append(_counted(len(made.proof.first), "first action"))
    sentence = " and ".join(parts) + _sole_text(made, commission.sole)
    text = f"{sentence[0].upper()}{sentence[1:]}."
    return evolve(made.puzzle, name=name, text=text, grade=Grade(made.grade.number, span=NO_SPAN))


def file_text(made: MadePuzzle, puzzle: Puzzle, commission: Commission, attempt: int) -> str:
    """The text of the file: what was proved and measured as comments, then the puzzle."""
    found = made.features
    reductions = _counted(made.removed, "reduction")
    uses = f"; uses {', '.join(commission.uses)}" if commission.uses else ""
    trap = f"the first sacrifice is move {found.first_sacrifice}" if found.first_sacrifice else "no sacrifice"
    return "\n".join(
        (
            f"{MADE_BY}, seed {commission.seed}, attempt {attempt}: {made.source.value}, {reductions}{uses}.",
            f"# {'Key' if len(made.keys) == 1 else 'Keys'}: {', '.join(made.keys)}. "
            f"Second best key: {worth_text(made, made.proof.second)}. {greedy_text(made).capitalize()}.",
            f"# Difficulty {made.grade.difficulty:.2f}: {found.moves} moves in {_counted(found.turns, 'turn')}, "
            f"{found.branching:.1f} choices a move, {found.luck:.0f} bits of luck, {trap}.",
            f"# Traps for greedy play at {found.greedy_traps:.0%} of the moves, for shallow search {found.shallow_traps:.0%}.",
            print_puzzle(puzzle),
        )
    )


def _sole_text(made: MadePuzzle, sole: Sole) -> str:
    """A text on what is unique, which does not reveal the solution."""
    keys = len(made.keys)
    if keys == 1 and sole is not Sole.NOTHING:
        return ", one of which is right"
    return (
        f", {_word(keys)} of which are right: in whatever order, there is one plan"
        if sole in (Sole.SOLUTION, Sole.PLAN)
        else ""
    )


def greedy_text(made: MadePuzzle) -> str:
    """A text on the best result of greedy play, and over which games."""
    greedy = made.proof.greedy
    solved = ", so greedy play solves it" if greedy.of_some >= made.proof.optimum else ""
    if greedy.of_some == greedy.of_all:
        return f"the best of all greedy games: {worth_text(made, greedy.of_all)}{solved}"
    every = "" if greedy.of_all is None else f", of all: {worth_text(made, greedy.of_all)}"
    return f"the best of {GAMES} greedy games: {worth_text(made, greedy.of_some)}{every}{solved}"


def worth_text(made: MadePuzzle, value: int) -> str:
    """A signed value as the question counts it; `none` if nothing is reached."""
    return "none" if value <= NO_PLAN // 2 else str(made.sign * value)


def _counted(number: int, thing: str) -> str:
    return f"{_word(number)} {thing}" if number == 1 else f"{_word(number)} {thing}s"


def _word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


# The journal of a run -------------------------------------------------------------------------------------------------
# A file beside its puzzles, from which the same command resumes after an interrupt.
#
# One JSON document a line: the commission first, then each attempt in order, with its puzzles or the fault. The entries
# determine which puzzles are kept.


FILE = "making.jsonl"


ELSEWHERE = "choose another folder with `--out FOLDER`"

SURE = 30
"""Most attempts that all fail for reasons that time cannot change; then a run is hopeless."""

ENOUGH = 150
"""Most failed attempts; then a run is hopeless. `NOT_USED` does not count: what puzzles must use may be
rarely needed, which is found out quickly."""

_LASTING = {Fault.NO_POSITION, Fault.NO_CHOICE, Fault.TOO_WIDE, Fault.REPEATS, Fault.CHANCE, Fault.NOTHING_TO_DO}


def is_hopeless(faults: Mapping[Fault, int], sure: int = SURE) -> bool:
    """Whether a run whose attempts failed for these faults, and made nothing, is not worth continuing. `sure` failures
    suffice if time cannot change their reasons."""
    number = sum(faults.values())
    return number - faults.get(Fault.NOT_USED, 0) >= ENOUGH or (number >= sure and set(faults) <= _LASTING)


@frozen
class Entry:
    """The result of an attempt: puzzles, of which one may be kept, or a fault by name."""

    attempt: int
    fault: str = ""
    puzzles: tuple[WrittenPuzzle, ...] = ()


@define
class Journal:
    """The entries of a run in a folder."""

    path: Path
    entries: list[Entry] = field(factory=list)
    selection: Selection = field(factory=Selection, init=False)

    def __attrs_post_init__(self) -> None:
        for entry in self.entries:
            self.selection.offer(entry.puzzles)

    @classmethod
    def of(cls, folder: Path, commission: Commission) -> Journal:
        """The journal of a folder, created if missing. Raises `RulesError` if it has puzzles of another commission.

        An incomplete last line, as after a power cut, is dropped; that attempt is repeated.
        """
        path = folder / FILE
        head = json.dumps({"commission": commission.digest, "goal": commission.goal, "seed": commission.seed})
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with _appending(path) as file:
                content = path.read_bytes()
                whole = content[: content.rfind(b"\n") + 1].decode().splitlines()
                entries = [_entry(**json.loads(line)) for line in whole[1:]]
                known = json.loads(whole[0])["commission"] if whole else commission.digest
                if known != commission.digest and not any(entry.puzzles for entry in entries):
                    os.ftruncate(file, 0)
                    content, entries = b"", []
                elif known != commission.digest:
                    message = f"`{path}` is the journal of a run with other options"
                    raise file_error(message, "repeat that command to continue, or choose another folder with `--out FOLDER`")
                if not drop_torn_line(file, content):
                    append_line(file, head.encode())
        except (OSError, UnicodeDecodeError) as error:
            raise file_error(f"`{path}` cannot be used: {error}", ELSEWHERE) from error
        except (ValueError, TypeError, KeyError) as error:
            raise file_error(f"`{path}` is not the journal of a run", ELSEWHERE) from error
        return cls(path, entries)

    def add(self, entry: Entry) -> None:
        """Record the result of an attempt, after its files are written. Raises `RulesError` if that fails."""
        found = {name: value for name, value in asdict(entry).items() if value}
        try:
            with _appending(self.path) as file:
                append_line(file, json.dumps({"attempt": entry.attempt} | found).encode())
        except OSError as error:
            raise file_error(f"`{self.path}` cannot be written: {error}", ELSEWHERE) from error
        self.entries.append(entry)

    @property
    def made(self) -> list[WrittenPuzzle]:
        """The puzzles that are kept."""
        return self.selection.kept

    @property
    def faults(self) -> dict[Fault, int]:
        """The number of occurrences of each fault, most frequent first."""
        return dict(Counter(Fault[entry.fault] for entry in self.entries if entry.fault).most_common())


@contextmanager
def _appending(path: Path) -> Iterator[int]:
    """A file opened for appending, created if missing."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        yield file
    finally:
        os.close(file)


def _entry(attempt: int, fault: str = "", puzzles: Sequence[dict[str, Any]] = ()) -> Entry:
    written = (WrittenPuzzle(**puzzle | {"traits": Traits(**puzzle["traits"])}) for puzzle in puzzles)
    return Entry(attempt, fault, tuple(written))


# A run ----------------------------------------------------------------------------------------------------------------


PATIENCE = 12
"""Most attempts from the set-up without a puzzle; then play starts from known positions."""


@define(eq=False)
class MakingRun:
    """Makes `wanted` puzzles of a commission into a folder, including those already there."""

    project: Project
    commission: Commission
    folder: Path
    wanted: int
    prefix: str = ""
    journal: Journal = field(init=False)
    _digest: bytes = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.journal = Journal.of(self.folder, self.commission)
        self._digest = rules_digest(self.project.modules_of("+".join(self.commission.rules)))

    @property
    def stem(self) -> str:
        """The stem of the puzzles' names."""
        return self.prefix if self.prefix else stem_of(self.commission.rules)

    @property
    def missing(self) -> int:
        """The number of puzzles still wanted."""
        return max(0, self.wanted - len(self.journal.made))

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing has been made, and further attempts are hopeless."""
        sure = ENOUGH if self.commission.elsewhere else SURE
        return not self.journal.made and is_hopeless(self.journal.faults, sure)

    def go(self, executor: Executor, seconds: float) -> Iterator[WrittenPuzzle | None]:
        """Continue until there are enough puzzles, the time is up, or the run is hopeless; yields what each attempt adds so
        far.

        Raises `RulesError` if the rules do not link, and `WorkersLost`.
        """
        deadline = time.monotonic() + seconds
        if not self.missing:
            return
        make = partial(Maker, self.project.portable(), self.commission)
        for is_elsewhere, attempt_of in ((False, Maker.attempt), (True, Maker.attempt_elsewhere)):
            if self._is_elsewhere(len(self.journal.entries)) is not is_elsewhere:
                continue
            job = Job(make, attempt_of, lost_attempt, self.commission.hard_limits, self._maker)
            for attempt in executor.in_order(job, count(len(self.journal.entries))):
                yield self._noted(attempt)
                if not self.missing or time.monotonic() > deadline or self.is_hopeless:
                    return
                if self._is_elsewhere(attempt.number + 1) is not is_elsewhere:
                    break

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self.project, self.commission)

    def _is_elsewhere(self, number: int) -> bool:
        """Whether an attempt starts from a known position: the set-up leaves no choice, or has produced nothing."""
        if not self.commission.elsewhere:
            return False
        is_barren = number >= PATIENCE and not any(one.puzzles for one in self.journal.entries[:PATIENCE])
        return not self._maker.can_begin or is_barren

    def commission_of(self, number: int) -> Commission:
        """The commission of an attempt."""
        elsewhere = self.commission.elsewhere
        return elsewhere[number % len(elsewhere)] if self._is_elsewhere(number) else self.commission

    def file_of(self, name: str) -> Path:
        """The file of a puzzle of this run."""
        return self.folder / f"{name}.puzzle"

    def _noted(self, attempt: Attempt) -> WrittenPuzzle | None:
        """The puzzle kept now, written to its file; only then is the attempt recorded."""
        new = [made for made in attempt.made if not self.journal.selection.holds(made.canonical)]
        puzzles = tuple(self._written(made, attempt.number) for made in new)
        fault = attempt.fault if attempt.fault is not None or puzzles else Fault.TWICE
        kept = self.journal.selection.offer(puzzles)
        if kept is not None:
            self._write(kept.puzzle, kept.text)
        self.journal.add(Entry(attempt.number, fault.name if fault is not None else "", puzzles))
        return kept

    def _written(self, made: MadePuzzle, attempt: int) -> WrittenPuzzle:
        name = f"{self.stem}_{self.commission.seed}_{attempt}"
        commission = self.commission_of(attempt)
        puzzle = named(made, name, commission)
        return WrittenPuzzle(
            attempt,
            name,
            made.canonical,
            made.grade.number,
            worth_text(made, made.proof.optimum),
            f"{greedy_text(made)}, second best key {worth_text(made, made.proof.second)}",
            write_share_line(puzzle, self._digest),
            made.traits,
            file_text(made, puzzle, commission, attempt),
        )

    def _write(self, name: str, text: str) -> None:
        path = self.file_of(name)
        try:
            if path.exists() and not path.read_text("utf-8").startswith(MADE_BY):
                raise OSError("a file with this name already exists and was not made by this run")
            write_atomically(path, text)
        except (OSError, UnicodeDecodeError) as error:
            raise file_error(f"`{path}` cannot be written: {error}", ELSEWHERE) from error
