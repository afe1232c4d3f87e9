"""Documents about answers."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from rulewright.base.input_files import display_path

from .common import Answer, Fault, Origin
from .document import Document, Of


class Step(TypedDict):
    """An action of a plan; `score` is what the question asks for, after it."""

    player: int
    turn: int
    text: str
    action: str
    arguments: dict[str, Any]
    score: Annotated[int | None, Of("value")]


class Fraction(TypedDict):
    """A fraction as text, as two numbers and as a decimal. The numbers may be too long for readers other than Python."""

    text: Annotated[str, Of("", str)]
    numerator: int
    denominator: int
    decimal: Annotated[float, Of("", float)]


class FirstMove(TypedDict):
    """A first action with what may be expected after it."""

    text: str
    expected: Fraction


class MixedMove(TypedDict):
    """An action and how often an optimal strategy takes it."""

    text: str
    probability: Fraction


class MixedChoice(TypedDict):
    """What a strategy does at a choice, as its player knows it: `sees` are values that tell it from their other choices."""

    player: int
    sees: list[str]
    moves: list[MixedMove]


class Dual(TypedDict):
    """An action of the plan in whose place others are as good."""

    action: Annotated[int, Of("number")]
    text: str
    others: list[str]


class Uniqueness(TypedDict):
    """The first action (key), others that are as good (cooks), and duals; `plan` says whether the whole plan is unique."""

    plan: Annotated[bool, Of("is_unique")]
    key: Annotated[str, Of("key.text")]
    cooks: Annotated[list[str], Of("key.others")]
    duals: list[Dual]
    up_to_order: bool


class Variation(TypedDict):
    """An action, by the player who asks if it is their `own`, and what may follow: all defences, or each continuation that
    solves the problem."""

    number: int
    player: int
    text: str
    own: Annotated[bool, Of("is_own")]
    replies: list[Variation]


class Try(TypedDict):
    """A first action that only one reply refutes."""

    text: str
    refutation: str


class Solution(TypedDict):
    """The solution of a problem: its keys with their variations, tries, and what is prepared if the other side begins."""

    variations: list[Variation]
    tries: list[Try]
    set_play: list[Variation]


class Sensitivity(Origin):
    """What the answer would be without a requirement, or with another limit, number or tile."""

    name: Annotated[str, Of("perturbation.name")]
    change: Annotated[str, Of("perturbation.change")]
    rules: Annotated[str | None, Of("perturbation.rules")]
    score: int | None
    gain: int | None
    proved: bool
    problem: str | None
    message: Annotated[str | None, Of("perturbation.message")]


class Counting(TypedDict):
    """What counts as one plan, and why plans were not counted."""

    counted_as: NotRequired[str | None]
    uncounted: NotRequired[str | None]


class Expectation(TypedDict):
    """The expected value of a question `in expectation`, and that of every first action, best first; if players may not see
    everything, the strategies of both."""

    expectation: NotRequired[Fraction]
    first_moves: NotRequired[list[FirstMove]]
    strategies: NotRequired[list[MixedChoice]]


class Plans(Counting):
    """The best plans that `--all` lists, whether they are all, and their number."""

    plans: NotRequired[list[list[Step]]]
    all_plans: NotRequired[bool]
    count: NotRequired[int | None]


class Certificate(TypedDict):
    """The file of `--certificate` and its size in bytes; if that is null, there is `none`, and why. `states` were labelled, or
    met until then."""

    file: str
    bytes: int | None
    states: int
    none: str | None


class SolvedPuzzle(Plans, Expectation):
    """An answer. `status` is `optimal`, `feasible`, `impossible` or `unknown`; `proof` names what proved it; `proved_up_to` is
    the probability that two states were confused. `--unique`, `--why`, `--against` and `--certificate` add fields."""

    puzzle: str
    rules: list[str]
    status: str
    score: int | None
    bound: int | None
    verified: bool
    plan: list[Step]
    expected: Answer
    seconds: float
    proof: str | None
    proved_up_to: float | None
    states: int
    remarks: list[str]
    against: NotRequired[str]
    misjudged: NotRequired[list[str]]
    states_are_about: NotRequired[bool]
    automorphisms: NotRequired[int]
    unique: NotRequired[Uniqueness | None]
    solution: NotRequired[Solution | None]
    why: NotRequired[list[Sensitivity] | None]
    certificate: NotRequired[Certificate | None]


class Solve(SolvedPuzzle, Document):
    """`solve`"""

    line: NotRequired[str | None]


class SolveFolder(Document):
    """`solve FOLDER`"""

    puzzles: list[SolvedPuzzle]
    errors: list[Fault]


class SolveMany(Document):
    """`solve --many`, a document on each line. `answer` is proved; `known` says that it was in the file of answers."""

    key: str
    file: Annotated[str, Of("file", display_path)]
    puzzle: str
    status: str
    rules: list[str]
    score: int | None
    bound: int | None
    answer: Answer
    expected: Answer
    agrees: bool | None
    proof: str
    plan: list[str]
    states: int
    seconds: float
    allowed_seconds: float
    allowed_mib: int
    message: str
    known: bool


class MadePuzzle(TypedDict):
    """A puzzle that was made: the first action of its solution, its grade and answer, and its share line."""

    name: Annotated[str, Of("puzzle")]
    file: str
    attempt: int
    key: Annotated[str, Of("traits.key")]
    grade: int
    answer: str
    line: str


class Commission(TypedDict):
    """What was asked for."""

    rules: list[str]
    goal: str
    seed: int


class Make(Document):
    """`make`: `faults` counts why attempts failed, `aside` the puzzles that were too like others."""

    commission: Commission
    puzzles: list[MadePuzzle]
    aside: int
    attempts: int
    faults: dict[str, int]
