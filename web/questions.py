"""A question in plain words, as a page puts it to those who never read a rule text."""

from __future__ import annotations

from typing import assert_never

from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree.expressions import Expression, Name
from rulewright.grammar.tree.puzzles import Ask, Goal, Others


def in_plain_words(ask: Ask) -> str:
    """`maximise score for 2 turns`: Get the highest score you can in 2 turns."""
    value = _words(ask.value)
    match ask.goal:
        case Goal.MAXIMISE:
            told = f"Get the highest {value} you can"
        case Goal.MINIMISE:
            told = f"Keep {value} as low as you can"
        case Goal.REACH:
            told = f"Reach {value} of at least {ask.threshold}" if ask.threshold is not None else f"Reach this: {value}"
        case Goal.COUNT_BEST:
            told = "Find a best way to play, and how many there are"
        case Goal.LEAST:
            assert ask.until is not None
            cost = f"as few {_words(Name(ask.point))}s as you can" if ask.value is None else f"the least {value}"
            told = f"With {cost}, reach this: {_words(ask.until)}"
        case Goal.WIN:
            told = f"Win as player {ask.player}"
        case _:
            assert_never(ask.goal)
    horizon = "" if ask.turns is None else f" in {ask.turns} {_words(Name(ask.point))}{'s' if ask.turns > 1 else ''}"
    against = ", against best play" if ask.others is not None and ask.others.play is Others.AGAINST else ""
    return told + horizon + against + ("" if ask.chance is None else f", {ask.chance.known.value}") + "."


def _words(expression: Expression | None) -> str:
    """An expression as the rules write it; a name without its underscores."""
    if expression is None:
        return "score"
    text = print_expression(expression)
    return text.replace("_", " ") if text.replace("_", "").isalpha() else text
