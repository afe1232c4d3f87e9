"""Every change of a line of play, made again in the state before it, checked against the states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.rules.model.state import HEADER_WIDTH, State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.history import Entry, history


def check_history(engine: Engine, states: Sequence[State], actions: Sequence[str], seed: int | None = None) -> int:
    """Make all changes; assert that they give each of `states`, the first of which is before the first action. Their number.

    With a seed, the changes begin before the set-up.
    """
    state, ply, seen = list(states[0] if seed is None else engine.unset), 0, 0
    for entry in history(engine, states[0], actions, seed):
        while entry.ply > ply:
            assert state[HEADER_WIDTH:] == list(states[ply][HEADER_WIDTH:]), ply
            ply += 1
        _make(engine, state, entry)
        assert entry.write.clause and entry.write.span.line, entry
        seen += 1
    while ply < len(actions):
        assert state[HEADER_WIDTH:] == list(states[ply][HEADER_WIDTH:]), ply
        ply += 1
    assert state[HEADER_WIDTH:] == list(states[-1][HEADER_WIDTH:])
    return seen


def _make(engine: Engine, state: list[Any], entry: Entry) -> None:
    column, change = engine.layout.columns[entry.change.variable], entry.change
    at = engine.layout.position(change.variable, change.index)
    if not column.over_cells:
        assert state[at] == change.before
        state[at] = change.after
        return
    assert change.index is not None
    values = list(state[at])
    assert values[change.index] == change.before
    values[change.index] = change.after
    state[at] = bytes(values) if column.as_bytes else tuple(values)
