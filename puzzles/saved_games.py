"""Saved games, `*.play`: how a game began and every action since, with the recorded scores.

    play first_voyage:
        "A text about it."
        rules house.rules_of_mine + house.another       # or `from PUZZLE`, and none of the three; or `from PUZZLE with MODULE`
        players 2
        seed 7

        1: place open north
        1: stop = 3                                     # the score after it was 3

A game from the set-up on is a function of its seed and its actions; a puzzle's position has a random state of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, Label, RulesError, Sink
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.named_texts import Texts
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Located, Named, Span, names_without_spans
from rulewright.grammar.parsing.lines import SourceText, read_source
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.semantics.costs import MOST_BITS

from .catalogue import Catalogue
from .from_tree import set_up_position
from .plan_replay import PlanError, Ply, plies
from .set_ups import cached_engine

_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
_HEADER = re.compile(rf"play +({_NAME}) *:")
_TEXT = re.compile(r'"([^"]*)"')
_RULES = re.compile(rf"rules +({_NAME}(?: *\+ *{_NAME})*)")
_FROM = re.compile(rf"from +(\S+)(?: +with +({_NAME}(?: *\+ *{_NAME})*))?")
_NUMBER = re.compile(r"(players|seed) +([0-9]{1,20})")
_DIGITS = MOST_BITS * 3 // 10 + 10  # of a sum of many numbers as large as rules can produce
_ACTION = re.compile(rf"([0-9]{{1,3}}) *: *([^=]*[^= ]) *(?:= *(-?[0-9]{{1,{_DIGITS}}}))?")

LINES = "expected `rules`, `players`, `seed`, `from`, or an action such as `1: stop`"


@frozen
class RecordedAction(Located):
    """A line `1: place open north = 3`; `score` is None if none was recorded."""

    player: int
    text: str
    score: int | None = None


@frozen
class SavedGame(Named):
    """A game from its set-up (`rules`, `players`, `seed`), or from the puzzle `begun`, to whose rules `rules` are added."""

    rules: tuple[tuple[str, Span], ...] = field(default=(), eq=names_without_spans)
    players: int | None = None
    seed: int = 0
    begun: str = ""
    actions: tuple[RecordedAction, ...] = ()
    text: str = ""


def parse_saved_game(text: str, source: str, limits: Limits = DEFAULT_LIMITS) -> SavedGame:
    """Parse a saved game. Raises `RulesError`: RW340-RW343, and RW001-RW051 as in any text."""
    sink = Sink()
    code = read_source(text, source, sink, limits)
    sink.stop()
    assert code is not None
    play = _SavedGameParser(code, sink).play()
    sink.stop()
    return play


def read_saved_game(path: Path, texts: Texts) -> SavedGame:
    """The saved game in a file, as its text is known. Raises `OSError` and `RulesError`."""
    return parse_saved_game(texts.text(path), str(path), texts.limits)


def modules_of(play: SavedGame, catalogue: Catalogue) -> tuple[str, ...]:
    """The modules named by a saved game: its own, and those of the puzzle it began from, if any. Raises `RulesError`."""
    begun = catalogue.read(play.begun, play.span).rules if play.begun else ()
    return tuple(name for name, _ in (*begun, *play.rules))


def write_saved_game(play: SavedGame) -> str:
    """The text of a saved game."""
    lines = [f"play {play.name}:"]
    if play.text:
        lines.append(f'    "{play.text}"')
    rules = " + ".join(name for name, _ in play.rules)
    if play.begun:
        lines.append(f"    from {play.begun}" + (f" with {rules}" if rules else ""))
    else:
        lines += [f"    rules {rules}", f"    players {play.players}"]
        lines.append(f"    seed {play.seed}")
    lines.append("")
    for action in play.actions:
        score = "" if action.score is None else f" = {action.score}"
        lines.append(f"    {action.player}: {action.text}{score}")
    return "\n".join(lines).rstrip() + "\n"


def recorded_actions(steps: Sequence[Ply]) -> tuple[RecordedAction, ...]:
    """The plies of a replayed plan as saved: with the score where it changed, and at the end."""
    before = [None, *(step.score for step in steps[:-1])]
    return tuple(
        RecordedAction(step.player, step.text, step.score if step.score != score or step is steps[-1] else None)
        for step, score in zip(steps, before, strict=True)
    )


def begin_saved_game(play: SavedGame, catalogue: Catalogue) -> tuple[Engine, State]:
    """The engine and the initial state of a saved game."""
    if play.begun:
        position = catalogue.position(play.begun, play.span, "+".join(name for name, _ in play.rules))
        return position.engine, position.state
    return begin_under_game(play, catalogue.project.load_names(play.rules), catalogue)


def begin_under_game(play: SavedGame, game: Game, catalogue: Catalogue) -> tuple[Engine, State]:
    """The engine and the initial state under a linked game. Raises `RulesError` if the saved game cannot begin under it."""
    if play.begun:
        position = set_up_position(catalogue.read(play.begun, play.span), game)
        return position.engine, position.state
    engine = cached_engine(game, play.players if play.players is not None else game.players.low)
    return engine, engine.start(play.seed)


def replay_saved_game(play: SavedGame, engine: Engine, state: State) -> tuple[Ply, ...]:
    """Replay a saved game.

    Raises `PlanError`: as `replay`, RW344 (not that player's turn), RW345 (the score differs from the record).
    """
    texts, spans = [action.text for action in play.actions], [action.span for action in play.actions]
    steps: list[Ply] = []
    for index, (action, step) in enumerate(zip(play.actions, plies(engine, state, texts, spans), strict=False)):
        if step.player != action.player:
            message = f"it is player {step.player}'s turn, not player {action.player}'s"
            raise PlanError(index, (Diagnostic("RW344", message, (Label(action.span),), f"write `{step.player}: …`"),))
        if action.score is not None and action.score != step.score:
            message = f"the recorded score is {action.score}, but `{action.text}` leads to {step.score}"
            help = "the rules have changed since then, or the file was edited"
            raise PlanError(index, (Diagnostic("RW345", message, (Label(action.span),), help),))
        steps.append(step)
    return tuple(steps)


@define
class _SavedGameParser:
    source: SourceText
    sink: Sink
    said: dict[str, Span] = field(factory=dict, init=False)
    numbers: dict[str, int] = field(factory=dict, init=False)
    rules: tuple[tuple[str, Span], ...] = field(default=(), init=False)
    begun: str = field(default="", init=False)
    text: str = field(default="", init=False)
    actions: list[RecordedAction] = field(factory=list, init=False)

    def play(self) -> SavedGame:
        """The saved game; errors go to the sink."""
        name, head = "", self.source.span(0, 0)
        for row in re.finditer(r"^.*\S", self.source.code, re.MULTILINE):
            line, said = row[0], row[0].strip()
            span = self.source.span(row.end() - len(said), row.end())
            if not name:
                name, head = self._head(said, span), span
            elif line[0] != " ":
                self.sink.error("RW341", "this line is not indented", span, help="indent every line after the first")
            else:
                self._line(said, span)
        if not name:
            raise RulesError(
                (Diagnostic("RW340", "the file has no `play` line", (Label(head),), "add `play NAME:` as its first line"),)
            )
        self._check_beginning(head)
        players, seed = self.numbers.get("players"), self.numbers.get("seed", 0)
        return SavedGame(name, self.rules, players, seed, self.begun, tuple(self.actions), self.text, span=head)

    def _head(self, said: str, span: Span) -> str:
        header = _HEADER.fullmatch(said)
        if header is None:
            message = "the `play` line must come first"
            raise RulesError((Diagnostic("RW340", message, (Label(span),), "add `play NAME:` as its first line"),))
        return header[1]

    def _line(self, said: str, span: Span) -> None:
        if action := _ACTION.fullmatch(said):
            score = None if action[3] is None else int(action[3])
            self.actions.append(RecordedAction(int(action[1]), action[2], score, span=span))
        elif self.actions:
            self.sink.error("RW341", f"`{said}` is not an action", span, help="write it as in `1: stop` or `1: stop = 3`")
        elif number := _NUMBER.fullmatch(said):
            self._once(number[1], span)
            self.numbers[number[1]] = int(number[2])
        elif rules := _RULES.fullmatch(said):
            self._once("rules", span)
            self.rules = tuple((name.strip(), span) for name in rules[1].split("+"))
        elif begun := _FROM.fullmatch(said):
            self._once("from", span)
            self.begun = begun[1]
            self.rules = tuple((name.strip(), span) for name in (begun[2] or "").split("+") if name)
        elif text := _TEXT.fullmatch(said):
            self._once("the text", span)
            self.text = text[1]
        else:
            self.sink.error("RW341", f"`{said}` is not allowed in a saved game", span, help=LINES)

    def _once(self, what: str, span: Span) -> None:
        if first := self.said.get(what):
            self.sink.error(
                "RW343", f"{what} is given twice", span, Label(first, "first given here"), help="delete one of the two"
            )
        self.said[what] = span

    def _check_beginning(self, head: Span) -> None:
        if not self.begun:
            for what in ("rules", "players"):
                if what not in self.said:
                    self.sink.error("RW342", f"the saved game has no line `{what} …`", head, help=f"add a line `{what} …`")
            return
        for what in ("rules", "players", "seed"):
            if what in self.said:
                message = f"a game saved `from` a puzzle takes its `{what}` from there"
                self.sink.error("RW343", message, self.said[what], Label(self.said["from"], "the puzzle"), help="delete it")
