"""Specifies the puzzles wanted: their rules, their question, and the properties to prove."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from rulewright.base.choices import Sole
from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.records import evolve, frozen
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.static.natural_question import HIGHEST_SCORE
from rulewright.studies.batch_solving import BESIDES_MIB, BESIDES_SECONDS
from rulewright.workers.executor import HardLimits

GOALS = (Goal.MAXIMISE, Goal.MINIMISE, Goal.LEAST, Goal.WIN)
"""The goals whose answer is a value on a scale."""


MOST_LONG_PROOFS = 30
"""The number of proofs of an attempt that may use all of their time."""


@frozen
class Interval:
    """The integers from `low` to `high`, both included."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@frozen
class Commission:
    """`rules` are modules by name, `start` the text of a puzzle that play starts from (empty: the set-up).

    `tiles` is the number still to come in a position, `moves` that of a shortest plan, both None for any number. `bits` limits
    how much there is to choose in a solution (`Features.choice`); None does not. `gap` and
    `lead` are the least amounts by which greedy play and the second best key must fall short of the answer. `uses` are names of
    actions, markers and clauses, without each of which the answer differs. `seconds` limits one proof. `sooner` is asked
    instead if that takes too long, or play may repeat a position (empty: nothing is).
    """

    rules: tuple[str, ...]
    players: int
    goal: str
    seed: int = 1
    start: str = ""
    tiles: Interval | None = None
    moves: Interval | None = None
    bits: float | None = None
    sole: Sole = Sole.SOLUTION
    gap: int = 1
    lead: int = 1
    uses: tuple[str, ...] = ()
    grades: Interval = Interval(1, 5)
    reduces: bool = True
    seconds: float = 20.0
    memory_mib: int = 1024
    sooner: str = ""
    elsewhere: tuple[Commission, ...] = ()

    @property
    def ask(self) -> Ask:
        """The question. Raises `RulesError` for a text without a question."""
        return parsed_goal(self.goal)

    @property
    def digest(self) -> str:
        """A digest of everything that determines the puzzles: all but the limits of time and memory."""
        elsewhere = tuple(evolve(one, seconds=0.0, memory_mib=0) for one in self.elsewhere)
        return sha256(repr(evolve(self, seconds=0.0, memory_mib=0, elsewhere=elsewhere)).encode()).hexdigest()[:16]

    @property
    def hard_limits(self) -> HardLimits:
        """The limits at which an attempt that exceeds its own limits is killed: they allow for several proofs, and for
        memory besides theirs."""
        return HardLimits(BESIDES_SECONDS + MOST_LONG_PROOFS * self.seconds, self.memory_mib + BESIDES_MIB)

    def question(self, game: Game) -> Question:
        """The question, linked. Raises `RulesError`, also if no puzzle with this question can be made."""
        question = question_of(game, self.ask, self.players)
        is_of_goals = question.goal in GOALS or question.own_turns is not None
        if not is_of_goals or question.in_expectation or question.counts:
            message = f"cannot make puzzles that ask `{self.goal}`"
            help = (
                "ask `maximise …`, `minimise …`, `fewest … until …`, `least … until …`, `win for …` or `win for … in … turns`"
            )
            raise usage_error(message, help)
        return question


def parsed_goal(goal: str) -> Ask:
    """The question in a text such as `maximise score until end`. Raises `RulesError`."""
    try:
        puzzle = parse_puzzle(f"puzzle goal:\n    rules goal\n    ask: {goal}\n", "the goal")
    except RulesError as error:
        raise _no_question(goal, error.diagnostics[0].message) from error
    if puzzle.ask is None or puzzle.given or puzzle.settings or puzzle.plans:
        raise _no_question(goal, "it contains more than a question")
    return puzzle.ask


def _no_question(goal: str, why: str) -> RulesError:
    message = f"`{goal}` is not a question: {why}"
    return usage_error(message, f"write it as after `ask:` in a puzzle: `{HIGHEST_SCORE}`")


def interval_of(text: str) -> Interval | None:
    """`6..9`, or `7` for `7..7`; None for anything else."""
    parts: Sequence[str] = text.split("..")
    if len(parts) > 2 or not all(part.isdecimal() and len(part) < 7 for part in parts):
        return None
    low, high = int(parts[0]), int(parts[-1])
    return Interval(low, high) if low <= high else None
