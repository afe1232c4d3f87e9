"""The ledger of answers, bench/ledger.json: what must not change unless somebody says why.

`python bench/ledger.py` makes it, `--check` compares and names every number that moved, `--only WORD` takes entries whose
section or name contains a word. It records the answer to every shipped puzzle with one worker and a million states, digests of
legal moves, their outcomes, scores and reasons in states of every game, and the LLVM instructions of kernels. These are the
same on each run on the same processor: a clock of work (`work_clock.py`) stands for time. The processor times of twenty whole
processes stand apart, in bench/ledger_times.json; nothing fails by them.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from page import environment
from processes import run

HERE = Path(__file__).parent
LEDGER, TIMES = HERE / "ledger.json", HERE / "ledger_times.json"

AFFORDABLE = 20.0
"""Processor seconds of an entry; one that takes longer is skipped from then on, and the ledger says so."""

SKIPPED, TOO_DEAR = "skipped", f"more than {AFFORDABLE:.0f} s of processor time"

RUNS = 3
"""Runs of a puzzle with kept code; the median counts."""

SLOWER = 1.5
"""A ratio of times that is worth a line."""

TIMED = (
    "overboard", "full_sail", "shore_leave", "narrow_channel", "scattered_isles", "first_voyage", "greedy_captain",
    "buoy_for_later", "once_round_the_light", "lights_fewest", "lights_corner", "peg_central", "all_hands", "all_the_weed",
    "santorini_hemmed", "six_are_enough", "submarine_marked_wreck", "the_eighth_board", "the_last_count", "slide_hardest",
)  # fmt: skip
"""Puzzles whose times are measured."""

Ledger = dict[str, dict[str, Any]]
Item = tuple[str, str]


def recorded(items: Sequence[Item], processes: int, flags: Sequence[str] = ()) -> Iterator[tuple[Item, dict[str, Any], float]]:
    """Entries with their processor seconds, by several processes."""
    waiting = iter(items)
    lock = threading.Lock()
    found: list[tuple[Item, dict[str, Any], float]] = []

    def serve() -> None:
        command = [sys.executable, str(HERE / "ledger_worker.py"), *flags]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdin is not None and worker.stdout is not None
            while True:
                with lock:
                    item = next(waiting, None)
                if item is None:
                    worker.stdin.close()
                    return
                worker.stdin.write(" ".join(item) + "\n")
                worker.stdin.flush()
                entry, seconds = json.loads(worker.stdout.readline())
                with lock:
                    found.append((item, entry, seconds))
                    print(f"{len(found)} of {len(items)}: {' '.join(item)}, {seconds:.1f} s", file=sys.stderr)

    threads = [threading.Thread(target=serve) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield from found


def made(items: Sequence[Item], processes: int, known: Ledger, flags: Sequence[str] = ()) -> Ledger:
    """A ledger of these items. What `known` skips stays skipped; if nothing is known, what takes too long is skipped."""
    ledger: Ledger = {}
    skipped = {(section, name) for section, entries in known.items() for name in entries if SKIPPED in entries[name]}
    for section, name in items:
        if (section, name) in skipped:
            ledger.setdefault(section, {})[name] = known[section][name]
    for (section, name), entry, seconds in recorded([item for item in items if item not in skipped], processes, flags):
        is_dear = seconds > AFFORDABLE and not known
        ledger.setdefault(section, {})[name] = {SKIPPED: TOO_DEAR} if is_dear else entry
    return _sorted(ledger)


def _sorted(ledger: Ledger) -> Ledger:
    return {section: dict(sorted(entries.items())) for section, entries in sorted(ledger.items())}


def part_of(ledger: Ledger, word: str) -> Ledger:
    """The entries whose section or name contains a word."""
    return {
        section: {name: entry for name, entry in entries.items() if word in f"{section} {name}"}
        for section, entries in ledger.items()
    }


def joined(ledger: Ledger, newer: Ledger) -> Ledger:
    """A ledger with newer entries."""
    return _sorted({section: ledger.get(section, {}) | newer.get(section, {}) for section in ledger.keys() | newer.keys()})


def written(ledger: Ledger) -> str:
    """A line for each entry, so that a difference names its entry."""
    sections = []
    for section, entries in ledger.items():
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in entries.items())
        sections.append(f"{json.dumps(section)}: {{\n{lines}\n}}")
    return "{\n" + ",\n".join(sections) + "\n}\n"


def moved(before: Ledger, now: Ledger) -> list[str]:
    """What differs: section, name, number, both values."""
    lines = []
    names = {(section, name) for ledger in (before, now) for section, entries in ledger.items() for name in entries}
    for section, name in sorted(names):
        title, old, new = f"{section} {name}", before.get(section, {}).get(name), now.get(section, {}).get(name)
        if old is None or new is None:
            lines.append(f"{title}: {'new' if old is None else 'gone'}")
            continue
        keys = dict.fromkeys([*old, *new])
        lines += [f"{title}: {key} {old.get(key)} -> {new.get(key)}" for key in keys if old.get(key) != new.get(key)]
    return lines


def times() -> dict[str, Any]:
    """Processor seconds of whole processes of `rulewright solve`, one worker: with an empty cache, and with kept code."""
    found: dict[str, Any] = {}
    for name in TIMED:
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "rulewright", "solve", name, "--workers", "1"]
            cold, *kept = (run(command, Path(folder), environment={"RULEWRIGHT_CACHE": folder}).cpu for _ in range(1 + RUNS))
        found[name] = {"empty cache": round(cold, 2), "kept code": round(statistics.median(kept), 2)}
    return found


def slower(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [
        f"times {name}: {kind} {before[name][kind]} -> {seconds} s"
        for name, kinds in now.items()
        for kind, seconds in kinds.items()
        if name in before and seconds > SLOWER * before[name][kind]
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare instead of writing; exit status 1 if a number moved")
    parser.add_argument("--only", default="", help="entries whose section or name contains this")
    parser.add_argument("--anew", action="store_true", help="decide anew what takes too long")
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("--wasm", action="store_true", help="run kernels as WebAssembly; only with --check")
    parser.add_argument("--processes", type=int, default=2)
    wish = parser.parse_args()
    from ledger_entries import items

    before: Ledger = json.loads(LEDGER.read_text("utf-8")) if LEDGER.exists() else {}
    if wish.wasm and not wish.check:
        parser.error("--wasm goes with --check: the ledger records machine code")
    now = made(items(wish.only), wish.processes, {} if wish.anew else before, ["--wasm"] if wish.wasm else [])
    measured = {} if wish.no_times or wish.only else times()
    if wish.check:
        lines = moved(part_of(before, wish.only), now)
        known = json.loads(TIMES.read_text("utf-8"))["seconds"] if TIMES.exists() else {}
        print("\n".join([*lines, *slower(known, measured), f"{len(lines)} numbers moved"]))
        return 1 if lines else 0
    LEDGER.write_text(written(joined(before, now) if wish.only else now), "utf-8")
    if measured:
        TIMES.write_text(json.dumps({"on": environment()[0], "seconds": measured}, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
