"""Which shipped puzzles get a certificate that is checked: `python bench/certificates.py --record FILE --checker CHECKER.py`.

Each puzzle with a question is solved by a process of its own with `--certificate`, and the file is checked by another one. The
record has one puzzle per line; those already in it are not run again, so that a killed run resumes where it stopped. Puzzles
whose search is small by the ledger come first; those that are too large for the table are left out. `--only` takes the puzzles
whose path holds a word. Times are of processors, of whole processes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import processes
from attrs import asdict, frozen
from page import PROJECT
from runs import GRACE, LIMITED

from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.rules.linking.project import Project

MOST = 1_000_000
"""States that a search keeps, of the puzzles that are to be certified."""

LEDGER = Path(__file__).with_name("ledger.json")

NOT_PROVED = "not proved"


@frozen
class Run:
    """What came of a puzzle: `none` says why there is no certificate, `refused` why the checker takes none."""

    puzzle: str
    game: str
    question: str
    searched: int
    states: int
    bytes: int
    write: float
    check: float
    none: str = ""
    refused: str = ""

    @property
    def is_checked(self) -> bool:
        return not self.none and not self.refused


def asked(only: str) -> Iterator[tuple[Path, str, str]]:
    """The files of puzzles with a question, their games, and what they ask."""
    catalogue = Catalogue(Project(PROJECT))
    known = json.loads(LEDGER.read_text("utf-8"))["answers"]
    paths = {path: known.get(path.stem, {}).get("states", MOST) or 0 for path in sorted(SHIPPED.rglob("*.puzzle"))}
    for path in sorted(paths, key=lambda path: paths[path]):
        position = catalogue.position(path)
        if only in str(path) and paths[path] <= MOST and (question := position.question) is not None:
            own = "" if question.own_turns is None else ", in own turns"
            chance = " in expectation" if question.in_expectation else ""
            rules = "+".join(name for name, _ in position.puzzle.rules)
            yield path, rules, f"{question.goal.value}, {question.others.value}{own}{chance}"


def run(path: Path, game: str, question: str, seconds: float, checker: Path, folder: Path) -> Run:
    """Solve and certify a puzzle, then check the certificate."""
    file = folder / "certificate.gz"
    file.unlink(missing_ok=True)
    command = [sys.executable, "-m", "rulewright", "solve", str(path), "--json", "--workers", "1"]
    solved = processes.run(
        [*LIMITED, *command, "--time", str(seconds), "--certificate", str(file)], folder, 4 * seconds + GRACE
    )
    try:
        answer = json.loads(solved.output)
        told = answer.get("certificate")
        searched = answer["states"]
    except (ValueError, KeyError):
        told, searched = None, 0
    if told is None or not file.exists():
        words = (solved.errors.strip().splitlines() or ["killed" if solved.overran else NOT_PROVED])[-1]
        none = told["none"] if told else words
        return Run(path.stem, game, question, searched, told["states"] if told else 0, 0, solved.cpu, 0.0, none)
    checked = processes.run([*LIMITED, sys.executable, str(checker), str(file)], folder, 4 * seconds + GRACE)
    refused = "" if checked.status == 0 else (checked.output + checked.errors).strip()[:200] or "killed"
    return Run(path.stem, game, question, searched, told["states"], told["bytes"], solved.cpu, checked.cpu, "", refused)


def table(runs: Sequence[Run], by: str, group: Callable[[Run], str]) -> Iterator[str]:
    """The sums and the greatest numbers by question or by game, of puzzles whose search keeps few states."""
    groups: dict[str, list[Run]] = defaultdict(list)
    for one in runs:
        if one.searched <= MOST:
            groups[group(one)].append(one)
    yield f"| {by} | Puzzles | Checked | Most states | Most bytes | Write, s | Check, s |"
    yield "|---|---|---|---|---|---|---|"
    for question, those in sorted(groups.items()):
        good = [one for one in those if one.is_checked]
        most = [max((getattr(one, name) for one in good), default=0) for name in ("states", "bytes", "write", "check")]
        yield f"| {question} | {len(those)} | {len(good)} | {most[0]:,} | {most[1]:,} | {most[2]:.1f} | {most[3]:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--checker", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    lines = options.record.read_text("utf-8").splitlines() if options.record.exists() else []
    runs = [Run(**json.loads(line)) for line in lines]
    known = {one.puzzle for one in runs}
    with TemporaryDirectory() as folder, options.record.open("a", encoding="utf-8") as record:
        for path, game, question in asked(options.only):
            if path.stem not in known:
                runs.append(run(path, game, question, options.seconds, options.checker.resolve(), Path(folder)))
                print(json.dumps(asdict(runs[-1])), file=record, flush=True)
    print("\n".join([*table(runs, "Question", lambda one: one.question), "", *table(runs, "Game", lambda one: one.game)]))
    for one in runs:
        if not one.is_checked:
            print(f"{one.puzzle}: {one.none or one.refused}, {one.states:,} states ({one.searched:,} searched)")


if __name__ == "__main__":
    main()
