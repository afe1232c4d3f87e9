"""Documents about positions and games that are played."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from rulewright.api.state_data import Situation
from rulewright.rules.play.history import EntryInWords

from .common import Fault, File, Line, Origin
from .document import Document, Of


class Position(Situation):
    """A state with its name and modules."""

    name: str
    rules: list[str]


class Show(Position, Document):
    """`show`"""

    line: str


class ShowFolder(Document):
    """`show FOLDER`"""

    positions: list[Position]


class PlayerStanding(TypedDict):
    """The scores of a player by name, whether nobody stands better (null where nothing decides that), and the rank."""

    player: int
    scores: dict[str, int]
    leads: bool | None
    rank: NotRequired[str]


class Standings(TypedDict):
    """How players stand, in games where each has a score."""

    standings: NotRequired[list[PlayerStanding]]


class Item(TypedDict):
    """Points with the rule that gave them; `cell`, `tile` and `case` are what they were given for."""

    rule: str
    points: int
    cell: list[int] | None
    space: str | None
    tile: str | None
    case: str | None
    module: str
    cite: str | None


class Score(Standings, Document):
    """`score`"""

    score: int
    items: list[Item]


class Actions(Document):
    """`actions`: the legal actions, as players write them."""

    legal: list[str]


class FirstMoveLines(TypedDict):
    """The number of the longest lines that begin with a move, or with the moves of a turn."""

    text: str
    lines: int


class Perft(Document):
    """`perft`: how many lines of play have 0, 1, 2, … moves or turns (`counted`). If the run ended before all were counted, it
    is not `complete`: `counts` has fewer lengths, and `first_moves` some of the first moves (with `--divide --turns`: the first
    turns) of the next."""

    name: str
    rules: list[str]
    players: int
    counted: str
    complete: bool
    counts: list[int]
    first_moves: list[FirstMoveLines]
    remarks: list[str]


class Because(TypedDict):
    """A definition within a requirement that does not hold."""

    definition: Annotated[str, Of("name")]
    text: str | None
    module: str | None
    cite: str | None


class FailedRequirement(TypedDict):
    """A requirement that an action fails; `involved` names cells and tiles."""

    requirement: str
    message: str
    file: File
    line: Line
    module: str | None
    cite: str | None
    involved: list[str]
    because: Annotated[list[Because], Of("parts")]


class Why(Document):
    """`actions --why`"""

    legal: bool
    failed: list[FailedRequirement]


class Action(TypedDict):
    """An action that was played, and the score after it."""

    player: int
    text: str
    score: int


class Course(Standings):
    """A game up to a state."""

    over: bool
    score: int
    rank: str | None
    actions: list[Action]


class Play(Course, Document):
    """`play`"""

    name: str
    rules: list[str]
    players: int


class Replay(Course, Document):
    """`replay` of a game that is legal."""

    file: str
    legal: Literal[True]


class ReplayRefused(Document):
    """`replay` of a game with an illegal action or a wrong score. `action` is its number, counted from 1."""

    file: str
    legal: Literal[False]
    action: int
    errors: list[Fault]


class Written(EntryInWords, Origin):
    """A change of a value in words, with the clause that wrote it and where that is."""


class History(Document):
    """`replay --history`"""

    history: str
    changes: list[Written]


class Share(Document):
    """`share`"""

    name: str
    rules: list[str]
    line: str


class Import(Document):
    """`import`: the puzzles by name, and the files that hold them or, without a folder, the text of the only one; `remarks` say
    what was left out."""

    rules: list[str]
    names: list[str]
    files: list[str]
    texts: list[str]
    remarks: list[str]


class Export(Document):
    """`export`: a position as text in a format."""

    name: str
    format: str
    text: str


class PageFile(TypedDict):
    """`page`: the file, the puzzles and games that it plays, those that it can solve, the element that embeds it."""

    schema: Literal["rulewright/page/1"]
    file: str
    titles: list[str]
    solved_on_page: list[str]
    bytes: int
    embed: str


class Site(Document):
    """`site`: the folder, and the puzzles of each game."""

    folder: str
    games: dict[str, list[str]]


class ShareText(Document):
    """`share --text`: the puzzle in a share line."""

    text: str
