"""A table of all puzzles of a folder, for a web page: question, answer and length of the plan."""

import sys
from pathlib import Path

import rulewright as rw

print("| Puzzle | Question | Answer | Moves |\n|---|---|--:|--:|")
for path in sorted(Path(sys.argv[1]).glob("*.puzzle")):
    puzzle = rw.load_puzzle(str(path))
    answer = puzzle.solve(seconds=10)
    print(f"| {puzzle.name} | {puzzle.question} | {answer.value} | {len(answer.plan)} |")
