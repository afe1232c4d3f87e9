"""The start position: that of a puzzle, or of a game after its set-up."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from rulewright.base.diagnostics import usage_error
from rulewright.base.records import evolve, frozen
from rulewright.grammar.printing.print_puzzles import ask_text
from rulewright.grammar.tree.puzzles import Ask, Goal, Others
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question, question_of
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.scores import player_terms
from rulewright.rules.play.visibility import Viewer

Measure = Callable[[State], int]


@frozen(eq=False)
class Start:
    """`rules` are the modules by name; `position` is None for a game. The engine of a puzzle ends at its question's horizon."""

    title: str
    text: str
    rules: tuple[str, ...]
    engine: Engine
    state: State
    viewer: Viewer = Viewer()
    position: Position | None = None

    @cached_property
    def measures(self) -> tuple[tuple[Measure, ...], tuple[Measure, ...]]:
        """Each player's score, and each player's outcome, as functions of the state; empty if players have none."""
        found, compiled = player_terms(self.engine), self.engine.compile_value
        return tuple(map(compiled, found.scores)), tuple(map(compiled, found.outcomes))

    @property
    def is_dealt(self) -> bool:
        """Whether the state is one of those that chance may have dealt: of a game, or of a puzzle about its beginning."""
        return self.position is None or (self.position.question is not None and self.position.question.is_dealt)

    @property
    def question(self) -> Question | None:
        """The question of the puzzle; by default, for the highest score at the end of the game, if there is a score."""
        if self.position is not None and self.position.question is not None:
            return self.position.question
        if not self.engine.game.scores:
            return None
        return question_of(self.engine.game, Ask(Goal.MAXIMISE, None, None, None), self.engine.instance.players)


def best_question(engine: Engine, player: int) -> Question:
    """A player's objective against all others; for the score of the game, if players have neither scores nor winners."""
    found, scores = player_terms(engine), engine.game.scores
    if found.outcomes:
        return Question(Goal.WIN, (found.outcomes[player - 1],), others=Others.AGAINST, player=player, horizon=engine.horizon)
    if found.aims:
        return Question(Goal.MAXIMISE, (found.aims[player - 1],), others=Others.AGAINST, player=player, horizon=engine.horizon)
    return Question(Goal.MAXIMISE, tuple(score.value for score in scores), horizon=engine.horizon)


def check_players(position: Position, players: int | None) -> None:
    """Raises `RulesError` for another number of players than the puzzle's."""
    fixed = position.engine.instance.players
    if players not in (None, fixed):
        raise usage_error(f"`{position.puzzle.name}` is a puzzle for {fixed} player{'s' * (fixed > 1)}, not for {players}")


def start_of_puzzle(position: Position, players: int | None, now: bool = True) -> Start:
    """The position of a puzzle, which fixes the number of players. Compiled `now`, it raises `RulesError` also where the rules
    grow too large."""
    puzzle = position.puzzle
    check_players(position, players)
    if now:
        position.engine.compile()
    rules = tuple(name for name, _ in puzzle.rules)
    return Start(puzzle.name, puzzle.text, rules, position.played, position.begun, viewer_of(position), position)


def start_of_game(game: Game, players: int | None, seed: int) -> Start:
    """A game after its set-up, for the fewest players by default. Raises `RulesError` also where the rules grow too large."""
    engine = Engine.of(game, game.players.low if players is None else players)
    engine.compile()
    return Start(" + ".join(game.roots), game.text, game.roots, engine, engine.start(seed))


def position_of_game(game: Game, players: int | None, seed: int) -> Position:
    """A game after its set-up, with the default question of its rules. Raises `RulesError` if there is none."""
    from rulewright.grammar.from_text import parse_puzzle
    from rulewright.puzzles.from_tree import set_up_position
    from rulewright.puzzles.to_text import write_position
    from rulewright.rules.static.natural_question import natural_goal
    from rulewright.studies.making.commission import parsed_goal

    title = " + ".join(game.roots)
    goal = natural_goal(game, game.players.low if players is None else players)
    if not goal:
        help = "add a score, as in `score NAME: …`, or a puzzle with a question, as in `ask: fewest moves until …`"
        raise usage_error(f"`{title}` has no score to maximise", help)
    start = start_of_game(game, players, seed)
    text = write_position(start.engine, start.state, "game", game.roots, text=game.text, ask=parsed_goal(goal))
    position = set_up_position(parse_puzzle(text, title), game)
    return evolve(position, puzzle=evolve(position.puzzle, name=title))


def viewer_of(position: Position) -> Viewer:
    """The viewer of a puzzle, which shows the zones that the puzzle marks `open`, and the score where it counts."""
    open_zones = frozenset(setting.name for setting in position.puzzle.settings if setting.open_to_all)
    return Viewer(open_zones, has_score=position.has_score)


def describe_ask(ask: Ask) -> str:
    """The question in words: `maximise score for 2 turns`."""
    return "count best until end" if ask.goal is Goal.COUNT_BEST and ask.turns is None else ask_text(ask)
