"""A game at the terminal as it is opened: its session, its seed, and the players whom the computer plays."""

from __future__ import annotations

import secrets

from attrs import evolve

from rulewright.base.records import define, frozen
from rulewright.cli.session import Session
from rulewright.cli.usage_errors import usage_error
from rulewright.grammar.tree.modules import Visibility
from rulewright.rules.play.visibility import Viewer

from .game_session import GameSession
from .opponents import Opponents


@frozen
class Computer:
    """Whom the computer plays: nobody without a policy in `against`, else all but `player`."""

    against: str
    player: int
    seconds: float


@define
class Table:
    """A game in progress, by whom it is played, and what it takes to save it."""

    session: Session
    seed: int
    game: GameSession
    opponents: Opponents | None

    @classmethod
    def open(cls, name: str, variant: str, players: int | None, seed: int | None, computer: Computer) -> Table:
        """By the name of a puzzle or of modules. Raises `RulesError`."""
        seed = secrets.randbelow(10**6) if seed is None else seed
        session = Session(name, variant)
        if computer.against and players is None and not session.is_puzzle:
            players = min(max(2, session.game.players.low), session.game.players.high)
        game = GameSession(session.start(players, seed))
        return cls(session, seed, game, _opponents(computer, game, seed))

    @property
    def undoing(self) -> GameSession | Opponents:
        """Who takes actions back and again: with the replies, where the computer plays."""
        return self.opponents or self.game

    @property
    def viewer(self) -> Viewer:
        """Who looks: whoever is to move, or where the computer plays the player at the terminal; all when the game is over."""
        viewer, is_over = self.game.start.viewer, self.game.engine.over(self.game.state)
        return viewer if self.opponents is None or is_over else evolve(viewer, player=self.opponents.player)

    @property
    def passes_on(self) -> bool:
        """Whether another player, who must not see what this one does, may come to the terminal."""
        variables = self.game.engine.game.variables.values()
        return self.opponents is None and any(variable.visibility is Visibility.OWNER for variable in variables)


def _opponents(computer: Computer, game: GameSession, seed: int) -> Opponents | None:
    if not computer.against:
        return None
    players = game.engine.instance.players
    if players == 1:
        raise usage_error("one player plays: there is nobody to play against", "leave out `--against`")
    if computer.player > players:
        raise usage_error(f"there is no player {computer.player}", f"{players} play, from 1 to {players}")
    return Opponents.named(computer.against, game, computer.player, computer.seconds, seed)
