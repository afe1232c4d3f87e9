"""The score of a state, item by item, each with its rule, clause, cell and tile.

The standings of the players in a state: their scores, who wins, and each player's objective.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.expressions import Extreme
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import SCORE, Case, Game
from rulewright.rules.model.standing import Criterion, aim, of_player, outcome, own_score
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
            case terms.Fold(terms.Kind.SUM, binder, value):
                for element in evaluator.value(terms.Those(binder, type=types.SetOf(binder.type)), {}):
                    env = {binder.name: element}
                    points = evaluator.value(value, env)
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


@frozen
class Standing:
    """A player's scores by name; `leads` is None if the game names no winner, `rank` is empty without ranks."""

    player: int
    scores: dict[str, int]
    leads: bool | None
    rank: str = ""


def has_standings(game: Game) -> bool:
    """Whether players have scores of their own, or one wins."""
    return bool(game.winner) or any(score.of_player is not None for score in game.scores)


def has_common_score(engine: Engine) -> bool:
    """Whether there is a score that is not told player by player."""
    return bool(engine.game.scores) and not (engine.instance.players > 1 and has_standings(engine.game))


def standings(engine: Engine, state: State) -> tuple[Standing, ...]:
    """The standing of each player; empty for games with neither per-player scores nor a winner."""
    game = engine.game
    values = {score.name: score.of_player for score in game.scores if score.of_player is not None}
    if not has_standings(game):
        return ()
    found: list[Standing] = []
    compared: list[tuple[int, ...]] = []
    for player in range(1, engine.instance.players + 1):
        who = terms.Constant(player, type=types.Player())
        scores = {name: engine.value(of_player(value, who), state) for name, value in values.items()}
        compared.append(tuple(_merit(engine, state, criterion, who) for criterion in game.winner))
        found.append(Standing(player, scores, None, _rank(engine, state, scores)))
    if not game.winner:
        return tuple(found)
    return tuple(evolve(standing, leads=merits == max(compared)) for standing, merits in zip(found, compared, strict=True))


def _merit(engine: Engine, state: State, criterion: Criterion, who: terms.Term) -> int:
    """A player's value of a criterion, signed so that more is better."""
    value = engine.value(of_player(criterion.value, who), state)
    return value if criterion.extreme is Extreme.GREATEST else -value


def _rank(engine: Engine, state: State, scores: dict[str, int]) -> str:
    """The rank of a player's scores."""
    ranking = engine.game.ranking
    if ranking is None or not ranking.of_players:
        return ""
    return ranking.name(engine.value(ranking.value, state, {**scores, SCORE: engine.score(state)}))


@frozen
class PlayerTerms:
    """Terms for each player, in order: objective, own score, and outcome.

    Each is empty if players have none; all are empty for a single player.
    """

    aims: tuple[terms.Term, ...] = ()
    scores: tuple[terms.Term, ...] = ()
    outcomes: tuple[terms.Term, ...] = ()


def player_terms(engine: Engine) -> PlayerTerms:
    """The terms of a game for the players of an engine."""
    game, players = engine.game, engine.instance.players
    if players == 1:
        return PlayerTerms()
    own = [score.of_player for score in game.scores if score.of_player is not None]
    everyone = [terms.Constant(player, type=types.Player()) for player in range(1, players + 1)]

    def of_each(value: terms.Term | None) -> tuple[terms.Term, ...]:
        return () if value is None else tuple(of_player(value, who) for who in everyone)

    outcomes = tuple(outcome(game.winner, who) for who in everyone) if game.winner else ()
    return PlayerTerms(of_each(aim(game.winner, own)), of_each(own_score(own)), outcomes)


def has_flags(game: Game) -> bool:
    """Whether the scores of players say no more than who has won."""
    own = [score.of_player for score in game.scores if score.of_player is not None]
    return bool(own) and all(map(_is_flag, own))


def _is_flag(value: terms.Term) -> bool:
    """Whether a value is 1 or 0, as for having won."""
    ends = (value.then, value.otherwise) if isinstance(value, terms.If) else ()
    return [end.value for end in ends if isinstance(end, terms.Constant)] == [1, 0]


def tells_leader(game: Game) -> bool:
    """Whether who is ahead follows from what is told of scores, or there are no scores: in draughts men do not decide."""
    own = [score.of_player for score in game.scores if score.of_player is not None]
    return not has_flags(game) and (not own or any(criterion.value in own for criterion in game.winner))


def told_standings(engine: Engine, state: State) -> dict[int, tuple[str, ...]]:
    """How each player stands: `coins 3`, ranks, and `leads` or, with another one, `level`; at the end `wins` or `a draw`.

    Scores that only say who has won are left out, and who leads is told only where scores decide it. Where a question is over,
    the game may not be: then nobody wins but by such a score.
    """
    found, says_who_won = standings(engine, state), has_flags(engine.game)
    one_leads = sum(bool(standing.leads) for standing in found) == 1
    over = engine.over(state) and (not engine.is_at_horizon(state) or (says_who_won and one_leads))
    says_leader = len(found) > 1 and (over or tells_leader(engine.game))
    words = ("a draw", "wins") if over else ("level", "leads")

    def told(standing: Standing) -> Iterator[str]:
        if not says_who_won:
            yield from (f"{name} {value}" for name, value in standing.scores.items())
        if standing.rank:
            yield standing.rank
        if standing.leads and says_leader:
            yield words[one_leads]

    return {standing.player: tuple(told(standing)) for standing in found}
