"""The tree of a puzzle: the contents of a `*.puzzle` file, as written."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction

from rulewright.base.records import field, frozen
from rulewright.base.spans import NO_SPAN, Located, Named, Span, names_without_spans

from .declarations import Edition
from .expressions import Expression


@frozen
class DrawnCell(Located):
    """`hq@1`, `bend/3`, `.`, `.@1@2`: `tile` is empty for a vacant cell, `players` count from 1.

    `turn` is the tile's number of rotation steps. The first cell of a piece is drawn as `hook/m1@2`, the others as `+`.
    """

    tile: str
    players: tuple[int, ...] = ()
    turn: int = 0
    mirrored: bool = False


@frozen
class Drawing(Located):
    """A board (or one level of it) drawn as rows of cells, north to south. `indents` are the rows' indentations in columns."""

    space: str
    rows: tuple[tuple[DrawnCell, ...], ...]
    indents: tuple[int, ...] = ()
    level: int = 0
    origin: tuple[int, int] | None = None


@frozen
class Piece(Located):
    """`open x2`"""

    tile: str
    count: int = 1


@frozen
class Coordinate(Located):
    """`(3,1)`: column, row, and level or nothing."""

    numbers: tuple[int, ...]


@frozen
class Word(Located):
    """`yes`, `red`, `north`"""

    text: str


@frozen
class Amount(Located):
    """`4`"""

    number: int


@frozen
class Rest(Located):
    """`rest, seed 7`, or `rest` if the order does not matter."""

    seed: int | None = None


@frozen
class LyingPiece(Located):
    """`boat (1,2) east@1`: a piece at a place, and its owner; 0 if none is given."""

    kind: str
    cell: Coordinate | Word
    way: str = ""
    player: int = 0


Value = Piece | Coordinate | Word | Amount | Rest | LyingPiece

Index = Coordinate | Word | Amount
"""The index of a variable, as a setting writes it."""


@frozen
class Setting(Named):
    """`hand 1: open x2, mast`, `tokens 1: 4`, `draw: rest, seed 7`, `draw: none`, `draw: mast, open` + `open`.

    `of` is the text between the name and the colon; `values` is empty for `none`. A bare name is a `Piece` with count one: only
    the rules tell what it stands for. `open_to_all` is the closing word `open` of R6.
    """

    of: tuple[Index, ...]
    values: tuple[Value, ...]
    open_to_all: bool = False


@frozen
class Start(Located):
    """`start: turn of 1`; or `start: before turn of 1`, where what the flow does before the first choice is still to come."""

    point: str
    player: int
    is_before: bool = False


class Goal(Enum):
    MAXIMISE = "maximise"
    MINIMISE = "minimise"
    REACH = "reach"
    COUNT_BEST = "count best"
    LEAST = "least"
    WIN = "win"


class Others(Enum):
    """How the other players play."""

    TOGETHER = "together"
    AGAINST = "against best play"
    GIVEN = "with their plans given"


@frozen
class OtherPlayers(Located):
    """A question's closing words on the other players."""

    play: Others


class Chance(Enum):
    """What is known of chance."""

    KNOWN = "knowing what comes"
    EXPECTED = "in expectation"


@frozen
class ChanceWords(Located):
    """A question's closing words on chance."""

    known: Chance


@frozen
class OpenCards(Located):
    """A question's closing words `with open cards`: every player sees the whole state."""


@frozen
class Ask(Located):
    """`ask: maximise score until end`, `… for 2 turns`, `reach score >= 12 for 3 turns`, `reach solved until end`, `count
    best`, `fewest moves until …`, `count fewest moves until …`, `win for 1`, `lose for 1 in 2 turns`; any of them and `…
    against best play`, `… in expectation`, `… with open cards`.

    The goal of `reach` is that the value is at least the `threshold`, or a condition if there is no threshold.

    `turns` is None for `until end`; `point` is the flow point that is counted (`turn` for `turns`), or `move`. `until` is the
    condition of a shortest plan, whose cost is the `value`, or else the number of `point`s. `player` is the one who is to win,
    in `turns` of their own if these are given.
    If `counts`, shortest plans are counted; if it `loses`, the player is to lose.
    """

    goal: Goal
    value: Expression | None
    threshold: int | None
    turns: int | None
    point: str = "turn"
    until: Expression | None = None
    player: int | None = None
    others: OtherPlayers | None = None
    chance: ChanceWords | None = None
    open_cards: OpenCards | None = None
    counts: bool = False
    loses: bool = False


class Verdict(Enum):
    """An answer in one word: whether something can be reached, that no line of play reaches what the question asks, or how a
    game ends for a player; in a draw others have won too."""

    YES = "yes"
    NO = "no"
    IMPOSSIBLE = "impossible"
    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


OUTCOMES = {1: Verdict.WIN, 0: Verdict.DRAW, -1: Verdict.LOSS}
"""How a game ends for a player, by the number that searches use."""

GRADES = 5
"""Greatest grade."""

Answer = int | Fraction | Verdict
"""The value of `answer:`."""


@frozen
class PlanLine(Located):
    """`accept: place open north, stop` or `refuse: sail east`: the actions as written."""

    accepted: bool
    actions: tuple[str, ...]


@frozen
class GivenPlan(Located):
    """`plan of 2: lay bend (1,2), stop`: what another player does, turn by turn."""

    player: int
    actions: tuple[str, ...]


@frozen
class Positions(Located):
    """`positions: 1, 12, 140`: the number of lines of play of 0, 1, 2, … moves (perft)."""

    counts: tuple[int, ...]


@frozen
class Grade(Located):
    """`grade 2`: how hard the puzzle is, from 1 (easy) to 5."""

    number: int


@frozen
class Themes(Located):
    """`themes sacrifice, detour`: what the solution is about."""

    names: tuple[str, ...]


@frozen
class Puzzle(Named):
    """A whole `*.puzzle` file."""

    text: str
    rules: tuple[tuple[str, Span], ...] = field(eq=names_without_spans)
    players: int | None
    drawings: tuple[Drawing, ...]
    settings: tuple[Setting, ...]
    start: Start | None
    ask: Ask | None
    answer: Answer | None
    plans: tuple[PlanLine, ...] = ()
    positions: Positions | None = None
    allow_impossible: bool = False
    given: tuple[GivenPlan, ...] = ()
    grade: Grade | None = None
    themes: Themes | None = None
    edition: Edition | None = None
    players_span: Span = field(default=NO_SPAN, eq=False, repr=False, kw_only=True)
    answer_span: Span = field(default=NO_SPAN, eq=False, repr=False, kw_only=True)


def answer_text(answer: Answer) -> str:
    """`7`, `yes`, `impossible`"""
    return answer.value if isinstance(answer, Verdict) else str(answer)


def coordinate_text(coordinate: Coordinate) -> str:
    """`(3,1)`"""
    return f"({','.join(map(str, coordinate.numbers))})"
