"""Counts the lines of play, depth by depth; equal states are counted once, since states are hashable."""

from collections import Counter

import rulewright as rw

layer = Counter([rw.load_game("classics.noughts_and_crosses").start])
for depth in range(1, 5):
    following: Counter[rw.State] = Counter()
    for state, lines in layer.items():
        for action in state.legal:
            following[state.play(action)] += lines
    layer = following
    print(depth, layer.total(), len(layer))
