"""How players stand: ranks, and terms for a player's score, who wins, and a player's outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rulewright.base.records import frozen
from rulewright.base.spans import Located
from rulewright.grammar.tree.expressions import Comparison, Extreme, Operator
from rulewright.grammar.tree.modules import RankLine

from . import terms, types

PLAYER = "player"
"""The name of the player in the value of a score or criterion."""

_RIVAL = "rival"
_NUMBER, _TRUTH = types.Number(), types.Truth()


@frozen
class Criterion(Located):
    """A criterion to compare players: a value of `player`, of which the greatest or the least is best."""

    extreme: Extreme
    value: terms.Term


Winner = tuple[Criterion, ...]
"""Who wins: later criteria break the ties that earlier ones leave."""


@frozen
class Ranking:
    """Names for ranges of a number computed from the score: `value` has the local `score`.

    With `of_players`, ranks are computed from each player's scores, which are also locals.
    """

    value: terms.Term
    lines: tuple[RankLine, ...]
    of_players: bool = False

    def name(self, number: int) -> str:
        """The name of the range that contains a number; empty if there is none."""
        for line in self.lines:
            if (line.low is None or line.low <= number) and (line.high is None or number <= line.high):
                return line.name
        return ""


def of_player(value: terms.Term, player: terms.Term) -> terms.Term:
    """The value of one player."""
    only = terms.SetLiteral((player,), type=types.SetOf(types.Player()), span=value.span)
    return _summed(value, terms.Binder(PLAYER, only, None, types.Player(), span=value.span))


def of_all_players(value: terms.Term) -> terms.Term:
    """The sum of the values of all players."""
    return _summed(value, _all(PLAYER, value))


def _summed(value: terms.Term, binder: terms.Binder) -> terms.Term:
    return terms.Fold(terms.Kind.SUM, binder, value, type=_NUMBER, span=value.span)


def aim(winner: Winner, scores: Sequence[terms.Term]) -> terms.Term | None:
    """A player's objective, to maximise: the first criterion for winning, else the sum of the player's own scores.

    None if players have neither.
    """
    if winner:
        first = winner[0]
        if first.extreme is Extreme.GREATEST:
            return first.value
        return terms.Arithmetic(terms.Constant(0, type=_NUMBER), ((Operator.MINUS, first.value),), span=first.span)
    return own_score(scores)


def own_score(scores: Sequence[terms.Term]) -> terms.Term | None:
    """The sum of a player's scores; None if players have none."""
    return sum_of(scores) if scores else None


def sum_of(values: Sequence[terms.Term]) -> terms.Term:
    first, *others = values
    return terms.Arithmetic(first, tuple((Operator.PLUS, other) for other in others)) if others else first


def wins(winner: Winner, player: terms.Term) -> terms.Term:
    """Whether no other player stands better."""
    rival = terms.Local(_RIVAL, types.Player())
    worse = terms.Not(_stands_better(winner, rival, player))
    return terms.Fold(terms.Kind.EVERY, _all(_RIVAL, winner[0].value), worse, type=types.Truth())


def outcome(winner: Winner, player: terms.Term) -> terms.Term:
    """1 if a player wins alone, 0 if the win is shared, -1 if the player does not win."""
    rival = terms.Local(_RIVAL, types.Player())
    as_good = terms.And(
        (
            terms.Compare(Comparison.UNEQUAL, rival, player),
            terms.Not(_stands_better(winner, player, rival)),
        ),
    )
    shared = terms.Fold(terms.Kind.SOME, _all(_RIVAL, winner[0].value), as_good, type=types.Truth())
    win, draw, loss = (terms.Constant(value, type=_NUMBER) for value in (1, 0, -1))
    return terms.If(wins(winner, player), terms.If(shared, draw, win, type=_NUMBER), loss, type=_NUMBER, span=winner[0].span)


def _stands_better(winner: Winner, one: terms.Term, other: terms.Term) -> terms.Term:
    """Whether one player stands better than another, by the first criterion in which they differ."""

    def told_apart(otherwise: terms.Term | None, criterion: Criterion) -> terms.Term:
        better = Comparison.GREATER if criterion.extreme is Extreme.GREATEST else Comparison.LESS
        sides = of_player(criterion.value, one), of_player(criterion.value, other)
        first = terms.Compare(better, *sides)
        if otherwise is None:
            return first
        return terms.Or((first, terms.And((terms.Compare(Comparison.EQUAL, *sides), otherwise))))

    found = reduce(told_apart, reversed(winner), None)
    assert found is not None
    return found


def _all(name: str, value: terms.Term) -> terms.Binder:
    everyone = terms.AllMembers(type=types.SetOf(types.Player()), span=value.span)
    return terms.Binder(name, everyone, None, types.Player(), span=value.span)
