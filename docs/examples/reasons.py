"""Which rules refuse what: every cell of the board tried, and the clauses that forbid it."""

from collections import Counter

import rulewright as rw

state = rw.load_puzzle("overboard").start
refused: Counter[str] = Counter()
for direction in ("north", "east", "south", "west"):
    refusal = state.why_not(f"sail {direction}")
    for reason in refusal.reasons if refusal else ():
        refused[f"{reason.message} [{reason.cite}]"] += 1
for message, number in refused.most_common():
    print(number, message)
