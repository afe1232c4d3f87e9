"""Games of two players who may not see everything, asked for their value in mixed strategies."""

from __future__ import annotations

from fractions import Fraction

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status
from tests.rules.playing import linked, own_module, shipped

MIXED = "until end against best play in expectation"


def position(rules: str, ask: str, players: int = 2, settings: str = "") -> Position:
    game = linked(rules) if ":" in rules else shipped(rules) if "." in rules else own_module(rules)
    text = f"puzzle a:\n    rules b\n    players {players}\n{settings}\n    ask: {ask}\n"
    return set_up_position(parse_puzzle(text, "a puzzle"), game)


def answered(asked: Position, limits: Limits | None = None) -> Result:
    assert asked.question is not None
    return answer(asked.asked, asked.root, asked.question, limits or Limits(60.0))


def value(rules: str, ask: str, players: int = 2) -> Fraction:
    result = answered(position(rules, f"{ask} {MIXED}", players))
    assert result.status is Status.OPTIMAL and result.expectation is not None
    assert all(sum(share for _, share in choice.moves) == 1 for choice in result.choices)
    return result.expectation.value
