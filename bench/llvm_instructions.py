"""How much code the compiled subset comes to: optimised LLVM instructions of the programs of some puzzles that ship.

`python bench/llvm_instructions.py [PUZZLE …] [--json FILE] [--against FILE]` compiles what `solve` makes (the search, and the
sweeps through turns) and what `simulate` makes, without the cache, and counts instructions by function. `--against` compares
with what another run wrote; in another checkout, this file run by its Python counts that one. Functions merge by inlining:
totals tell more than single functions.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

PUZZLES = ("overboard", "full_sail", "shore_leave", "lights_fewest", "peg_central")

ROOMS = {
    "Catalogue": ("puzzles.catalogue",),
    "Project": ("rules.linking.project", "rules.loading"),
    "Problem": ("solver.search.problem", "solver.problem"),
    "Draft": ("solver.native.host.parallel_search", "solver.native.exact"),
    "Layout": ("solver.native.host.parallel_search", "solver.native.exact"),
    "KernelProblem": ("solver.native.host.kernel_problem",),
    "RestrictedProblem": ("solver.native.host.turn_search",),
    "Small": ("solver.native.host.turn_search", "solver.native.turns"),
    "Games": ("solver.native.host.playout_runner", "solver.native.games"),
    "RANDOM": ("solver.search.playout_policies", "solver.policies"),
    "CannotCompile": ("subset.refusal", "rules.native.text"),
    "_machine_code": ("subset.program", "rules.native.program"),
}
"""Where each name is, now and in older trees."""

Counts = dict[str, int]
"""Instructions by function."""


def found(name: str) -> Any:
    for room in ROOMS[name]:
        try:
            return getattr(importlib.import_module(f"rulewright.{room}"), name)
        except ModuleNotFoundError:
            continue
    raise ImportError(name)


class Counting:
    """Notes the functions of each module that is made into machine code."""

    def __init__(self) -> None:
        self.counts: Counts = {}
        emit = llvm.TargetMachine.emit_object

        def counted(machine: Any, module: Any) -> bytes:
            functions = [function for function in module.functions if not function.is_declaration]
            self.counts = {f.name: sum(1 for block in f.blocks for _ in block.instructions) for f in functions}
            code: bytes = emit(machine, module)
            return code

        llvm.TargetMachine.emit_object = counted

    def taken(self) -> Counts:
        counts, self.counts = self.counts, {}
        found("_machine_code").cache_clear()
        return counts


def programs(puzzle: str, counting: Counting) -> Iterator[tuple[str, Counts]]:
    """The programs of a puzzle that can be compiled."""
    position = found("Catalogue")(found("Project")(Path())).position(puzzle)
    engine, question = position.asked, position.question
    makers = {
        **_searches(engine, position.state, question),
        "simulate": lambda: found("Games").of(engine, position.state, found("RANDOM"), 100),
    }
    for name, make in makers.items():
        try:
            make()
        except found("CannotCompile"):
            continue
        yield name, counting.taken()


def _searches(engine: Any, state: Any, question: Any) -> dict[str, Any]:
    """What makes the programs of the exact search and of the search turn by turn."""
    if hasattr(found("Problem"), "of"):  # a tree from before the kernels were the only search
        problem = found("Problem").of(engine, state, question)
        return {
            "search": lambda: found("Layout").of(found("Draft").of(problem, question)),
            "turns": lambda: found("Small").of(problem, question),
        }
    problem = found("Problem")(engine, state, question)
    return {
        "search": lambda: found("KernelProblem").of(problem).program(),
        "turns": lambda: found("RestrictedProblem").of(problem),
    }


def table(counts: dict[str, Counts], against: dict[str, Counts]) -> list[str]:
    lines = ["| program | instructions | before | change |", "|---|--:|--:|--:|"]
    for name, functions in counts.items():
        total, before = sum(functions.values()), sum(against.get(name, {}).values())
        compared = f"{before:,} | {100 * total / before - 100:+.2f} %" if before else " | "
        lines.append(f"| {name} | {total:,} | {compared} |")
        for function, number in sorted(functions.items(), key=lambda item: -item[1]):
            earlier = against.get(name, {}).get(function, 0)
            if number != earlier and before:
                lines.append(f"| … {function} | {number:,} | {earlier:,} | {number - earlier:+,} |")
        for function in sorted(against.get(name, {}).keys() - functions.keys()):
            lines.append(f"| … {function} | | {against[name][function]:,} | {-against[name][function]:+,} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    parser.add_argument("--json", type=Path, help="write the counts there")
    parser.add_argument("--against", type=Path, help="counts of another run")
    wish = parser.parse_args()
    os.environ["RULEWRIGHT_CACHE"] = ""
    counting = Counting()
    counts = {f"{puzzle} {name}": functions for puzzle in wish.puzzles for name, functions in programs(puzzle, counting)}
    if wish.json is not None:
        wish.json.write_text(json.dumps(counts, indent=1), "utf-8")
    print("\n".join(table(counts, json.loads(wish.against.read_text("utf-8")) if wish.against else {})))
    return 0


if __name__ == "__main__":
    sys.exit(main())
