"""The nodes of single lines of a puzzle."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.editions import Edition
from rulewright.grammar.tree.expressions import Compare, Comparison, Expression, Negation, NumberLiteral

from .node_builder import NodeClasses
from .read_modules import ModuleBuilder


@frozen
class PuzzleHead(Located):
    """`puzzle first_light:`"""

    name: str


@frozen
class RulesLine(Located):
    """`rules shoals + shoals.storm`"""

    modules: tuple[tuple[str, Span], ...]


@frozen
class PlayersLine(Located):
    """`players 2`"""

    number: int


@frozen
class AllowLine(Located):
    """`allow impossible position`"""


@frozen
class OriginLine(Located):
    """`origin 3,4`: row, column of the drawing's top left cell."""

    row: int
    column: int


@frozen
class AnswerLine(Located):
    """`answer: 9`, `answer: 70/9`, `answer: impossible`"""

    answer: puzzles.Answer


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


class PuzzleBuilder(ModuleBuilder):
    """Builds the nodes of `puzzles.lark`."""

    NODES: ClassVar[NodeClasses] = {
        **ModuleBuilder.NODES,
        "puzzle_head": PuzzleHead,
        "player_count": PlayersLine,
        "edition": Edition,
        "grade": puzzles.Grade,
        "origin": OriginLine,
        "start": puzzles.Start,
        "drawing": DrawingHead,
        "word": puzzles.Word,
        "amount_value": puzzles.Amount,
        "rest": puzzles.Rest,
    }

    def rules(self, span: Span, *modules: tuple[str, Span]) -> RulesLine:
        return RulesLine(modules, span=span)

    def allow(self, span: Span, word: str) -> AllowLine:
        return AllowLine(span=span)

    def themes(self, span: Span, *names: str) -> puzzles.Themes:
        return puzzles.Themes(names, span=span)

    def answer(self, span: Span, number: int, parts: int | None) -> AnswerLine:
        if parts == 0:
            self.sink.error("RW011", "division by zero", span, help="write a fraction such as `answer: 70/9`")
        found = Fraction(number, parts or 1)
        return AnswerLine(found if found.denominator > 1 else found.numerator, span=span)

    def verdict(self, span: Span, word: str) -> AnswerLine:
        return AnswerLine(puzzles.Verdict(word), span=span)

    def extremum(self, span: Span, word: str, value: Expression, horizon: HorizonWords) -> puzzles.Ask:
        return puzzles.Ask(puzzles.Goal(word), value, None, horizon.turns, horizon.point, span=span)

    def reach(self, span: Span, condition: Expression, horizon: HorizonWords) -> puzzles.Ask:
        value, threshold = _threshold(condition)
        return puzzles.Ask(puzzles.Goal.REACH, value, threshold, horizon.turns, horizon.point, span=span)

    def count_best(self, span: Span, horizon: HorizonWords | None) -> puzzles.Ask:
        horizon = horizon or HorizonWords()
        return puzzles.Ask(puzzles.Goal.COUNT_BEST, None, None, horizon.turns, horizon.point, span=span)

    def fewest(self, span: Span, word: str, counted: str, until: Expression) -> puzzles.Ask:
        return puzzles.Ask(puzzles.Goal.LEAST, None, None, None, counted.removesuffix("s"), until, span=span)

    def least(self, span: Span, word: str, value: Expression, until: Expression) -> puzzles.Ask:
        return puzzles.Ask(puzzles.Goal.LEAST, value, None, None, until=until, span=span)

    def count_fewest(self, span: Span, *words: Any) -> puzzles.Ask:
        return evolve(self.fewest(span, *words), counts=True)

    def count_least(self, span: Span, *words: Any) -> puzzles.Ask:
        return evolve(self.least(span, *words), counts=True)

    def win(self, span: Span, word: str, player: int, turns: int | None, point: str | None) -> puzzles.Ask:
        singular = (point or "turn").removesuffix("s")
        return puzzles.Ask(puzzles.Goal.WIN, None, None, turns, singular, player=player, loses=word == "lose", span=span)

    def ask(
        self,
        span: Span,
        question: puzzles.Ask,
        others: puzzles.OtherPlayers | None,
        chance: puzzles.ChanceWords | None,
        open_cards: puzzles.OpenCards | None,
    ) -> puzzles.Ask:
        return evolve(question, others=others, chance=chance, open_cards=open_cards, span=span)

    def open_cards(self, span: Span) -> puzzles.OpenCards:
        return puzzles.OpenCards(span=span)

    def known_chance(self, span: Span) -> puzzles.ChanceWords:
        return puzzles.ChanceWords(puzzles.Chance.KNOWN, span=span)

    def in_expectation(self, span: Span) -> puzzles.ChanceWords:
        return puzzles.ChanceWords(puzzles.Chance.EXPECTED, span=span)

    def together(self, span: Span) -> puzzles.OtherPlayers:
        return puzzles.OtherPlayers(puzzles.Others.TOGETHER, span=span)

    def against_best_play(self, span: Span) -> puzzles.OtherPlayers:
        return puzzles.OtherPlayers(puzzles.Others.AGAINST, span=span)

    def plans_given(self, span: Span) -> puzzles.OtherPlayers:
        return puzzles.OtherPlayers(puzzles.Others.GIVEN, span=span)

    def given_plan(self, span: Span, player: int, *actions: str) -> puzzles.GivenPlan:
        return puzzles.GivenPlan(player, actions, span=span)

    def until_end(self, span: Span) -> HorizonWords:
        return HorizonWords()

    def for_turns(self, span: Span, number: int, word: str) -> HorizonWords:
        singular = word.removesuffix("s")
        return HorizonWords(number, singular if number != 1 or singular == "turn" else word)

    def plans(self, span: Span, word: str, *actions: str) -> puzzles.PlanLine:
        return puzzles.PlanLine(word == "accept", actions, span=span)

    def plan(self, span: Span, *words: str | puzzles.Coordinate) -> str:
        return " ".join(word if isinstance(word, str) else puzzles.coordinate_text(word) for word in words)

    def positions(self, span: Span, *counts: int) -> puzzles.Positions:
        return puzzles.Positions(counts, span=span)

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

    def values(self, span: Span, *values: puzzles.Value) -> tuple[puzzles.Value, ...]:
        return values

    def coordinate(self, span: Span, *numbers: int) -> puzzles.Coordinate:
        return puzzles.Coordinate(numbers, span=span)

    def lying_piece(
        self, span: Span, kind: str, cell: puzzles.Coordinate | puzzles.Word, way: str | None, player: int | None
    ) -> puzzles.LyingPiece:
        return puzzles.LyingPiece(kind, cell, way or "", player or 0, span=span)

    def piece(self, span: Span, tile: str, count: int | None) -> puzzles.Piece:
        return puzzles.Piece(tile, 1 if count is None else count, span=span)


def _threshold(condition: Expression) -> tuple[Expression, int | None]:
    """The sides of `value >= number`; any other condition unchanged, with None."""
    match condition:
        case Compare(Comparison.AT_LEAST, value, NumberLiteral(number)):
            return value, number
        case Compare(Comparison.AT_LEAST, value, Negation(NumberLiteral(number))):
            return value, -number
        case _:
            return condition, None
