"""The nodes of single lines of a puzzle."""

from __future__ import annotations

from . import scenarios as p
from .building import Dotted
from .classes import frozen
from .expressions import Expression
from .read_modules import ModuleBuilder
from .spans import Span


@frozen
class PuzzleHead:
    """`puzzle first_light:`"""

    name: str
    span: Span


@frozen
class Rules:
    """`rules shoals + shoals.storm`"""

    modules: tuple[tuple[str, Span], ...]
    span: Span


@frozen
class PlayerCount:
    """`players 2`"""

    number: int
    span: Span


@frozen
class Allow:
    """`allow impossible position`"""

    span: Span


@frozen
class Origin:
    """`origin 3,4`: row, column of the drawing's top left cell."""

    row: int
    column: int
    span: Span


@frozen
class Answer:
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
class Horizon:
    """`until end` or `for 2 turns`"""

    turns: int | None = None
    point: str = "turn"


class PuzzleBuilder(ModuleBuilder):
    """A method for every rule of `puzzles.lark`."""

    def puzzle_head(self, span: Span, name: Dotted) -> PuzzleHead:
        return PuzzleHead(name.text, span)

    def rules(self, span: Span, *names: Dotted) -> Rules:
        return Rules(tuple((name.text, name.span) for name in names), span)

    def player_count(self, span: Span, number: int) -> PlayerCount:
        return PlayerCount(number, span)

    def allow(self, span: Span) -> Allow:
        return Allow(span)

    def origin(self, span: Span, row: int, column: int) -> Origin:
        return Origin(row, column, span)

    def start(self, span: Span, point: str, player: int) -> p.Start:
        return p.Start(point, player, span=span)

    def asking(self, span: Span, ask: p.Ask) -> p.Ask:
        return ask

    def extremum(self, span: Span, word: str, value: Expression, horizon: Horizon) -> p.Ask:
        return p.Ask(p.Goal(word), value, None, horizon.turns, horizon.point, span=span)

    def reach(self, span: Span, value: Expression, sign: str, threshold: int, horizon: Horizon) -> p.Ask:
        if sign != ">=":
            self.sink.error("RW011", f"`{sign}` cannot be asked for", span, help="write `reach score >= 12 …`")
        return p.Ask(p.Goal.REACH, value, threshold, horizon.turns, horizon.point, span=span)

    def count_best(self, span: Span, horizon: Horizon | None) -> p.Ask:
        horizon = horizon or Horizon()
        return p.Ask(p.Goal.COUNT_BEST, None, None, horizon.turns, horizon.point, span=span)

    def until_end(self, span: Span) -> Horizon:
        return Horizon()

    def for_turns(self, span: Span, number: int, word: str) -> Horizon:
        singular = word.removesuffix("s")
        return Horizon(number, singular if number != 1 or singular == "turn" else word)

    def answer(self, span: Span, number: int) -> Answer:
        return Answer(number, span)

    def plans(self, span: Span, word: str, *actions: str) -> p.PlanLine:
        return p.PlanLine(word == "accept", actions, span=span)

    def plan(self, span: Span, *words: str | p.Coordinate) -> str:
        return " ".join(word if isinstance(word, str) else coordinate_text(word) for word in words)

    def positions(self, span: Span, *counts: int) -> p.Positions:
        return p.Positions(counts, span=span)

    def setting(
        self,
        span: Span,
        name: str,
        index: p.Coordinate | p.Word | p.Amount | None,
        values: tuple[p.Value, ...],
        word: str | None,
    ) -> p.Setting:
        return p.Setting(name, index, values, word is not None, span=span)

    def drawing(self, span: Span, space: str, level: int | None) -> DrawingHead:
        return DrawingHead(space, level, span)

    def values(self, span: Span, *values: p.Value) -> tuple[p.Value, ...]:
        return values

    def coordinate(self, span: Span, *numbers: int) -> p.Coordinate:
        return p.Coordinate(numbers, span=span)

    def word(self, span: Span, text: str) -> p.Word:
        return p.Word(text, span=span)

    def amount_value(self, span: Span, number: int) -> p.Amount:
        return p.Amount(number, span=span)

    def piece(self, span: Span, tile: str, count: int | None) -> p.Piece:
        return p.Piece(tile, 1 if count is None else count, span=span)

    def rest(self, span: Span, seed: int) -> p.Rest:
        return p.Rest(seed, span=span)


def coordinate_text(coordinate: p.Coordinate) -> str:
    """`(3,1)`"""
    return f"({','.join(map(str, coordinate.numbers))})"
