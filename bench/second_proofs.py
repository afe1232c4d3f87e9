"""Which shipped puzzles get a second proof: `python bench/second_proofs.py --record FILE [--seconds 10] [--page]`.

Every puzzle with a question that CP-SAT reads is solved by its own process of `rulewright solve --second-opinion`. The record
has one run per line. Puzzles settled there, or already run with as much time, are not run again; so a killed run resumes where
it stopped, and one with more time only runs the puzzles left.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import processes
from attrs import asdict, frozen
from optima import answer_of
from page import PROJECT, environment, write_section
from proofs import seconds_told
from runs import GRACE, LIMITED

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.answer.portfolio import KNOWN_CHANCE

SETTLED = "proved twice"
BY_ALL_STATES = "proved twice, the second time over all states one by one"
TWICE = {"search+cpsat": SETTLED, "cpsat+refuted": SETTLED, "search+states": BY_ALL_STATES}
PLAN = "a plan answers it"
"""A threshold that is reached needs no proof."""
NO_FIRST = "not proved by the search"
LATE = "not in time"
REFUSAL = re.compile(r"CP-SAT, [^:]+: unsupported: (.+)")
BY_QUESTION = re.compile(r"CP-SAT, [^:]+: unsupported: a question ")
"""No reason of its own: any question is ruled out by some model."""
ENDING = re.compile(r"CP-SAT, [^:]+: (too large|memory|died|unknown)")


@frozen
class Run:
    """What a puzzle came to, and seconds by the clock and of processors of the whole process."""

    puzzle: str
    rules: str
    limit: float
    outcome: str
    seconds: float
    cpu: float
    answer: str = ""

    @property
    def is_settled(self) -> bool:
        return self.outcome in (SETTLED, BY_ALL_STATES, PLAN)


def asked() -> Iterator[tuple[Path, str, bool]]:
    """The puzzles with questions that CP-SAT reads, by path: the first of their rules, and whether a threshold is asked for."""
    catalogue = Catalogue(Project(PROJECT))
    for path in sorted(SHIPPED.rglob("*.puzzle")):
        position = catalogue.position(path)
        question = position.question
        if question is not None and not question.is_against and not question.in_expectation:
            yield path, position.puzzle.rules[0][0], question.goal is Goal.REACH


def measured(path: Path, rules: str, is_threshold: bool, limit: float) -> Run:
    command = [sys.executable, "-m", "rulewright", "solve", str(path), "--json", "--second-opinion", "--workers", "2"]
    done = processes.run([*LIMITED, *command, "--time", f"{limit:g}"], path.parent, limit + GRACE)
    told = json.loads(done.output) if done.output.startswith("{") else {}
    return Run(path.stem, rules, limit, _outcome(told, is_threshold), done.seconds, done.cpu, answer_of(told))


def _outcome(told: dict[str, object], is_threshold: bool) -> str:
    """In a few words: proved twice, or why not."""
    if outcome := TWICE.get(str(told.get("proof"))):
        return outcome
    if told.get("status") == "optimal" and is_threshold:
        return PLAN
    said = [remark for remark in _remarks(told) if remark != KNOWN_CHANCE and not BY_QUESTION.match(remark)]
    for pattern in (REFUSAL, ENDING):
        for found in filter(None, map(pattern.match, said[-1:])):  # of the last model tried
            return found[1]
    text = "; ".join(said)
    if told.get("status") not in ("optimal", "impossible"):
        return NO_FIRST
    return LATE if "in time" in text or "time was up" in text else text or "no second proof tried"


def _remarks(told: dict[str, object]) -> list[str]:
    remarks = told.get("remarks") or told.get("errors") or ()
    return [str(remark) for remark in remarks] if isinstance(remarks, Sequence) else []


def report(runs: Sequence[Run]) -> list[str]:
    """How many are settled by rules, and the others by reason."""
    settled = [run for run in runs if run.is_settled]
    twice, listed = ([run for run in settled if run.outcome == outcome] for outcome in (SETTLED, BY_ALL_STATES))
    lines = [
        *environment(),
        "",
        f"{len(settled)} of {len(runs)} puzzles ({len(settled) / max(len(runs), 1):.0%}) were settled in at most"
        f" {max(run.limit for run in runs):g} s each: {len(twice)} by search and CP-SAT, {len(listed)} by search and a second"
        " proof over all states, the others by a plan that reaches what is asked for.",
        "",
        "| rules | settled | median, s | slowest, s |",
        "|---|--:|--:|---|",
    ]
    by_rules = defaultdict[str, list[Run]](list)
    for run in runs:
        by_rules[run.rules.split(".")[0]].append(run)
    for rules, found in sorted(by_rules.items()):
        done = sorted((run for run in found if run.is_settled), key=lambda run: run.seconds)
        middle, slowest = (seconds_told(done[at].seconds) if done else "" for at in (len(done) // 2, -1))
        lines.append(
            f"| {rules} | {len(done)} of {len(found)} | {middle} | {slowest}"
            f" ({f'{done[-1].puzzle}: {done[-1].answer}' if done else 'none'}) |"
        )
    lines += ["", "| why not settled | puzzles |", "|---|---|"]
    by_reason = defaultdict[str, list[str]](list)
    for run in runs:
        if not run.is_settled:
            late = f"not in {run.limit:g} s" if run.outcome == LATE else run.outcome
            by_reason[late].append(run.puzzle)
    for reason, names in sorted(by_reason.items(), key=lambda found: -len(found[1])):
        lines.append(f"| {reason} | {len(names)}: {', '.join(names)} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True, help="the runs, one a line")
    parser.add_argument("--seconds", type=float, default=10, help="for each puzzle")
    parser.add_argument("--puzzle", action="append", help="only these")
    parser.add_argument("--without", default="", help="leave out puzzles of rules whose names begin so")
    parser.add_argument("--page", action="store_true", help="write docs/performance.md")
    wish = parser.parse_args()
    record: Path = wish.record.resolve()
    lines = record.read_text("utf-8").splitlines() if record.exists() else []
    known = {run.puzzle: run for run in (Run(**json.loads(line)) for line in lines)}
    for path, rules, is_threshold in asked():
        before = known.get(path.stem)
        is_wanted = path.stem in wish.puzzle if wish.puzzle else not (wish.without and rules.startswith(wish.without))
        if not is_wanted or (before is not None and (before.is_settled or before.limit >= wish.seconds)):
            continue
        run = known[path.stem] = measured(path, rules, is_threshold, wish.seconds)
        with record.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(run)) + "\n")
        print(run, flush=True)
    lines = report(list(known.values()))
    print("\n".join(lines))
    if wish.page:
        write_section("second proofs", lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
