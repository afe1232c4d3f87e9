"""The history of a value, for people and for scripts: each change with its action, its clause and its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.common import Origin
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.positions import Written
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.history import Entry, describe_change, describe_place, entry_in_words
from rulewright.rules.play.visibility import Viewer

from .paths import place_text


def history_lines(engine: Engine, state: State, viewer: Viewer, name: str, entries: Sequence[Entry]) -> Iterator[Line]:
    """One line for each change, below the action that caused it; `state` is the last one."""
    ply = -1
    changes = [describe_change(engine, state, viewer, entry.change) for entry in entries]
    places = [describe_place(engine, entry.change) for entry in entries]
    widths = max(map(len, places), default=0), max(map(len, changes), default=0)
    for entry, place, change in zip(entries, places, changes, strict=True):
        if entry.ply != ply:
            ply = entry.ply
            who = f"player {entry.player}  " if engine.instance.players > 1 and entry.player else ""
            yield line(f"{ply:4}  {who}", Styled(escape(entry.action), Style.STRONG))
        cite = f"  [{entry.write.cite}]" if entry.write.cite else ""
        origin = f"  {entry.write.clause}  {place_text(entry.write.span)}{cite}"
        yield line(f"      {place:{widths[0]}}  {change:{widths[1]}}", Styled(escape(origin), Style.FAINT))
    yield line(Styled(f"{counted(len(entries), 'change')} of `{escape(name)}`", Style.STRONG))


def change_of(engine: Engine, state: State, viewer: Viewer, entry: Entry) -> Written:
    """A change for scripts; `state` is the last one."""
    return {**entry_in_words(engine, state, viewer, entry), **document_of(Origin, entry.write)}
