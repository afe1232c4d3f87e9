"""Measures code size: optimised LLVM instructions of the programs of some library puzzles.

`python bench/llvm_instructions.py [PUZZLE …] [--json FILE] [--against FILE]` compiles the programs of `solve` (the search, and
the beam search by turns) and of `simulate`, without the cache, and counts instructions by function. `--against` compares with
the file of another run. Inlining merges functions: totals are more meaningful than single functions.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.solver.best.kernel_problem import KernelProblem
from rulewright.solver.best.problem import Problem
from rulewright.solver.best.turn_search import RestrictedProblem
from rulewright.solver.playouts.policies import RANDOM, Seats
from rulewright.solver.playouts.runner import PlayoutProgram
from rulewright.solver.shortest.game import CostGame
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.subset import program
from rulewright.subset.program import as_machine_code
from rulewright.subset.refusal import CannotCompile

PUZZLES = ("overboard", "full_sail", "shore_leave", "lights_fewest", "peg_central")

Counts = dict[str, int]
"""Instructions by function."""


class Counting:
    """Counts the instructions of each module when machine code is emitted for it."""

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
        program._machine_code.cache_clear()
        return counts


def programs(puzzle: str, counting: Counting) -> Iterator[tuple[str, Counts]]:
    """The programs of a puzzle that can be compiled."""
    position = Catalogue(Project(Path())).position(puzzle)
    assert position.question is not None
    engine, state, question = position.asked, position.state, position.question
    if question.goal is Goal.LEAST:
        shortest = CostGame(ShortestPlanProblem(engine, state, question)).compiled
        searches: dict[str, Callable[[], object]] = {"search": lambda: shortest.program(as_machine_code)}
    else:
        problem = Problem(engine, state, question)
        searches = {
            "search": lambda: KernelProblem.of(problem).game.program(as_machine_code),
            "turns": lambda: RestrictedProblem.of(problem),
        }
    makers: dict[str, Callable[[], object]] = {
        **searches,
        "simulate": lambda: PlayoutProgram.of(position.asked, position.state, Seats(RANDOM), 100),
    }
    for name, make in makers.items():
        try:
            make()
        except CannotCompile:
            continue
        yield name, counting.taken()


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
