"""A strip of pictures: the best plan of a puzzle, move by move."""

from pathlib import Path

import rulewright as rw

puzzle, folder = rw.load_puzzle("overboard"), Path("overboard_pictures")
folder.mkdir(exist_ok=True)
state, plan = puzzle.start, puzzle.solve(seconds=20).plan
for number, action in enumerate(plan, 1):
    state = state.play(action)
    (folder / f"{number:02} {action.name}.svg").write_text(state.svg())
print(len(plan), "pictures in", folder)
