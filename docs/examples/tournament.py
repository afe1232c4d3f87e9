"""A tournament: every policy against every other, both ways round."""

from itertools import permutations

import rulewright as rw

GAME = rw.load_game("classics.noughts_and_crosses", seed=1)
points = dict.fromkeys(("random", "greedy", "search(2)", "search(4)"), 0.0)
for first, second in permutations(points, 2):
    games = GAME.simulate(100, [first, second])
    won = sum(value for value in games["outcome_1"] if value) / 2 + 50
    points[first] += won
    points[second] += 100 - won
for name, total in sorted(points.items(), key=lambda pair: -pair[1]):
    print(f"{name:10} {total:6.1f} of 600")
