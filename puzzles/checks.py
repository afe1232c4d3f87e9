"""What every position must be: made of the tiles of the box, and as the rules' own invariants say."""

from __future__ import annotations

from collections import Counter

from ..grammar import scenarios as p
from ..grammar.diagnostics import Label, Sink
from ..grammar.spans import Span
from ..rules import types
from ..rules.analysis import reads
from ..rules.engine import Engine, describe_value
from ..rules.game import BOX, Requirement
from ..rules.layout import State
from .draft import Draft
from .sheet import Coordinate, Sheet

IMPOSSIBLE = "mend the position, or write `allow impossible position`"


def check_tiles(draft: Draft, sink: Sink) -> None:
    """RW320 where there are more copies of a tile than the box holds; at the first copy too many."""
    game = draft.game
    if BOX not in game.variables:
        return
    counts = Counter(draft.sheet.tiles(game))
    for number, kind in enumerate(game.tiles, 1):
        if counts[number] <= kind.count:
            continue
        here = [span for tile, span in draft.places if tile == number]
        unsaid = counts[number] - len(here)
        span = here[max(kind.count - unsaid, 0)] if len(here) > max(kind.count - unsaid, 0) else kind.span
        message = f"the position has {counts[number]} of `{kind.name}`, the box {kind.count}"
        labels = [Label(kind.span, "in the box")] + [Label(other, "and here") for other in here[:1] if other != span]
        help = f"the set-up has dealt {unsaid} already: name every zone, or draw the board" if unsaid else IMPOSSIBLE
        sink.error("RW320", message, span, *labels, help=help)


def check_invariants(draft: Draft, engine: Engine, state: State, puzzle: p.Puzzle, sink: Sink) -> None:
    """RW321 for every invariant that does not hold; at the cell or setting that it fails for."""
    evaluator = engine.evaluator(state)
    for invariant in engine.game.invariants:
        if evaluator.value(invariant.condition, {}):
            continue
        first, *more = _places(draft, engine, state, invariant) or [puzzle.span]
        label = Label(invariant.span, f"the invariant `{invariant.name}`")
        sink.error("RW321", _message(engine, state, invariant), first, *map(Label, more), label, help=IMPOSSIBLE)


def is_possible(engine: Engine, sheet: Sheet, state: State) -> bool:
    """Whether a position passes both checks."""
    counts = Counter(sheet.tiles(engine.game))
    kinds = enumerate(engine.game.tiles, 1)
    if BOX in engine.game.variables and any(counts[number] > kind.count for number, kind in kinds):
        return False
    evaluator = engine.evaluator(state)
    return all(evaluator.value(invariant.condition, {}) for invariant in engine.game.invariants)


def _message(engine: Engine, state: State, invariant: Requirement) -> str:
    from ..rules.explain import Witness

    involved = Witness(engine, state).values(invariant.condition)
    cells = [describe_value(engine, type, value) for type, value in involved if isinstance(type, types.Cell)]
    return invariant.message + (f": {' and '.join(cells)}" if cells else "")


def _places(draft: Draft, engine: Engine, state: State, invariant: Requirement) -> list[Span]:
    """Where the puzzle says what an invariant fails for."""
    from ..rules.explain import Witness

    involved = Witness(engine, state).values(invariant.condition)
    read = sorted(reads(engine.game, invariant.condition), key=list(engine.game.variables).index)
    found: dict[Span, None] = {}
    for type, value in involved:
        for index in _indices(engine, type, value):
            names = [type.space] if isinstance(type, types.Cell) else []
            for name in (*names, *read):
                if (name, index) in draft.spans:
                    found[draft.spans[name, index]] = None
    for name in read:
        if not found and (name, None) in draft.spans:
            found[draft.spans[name, None]] = None
    return list(found)


def _indices(engine: Engine, type: types.Type, value: int) -> list[int | Coordinate]:
    match type:
        case types.Cell(space):
            window = engine.ground.windows[space]
            return [] if value == window.nowhere else [window.coordinates[value]]
        case types.Player() | types.Enumeration():
            return [value]
        case _:
            return []
