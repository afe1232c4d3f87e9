"""What is hidden stays hidden: castle cards and decks change nothing that another player sees or may do."""

from __future__ import annotations

import random

from rulewright.rules.model.state import value_range
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import EVERYONE, Viewer, visible_values
from tests.games.castles_by_the_sea.beach import engine, random_game


def scrambled(here: Engine, state: State, viewer: int, dice: random.Random) -> State:
    """The state with other cards in the places that a player does not see; zones keep their size."""
    columns = list(state)
    cards = [here.game.tile_number(name) for name in ("barricade", "deep_study", "ambush", "calm", "three_alerts")]
    for column in here.layout.columns.values():
        for at in range(column.start, column.start + column.count):
            index = column.offset + at - column.start
            if Viewer(player=viewer).audience(here.instance, column.variable, index) == EVERYONE:
                continue
            if not column.variable.is_zone:
                columns[at] = dice.choice(value_range(here.instance, column.variable))
            else:
                columns[at] = tuple(sorted(dice.choice(cards) for _ in columns[at]))
    return tuple(columns)


def test_nothing_that_a_player_sees_or_may_do_depends_on_what_is_hidden() -> None:
    here, dice, changed = engine(2, "basic"), random.Random(1), 0
    for number, (state, _, _) in enumerate(random_game(here, 5)):
        if number % 4:
            continue
        viewer = here.player(state)
        other = scrambled(here, state, viewer, dice)
        changed += other != state
        assert visible_values(here, other, viewer) == visible_values(here, state, viewer)
        assert here.legal(other) == here.legal(state)
    assert changed > 20
