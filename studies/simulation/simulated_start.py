"""The start of simulated games as text: rules, a change of them, and optionally a puzzle's position."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.records import frozen
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project, portable_root
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State


@frozen
class SimulatedStart:
    """`project` is portable, `roots` are the linked modules, `changes` the items of one more module that extends them.

    `puzzle` is the text of a position, or empty; `title` is the name for people.
    """

    title: str
    project: Project
    roots: tuple[str | Path, ...]
    players: int
    puzzle: str = ""
    changes: str = ""

    @classmethod
    def of(cls, title: str, project: Project, game: Game, start: Position | int, changes: str = "") -> SimulatedStart:
        """The start for a game loaded by the project: the position of a puzzle, or the set-up for a number of players."""
        roots = tuple(portable_root(project.parse(path)) for path in project.roots_of(game))
        portable = project.portable()
        if isinstance(start, Position):
            return cls(title, portable, roots, start.engine.instance.players, print_puzzle(start.puzzle), changes)
        return cls(title, portable, roots, start, changes=changes)

    def opened(self) -> tuple[Engine, State | None]:
        """The engine, and the state from which each game starts; None for the set-up. Raises `RulesError`."""
        game = self.project.load(self.roots)
        if self.changes:
            game = self.project.changed(game, self.changes)
        if not self.puzzle:
            engine = Engine.of(game, self.players)
            engine.compile()
            return engine, None
        position = set_up_position(parse_puzzle(self.puzzle, self.title, self.project.limits), game)
        engine = position.played
        engine.compile()
        return engine, position.begun
