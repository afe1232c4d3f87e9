"""Plants faults in the code, and tells which tier of the tests notices each: `python bench/faults.py [ROOM …] [--each 3]`.

A fault changes one place of a module: a comparison, a sum, a condition, a number, a truth value. It is planted in a copy of the
tree. First the fast tests of its room run without slow ones, then those of all rooms, then the slow ones of its room, then
campaigns; the first that fails names the tier. A room is a folder of the code with tests of its own.
"""

from __future__ import annotations

import argparse
import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen
from page import PROJECT
from processes import run

ROOMS = (
    "src/rulewright/base", "src/rulewright/subset", "src/rulewright/workers", "grammar", "rules/spaces", "rules/merging",
    "rules/linking", "rules/semantics", "rules/codegen", "rules/pycode", "rules/machine", "rules/play", "rules/static",
    "rules/symbolic", "rules/analysis", "puzzles", "solver/kernel", "solver/best", "solver/shortest", "solver/versus",
    "solver/plans", "solver/playouts", "solver/cpsat", "solver/answer", "pictures", "studies", "src/rulewright/api",
    "src/rulewright/adapters",
    "editor", "studio", "cli",
)  # fmt: skip

FAST = ["--tier", "fast", "--share", "-1"]

STEPS = (
    ("fast", True, FAST),
    ("fast", False, FAST),
    ("share", True, ["--tier", "nightly", "-m", "not campaign and not nightly"]),
    ("nightly", True, ["--tier", "nightly", "-m", "campaign or nightly"]),
)
"""A tier, whether only the tests of the fault's room run, and the arguments for those that did not run before, or nearly so."""

LONGEST = 1800.0
"""Seconds that the tests of a tier may take; a fault that makes them endless is noticed too."""

SWAPPED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@frozen
class Fault:
    """A changed module: its path in the tree, the line, the old and the new text of what changed."""

    path: Path
    line: int
    before: str
    after: str
    text: str


def faults_of(path: Path) -> Iterator[Fault]:
    """Every fault that can be planted in a module."""
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        changed = changed_node(node)
        segment = ast.get_source_segment(text, node)
        if changed is None or segment is None or "\n" in segment:
            continue
        line = lines[node.lineno - 1]  # type: ignore[attr-defined]
        begin, end = (len(line.encode()[:at].decode()) for at in (node.col_offset, node.end_col_offset))  # type: ignore[attr-defined]
        after = f"({ast.unparse(changed)})"
        new = [*lines[: node.lineno - 1], line[:begin] + after + line[end:], *lines[node.lineno :]]  # type: ignore[attr-defined]
        yield Fault(path.relative_to(PROJECT), node.lineno, segment, after, "".join(new))  # type: ignore[attr-defined]


def changed_node(node: ast.AST) -> ast.expr | None:
    """The node with a fault; None if it takes none."""
    match node:
        case ast.Compare(left, [operator], [right]) if type(operator) in SWAPPED:
            return ast.Compare(left, [SWAPPED[type(operator)]()], [right])
        case ast.BinOp(left, operator, right) if type(operator) in SWAPPED and not isinstance(
            right, ast.Constant | ast.JoinedStr
        ):
            return ast.BinOp(left, SWAPPED[type(operator)](), right)
        case ast.BoolOp(operator, values):
            return ast.BoolOp(SWAPPED[type(operator)](), values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool() as value):
            return ast.Constant(not value)
        case ast.Constant(int() as value):
            return ast.Constant(value + 1)
        case _:
            return None


def drawn(room: str, each: int, seed: int) -> list[Fault]:
    """Different faults of a room, drawn by module first, so that a long module has no more than a short one."""
    rng = random.Random(f"{seed} {room}")
    possible = [found for module in sorted((PROJECT / room).rglob("*.py")) if (found := list(faults_of(module)))]
    chosen: list[Fault] = []
    while len(chosen) < each and possible:
        faults = rng.choice(possible)
        chosen.append(faults.pop(rng.randrange(len(faults))))
        possible = [rest for rest in possible if rest]
    return chosen


def tests_of(room: str) -> str:
    return "tests/" + room.removeprefix("src/rulewright/")


def noticed(fault: Fault, room: str, tree: Path) -> str:
    """The tier that notices a fault, and the test; `nobody` if none does."""
    place = tree / fault.path
    right = place.read_text("utf-8")
    place.write_text(fault.text, "utf-8")
    try:
        for tier, is_of_room, arguments in STEPS:
            where = ["-n", "0", tests_of(room)] if is_of_room else ["-n", "auto"]
            command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *arguments, *where]
            done = run(command, tree, LONGEST, {"PYTHONPATH": str(tree / "src")})
            if done.overran or done.status not in (0, 5):
                failed = [line for line in done.output.splitlines() if line.startswith(("FAILED", "ERROR"))]
                return f"{tier}: {failed[0].split(' - ')[0] if failed else 'endless or broken'}"
    finally:
        place.write_text(right, "utf-8")
    return "nobody"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", default=ROOMS)
    parser.add_argument("--each", type=int, default=3, help="faults in each room")
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(tree)], check=True)
        for room in wish.rooms:
            for fault in drawn(room, wish.each, wish.seed):
                told = noticed(fault, room, tree)
                print(f"{fault.path}:{fault.line}: `{fault.before}` -> `{fault.after}`: {told}", flush=True)
        shutil.rmtree(tree)
    return 0


if __name__ == "__main__":
    sys.exit(main())
