"""Writes measurements to pages, mainly docs/performance.md: each section is written by the program that measured it."""

from __future__ import annotations

import datetime
import os
import platform
import re
import statistics
import subprocess
from collections.abc import Sequence
from pathlib import Path

import ortools

import rulewright

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "performance.md"


def environment() -> list[str]:
    """The machine, the versions and the date of a measurement."""
    load = os.getloadavg()[0]
    return [
        f"{_processor()}, {os.cpu_count()} cores, load {load:.1f} at the end; {platform.system()}, "
        f"Python {platform.python_version()}, OR-Tools {ortools.__version__}, "
        f"Rulewright {rulewright.__version__} at {commit()}; {datetime.date.today().isoformat()}.",
    ]


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.+)$", info.read_text(), re.MULTILINE) if info.exists() else []
    return names[0] if names else platform.machine()


def commit() -> str:
    """The commit of the tree."""
    found = subprocess.run(
        ["git", "-C", str(PROJECT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "no commit"


def row(name: str, values: Sequence[float]) -> str:
    """A row of a table: name, median, minimum and maximum."""
    return f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} | {max(values):,.0f} |"


def write_section(name: str, lines: Sequence[str], page: Path = PAGE) -> None:
    """Replace the lines of a section of a page, between its two marks."""
    text = page.read_text("utf-8")
    begin, end = f"<!-- measured: {name} -->\n", "<!-- end -->"
    before, found, rest = text.partition(begin)
    if not found:
        raise SystemExit(f"{page.relative_to(PROJECT)} has no section `{name}`")
    _, _, after = rest.partition(end)
    page.write_text(before + begin + "\n".join(lines) + "\n" + end + after, "utf-8")
