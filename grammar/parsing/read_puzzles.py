"""The nodes of single lines of a puzzle."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.expressions import Expression

from .node_builder import DottedName
from .read_modules import ModuleBuilder


@frozen
class PuzzleHead:
    """`puzzle first_light:`"""

    name: str
    span: Span


@frozen
class RulesLine:
    """`rules shoals + shoals.storm`"""

    modules: tuple[tuple[str, Span], ...]
    span: Span


@frozen
class PlayersLine:
    """`players 2`"""

    number: int
    span: Span


@frozen
class AllowLine:
    """`allow impossible position`"""

    span: Span


@frozen
class OriginLine:
    """`origin 3,4`: row, column of the drawing's top left cell."""

    row: int
    column: int
    span: Span


@frozen
class AnswerLine:
    """`answer: 9`"""

    number: int
    span: Span


@frozen
class DrawingHead:
    """`sea:` or `tower level 2:` with the rows below."""

    space: str
    level: int | None
    span: Span


@frozen
class HorizonWords:
    """`until end` or `for 2 turns`"""

    turns: int | None = None
    point: str = "turn"


class PuzzleBuilder(ModuleBuilder):
    """A method for every rule of `puzzles.lark`."""

    def puzzle_head(self, span: Span, name: DottedName) -> PuzzleHead:
        return PuzzleHead(name.text, span)

    def rules(self, span: Span, *names: DottedName) -> RulesLine:
        return RulesLine(tuple((name.text, name.span) for name in names), span)

    def player_count(self, span: Span, number: int) -> PlayersLine:
        return PlayersLine(number, span)

    def allow(self, span: Span) -> AllowLine:
        return AllowLine(span)

    def origin(self, span: Span, row: int, column: int) -> OriginLine:
        return OriginLine(row, column, span)

    def start(self, span: Span, point: str, player: int) -> puzzles.Start:
        return puzzles.Start(point, player, span=span)

    def asking(self, span: Span, ask: puzzles.Ask) -> puzzles.Ask:
        return ask

    def extremum(self, span: Span, word: str, value: Expression, horizon: HorizonWords) -> puzzles.Ask:
        return puzzles.Ask(puzzles.Goal(word), value, None, horizon.turns, horizon.point, span=span)

    def reach(self, span: Span, value: Expression, sign: str, threshold: int, horizon: HorizonWords) -> puzzles.Ask:
        if sign != ">=":
            self.sink.error("RW011", f"`{sign}` cannot be asked for", span, help="write `reach score >= 12 …`")
        return puzzles.Ask(puzzles.Goal.REACH, value, threshold, horizon.turns, horizon.point, span=span)

    def count_best(self, span: Span, horizon: HorizonWords | None) -> puzzles.Ask:
        horizon = horizon or HorizonWords()
        return puzzles.Ask(puzzles.Goal.COUNT_BEST, None, None, horizon.turns, horizon.point, span=span)

    def until_end(self, span: Span) -> HorizonWords:
        return HorizonWords()

    def for_turns(self, span: Span, number: int, word: str) -> HorizonWords:
        singular = word.removesuffix("s")
        return HorizonWords(number, singular if number != 1 or singular == "turn" else word)

    def answer(self, span: Span, number: int) -> AnswerLine:
        return AnswerLine(number, span)

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
        index: puzzles.Coordinate | puzzles.Word | puzzles.Amount | None,
        values: tuple[puzzles.Value, ...],
        word: str | None,
    ) -> puzzles.Setting:
        return puzzles.Setting(name, index, values, word is not None, span=span)

    def drawing(self, span: Span, space: str, level: int | None) -> DrawingHead:
        return DrawingHead(space, level, span)

    def values(self, span: Span, *values: puzzles.Value) -> tuple[puzzles.Value, ...]:
        return values

    def coordinate(self, span: Span, *numbers: int) -> puzzles.Coordinate:
        return puzzles.Coordinate(numbers, span=span)

    def word(self, span: Span, text: str) -> puzzles.Word:
        return puzzles.Word(text, span=span)

    def amount_value(self, span: Span, number: int) -> puzzles.Amount:
        return puzzles.Amount(number, span=span)

    def piece(self, span: Span, tile: str, count: int | None) -> puzzles.Piece:
        return puzzles.Piece(tile, 1 if count is None else count, span=span)

    def rest(self, span: Span, seed: int) -> puzzles.Rest:
        return puzzles.Rest(seed, span=span)
