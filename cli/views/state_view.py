"""Everything of a state except its boards, as lines: the player to move, hands, piles, numbers; and the history of a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from rulewright.base.records import evolve
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Storage
from rulewright.rules.model.state import Column
from rulewright.rules.play.engine import Engine, State, describe_turn, describe_value
from rulewright.rules.play.history import Entry, describe_change, describe_place
from rulewright.rules.play.scores import has_common_score, told_standings
from rulewright.rules.play.visibility import Viewer, beside_boards, has_few_values, is_informative, is_unset_of_cell

from .paths import place_text

MOST_NAMED = 24
"""In tiles: longer lists are cut."""


def turn_line(engine: Engine, state: State, viewer: Viewer) -> Line:
    """The player to move, the point of the flow, and the score if it counts."""
    parts: list[str | Styled] = [Styled(describe_turn(engine, state), Style.STRONG)]
    if viewer.has_score and has_common_score(engine):
        score = engine.score(state)
        rank = engine.rank(score)
        parts.append(f"   score {score}" + (f" ({rank})" if rank else ""))
    return line(*parts)


def state_lines(engine: Engine, state: State, viewer: Viewer, everything: bool = True, more: str = "--all") -> Iterator[Line]:
    """The variables of each player, then those of the game; boards are drawn elsewhere.

    A large state omits uninformative values unless `everything` is set; a last line counts them, and says how to show them
    (`more`).
    """
    whole = everything or viewer.whole
    viewer = evolve(viewer, whole=whole)
    shown = beside_boards(engine, viewer)
    of_players = [c for c in shown if c.variable.index == types.Player()]
    others = [c for c in shown if c.variable.index != types.Player() and not _is_dull(c, state)]
    pad = max((len(_label(engine, c, n)) for c in shown for n in range(c.count)), default=0)
    left_out = sum(column.count for column in beside_boards(engine, evolve(viewer, whole=True))) - sum(c.count for c in shown)
    whole = whole or has_few_values(engine, viewer)
    turn = engine.player(state)
    groups: list[tuple[str, list[tuple[Column, int]]]] = []
    for player in range(1, engine.instance.players + 1) if of_players else ():
        mark = "> " if player == turn and engine.instance.players > 1 else ""
        groups.append((f"{mark}player {player}", [(column, player - column.offset) for column in of_players]))
    every = [(column, number) for column in others for number in range(column.count)]
    groups.append(("all" if of_players else "", [pair for pair in every if not is_unset_of_cell(engine, state, *pair)]))
    for heading, pairs in groups:
        said = [pair for pair in pairs if whole or is_informative(engine, state, *pair, viewer)]
        left_out += len(pairs) - len(said)
        if said or heading.startswith(">"):  # the player to move is named in any case
            yield line(Styled(heading, Style.STRONG)) if heading else line()
        for column, number in said:
            yield _row(engine, state, column, number, _label(engine, column, number).ljust(pad), viewer)
    if left_out:
        yield line(Styled(f"and {counted(left_out, 'value')} hidden, empty or on the board: `{more}`", Style.FAINT))


def list_tiles(engine: Engine, tiles: tuple[int, ...], ordered: bool) -> str:
    """Tiles by name, as puzzles write them: `plain x2, cape`; `none` if there are none."""
    names = [engine.game.tiles[tile - 1].name for tile in tiles]
    if not names:
        return "none"
    counts = ((name, len(list(run))) for name, run in groupby(names)) if ordered else Counter(names).items()
    texts = [f"{name} x{count}" if count > 1 else name for name, count in counts]
    more = len(texts) - MOST_NAMED
    return ", ".join(texts[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _is_dull(column: Column, state: State) -> bool:
    """Whether a column is the empty box (all tiles are in play), or shown on the board."""
    return column.variable.is_shown_by_layer or (column.variable.name == BOX and not state[column.start])


def _label(engine: Engine, column: Column, number: int) -> str:
    """`draw`, `hand 2`, `stock of red`"""
    variable = column.variable
    name = engine.game.called(variable.name)
    if variable.index is None or variable.index == types.Player():
        return name
    return f"{name} {describe_value(engine, variable.index, column.offset + number)}"


def _row(engine: Engine, state: State, column: Column, number: int, label: str, viewer: Viewer) -> Line:
    variable, value = column.variable, state[column.start + number]
    head = f"  {label}  "
    sees = viewer.sees(engine, state, variable, column.offset + number)
    if not variable.is_zone:
        hidden = Styled(variable.visibility.value, Style.FAINT)
        return line(head, describe_value(engine, variable.type, value) if sees else hidden)
    count = counted(len(value), "tile")
    if variable.name == BOX and not viewer.everything:
        return line(head, Styled(count, Style.FAINT))
    if not sees:
        return line(head, Styled(f"{count}, {variable.visibility.value}", Style.FAINT))
    return line(head, list_tiles(engine, value, variable.storage is Storage.PILE))


def standing_lines(engine: Engine, state: State) -> Iterator[Line]:
    """A row for each player; the leader or winner is marked."""
    for player, told in told_standings(engine, state).items():
        yield line(Styled(f"player {player}", Style.STRONG), "".join(f"  {part}" for part in told))


# The history of a value -----------------------------------------------------------------------------------------------
# For people and for scripts: each change with its action, its clause and its place.


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
