"""One number, five ways: what a captain's tokens are worth in a puzzle."""

import rulewright as rw

POSITION = str(rw.load_puzzle("overboard"))
for tokens in range(5):
    changed = POSITION.replace("tokens 1: 4", f"tokens 1: {tokens}")
    answer = rw.load_puzzle(text=changed).solve(seconds=20)
    print(f"{tokens} tokens: {answer.value} ({answer.status})")
