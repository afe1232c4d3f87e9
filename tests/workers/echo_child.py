"""A child that says what it hears."""

from __future__ import annotations

from rulewright.workers.child_process import Parent

if __name__ == "__main__":
    parent = Parent.found()
    while (said := parent.hear()) != "end":
        print("this is not an answer")
        parent.say(said)
