"""The score of a state, item by item, each with its rule, clause, cell and tile."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Case
from rulewright.rules.model.state import State

from .engine import Engine, describe_cell


@frozen
class ScoreItem:
    """Points and their origin. `cell` is an index in `space`; `case` is the exception that set the value, if any."""

    rule: str
    points: int
    space: str = ""
    cell: int = -1
    tile: str = ""
    case: str = ""
    module: str = ""
    cite: str = ""


def score_items(engine: Engine, state: State) -> tuple[ScoreItem, ...]:
    """The items of the score in order. A sum over a domain gives an item for each element with nonzero points.

    The items add up to `engine.score(state)`.
    """
    items: list[ScoreItem] = []
    evaluator = engine.evaluator(state)
    for score in engine.game.scores:
        match score.value:
            case terms.Sum(value, binder):
                domain, where = evaluator.domain_and_test(binder, {})
                for element in tuple(domain):
                    env = {binder.name: element}
                    points = evaluator.value(value, env) if where is None or where(element) else 0
                    if points:
                        place = _place(engine, state, binder.type, element)
                        case = _case(engine, state, value, env)
                        cite = case.cite if case and case.cite else score.cite
                        name, module = (case.name, case.module) if case else ("", score.module)
                        items.append(ScoreItem(score.name, points, *place, name, module, cite))
            case other:
                points = evaluator.value(other, {})
                if points:
                    items.append(ScoreItem(score.name, points, module=score.module, cite=score.cite))
    return tuple(items)


def describe_item(engine: Engine, item: ScoreItem) -> str:
    """An item as a line of text: points, cell, tile, and its exception or rule."""
    cell = describe_cell(engine.instance.windows[item.space], item.cell) if item.space else ""
    return "  ".join(filter(None, (str(item.points), cell, item.tile, item.case or item.rule)))


def _place(engine: Engine, state: State, type: types.Type, element: int) -> tuple[str, int, str]:
    match type:
        case types.Cell(space):
            column = engine.layout.columns.get(space)
            tile = state[column.start][element] if column is not None else 0
            return space, element, engine.game.tiles[tile - 1].name if tile else ""
        case types.Tile():
            return "", -1, engine.game.tiles[element - 1].name if element else ""
        case _:
            return "", -1, ""


def _case(engine: Engine, state: State, value: terms.Term, env: dict[str, int]) -> Case | None:
    """The labelled exception that gave the value of a definition applied to locals."""
    if not isinstance(value, terms.Invoke):
        return None
    definition = engine.game.definitions[value.definition]
    evaluator = engine.evaluator(state)
    names = [n for n, _ in definition.parameters]
    inner = {n: evaluator.value(a, env) for n, a in zip(names, value.arguments, strict=True)}
    found, cases = None, definition.cases
    while True:
        applying = next((c for c in cases if evaluator.value(c.when, inner)), None)
        if applying is None:
            return found
        found, cases = applying, applying.exceptions
