"""Measures editor latency: from a keystroke to diagnostics, for completion, for the start of the server.

    python bench/editor_latency.py [MODULE.rules]

Types at the ends of lines of a module (by default the largest in the library), with a server over standard input and output.
The processor time of the server, which other work on the machine hardly changes, is given beside the wall-clock times.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rulewright.rules.linking.project import SHIPPED
from tests.editor.client import Editor

KEYSTROKES = 60
STARTS = 5
TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def shown(name: str, seconds: list[float], processor: float) -> str:
    """A line of the table."""
    ordered = sorted(seconds)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    clock = f"median {1000 * median(ordered):6.0f} ms   95 % {1000 * high:6.0f} ms"
    return f"{name:28} {clock}   processor {1000 * processor:6.0f} ms each"


async def started(folder: Path) -> tuple[float, float]:
    """Seconds until the server has answered `initialize`, wall-clock and processor."""
    began = time.perf_counter()
    editor = await Editor.start(folder)
    took = time.perf_counter() - began
    processor = processor_seconds(editor.process.pid)
    await editor.stop()
    return took, processor


async def measure(module: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        starts = [await started(folder) for _ in range(STARTS)]
        print(shown("start", [took for took, _ in starts], median(processor for _, processor in starts)))
        path = folder / "edited.rules"
        text = module.read_text("utf-8").replace(f"module {module.stem}:", "module edited:", 1)
        path.write_text(text, encoding="utf-8")
        editor = await Editor.start(folder)
        await editor.open(path)
        await editor.idle()
        for title, typed in (("keystroke, a comment", " # a"), ("keystroke, an error", " )"), ("keystroke, a new number", "")):
            await type_and_wait(editor, path, text, title, typed)
        await complete(editor, path, text)
        await editor.stop()


async def type_and_wait(editor: Editor, path: Path, text: str, title: str, typed: str) -> None:
    """Edit at the ends of lines, waiting each time for the diagnostics."""
    lines = text.split("\n")
    fit = [n for n, line in enumerate(lines) if line.strip() and "#" not in line and (typed or "1" in line)]
    chosen = random.Random(1).choices(fit, k=KEYSTROKES)
    times, before = [], processor_seconds(editor.process.pid)
    for number in chosen:
        line = lines[number] + typed if typed else lines[number].replace("1", "2")
        began = time.perf_counter()
        await editor.change(path, "\n".join([*lines[:number], line, *lines[number + 1 :]]))
        await editor.idle()
        times.append(time.perf_counter() - began)
    print(shown(title, times, (processor_seconds(editor.process.pid) - before) / len(times)))


async def complete(editor: Editor, path: Path, text: str) -> None:
    """Time completion after a change, at the ends of lines."""
    lines = text.split("\n")
    chosen = random.Random(2).sample([n for n, line in enumerate(lines) if " = " in line or ": " in line], KEYSTROKES)
    times, before = [], 0.0
    for number in chosen:
        await editor.change(path, "\n".join([*lines[:number], lines[number] + " ", *lines[number + 1 :]]))
        await editor.idle()
        spent, began = processor_seconds(editor.process.pid), time.perf_counter()
        await editor.at("completion", path, number, len(lines[number]) + 1)
        times.append(time.perf_counter() - began)
        before += processor_seconds(editor.process.pid) - spent
    print(shown("completion", times, before / len(times)))


if __name__ == "__main__":
    largest = max(SHIPPED.rglob("*.rules"), key=lambda path: path.stat().st_size)
    asyncio.run(measure(Path(sys.argv[1]) if len(sys.argv) > 1 else largest))
