"""How the players stand in a state: the score of each, and who wins."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.rules.model import terms, types
from rulewright.rules.model.standing import of_player, wins
from rulewright.rules.model.state import State

from .engine import Engine


@frozen
class Standing:
    """The scores of a player by name; `leads` is None where the game does not say who wins."""

    player: int
    scores: dict[str, int]
    leads: bool | None


def standings(engine: Engine, state: State) -> tuple[Standing, ...]:
    """How each player stands; nothing for games that have neither scores of each player nor a winner."""
    game = engine.game
    values = {score.name: score.of_player for score in game.scores if score.of_player is not None}
    if not values and not game.winner:
        return ()
    found: list[Standing] = []
    for player in range(1, engine.instance.players + 1):
        who = terms.Constant(player, types.Player())
        scores = {name: engine.value(of_player(value, who), state) for name, value in values.items()}
        leads = bool(engine.value(wins(game.winner, who), state)) if game.winner else None
        found.append(Standing(player, scores, leads))
    return tuple(found)
