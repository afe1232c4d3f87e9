"""What wrote a value: every change in play, with the action, the effect that made it, its clause and its place.

An instrumented player of the core finds the changes: it compares what each single effect touches before and after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulewright.base.records import define, field
from rulewright.rules.core.interpreter import Locals
from rulewright.rules.core.player import CorePlayer, OnPlaces, places_of
from rulewright.rules.model.state import SEED, State

from .engine import Engine
from .history import Change, Entry, Write
from .move_notation import parse_move

SET_UP = "set-up"
"""What stands for the action of the changes before the first one."""


def history(engine: Engine, state: State, actions: Sequence[str], seed: int | None = None) -> Iterator[Entry]:
    """Every change in the play of legal actions from a state on, in order; with a seed, first those of the set-up.

    Raises `RulesError` for an action that is not legal.
    """
    tracing = _TracingPlayer(engine.interpreted.lowering)
    if seed is not None:
        columns = list(engine.unset)
        columns[SEED] = seed
        tracing.play_on(columns, 0)
        yield from tracing.entries(0, SET_UP, 0)
    for number, text in enumerate(actions, 1):
        player, move = engine.player(state), parse_move(engine, state, text)
        before, state = state, engine.apply(state, move)
        tracing.apply(before, move)
        yield from tracing.entries(number, text, player)


@define(eq=False)
class _TracingPlayer(CorePlayer):
    """A player of the core that keeps what each effect changes."""

    writes: list[Write] = field(factory=list, init=False)

    def entries(self, ply: int, action: str, player: int) -> list[Entry]:
        """The changes since this was last called."""
        found = [Entry(ply, action, player, write, change) for write in self.writes for change in write.changes]
        self.writes.clear()
        return found

    def change(self, effect: OnPlaces, columns: list[Any], env: Locals) -> None:
        named = {place.variable for place in places_of(effect)}
        touched = [stored for name, stored in self.interpreter.variables.items() if name in named]
        before = [stored.values(columns) for stored in touched]
        super().change(effect, columns, env)
        changes = tuple(
            Change(variable.name, None if variable.index is None else variable.index[place], was, now)
            for stored, old in zip(touched, before, strict=True)
            for variable in (stored.variable,)
            for place, (was, now) in enumerate(zip(old, stored.values(columns), strict=True))
            if was != now
        )
        if changes and effect.origin is not None:
            origin = effect.origin
            self.writes.append(Write(origin.name, origin.module, origin.cite, changes, span=origin.span))
