"""Variants of a shipped game as rule text, by seeds: one to four twists, each a module of its own that changes other clauses.

Each twist says what a designer might try. Those of one group change the same clauses, so a variant has one of each group at
most; all modules of a variant are linked as equals.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from attrs import frozen

GAME = "beacon_patrol"
EXPANSIONS = ("beacon_patrol.windmills", "beacon_patrol.piers")

Twist = Callable[[random.Random], str]
"""From chance to the changes: what stands in a module that extends the game."""


@frozen
class Variant:
    """The texts of its own modules, and the names of all that are linked."""

    texts: tuple[str, ...]
    roots: tuple[str, ...]


CONTENDED = "invariant matching"
"""The only clause that twists of several groups change."""


def variant(rng: random.Random) -> Variant:
    """One to four twists, now and then with an expansion too."""
    groups = rng.sample(list(TWISTS), rng.choice((1, 1, 2, 2, 3, 4)))
    changes = {f"twist.{group}": rng.choice(TWISTS[group])(rng).strip("\n") for group in groups}
    for name in [name for name, change in changes.items() if CONTENDED in change][1:]:
        del changes[name]  # two that change one clause are a conflict
    names = list(changes)
    texts = [f"module {name}:\n    extends {GAME}\n\n{change}\n" for name, change in changes.items()]
    expansions = [name for name in EXPANSIONS if rng.random() < 0.08]
    return Variant(tuple(texts), (GAME, *names, *expansions))


# What captains have --------------------------------------------------------------------------------


def tokens(rng: random.Random) -> str:
    return f"change allowance:\n    tokens[1] = {rng.randint(0, 6)}\n    tokens[2] = {rng.randint(0, 6)}"


def tiles_in_hand(rng: random.Random) -> str:
    return f"change allowance:\n    tiles[1] = {rng.choice((1, 2, 4))}\n    tiles[2] = {rng.choice((1, 2, 4))}"


# What counts ---------------------------------------------------------------------------------------


def worths(rng: random.Random) -> str:
    lines = [
        f"    replace value: {rng.randint(-1, 3)}",
        f"    replace lighthouse: {rng.randint(-2, 9)} when at(c) has lighthouse",
        f"    replace buoy: {rng.randint(-2, 5)} when at(c) has buoy",
    ]
    return "change worth:\n" + "\n".join(sorted(rng.sample(lines, rng.randint(1, 3))))


def no_buoys(rng: random.Random) -> str:
    return "change worth: drop buoy"


def neighbours_count(rng: random.Random) -> str:
    what = rng.choice(("at(n) has house", "at(n) = at(c)", "open_ocean(n)", "explored(n)"))
    return f"change worth: replace value: count n in around(c) where occupied(n) and {what}"


def houses_count(rng: random.Random) -> str:
    return "change worth: replace value: number(at(c), house)"


def explored(rng: random.Random) -> str:
    condition = rng.choice(
        (
            "occupied(c) and every n in nearby(c): occupied(n)",
            f"occupied(c) and (count n in around(c) where occupied(n)) >= {rng.randint(2, 4)}",
            f"occupied(c) and (count n in around(c) where occupied(n)) = {rng.randint(1, 3)}",
            "occupied(c) and occupied(step(c, N)) and occupied(step(c, S))",
            "occupied(c) and occupied(step(c, E)) and not occupied(step(c, W))",
            "occupied(c) and (every n in around(c): occupied(n)) and some d in directions(sea): side(at(c), d) = land",
            "occupied(c) and every n in around(c): occupied(n) and joined(c, n, water)",
            "occupied(c) and every n in around(c): occupied(n) or side(at(c), c -> n) = land",
            "occupied(c) and every n in line(c, S): occupied(n) or distance(c, n) > 2",
            "occupied(c) and some p in players: ship of p = c",
        )
    )
    return f"change explored: replace value: {condition}"


def waste(rng: random.Random) -> str:
    return "score waste: 0 - size(discarded)"


def thrift(rng: random.Random) -> str:
    return "score thrift: sum tokens of p for p in players"


def voyage(rng: random.Random) -> str:
    sign = rng.choice(("", "0 - "))
    return f"score voyage: {sign}sum distance(ship of p, origin of sea) for p in players"


def lagoon(rng: random.Random) -> str:
    return """
score lagoon: size(closure of origin of sea under c to n in around(c) where occupied(n) and joined(c, n, water))
"""


def houses_far_apart(rng: random.Random) -> str:
    return """
score islands: 2 * count c in sea where occupied(c) and at(c) has house and not some n in around(c): at(n) has house
"""


# What captains may do ------------------------------------------------------------------------------


def no_keep(rng: random.Random) -> str:
    return "drop action keep"


def keep_for_ever(rng: random.Random) -> str:
    return "change keep: drop dealt"


def keep_for_all(rng: random.Random) -> str:
    return "change keep: drop solo"


def keep_many(rng: random.Random) -> str:
    return "change keep: drop done"


def sail_diagonally(rng: random.Random) -> str:
    return """
define round_the_corner(a, b):
    = some n in around(a) where n in around(b): joined(a, n, water) and joined(n, b, water)

change sail:
    replace parameter to in nearby(ship of player)
    replace by_water:
        joined(ship of player, to, water) or to in diagonals(ship of player) and round_the_corner(ship of player, to)

change jettison:
    replace parameter to in nearby(ship of player)
"""


def sail_over_land(rng: random.Random) -> str:
    return "change sail: drop by_water"


def two_moves_for_a_token(rng: random.Random) -> str:
    return """
state:
    spare of player: truth

change sail:
    replace token: spare of player or tokens of player >= 1
    replace pay: do spend

procedure spend:
    pay:  if not spare of player: tokens of player -= 1
    turn: spare of player := not spare of player

change end_turn:
    calm: spare of player := no
"""


def sail_for_two(rng: random.Random) -> str:
    return """
change sail:
    replace token: tokens of player >= 2
    replace pay: tokens of player -= 2
"""


def sail_far(rng: random.Random) -> str:
    return """
change sail:
    replace parameter to in line(ship of player, E) where distance(to, ship of player) <= 2
    replace by_water: yes
"""


def no_jettison(rng: random.Random) -> str:
    return "drop action jettison"


def jettison_for_a_token(rng: random.Random) -> str:
    return "change jettison: effect refund: tokens of player += 1"


def loose_edges(rng: random.Random) -> str:
    return "change place: drop matching\ndrop invariant matching"


def place_over_land(rng: random.Random) -> str:
    return "change place: drop by_water"


def place_for_a_token(rng: random.Random) -> str:
    return """
change place:
    require token: tokens of player >= 1
    effect pay: tokens of player -= 1
"""


def place_few(rng: random.Random) -> str:
    return f"""
state:
    laid: 0..99

change place:
    require few: laid < {rng.randint(1, 2)}
    effect note: laid += 1

change end_turn:
    anew: laid := 0
"""


def place_and_stay(rng: random.Random) -> str:
    return "change place: drop embark"


def place_across(rng: random.Random) -> str:
    return """
change place:
    replace parameter to in nearby(ship of player)
    replace by_water: to in diagonals(ship of player) or side(tile, to -> ship of player) = water
"""


def place_snugly(rng: random.Random) -> str:
    return "change place: require snug: (count n in around(to) where occupied(n)) >= 2 or size(discarded) > 1"


def turned_tiles(rng: random.Random) -> str:
    return """
state:
    facing of sea: 0..3

define shown(c, d):
    = side(at(c), turn(d, 0 - facing of c))

change joined: replace value: shown(a, a -> b) = ground and shown(b, b -> a) = ground

change place:
    add parameter turned in 0..3
    replace matching: every n in around(to) where occupied(n): side(tile, turn(to -> n, 0 - turned)) = shown(n, n -> to)
    replace by_water: side(tile, turn(to -> ship of player, 0 - turned)) = water
    effect face: facing of to := turned

change invariant matching:
    replace value:
        every c in sea where occupied(c): every n in around(c) where occupied(n): shown(c, c -> n) = shown(n, n -> c)
"""


def no_swap(rng: random.Random) -> str:
    return "drop action swap"


def swap_at_will(rng: random.Random) -> str:
    return "change swap: drop once"


def lift_a_tile(rng: random.Random) -> str:
    return """
action lift(c in around(ship of player)):
    require laid: occupied(c) and not some p in players: ship of p = c
    require token: tokens of player >= 2
    effect pay: tokens of player -= 2
    effect raise: take c to discarded

change flow: add lift to turn
"""


def push_a_tile(rng: random.Random) -> str:
    return """
action push(c in around(ship of player)):
    require laid: occupied(c) and not some p in players: ship of p = c
    require room: not occupied(step(c, ship of player -> c)) and step(c, ship of player -> c) in sea
    require token: tokens of player >= 2
    effect pay: tokens of player -= 2
    effect shove: slide c to step(c, ship of player -> c)

change flow: add push to turn
drop invariant matching
"""


def purse(rng: random.Random) -> str:
    return """
state:
    purse: 0..50

action salvage(tile in hand of player):
    require there: at(ship of player) has buoy
    effect gain: purse += 2
    effect give: move tile to discarded

change flow: add salvage to turn

score purse: purse
"""


# How a turn ends, on what and with what one plays ----------------------------------------------------


def hands_stay(rng: random.Random) -> str:
    return "change end_turn: drop discard"


def one_at_a_time(rng: random.Random) -> str:
    return "change end_turn: replace deal: deal 1 from draw to hand of player"


def tokens_stay(rng: random.Random) -> str:
    return "change end_turn: replace flip: if tokens of player < 4: tokens of player += 1"


def home_again(rng: random.Random) -> str:
    return "change end_turn: harbour: ship of player := origin of sea"


def storm(rng: random.Random) -> str:
    return """
change end_turn:
    storm: for c in sea where occupied(c) and at(c) != hq and (count n in around(c) where occupied(n)) < 2:
        if not some p in players: ship of p = c: take c to discarded
"""


def bounded_sea(rng: random.Random) -> str:
    size = rng.choice(("3 x 4", "5 x 5", "6 x 3"))
    return f"drop space sea\nspace sea: square grid {size} of tiles{rng.choice(('', ', wrapped'))}"


def counts_of_tiles(rng: random.Random) -> str:
    kinds = ("open", "buoy", "n_village", "e_light", "ew", "ns_buoy", "nes_house", "esw_light")
    return "change base:\n" + "\n".join(f"    {kind} x{rng.randint(0, 9)}" for kind in rng.sample(kinds, rng.randint(2, 5)))


def tiles_of_ones_own(rng: random.Random) -> str:
    lines = []
    for number in range(rng.randint(1, 6)):
        sides = " ".join(rng.sample("NESW", rng.randint(1, 4)))
        marker = rng.choice(("", ", buoy", ", lighthouse", " (house)", " (house 3)"))
        lines.append(f"    own_{number}  x{rng.randint(1, 20)}  land {sides}{marker}")
    return "tiles own:\n" + "\n".join(lines)


TWISTS: dict[str, tuple[Twist, ...]] = {
    "supply": (tokens, tokens, tiles_in_hand),
    "worth": (worths, worths, no_buoys, neighbours_count, houses_count),
    "explored": (explored, explored),
    "score": (waste, thrift, voyage, lagoon, houses_far_apart),
    "keep": (no_keep, keep_for_ever, keep_for_all, keep_many),
    "sail": (sail_diagonally, sail_over_land, two_moves_for_a_token, sail_for_two, sail_far),
    "jettison": (no_jettison, jettison_for_a_token),
    "place": (
        loose_edges,
        place_over_land,
        place_for_a_token,
        place_few,
        place_and_stay,
        place_across,
        place_snugly,
        turned_tiles,
        turned_tiles,
    ),
    "swap": (no_swap, swap_at_will),
    "more": (lift_a_tile, push_a_tile, purse),
    "end": (hands_stay, one_at_a_time, tokens_stay, home_again, storm),
    "board": (bounded_sea,),
    "tiles": (counts_of_tiles, tiles_of_ones_own),
}
