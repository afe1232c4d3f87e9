"""A game in progress: its start and every ply since, with undo."""

from __future__ import annotations

from attrs import field

from rulewright.base.records import define
from rulewright.cli.start_position import StartPosition
from rulewright.cli.usage_errors import usage_error
from rulewright.puzzles.plan_replay import Ply
from rulewright.rules.model.moves import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_move


@define
class GameSession:
    """The plies from a start position to the current state."""

    start: StartPosition
    plies: list[Ply] = field(factory=list, init=False)

    @property
    def engine(self) -> Engine:
        return self.start.engine

    @property
    def state(self) -> State:
        return self.plies[-1].state if self.plies else self.start.state

    @property
    def legal(self) -> list[Move]:
        return self.engine.legal(self.state)

    def take(self, text: str) -> None:
        """Take a legal action, by its number in the list or as it is written. Raises `RulesError` where there is none such."""
        engine, state, legal = self.engine, self.state, self.legal
        if text.isdigit():
            if not 1 <= int(text) <= len(legal):
                raise usage_error(f"there is no action {text}", f"they are numbered 1 to {len(legal)}" if legal else "")
            move = legal[int(text) - 1]
        elif engine.over(state):
            raise usage_error("the game is over", "`undo` takes the last action back, `quit` leaves")
        else:
            move = parse_move(engine, state, text)
        after = engine.apply(state, move)
        self.plies.append(Ply(format_move(engine, state, move), engine.player(state), after, engine.score(after)))

    def undo(self, number: int) -> None:
        """Take back so many actions, at least one, or all there are. Raises `RulesError` where there is none."""
        if not self.plies or not number:
            raise usage_error("there is nothing to take back")
        del self.plies[max(0, len(self.plies) - number) :]
