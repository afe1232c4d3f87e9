"""Runs every test, campaigns too, and adds a row to docs/quality.md: `just nightly`; arguments go to pytest."""

from __future__ import annotations

import datetime
import sys
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

from page import PROJECT, commit, environment
from processes import run

PAGE = PROJECT / "docs" / "quality.md"
HEAD = "| Date | Commit | Passed | Failed | Skipped | Processor | Failures |\n|---|---|--:|--:|--:|--:|---|\n"


def outcomes(report: Path) -> tuple[Counter[str], list[str]]:
    """The number of tests by outcome, and the names of those that failed, by a report in the format of JUnit."""
    counts: Counter[str] = Counter()
    failed = []
    for case in xml.parse(report).iter("testcase"):
        kinds = {child.tag for child in case} & {"failure", "error", "skipped"}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if kinds else "passed"
        counts[outcome] += 1
        if outcome == "failed":
            failed.append(f"{case.get('classname')}::{case.get('name')}")
    return counts, failed


def row(counts: Counter[str], failed: list[str], seconds: float) -> str:
    """A row of the table."""
    names = ", ".join(f"`{name}`" for name in failed).replace("|", "\\|") or "none"
    numbers = " | ".join(f"{counts[outcome]:,}" for outcome in ("passed", "failed", "skipped"))
    return f"| {datetime.date.today().isoformat()} | {commit()} | {numbers} | {seconds / 60:.0f} min | {names} |\n"


def with_row(page: str, new: str) -> str:
    """The page with a new row at the head of its table."""
    before, found, after = page.partition(HEAD)
    if not found:
        raise SystemExit(f"{PAGE.relative_to(PROJECT)} has no table of nights")
    return before + found + new + after


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        tests = [sys.executable, "-m", "pytest", "--tier", "nightly", "-n", "auto", "-vv", *sys.argv[1:]]
        # Streamed, so that a night that is cut off has said what failed until then.
        done = run([*tests, f"--junitxml={report}"], PROJECT, streams=None)
        print(environment()[0])
        counts, failed = outcomes(report)
    PAGE.write_text(with_row(PAGE.read_text("utf-8"), row(counts, failed, done.cpu)), "utf-8")
    return done.status


if __name__ == "__main__":
    sys.exit(main())
