"""A table of openings: how the game ends after each first move, with best play."""

import rulewright as rw

start = rw.load_game("classics.noughts_and_crosses").start
for action in start.legal:
    answer = start.play(action).ask("win for 1").solve(seconds=20)
    print(f"{action!s:12} {answer.value}")
