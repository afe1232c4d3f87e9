"""Texts that `check` accepts, each solved with `--time 1`: the processor time that the command and its children take.

    python -m tests.campaigns.overruns COUNT [FIRST [SECONDS [WORKERS]]]

A text is a bomb, a damaged text of the library, a nest, a hostile text, a variant or a long program, by its number. Commands
run in processes forked from this one, which has already imported the solver, with an empty cache; START is what starting takes
besides.
"""

from __future__ import annotations

import importlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

from tests.campaigns.bombs import bomb, long_program
from tests.campaigns.fuzz import case
from tests.campaigns.hostile import HOSTILE
from tests.campaigns.nests import NESTS, nest
from tests.campaigns.variants import variant

START = 0.4
"""Processor seconds that a command takes to start."""

PATIENCE = 40
"""Seconds after which a command is killed."""

ALLOWED = 2.0
"""Seconds beyond the time limit."""


@frozen
class Case:
    """Files by name, and the one to solve."""

    kind: str
    files: dict[str, str]
    main: str


@frozen
class Overrun:
    """What a command took: processor seconds of it and its children, seconds by the clock, exit status, what it printed."""

    number: int
    kind: str
    processor: float
    clock: float
    status: int
    printed: str


def named(text: str) -> str:
    """The name that the first line of a text gives."""
    for line in text.split("\n"):
        words = line.replace(":", " ").split()
        if words[:1] in (["module"], ["puzzle"]) and len(words) > 1:
            return words[1]
    return "case"


def text_of(number: int) -> Case:
    """The case of a number."""
    rng = random.Random(f"overrun {number}")
    kind = rng.choice(("bomb",) * 5 + ("fuzz",) * 3 + ("nest", "variant", "hostile", "long"))
    if kind == "bomb":
        found = bomb(rng.randrange(10**9))
        files = {"bomb.rules": found.rules, "bomb_asked.puzzle": found.puzzle}
        return Case(kind, files, rng.choice(("bomb_asked.puzzle", "bomb_asked.puzzle", "bomb.rules")))
    if kind == "fuzz":
        while True:
            text = case(rng.randrange(10**9))
            if not text.root:
                break
        name = f"case.{'puzzle' if text.puzzle else 'rules'}"
        return Case(kind, {name: text.text}, name)
    if kind == "nest":
        return Case(kind, {"nest.rules": nest(rng.choice(sorted(NESTS)), rng.randint(1, 24))}, "nest.rules")
    if kind == "hostile":
        played = sorted(name for name, rogue in HOSTILE.items() if rogue.outcome == "played")
        return Case(kind, {"rogue.rules": HOSTILE[rng.choice(played)].text, **asking("rogue", "maximise 1")}, "asked.puzzle")
    if kind == "long":
        return Case(kind, {"long.rules": long_program(rng.randrange(10**9))}, "long.rules")
    made = variant(rng)
    files = {f"{named(text)}.rules": text for text in made.texts}
    return Case(kind, {**files, **asking(" + ".join(made.roots), "maximise score", rng.randrange(99))}, "asked.puzzle")


def asking(rules: str, ask: str, seed: int = 1) -> dict[str, str]:
    """A puzzle's file."""
    lines = ("puzzle asked:", '    "What comes of it?"', f"    rules {rules}", "    players 1", "", f"    seed: {seed}")
    return {"asked.puzzle": "\n".join((*lines, f"    ask: {ask} until end", ""))}


def ran(arguments: Sequence[str], folder: Path, patience: float = PATIENCE) -> tuple[float, float, int, str]:
    """Run a command in a forked process group: processor seconds, seconds, exit status (negative: killed), what it printed."""
    out = folder / ".printed"
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(folder)
            file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, 1), os.dup2(file, 2)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            from rulewright.cli.main import run

            status = run(list(arguments))
            sys.stdout.flush()
            import concurrent.futures.thread
            import threading

            concurrent.futures.thread._python_exit()
            threading._shutdown()  # type: ignore[attr-defined]
            os._exit(status)
        except BaseException as error:  # the fork must not go on as this campaign
            os.write(2, repr(error).encode())
            os._exit(99)
    while True:
        found, status, used = os.wait4(child, os.WNOHANG)
        if found:
            break
        if time.monotonic() - began > patience:
            os.killpg(child, signal.SIGKILL)
            _, status, used = os.wait4(child, 0)
            break
        time.sleep(0.01)
    printed = out.read_text("utf-8", "replace") if out.exists() else ""
    return used.ru_utime + used.ru_stime, time.monotonic() - began, os.waitstatus_to_exitcode(status), printed


def overrun(number: int, seconds: float, workers: int) -> Overrun | None:
    """What a case takes; None if `check` refuses it, or takes too long itself."""
    case = text_of(number)
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in case.files.items():
            try:
                (folder / file).write_text(text, "utf-8")
            except UnicodeEncodeError:
                return None
        if ran(("check", *sorted(case.files)), folder)[2] != 0:
            return None
        processor, clock, status, printed = ran(("solve", case.main, "--time", str(seconds), "--workers", str(workers)), folder)
    return Overrun(number, case.kind, processor + START, clock, status, printed)


def preload() -> None:
    """Import the modules that solving a puzzle imports, so that the forked commands need not."""
    os.environ["RULEWRIGHT_CACHE"] = ""
    words = "import sys; from rulewright.cli.main import run; run(['solve', 'overboard']); print(*sys.modules)"
    solved = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    for name in solved.stdout.split("\n")[-2].split(" "):
        if name.startswith(("rulewright", "llvmlite", "typer")):
            importlib.import_module(name)


def main() -> None:
    words = [*sys.argv[1:], *("300", "0", "1", "1")[len(sys.argv) - 1 :]]
    count, first, seconds, workers = int(words[0]), int(words[1]), float(words[2]), int(words[3])
    preload()
    found, kinds, number = list[Overrun](), Counter[str](), first
    limit = workers * (seconds + ALLOWED)
    while len(found) < count:
        one = overrun(number, seconds, workers)
        number += 1
        if one is None:
            continue
        found.append(one)
        kinds[one.kind] += 1
        lines = one.printed.split("\n")  # of a module, the question comes first
        is_refused = one.status == 2 and any(line.startswith("error") for line in lines)
        if one.processor > limit or not (one.status in (0, 1, 10) or is_refused):
            last = " | ".join(one.printed.strip().split("\n")[-3:])[:300]
            print(f"{one.number:6} {one.kind:8} {one.processor:6.2f} {one.clock:6.2f} {one.status:4} {last}", flush=True)
    took = sorted(one.processor for one in found)
    summary = {
        "accepted": len(found), "tried": number - first, "kinds": kinds, "median": took[len(took) // 2],
        "99 %": took[int(0.99 * len(took))], "most": took[-1], "over": sum(one > limit for one in took),
        "statuses": Counter(one.status for one in found),
    }  # fmt: skip
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
