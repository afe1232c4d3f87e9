"""A planning task in the form that each solver reads, and its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from attrs import frozen

ENCODINGS = Path(__file__).with_name("planning")


@frozen
class Task:
    """One question for the fewest moves or the best score, as each solver reads it."""

    kind: str
    name: str
    puzzle: str
    domain: str
    problem: str
    facts: str
    total: int | None = None
    """For a question for a score: the sum of the score and the cost counted by the peers."""

    def write(self, folder: Path) -> None:
        """Write its files: `task.puzzle` beside the rules, `domain.pddl` and `problem.pddl`, `task.lp`."""
        (folder / "task.puzzle").write_text(self.puzzle, "utf-8")
        for rules in ENCODINGS.glob("*.rules"):
            (folder / rules.name).write_text(rules.read_text("utf-8"), "utf-8")
        (folder / "domain.pddl").write_text(self.domain, "utf-8")
        (folder / "problem.pddl").write_text(self.problem, "utf-8")
        program = (ENCODINGS / f"{_program_of(self.kind)}.lp").read_text("utf-8")
        (folder / "task.lp").write_text(self.facts + "\n" + program, "utf-8")


def _program_of(kind: str) -> str:
    return {"eight": "sliding", "fifteen": "sliding", "start": "hanoi"}.get(kind, kind)


def domain_of(name: str) -> str:
    return (ENCODINGS / f"{name}.pddl").read_text("utf-8")


def problem_of(domain: str, objects: str, init: Iterable[str], goal: Iterable[str]) -> str:
    return (
        f"(define (problem task) (:domain {domain})\n  (:objects {objects})\n"
        f"  (:init {' '.join(init)})\n  (:goal (and {' '.join(goal)})))\n"
    )


def puzzle_of(rules: str, entries: Sequence[str], until: str) -> str:
    """A question for the fewest moves."""
    return asked_of(rules, entries, f"fewest moves until {until}")


def asked_of(rules: str, entries: Sequence[str], question: str) -> str:
    """The text of a puzzle."""
    lines = [
        "puzzle task:",
        f"    rules {rules}",
        "    players 1",
        "",
        *entries,
        "",
        f"    ask: {question}",
        "",
    ]
    return "\n".join(lines)


def drawn(space: str, rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"    {space}:", *("        " + "  ".join(row) for row in rows)]
