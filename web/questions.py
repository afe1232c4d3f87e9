"""A question in plain words, as a page puts it to those who never read a rule text."""

from __future__ import annotations

from typing import Any, assert_never

from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree.expressions import Expression, If, Name, NumberLiteral
from rulewright.grammar.tree.puzzles import Ask, Chance, Goal, Others
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game


def in_plain_words(ask: Ask, game: Game) -> str:
    """`maximise score for 2 turns`: Get the highest score you can in 2 turns. A condition is told by its own text, if it has
    one."""
    value = "score" if ask.value is None else _named(ask.value)
    match ask.goal:
        case Goal.MAXIMISE:
            told = f"Get the highest {value} you can"
        case Goal.MINIMISE:
            told = f"Keep {value} as low as you can"
        case Goal.REACH:
            condition = _condition(ask.value)
            if condition is not None and ask.threshold in (None, 1):
                told = f"Bring this about: {_told(condition, game)}"
            else:
                told = f"Bring this about: {value}" if ask.threshold is None else f"Reach a {value} of at least {ask.threshold}"
        case Goal.COUNT_BEST:
            told = "Find a best way to play"
        case Goal.LEAST:
            assert ask.until is not None
            cost = f"as few {_spaced(ask.point)}s as you can" if ask.value is None else f"the least {value}"
            told = f"With {cost}, bring this about: {_told(ask.until, game)}"
        case Goal.WIN:
            told = f"{'Lose' if ask.loses else 'Win'} as player {ask.player}"
        case _:
            assert_never(ask.goal)
    if ask.turns is not None:
        own = " of your own" if ask.goal is Goal.WIN else ""
        told += f", in {ask.turns} {_spaced(ask.point)}{'s' if ask.turns > 1 else ''}{own}"
    if ask.others is not None and ask.others.play is Others.AGAINST:
        told += ", against best play"
    if ask.goal is Goal.WIN and ask.others is not None and ask.others.play is Others.TOGETHER:
        told += ", with the help of all"
    if ask.chance is not None:
        told += ", on average" if ask.chance.known is Chance.EXPECTED else ", knowing what comes"
    return told + "."


def within(question: Question) -> dict[str, Any] | None:
    """How many turns (or moves) of whose own a question allows; null if it does not say."""
    if question.own_turns is None:
        return None
    return {"player": question.player, "most": question.own_turns, "turns": question.horizon is not None}


def titled(name: str) -> str:
    """The title of a game or puzzle: the last part of its name as words."""
    words = _spaced(name.rpartition(".")[2])
    return words[:1].upper() + words[1:]


def _condition(value: Expression | None) -> Expression | None:
    """What a value of 1 says: the condition of `if … then 1 else 0`."""
    match value:
        case If(condition, NumberLiteral(1), NumberLiteral(0)):
            return condition
        case _:
            return None


def _told(expression: Expression, game: Game) -> str:
    """A condition."""
    definition = game.definitions.get(expression.text) if isinstance(expression, Name) else None
    return definition.text.rstrip(".") if definition is not None and definition.text else _named(expression)


def _named(expression: Expression) -> str:
    return _spaced(expression.text) if isinstance(expression, Name) else print_expression(expression)


def _spaced(name: str) -> str:
    return name.replace("_", " ")
