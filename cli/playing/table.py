"""A game at the terminal as opened: its session, its seed, and the computer's players."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from rulewright.api.named import Named
from rulewright.base.diagnostics import usage_error
from rulewright.base.records import define, evolve
from rulewright.base.styled_text import Line
from rulewright.cli.names import named
from rulewright.cli.views.state_view import history_lines
from rulewright.grammar.tree.modules import Visibility
from rulewright.rules.play.history import history, subject_named
from rulewright.rules.play.visibility import Viewer

from .game_session import GameSession
from .opponents import Opponents


@define
class Table:
    """A game in progress, its players, and the data to save it."""

    session: Named
    seed: int
    game: GameSession
    opponents: Opponents | None

    @classmethod
    def open(
        cls, name: str, variant: str, players: int | None, seed: int | None, against: str, player: int, seconds: float
    ) -> Table:
        """Open a puzzle or modules by name. With a policy in `against`, the computer controls all players but `player`, in so
        many seconds per move. Raises `RulesError`."""
        seed = secrets.randbelow(10**6) if seed is None else seed
        session = named(name, variant)
        if against and players is None and not session.is_puzzle:
            players = min(max(2, session.game.players.low), session.game.players.high)
        game = GameSession(session.start(players, seed))
        opponents = None
        if against:
            _check_player(player, game.engine.instance.players)
            opponents = Opponents.named(against, game, player, seconds, seed)
        return cls(session, seed, game, opponents)

    @property
    def undoing(self) -> GameSession | Opponents:
        """The object that undoes and redoes actions, along with the replies if the computer plays."""
        return self.opponents or self.game

    @property
    def viewer(self) -> Viewer:
        """The viewer: the player to move or, against the computer, the player at the terminal; everyone once the game is
        over."""
        viewer, is_over = self.game.start.viewer, self.game.engine.over(self.game.state)
        return viewer if self.opponents is None or is_over else evolve(viewer, player=self.opponents.player)

    def history(self, name: str) -> Iterator[Line]:
        """What wrote a variable, zone or cell in the play so far, as far as the viewer sees it. Raises `RulesError`."""
        game, engine = self.game, self.game.engine
        subject, seed = subject_named(engine, name), None if self.session.is_puzzle else self.seed
        entries = history(engine, game.start.state, [ply.text for ply in game.plies], seed)
        found = [entry for entry in entries if subject.is_in(engine, game.state, self.viewer, entry.change)]
        return history_lines(engine, game.state, self.viewer, name, found)

    @property
    def passes_on(self) -> bool:
        """Whether another player, who must not see this one's hand, may come to the terminal."""
        variables = self.game.engine.game.variables.values()
        return self.opponents is None and any(variable.visibility is Visibility.OWNER for variable in variables)


def _check_player(player: int, players: int) -> None:
    if players == 1:
        raise usage_error("a game of one player has no opponents", "omit `--against`")
    if player > players:
        raise usage_error(f"there is no player {player}", f"the players are 1 to {players}")
