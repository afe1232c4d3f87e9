"""The nodes of single lines of a puzzle."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import ClassVar

from rulewright.base.records import evolve, frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.expressions import Compare, Comparison, Expression, Negation, NumberLiteral

from .node_builder import NodeClasses, Property, collected, inside, made, says
from .read_modules import ModuleBuilder


@frozen
class OriginLine(Located):
    """`origin 3,4`: row, column of the drawing's top left cell."""

    row: int
    column: int


@frozen
class DrawingHead(Located):
    """`sea:` or `tower level 2:` with the rows below."""

    space: str
    level: int | None


@frozen
class HorizonWords:
    """`until end` or `for 2 turns`"""

    turns: int | None = None
    point: str = "turn"


def singular(word: str) -> str:
    """`turn` of `turns`."""
    return word.removesuffix("s")


_shortest = partial(made, puzzles.Ask, goal=puzzles.Goal.LEAST, threshold=None, turns=None)
"""A maker of questions for a shortest plan."""


class PuzzleBuilder(ModuleBuilder):
    """Builds the nodes of `puzzles.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **ModuleBuilder.NODES,
        "puzzle_head": says("name"),
        "rules": made(Property, "*value", field="rules"),
        "player_count": says("players"),
        "allow": made(Property, "_", field="allow_impossible", value=True),
        "grade": inside(says("grade"), puzzles.Grade),
        "themes": inside(says("themes"), made(puzzles.Themes, "*names")),
        "origin": OriginLine,
        "start": inside(says("start"), made(puzzles.Start, "is_before? point player")),
        "verdict": made(Property, "value", field="answer", value=puzzles.Verdict),
        "plans": made(puzzles.PlanLine, "accepted *actions", accepted=lambda word: word == "accept"),
        "given_plan": made(puzzles.GivenPlan, "player *actions"),
        "positions": inside(says("positions"), made(puzzles.Positions, "*counts")),
        "drawing": DrawingHead,
        # Questions
        "fewest": _shortest("_ point until", value=None, point=singular),
        "count_fewest": _shortest("_ point until", value=None, point=singular, counts=True),
        "least": _shortest("_ value until"),
        "count_least": _shortest("_ value until", counts=True),
        "together": made(puzzles.OtherPlayers, "", play=puzzles.Others.TOGETHER),
        "against_best_play": made(puzzles.OtherPlayers, "", play=puzzles.Others.AGAINST),
        "plans_given": made(puzzles.OtherPlayers, "", play=puzzles.Others.GIVEN),
        "known_chance": made(puzzles.ChanceWords, "", known=puzzles.Chance.KNOWN),
        "in_expectation": made(puzzles.ChanceWords, "", known=puzzles.Chance.EXPECTED),
        "open_cards": puzzles.OpenCards,
        # Values
        "values": collected,
        "word": puzzles.Word,
        "amount_value": puzzles.Amount,
        "coordinate": made(puzzles.Coordinate, "*numbers"),
        "piece": made(puzzles.Piece, "tile count"),
        "lying_piece": made(puzzles.LyingPiece, "kind cell way player"),
        "rest": puzzles.Rest,
    }

    def answer(self, span: Span, number: int, parts: int | None) -> Property:
        if parts == 0:
            self.sink.error("RW011", "division by zero", span, help="write a fraction such as `answer: 70/9`")
        found = Fraction(number, parts or 1)
        return Property("answer", found if found.denominator > 1 else found.numerator, span=span)

    def extremum(self, span: Span, word: str, value: Expression, horizon: HorizonWords) -> puzzles.Ask:
        return puzzles.Ask(puzzles.Goal(word), value, None, horizon.turns, horizon.point, span=span)

    def reach(self, span: Span, condition: Expression, horizon: HorizonWords) -> puzzles.Ask:
        value, threshold = _threshold(condition)
        return puzzles.Ask(puzzles.Goal.REACH, value, threshold, horizon.turns, horizon.point, span=span)

    def count_best(self, span: Span, horizon: HorizonWords | None) -> puzzles.Ask:
        horizon = horizon or HorizonWords()
        return puzzles.Ask(puzzles.Goal.COUNT_BEST, None, None, horizon.turns, horizon.point, span=span)

    def win(self, span: Span, word: str, player: int, turns: int | None, point: str | None) -> puzzles.Ask:
        counted = singular(point or "turn")
        return puzzles.Ask(puzzles.Goal.WIN, None, None, turns, counted, player=player, loses=word == "lose", span=span)

    def ask(
        self,
        span: Span,
        question: puzzles.Ask,
        others: puzzles.OtherPlayers | None,
        chance: puzzles.ChanceWords | None,
        open_cards: puzzles.OpenCards | None,
    ) -> Property:
        said = evolve(question, others=others, chance=chance, open_cards=open_cards, span=span)
        return Property("ask", said, span=span)

    def until_end(self, span: Span) -> HorizonWords:
        return HorizonWords()

    def for_turns(self, span: Span, number: int, word: str) -> HorizonWords:
        point = singular(word)
        return HorizonWords(number, point if number != 1 or point == "turn" else word)

    def plan(self, span: Span, *words: str | puzzles.Coordinate) -> str:
        return " ".join(word if isinstance(word, str) else puzzles.coordinate_text(word) for word in words)

    def setting(
        self,
        span: Span,
        name: str,
        first: puzzles.Index | None,
        second: puzzles.Index | None,
        values: tuple[puzzles.Value, ...],
        word: str | None,
    ) -> puzzles.Setting:
        of = tuple(index for index in (first, second) if index is not None)
        return puzzles.Setting(name, of, values, word is not None, span=span)


def _threshold(condition: Expression) -> tuple[Expression, int | None]:
    """The sides of `value >= number`; any other condition unchanged, with None."""
    match condition:
        case Compare(Comparison.AT_LEAST, value, NumberLiteral(number)):
            return value, number
        case Compare(Comparison.AT_LEAST, value, Negation(NumberLiteral(number))):
            return value, -number
        case _:
            return condition, None
