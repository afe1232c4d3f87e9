"""The standings of the players in a state: their scores, who wins, and each player's objective."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Extreme
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import SCORE, Game
from rulewright.rules.model.standing import Criterion, aim, of_player, outcome, own_score
from rulewright.rules.model.state import State

from .engine import Engine


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


def standings(engine: Engine, state: State) -> tuple[Standing, ...]:
    """The standing of each player; empty for games with neither per-player scores nor a winner."""
    game = engine.game
    values = {score.name: score.of_player for score in game.scores if score.of_player is not None}
    if not has_standings(game):
        return ()
    found: list[Standing] = []
    compared: list[tuple[int, ...]] = []
    for player in range(1, engine.instance.players + 1):
        who = terms.Constant(player, types.Player())
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
    everyone = [terms.Constant(player, types.Player()) for player in range(1, players + 1)]

    def of_each(value: terms.Term | None) -> tuple[terms.Term, ...]:
        return () if value is None else tuple(of_player(value, who) for who in everyone)

    outcomes = tuple(outcome(game.winner, who) for who in everyone) if game.winner else ()
    return PlayerTerms(of_each(aim(game.winner, own)), of_each(own_score(own)), outcomes)
