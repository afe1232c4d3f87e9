"""The journal of a run, a file beside its puzzles, from which the same command resumes after an interrupt.

One JSON document a line: the commission first, then each attempt in order, with its puzzles or the fault. The entries determine
which puzzles are kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import asdict

from rulewright.base.atomic_write import append_line, drop_torn_line
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, field, frozen

from .commission import Commission
from .proof import Fault
from .variety import Selection, Traits, WrittenPuzzle

FILE = "making.jsonl"


SURE = 30
"""The number of attempts, all failed for reasons that time cannot change, after which a run is hopeless."""

ENOUGH = 150
"""The number of failed attempts after which a run is hopeless. `NOT_USED` does not count: what puzzles must use may be
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
                    raise _error(message, "repeat that command to continue, or choose another folder with `--out FOLDER`")
                if not drop_torn_line(file, content):
                    append_line(file, head.encode())
        except (OSError, UnicodeDecodeError) as error:
            raise _error(f"`{path}` cannot be used: {error}", "choose another folder with `--out FOLDER`") from error
        except (ValueError, TypeError, KeyError) as error:
            raise _error(f"`{path}` is not the journal of a run", "choose another folder with `--out FOLDER`") from error
        return cls(path, entries)

    def add(self, entry: Entry) -> None:
        """Record the result of an attempt, after its files are written. Raises `RulesError` if that fails."""
        found = {name: value for name, value in asdict(entry).items() if value}
        try:
            with _appending(self.path) as file:
                append_line(file, json.dumps({"attempt": entry.attempt} | found).encode())
        except OSError as error:
            raise _error(f"`{self.path}` cannot be written: {error}", "choose another folder with `--out FOLDER`") from error
        self.entries.append(entry)

    @property
    def made(self) -> list[WrittenPuzzle]:
        """The puzzles that are kept."""
        return self.selection.kept

    @property
    def faults(self) -> dict[Fault, int]:
        """The number of occurrences of each fault, most frequent first."""
        found: dict[Fault, int] = {}
        for entry in self.entries:
            if entry.fault:
                fault = Fault[entry.fault]
                found[fault] = found.get(fault, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))


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


def _error(message: str, help: str) -> RulesError:
    return RulesError((Diagnostic("file", message, help=help),))
