"""Writes answers beside the seconds that tables of pages give for puzzles: `python bench/optima.py`.

So answers can be compared between versions, not only times. Programs of this folder print the answers of their own runs. A
table without any, of an earlier measurement, gets those of the ledger; a table that has answers keeps them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from page import PROJECT

LEDGER = PROJECT / "bench" / "ledger.json"
PAGES = (PROJECT / "docs" / "performance.md", PROJECT / "docs" / "solver.md", PROJECT / "bench" / "LOG.md")

ANSWER = "answer"
"""The title of the column."""

KNOWN = {ANSWER, "best score", "sum of answers", "n", "goal", "puzzles"}
"""Titles of columns with the answers, and of those that list puzzles without a time each."""

NAME = re.compile(r"`?([a-z][a-z_0-9]*)`?|.*\(`([a-z][a-z_0-9]*)`\).*")
"""A cell that is the name of a puzzle, or ends its words with it: ``the eight puzzle (`slide_hardest`)``."""

SLOWEST = re.compile(r"\(([a-z][a-z_0-9]*)\)")
"""The puzzle behind the time of the slowest."""


def answer_told(answer: object, count: object = None) -> str:
    """An answer, and how many plans there are if that is asked, as in `12`, `impossible`, `9, 3 plans`."""
    told = "impossible" if answer is None else str(answer)
    return told if count is None else f"{told}, {count} plan{'s' if count != 1 else ''}"


def answer_of(told: Mapping[str, Any]) -> str:
    """The answer in the document of `solve --json`, where it is proved; else empty."""
    if told.get("status") not in ("optimal", "impossible"):
        return ""
    expected = told.get("expectation")
    return answer_told(expected["text"] if expected else told["score"], told.get("count"))


def summed(answers: Iterable[int | None]) -> str:
    """The sum of the answers of a class, which two versions that prove the same positions must share; empty without any."""
    known = [answer for answer in answers if answer is not None]
    return f"{sum(known):,}" if known else ""


def recorded(ledger: Mapping[str, Any]) -> dict[str, str]:
    """The answers of the ledger that are proved, by puzzle."""
    proved = {name: entry for name, entry in ledger["answers"].items() if entry.get("status") in ("optimal", "impossible")}
    return {name: answer_told(entry["value"], entry.get("count")) for name, entry in proved.items()}


def with_answers(text: str, known: Mapping[str, str]) -> str:
    """A page whose tables of puzzles have a column of answers, and the answer behind the name of each slowest puzzle."""
    found = []
    for is_table, group in groupby(text.splitlines(), lambda line: line.startswith("|")):
        lines = list(group)
        found += _filled(lines, known) if is_table else lines
    return "\n".join(found) + "\n"


def _filled(lines: list[str], known: Mapping[str, str]) -> list[str]:
    """The lines of a table."""
    rows = [line.split("|") for line in lines]  # with an empty cell before the first and behind the last
    titles = {cell.strip().lower() for cell in rows[0]}
    if any("slowest" in title for title in titles):
        return [SLOWEST.sub(lambda found: _with_answer(found, known), line) for line in lines]
    named = [column for column in (1, 2) if any(_puzzle(row[column], known) for row in rows)]
    if KNOWN & titles or not named:
        return lines
    answers = [ANSWER, "--:", *(known.get(_puzzle(row[named[0]], known), "") for row in rows[2:])]
    cells = [answer if answer == "--:" else f" {answer} " for answer in answers]
    return ["|".join([*row[: named[0] + 1], cell, *row[named[0] + 1 :]]) for row, cell in zip(rows, cells, strict=True)]


def _puzzle(cell: str, known: Mapping[str, str]) -> str:
    """The puzzle that a cell names; empty if it names none."""
    found = NAME.fullmatch(cell.strip().partition(", ")[0])
    name = (found[1] or found[2]) if found else ""
    return name if name in known else ""


def _with_answer(found: re.Match[str], known: Mapping[str, str]) -> str:
    return f"({found[1]}: {known[found[1]]})" if found[1] in known else found[0]


def main() -> None:
    known = recorded(json.loads(LEDGER.read_text("utf-8")))
    for page in PAGES:
        page.write_text(with_answers(page.read_text("utf-8"), known), "utf-8")


if __name__ == "__main__":
    main()
