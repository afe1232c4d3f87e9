"""clingo on a program with discrete time: `python bench/clingo_planning.py FILE` prints the first step at which it can end.

For a program that minimises, it prints the least cost.

The multi-shot loop that clingo's manual calls `incmode`: each step is grounded once, and the check of the last one applies.
"""

from __future__ import annotations

import sys
from pathlib import Path

import clingo


def first_step(program: str) -> int:
    """The least number of steps. Does not terminate if there is no plan."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    if "#minimize" in program:
        control.ground([("base", [])])
        costs: list[int] = []
        control.solve(on_model=lambda model: costs.extend(model.cost[:1]))
        return costs[-1]
    control.add("check", ["t"], "#external query(t).")
    control.ground([("base", []), ("check", [clingo.Number(0)])])
    step = 0
    while True:
        query = clingo.Function("query", [clingo.Number(step)])
        control.assign_external(query, True)
        if control.solve().satisfiable:
            return step
        control.release_external(query)
        step += 1
        number = clingo.Number(step)
        control.ground([("step", [number]), ("check", [number])])


if __name__ == "__main__":
    print(first_step(Path(sys.argv[1]).read_text("utf-8")))
