"""Signals at random moments of many commands: the right status within a second, and what was found is printed.

A case is its number: the same number is the same command, signal and moment. Standard error is a terminal, so that `solve`
shows its best plan as it goes, and the answer can be held against what was shown before the signal.

    python -m tests.campaigns.interrupts [CASES [FIRST]]
"""

from __future__ import annotations

import json
import os
import pty
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from tests.paths import OPEN, ROOT

COMMAND = [sys.executable, "-m", "rulewright"]
LONG = OPEN / "mid_k18_s1.puzzle"
"""A puzzle that has not been solved in two minutes."""

STARTING, LATEST = 0.7, 8.0
"""In seconds after the handlers stand: a third of the signals come before the first, the others before the second."""

COMMANDS = (
    ("solve", LONG.name, "--time", "600"),
    ("solve", LONG.name, "--time", "600", "--json"),
    ("solve", LONG.name, "--time", "600", "--engine", "cpsat"),
    ("solve", "overboard", "--time", "600", "--all", "20", "--unique", "--why"),
    ("solve", "red_donkey", "--time", "600"),
    ("solve", "rush_hour_hardest", "--time", "600", "--json"),
    ("solve", "workers_two_days", "--time", "600"),
    ("solve", "go_catch_four", "--time", "600"),
    ("solve", "lights_fewest", "--time", "600", "--engine", "cpsat"),
    ("solve", "pig_ten", "--time", "600"),
    ("solve", "tests/puzzles/data/proved", "--time", "600"),
    ("solve", "--many", "many", "--time", "600", "--journal", "answers.jsonl", "--again"),
    ("make", "beacon_patrol", "--out", "made", "--count", "50", "--time", "600"),
    ("simulate", "beacon_patrol", "--games", "100000000", "--json"),
    ("simulate", "beacon_patrol", "--games", "100000000", "--policy", "greedy"),
    ("diff", "beacon_patrol", "beacon_patrol.windmills", "--on", "many"),
    ("mutate", "shoals", "--time", "5"),
    ("check", "beacon_patrol", "many"),
    ("list",),
)

WINDING_UP = 0.1
"""A command that ends with status 0 within so many seconds after the signal had nothing left to do."""

LEAST = ("red_donkey", "rush_hour_hardest", "lights_fewest")

BEST = re.compile(rb"best (-?\d+)")


@frozen
class Case:
    """A command, a signal and the seconds from the taking of signals to it."""

    number: int
    command: tuple[str, ...]
    signal: signal.Signals
    delay: float

    @classmethod
    def of(cls, number: int) -> Case:
        dice = random.Random(number)
        kind = dice.choice((signal.SIGINT, signal.SIGTERM))
        return cls(number, dice.choice(COMMANDS), kind, dice.uniform(0, dice.choice((STARTING, LATEST, LATEST))))

    @property
    def is_endless(self) -> bool:
        """Whether the command cannot be done before the signal, whatever the machine."""
        return self.command[0] == "simulate" or self.command[1:2] == (LONG.name,)

    @property
    def is_least(self) -> bool:
        """Whether less is better."""
        return self.command[1] in LEAST

    @property
    def shows_best(self) -> bool:
        """Whether the best value shown is that of the answer, of one puzzle and one player."""
        return self.command[0] == "solve" and self.command[1] in (LONG.name, "overboard", *LEAST)


@frozen
class End:
    """How a case ended: seconds by the clock and of the processor after the signal; `shown` is the best shown before it."""

    status: int
    seconds: float
    processor: float
    out: str
    err: str
    shown: int | None

    def faults(self, case: Case) -> Iterator[str]:
        """What is wrong with it; a command that was done before the signal is no case."""
        if self.status != 128 + case.signal:
            yield f"status {self.status}"
        if "Traceback" in self.err or "Error" in self.err or "Exception ignored" in self.err:
            yield "a traceback"
        if self.shown is not None and (best := self.best(case)) is None:
            yield f"best {self.shown} was shown, none printed"
        elif self.shown is not None and best is not None and (best > self.shown if case.is_least else best < self.shown):
            yield f"best {self.shown} was shown, {best} printed"
        if "--json" in case.command and self.out and not self.is_json:
            yield "no whole document"

    @property
    def is_json(self) -> bool:
        try:
            json.loads(self.out)
        except ValueError:
            return False
        return True

    def best(self, case: Case) -> int | None:
        """The best value printed."""
        if "--json" in case.command:
            return json.loads(self.out)["score"] if self.is_json else None
        found = re.search(r"(?:best|score|moves) (-?\d+)", self.out)
        return None if found is None else int(found[1])


def ended(case: Case, folder: Path) -> End | None:
    """Run a case in a folder; None if the command was done before the signal."""
    terminal, other = pty.openpty()
    heard = bytearray()

    def listen() -> None:
        try:
            while part := os.read(terminal, 4096):
                heard.extend(part)
        except OSError:  # the other end is closed
            pass

    environment = {**os.environ, "TERM": "xterm", "RULEWRIGHT_CACHE": os.environ.get("RULEWRIGHT_CACHE", str(folder / "cache"))}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [*COMMAND, *case.command], cwd=folder, stdout=subprocess.PIPE, stderr=other, stdin=subprocess.DEVNULL, env=environment
    )
    os.close(other)
    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    assert process.stdout is not None
    while not takes_signals(process.pid) and process.poll() is None:
        time.sleep(0.001)
    time.sleep(case.delay)
    if process.poll() is not None:
        process.communicate()
        os.close(terminal)
        return None
    shown = BEST.findall(bytes(heard)) if case.shows_best else []
    before, began = processor_seconds(process.pid), time.monotonic()
    process.send_signal(case.signal)
    out: list[bytes] = []
    reader = threading.Thread(target=lambda: out.append(process.stdout.read()), daemon=True)  # type: ignore[union-attr]
    reader.start()
    _, code, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(code)
    reader.join(5)
    listener.join(5)
    os.close(terminal)
    if process.returncode == 0 and seconds < WINDING_UP and not case.is_endless:
        return None
    spent = usage.ru_utime + usage.ru_stime - before
    text = b"".join(out).decode(errors="replace")
    return End(
        process.returncode, seconds, spent, text, bytes(heard).decode(errors="replace"), int(shown[-1]) if shown else None
    )


def takes_signals(pid: int) -> bool:
    """Whether a process has a handler for SIGTERM; Python itself has none."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = re.search(r"SigCgt:\s*([0-9a-f]+)", status)
    return caught is not None and bool(int(caught[1], 16) >> (signal.SIGTERM - 1) & 1)


def processor_seconds(pid: int) -> float:
    """Seconds of the processor that a process has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def workplace(folder: Path) -> Path:
    """A folder with what the commands name."""
    shutil.copy(LONG, folder)
    many = folder / "many"
    many.mkdir()
    for path in sorted((ROOT / "tests" / "puzzles" / "data" / "proved").glob("*.puzzle"))[:12]:
        shutil.copy(path, many)
    shutil.copytree(many, folder / "tests" / "puzzles" / "data" / "proved")
    for path in sorted((ROOT / "tests" / "cli" / "project").glob("*")):
        if path.is_file():
            shutil.copy(path, folder)
    return folder


def main() -> None:
    cases, first = (int(word) for word in (sys.argv[1:] + ["1000", "0"][len(sys.argv) - 1 :]))
    right = done = 0
    seconds: list[float] = []
    processor: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        place, number = workplace(Path(folder)), first
        while done < cases:
            case = Case.of(number)
            number += 1
            end = ended(case, place)
            if end is None:
                continue
            done += 1
            seconds.append(end.seconds)
            processor.append(end.processor)
            faults = list(end.faults(case))
            right += not faults
            if faults or end.seconds > 1:
                print(
                    f"case {case.number}: {' '.join(case.command)}, {case.signal.name} after {case.delay:.3f} s:",
                    f"{end.seconds:.2f} s, {end.processor:.2f} s of the processor;",
                    "; ".join(faults),
                    *((repr(end.out[-600:]), repr(end.err[-600:])) if faults else ()),
                    flush=True,
                )
            if done % 50 == 0:
                print(f"{done} done, {right} right; slowest {max(seconds):.2f} s", flush=True)
    seconds.sort()
    processor.sort()
    late = sum(one > 1 for one in seconds)
    print(
        f"{right} of {done} right; seconds by the clock: median {seconds[done // 2]:.2f},",
        f"most {seconds[-1]:.2f}, {late} above 1",
    )
    print(f"of the processor: median {processor[done // 2]:.2f}, most {processor[-1]:.2f}")


if __name__ == "__main__":
    main()
