"""What is hidden stays hidden: nothing that a player sees, or may do, depends on it, at any choice of random games."""

from __future__ import annotations

import random

import pytest

from rulewright.api.state_data import state_as_json
from rulewright.cli.commands.show import position_lines
from rulewright.rules.model.state import value_range
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import EVERYONE, Viewer, visible_values
from tests.games.penguin_pirates.sailing import engine, point, random_game


def scrambled(engine: Engine, state: State, viewer: int | None, dice: random.Random) -> State:
    """The state with everything else in the places that a viewer does not see; zones keep their size."""
    columns = list(state)
    for column in engine.layout.columns.values():
        for at in range(column.start, column.start + column.count):
            index = column.offset + at - column.start
            if Viewer(player=viewer).audience(engine.instance, column.variable, index) == EVERYONE:
                continue
            if not column.variable.is_zone:
                columns[at] = dice.choice(value_range(engine.instance, column.variable))
            else:
                columns[at] = tuple(dice.randrange(1, len(engine.game.tiles) + 1) for _ in columns[at])
    return tuple(columns)


def shown(engine: Engine, state: State) -> str:
    return repr(list(position_lines(engine, state, Viewer()))) + repr(state_as_json(engine, state, Viewer()))


@pytest.mark.parametrize("players", [3, 4])
def test_no_view_depends_on_what_is_hidden(players: int) -> None:
    here, dice = engine(players), random.Random(players)
    hidden = 0
    for seed in range(2):
        for number, state in enumerate(random_game(here, seed)):
            for viewer in (None, *range(1, players + 1)):
                other = scrambled(here, state, viewer, dice)
                hidden += other != state
                assert visible_values(here, other, viewer) == visible_values(here, state, viewer)
            if not here.over(state):
                other = scrambled(here, state, here.player(state), dice)
                assert here.legal(other) == here.legal(state)
                if number % 7 == 0:
                    assert shown(here, other) == shown(here, state)
    assert hidden > 300


@pytest.mark.parametrize("players", [3, 4])
def test_nobody_learns_what_was_chosen_before_all_have_chosen(players: int) -> None:
    here = engine(players)
    captain = here.layout.position("captain", None)
    secret = open_choices = 0
    for seed in range(4):
        for state in random_game(here, seed):
            if point(here, state) != "planning":
                continue
            actor, after = here.player(state), [here.apply(state, move) for move in here.legal(state)]
            if point(here, after[0]) != "planning":
                continue  # the last to choose: now all is shown
            for viewer in {None, *range(1, players + 1)} - {actor}:
                views = {visible_values(here, a, viewer) for a in after}
                if actor == state[captain] and here.choice(state).actions == ("choose",):  # type: ignore[union-attr]
                    open_choices += 1
                    assert len(views) == len(after)
                else:
                    secret += 1
                    assert len(views) == 1
    assert secret > 100 and open_choices > 40


def test_what_is_shown_at_the_end_is_everything_that_belongs_to_somebody() -> None:
    here = engine(4)
    *_, last = random_game(here, 1)
    assert here.over(last)
    assert "owner only" not in shown(here, last)
