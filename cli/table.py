"""A game being played: where it began and every step since, so that each can be taken back."""

from __future__ import annotations

from attrs import field

from ..grammar.classes import define
from ..puzzles.plans import Step
from ..rules.engine import Engine, Move, State
from ..rules.writing import read_move, write_move
from .opening import Opening
from .refusals import USAGE, refusal


@define
class Table:
    """`steps` are the actions so far, each with the state that it led to."""

    opening: Opening
    steps: list[Step] = field(factory=list)

    @classmethod
    def at(cls, opening: Opening) -> Table:
        return cls(opening)

    @property
    def engine(self) -> Engine:
        return self.opening.engine

    @property
    def state(self) -> State:
        return self.steps[-1].state if self.steps else self.opening.state

    @property
    def legal(self) -> list[Move]:
        return self.engine.legal(self.state)

    def take(self, text: str) -> None:
        """Do a legal action, by its number or as it is written. Raises `RulesError` when there is none such."""
        engine, state, legal = self.engine, self.state, self.legal
        if text.isdigit():
            if not 1 <= int(text) <= len(legal):
                raise refusal(USAGE, f"there is no action {text}", f"they are numbered 1 to {len(legal)}" if legal else "")
            move = legal[int(text) - 1]
        elif engine.over(state):
            raise refusal(USAGE, "the game is over", "`undo` takes the last action back, `quit` leaves")
        else:
            move = read_move(engine, state, text)
        after = engine.apply(state, move)
        self.steps.append(Step(write_move(engine, state, move), engine.player(state), after, engine.score(after)))

    def undo(self, times: int) -> None:
        """Take back so many actions, or all there are."""
        if not self.steps:
            raise refusal(USAGE, "there is nothing to take back")
        del self.steps[max(0, len(self.steps) - times) :]
