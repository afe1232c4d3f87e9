"""The judges judged: by hand-counted boards, the rulebook's examples, proved answers, and each other."""

import random
from collections import Counter

import pytest

from bench import peer_beacon_patrol as peer
from tests.games.beacon_patrol.oracle.base_game import (
    BASE_TILES,
    FACES,
    HQ,
    State,
    apply,
    best_score,
    legal,
    over,
    parse_puzzle,
    random_position,
    score,
    score_items,
    set_up,
    shuffled_start,
    successor,
    to_puzzle,
)
from tests.games.beacon_patrol.oracle.exact_solver import solve
from tests.games.beacon_patrol.oracle.proved_puzzles import PROVED


def position(sea: str, hand: str = "none", players: int = 1, **settings: str) -> State:
    rows = "".join(f"        {row.strip()}\n" for row in sea.strip().splitlines())
    others = "".join(f"    {name.replace('_', ' ')}: {value}\n" for name, value in settings.items())
    return parse_puzzle(f"puzzle p:\n    players {players}\n    sea:\n{rows}    hand 1: {hand}\n{others}")


def actions(state: State, *verbs: str) -> set[str]:
    return {action for action in legal(state) if action.split()[0] in verbs}


# --- tiles and set-up ------------------------------------------------------------------------------------------------


def test_the_box() -> None:
    assert len(BASE_TILES) == 54
    with_markers = Counter(FACES[kind].points for kind in BASE_TILES)
    assert with_markers == {3: 12, 2: 16, 1: 26}
    assert Counter(len(FACES[kind].land) for kind in BASE_TILES) == {0: 12, 1: 20, 2: 14, 3: 8}


@pytest.mark.parametrize(("players", "tiles", "tokens"), [(1, 3, 4), (2, 3, 3), (3, 3, 3), (4, 2, 2)])
def test_the_allowance(players: int, tiles: int, tokens: int) -> None:
    state = set_up(players, BASE_TILES)
    assert [len(hand) for hand in state.hands] == [tiles] * players
    assert state.tokens == (tokens,) * players
    assert state.ships == ((0, 0),) * players
    assert len(state.draw) == 54 - players * tiles


# --- placing ---------------------------------------------------------------------------------------------------------


def test_tiles_go_beside_the_ship_never_diagonally() -> None:
    assert actions(position("hq@1", "open"), "place") == {f"place open {d}" for d in ("north", "east", "south", "west")}


def test_equal_tiles_give_one_action() -> None:
    assert len(actions(position("hq@1", "open, open, buoy"), "place")) == 8


def test_all_edges_must_match() -> None:
    state = position("open s_village \n hq@1 .", "n_house, nw_light, open")
    assert actions(state, "place") == {
        *("place n_house east", "place n_house west", "place nw_light west", "place open south", "place open west"),
    }


def test_a_matching_tile_is_not_placed_over_land() -> None:
    """The rulebook's example of rule 5: land beside land matches, but the ship cannot get there."""
    state = position("n_light@1", "s_house")
    assert actions(state, "place") == {"place s_house east", "place s_house south", "place s_house west"}


def test_the_ship_goes_along_for_free() -> None:
    state = apply(position("hq@1", "open"), "place open east")
    assert state.ships == ((1, 0),)
    assert state.tokens == (4,)
    assert state.hands == ((),)


def test_what_is_not_legal_is_refused() -> None:
    with pytest.raises(ValueError, match="not legal"):
        apply(position("hq@1", "open"), "sail east")


# --- moving ----------------------------------------------------------------------------------------------------------


def test_round_the_land_in_three_moves() -> None:
    """The rulebook's example: not over the land to the tile above, but by water with three tokens."""
    state = position("s_house open \n n_house@1 open")
    assert actions(state, "sail") == {"sail east"}
    for direction in ("east", "north", "west"):
        state = apply(state, f"sail {direction}")
    assert state.ships == ((0, 0),)
    assert state.tokens == (1,)


def test_a_tile_instead_of_a_token() -> None:
    state = position("hq@1 open", "buoy, buoy, ew", tokens_1="0")
    assert actions(state, "sail", "jettison") == {"jettison buoy east", "jettison ew east"}
    state = apply(state, "jettison buoy east")
    assert state.hands == (("buoy", "ew"),)
    assert state.discarded == ("buoy",)
    assert state.tokens == (0,)
    assert state.ships == ((1, 0),)


def test_no_move_to_a_vacant_space() -> None:
    assert legal(position("hq@1", "ew")) == ["keep ew", "place ew north", "place ew south", "stop"]


# --- swapping and the end of a turn ----------------------------------------------------------------------------------


def test_eske_and_enno() -> None:
    """The play example: two moves, a tile, the last token, a swap, the tile received, the last tile."""
    state = position("hq@1@2 open buoy", "s_village, ew, buoy", 2, hand_2="n_house, open x2", draw="e_light, w_light")
    plan = ("sail east", "sail east", "place buoy north", "sail south", "swap ew for open of 2")
    for action in (*plan, "place open east", "place s_village south"):
        state = apply(state, action)
    assert state.hands == ((), ("ew", "n_house", "open"))
    assert not actions(state, "sail", "jettison", "swap", "place")
    state = apply(state, "stop")
    assert state.player == 2
    assert state.hands == (("e_light", "w_light"), ("ew", "n_house", "open"))
    assert state.tokens == (3, 3)
    assert not state.swapped


def test_one_swap_a_turn_and_none_alone() -> None:
    state = position("hq@1@2@3", "open", 3, hand_2="buoy", hand_3="ew, ew")
    assert actions(state, "swap") == {"swap open for buoy of 2", "swap open for ew of 3"}
    assert not actions(apply(state, "swap open for ew of 3"), "swap")
    assert not actions(position("hq@1", "open"), "swap")


def test_keeping_a_tile_reduces_the_deal() -> None:
    state = apply(position("hq@1", "open, buoy, ew", draw="n_light, n_house, n_village"), "keep ew")
    assert state.hands == (("ew", "n_house", "n_light"),)
    assert state.draw == ("n_village",)
    assert state.discarded == ("buoy", "open")


def test_a_tile_is_not_kept_for_ever() -> None:
    """R1."""
    state = apply(position("hq@1", "open", draw="none"), "keep open")
    assert state.dealt == (False,)
    assert not actions(state, "keep")
    assert over(apply(state, "stop"))
    assert not actions(position("hq@1", "open", dealt_1="no"), "keep")


def test_nobody_keeps_in_company() -> None:
    assert not actions(position("hq@1@2", "open", 2), "keep")


def test_players_without_tiles_are_skipped() -> None:
    """R2: a short deal, then turns go on with those who have tiles."""
    state = position("hq@1@2@3", "open", 3, hand_3="buoy", draw="ew")
    state = apply(state, "stop")
    assert (state.player, state.hands) == (3, (("ew",), (), ("buoy",)))
    state = apply(state, "stop")
    assert state.player == 1
    assert over(apply(state, "stop"))


def test_the_last_turn_goes_on_after_the_last_tile() -> None:
    state = apply(position("hq@1", "open"), "place open east")
    assert legal(state) == ["sail west", "stop"]
    assert over(apply(state, "stop"))


# --- score -----------------------------------------------------------------------------------------------------------

ELEVEN = """
    .    open      buoy          open    .
    open n_light   n_buoy@1      hq      open
    open open      open          w_house open
    .    s_light   s_light       s_light .
"""


def test_the_scoring_example() -> None:
    """As in the rulebook's example: two lighthouses, a buoy and three other explored tiles are 11 points."""
    state = position(ELEVEN)
    assert score_items(state) == [
        ((1, 1), "n_light", 3),
        ((2, 1), "n_buoy", 2),
        ((3, 1), "hq", 3),
        ((1, 2), "open", 1),
        ((2, 2), "open", 1),
        ((3, 2), "w_house", 1),
    ]
    assert score(state) == 11


def test_explored_needs_all_four_sides_and_no_water() -> None:
    """R5: the neighbours need not be connected by water."""
    assert score(position(". s_light . \n e_house hq@1 open \n . open .")) == 3
    assert score(position(". s_light . \n e_house hq@1 open \n . . .")) == 0


# --- whole games -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(50))
def test_no_tile_is_lost(seed: int) -> None:
    rng = random.Random(seed)
    state = shuffled_start(rng, seed % 4 + 1)
    while not over(state):
        tiles = Counter(state.board.values()) + Counter(state.draw) + Counter(state.discarded)
        for pile in (*state.hands, *state.kept):
            tiles += Counter(pile)
        assert tiles == Counter([HQ, *BASE_TILES])
        assert set(state.ships) <= set(state.board)
        state = successor(state, rng.choice(legal(state)))
    assert not state.draw
    assert len(state.board) + len(state.discarded) == 55


@pytest.mark.parametrize("seed", range(12))
def test_positions_are_written_and_read(seed: int) -> None:
    state = random_position(random.Random(seed), seed % 4 + 1, 1 + 2 * seed, 1 + seed)
    assert (len(state.board), sum(map(len, state.hands)) + len(state.draw)) == (1 + 2 * seed, 1 + seed)
    again = parse_puzzle(to_puzzle(state, "again"))
    left, top = (min(cell[axis] for cell in state.board) for axis in (0, 1))
    assert again.board == {(column - left, row - top): kind for (column, row), kind in state.board.items()}
    assert parse_puzzle(to_puzzle(again, "again")) == again
    assert legal(again) == legal(state)
    assert score(again) == score(state)


# --- optima ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "answer"), PROVED[3])
def test_proved_answers_of_three_tiles(text: str, answer: int) -> None:
    state = parse_puzzle(text)
    assert best_score(state) == solve(state) == answer


@pytest.mark.campaign
@pytest.mark.parametrize(("text", "answer"), PROVED[6])
def test_proved_answers_of_six_tiles(text: str, answer: int) -> None:
    assert solve(parse_puzzle(text)) == answer


@pytest.mark.parametrize("seed", range(12))
def test_the_solver_agrees_with_plain_enumeration(seed: int) -> None:
    state = random_position(random.Random(seed), seed % 4 + 1, 8 + seed, 2 + seed % 2)
    assert solve(state) == best_score(state)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 160))
def test_the_solver_agrees_with_plain_enumeration_of_four_tiles(seed: int) -> None:
    state = random_position(random.Random(seed), seed % 4 + 1, seed % 28 + 1, 4)
    assert solve(state) == best_score(state)


# --- the peer of the speed comparison --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_peer_plays_the_same_game(seed: int) -> None:
    rng = random.Random(seed)
    pile = list(peer.PILE)
    rng.shuffle(pile)
    state = set_up(1, tuple(peer.KINDS[kind] for kind in pile))
    game = peer.Game(pile[::-1])
    while not game.over:
        options = game.legal()
        assert sorted(map(peer.text, options)) == legal(state)
        # Half of the games place whenever they can, so that boards grow.
        places = [option for option in options if peer.text(option).startswith("place")] if seed % 2 else []
        action = rng.choice(places or options)
        game.apply(action)
        state = successor(state, peer.text(action))
    assert over(state)
    assert game.score() == score(state)
