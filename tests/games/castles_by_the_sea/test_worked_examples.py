"""The numbers of the rulebook's examples, from states that are set up by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rulewright.rules.linking.questions import resolve_question
from rulewright.rules.play.engine import Engine, State
from tests.expressions import parse_expression
from tests.games.castles_by_the_sea.beach import engine, get, member, point, possessions
from tests.rules.playing import engine_of


def put(here: Engine, state: State, values: Mapping[tuple[str, int | None], Any]) -> State:
    columns = list(state)
    for (name, index), value in values.items():
        columns[here.layout.position(name, index)] = value
    return tuple(columns)


def value(here: Engine, state: State, text: str) -> int:
    return here.value(resolve_question(here.game, parse_expression(text, "asked")), state)


def first(here: Engine, state: State, name: str) -> State:
    """The first move by an action of that name, or stop."""
    names = list(here.game.actions)
    return here.apply(state, next(m for m in here.legal(state) if (names[m[0]] if m[0] >= 0 else "stop") == name))


def at_hazards(here: Engine, state: State) -> State:
    while point(here, state) != "moving":
        state = first(here, state, "stop")
    return state


@pytest.mark.parametrize(("destroyed", "blocks"), [(0, 3), (1, 3), (2, 4), (3, 4), (4, 5), (10, 8)])
def test_gathering_returns_pieces_and_pays_for_every_two(destroyed: int, blocks: int) -> None:
    here = engine(2, "basic")
    state = at_hazards(here, here.start(1))
    pieces = [*get(here, state, "structures", 2), *get(here, state, "figures", 2)]
    of_structures = len(get(here, state, "structures", 2))
    lost = pieces[:destroyed]
    broken, fallen = tuple(lost[:of_structures]), tuple(lost[of_structures:])
    state = put(
        here,
        state,
        {
            ("broken", 2): broken,
            ("fallen", 2): fallen,
            ("structures", 2): tuple(pieces[len(broken) : of_structures]),
            ("figures", 2): tuple(pieces[of_structures + len(fallen) :]),
        },
    )
    for name in ("move_hazard", "flip", "flip"):
        state = first(here, state, name)
    assert point(here, state) == "building" and here.player(state) == 2
    assert len(get(here, state, "mat", 2)) == blocks
    assert len(get(here, state, "broken", 2)) == len(get(here, state, "fallen", 2)) == 0
    assert possessions(here, state, 2).total() == 10


def test_a_kingdom_of_the_first_game_has_ten_pieces() -> None:
    here = engine(2, "basic")
    assert possessions(here, here.start(1), 1).total() == 1 + 2 + 2 + 1 + 2 + 2


def test_dollars_seaweed_and_castle_cards_are_the_total() -> None:
    here = engine(2, "basic")
    cards = tuple(here.game.tile_number(name) for name in ("gate", "wind_tunnel"))
    state = put(here, here.start(1), {("dollars", 1): 39, ("gathered", 1): 2, ("completed", 1): cards})
    assert value(here, state, "wealth of 1") == 53


def test_the_chart_of_the_game_alone() -> None:
    here = engine(1, "basic")
    names = [here.rank(score) for score in (0, 39, 40, 49, 50, 59, 60, 69, 70, 79, 80, 89, 90)]
    assert len(set(names)) == 7
    assert names[0] == names[1] and all(one == other for one, other in zip(names[2:12:2], names[3:12:2], strict=True))
    assert names[1] == "Sandbox Fun" and names[-1] == "Lord of the Beach"


@pytest.mark.parametrize(("card", "spot"), [("two_alerts", 5), ("one_alert", 3), ("calm", 2), ("three_alerts", 6)])
def test_a_hazard_roams_past_taken_spots(card: str, spot: int) -> None:
    """From spot 2; another hazard is on spot 4, and stays there."""
    here = engine(1, "basic")
    state = here.start(1)
    calm = (here.game.tile_number("calm"),)
    dragon, giant, terror = (member(here, "hazard", name) for name in ("dragon", "giant", "terror"))
    state = put(
        here,
        state,
        {
            **{("puck", hazard): at for hazard, at in ((dragon, 2), (giant, 4), (terror, 9))},
            **{("deck", hazard): calm for hazard in (giant, terror)},
            ("deck", dragon): (here.game.tile_number(card),),
        },
    )
    while get(here, state, "sun") == 0:
        state = first(here, state, "stop")
    assert [get(here, state, "puck", hazard) for hazard in (dragon, giant, terror)] == [spot, 4, 9]


def test_four_players_flip_one_card() -> None:
    here = engine(4, "basic")
    state = first(here, at_hazards(here, here.start(1)), "move_hazard")
    state = first(here, state, "flip")
    assert here.player(state) == 2 and point(here, state) == "building"


# Challenges of the game alone -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values", "met"),
    [
        ("sandcastle_purist", {("dollars", 1): 66}, True),
        ("sandcastle_purist", {("dollars", 1): 65}, False),
        ("sandcastle_purist", {("dollars", 1): 99, ("completed", 1): ("gate",)}, False),
        ("overachiever", {("completed", 1): ("gate", "gate", "stairs", "stairs", "corner", "corner")}, True),
        ("overachiever", {("completed", 1): ("gate", "gate", "stairs", "stairs", "corner")}, False),
        ("forgotten_kingdom", {("dollars", 1): 51}, True),
        ("forgotten_kingdom", {("dollars", 1): 50}, False),
        ("conquer_the_beach", {}, False),
        ("beachcombing", {}, False),
    ],
)
def test_challenges_that_a_state_shows(name: str, values: Mapping[tuple[str, int | None], Any], met: bool) -> None:
    here = engine_of(1, "castles_by_the_sea.basic", "castles_by_the_sea.challenges")
    numbers = {
        key: tuple(map(here.game.tile_number, said)) if isinstance(said, tuple) else said for key, said in values.items()
    }
    assert value(here, put(here, here.start(1), numbers), f"if {name} then 1 else 0") == met
