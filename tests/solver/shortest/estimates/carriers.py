"""Small instances in which something carries others: errands in a town, a lift."""

from __future__ import annotations

import random

from rulewright.puzzles.position import Position
from tests.rules.playing import linked
from tests.solver.shortest.questions import asked

ERRANDS = """
module errands:
    "A carrier takes parcels home, a few at a time."

enum parcel: first, second, third

space town: square grid 3 x 2

state:
    carrier: cell of town
    spot of parcel: cell of town
    home of parcel: cell of town

define load = count p in parcel where spot of p is none

action walk(ahead in around(carrier)):
    effect go: carrier := ahead

action pick(what in parcel):
    require here: {here}
    require hands: load < {hands}
    effect take: spot of what := none of town

action lay(what in parcel):
    require held: spot of what is none
    require room: {room}
    effect put: spot of what := carrier

action call(what in parcel):
    require post: {post}
    effect come: spot of what := carrier

define delivered = every p in parcel: spot of p = home of p

flow:
    repeat until {aim}:
        turn:
            choose walk, pick, lay, call

score none: 0
"""


def errands(rng: random.Random) -> Position:
    aim = rng.choice(
        ("delivered", "delivered and carrier = home of third", "(count p in parcel where spot of p = home of p) >= 2")
    )
    text = ERRANDS.format(
        here=rng.choice(("spot of what = carrier", "carrier = spot of what and spot of what != home of what")),
        hands=rng.randint(1, 2),
        room=rng.choice(("carrier in town", "every p in parcel: spot of p != carrier", "spot of first != carrier")),
        post=rng.choice(("column(carrier) = 0 and what = second", "column(carrier) = 3")),
        aim=aim,
    )
    cells = [f"({column},{row})" for column in range(3) for row in range(2)]
    spots, homes = rng.sample(cells, 3), rng.sample(cells, 3)
    body = [f"carrier: {rng.choice(cells)}"]
    for name, spot, home in zip(("first", "second", "third"), spots, homes, strict=True):
        body += [f"spot {name}: {spot}", f"home {name}: {home}"]
    return asked(linked(text), f"fewest moves until {aim}", "\n" + "\n".join(f"    {line}" for line in body))


LIFTS = """
module lifts:
    "A lift takes people where they want to go."

enum person: ann, bob, eve
enum level: cellar, hall, attic, roof

state:
    lift: level
    entry of person: level
    aim of person: level
    aboard of person: truth
    served of person: truth

action ride(to in level{ride}):
    require elsewhere: to != lift
    effect go: lift := to

action board(who in person):
    require here: entry of who = lift
    require room: {room}
    effect enter: aboard of who := yes

action leave(who in person):
    require here: aim of who = lift
    require aboard: aboard of who
    effect step: aboard of who := no
    {leave}

flow:
    repeat until {aim}:
        turn:
            choose ride, board, leave

score none: 0
"""
LIFT_AIMS = (
    "every p in person: served of p",
    "(every p in person: served of p) and lift = roof",
    "(count p in person where served of p) >= 2",
    "not aboard of ann and served of bob and served of eve and aboard of eve",
)


def lifts(rng: random.Random) -> Position:
    aim = rng.choice(LIFT_AIMS)
    text = LIFTS.format(
        ride=rng.choice(("", " where lift != roof or to = hall")),
        room=rng.choice(("not aboard of who", "every p in person: not aboard of p", "not served of who or who = eve")),
        leave=rng.choice(
            (
                "effect done: served of who := yes",
                "effect done: served of who := not served of who",
                "effect done: for p in person where aim of p = lift: served of p := yes",
            )
        ),
        aim=aim,
    )
    levels = ("cellar", "hall", "attic", "roof")
    body = [f"lift: {rng.choice(levels)}"]
    for name in ("ann", "bob", "eve"):
        entry, home = rng.sample(levels, 2)
        body += [f"entry {name}: {entry}", f"aim {name}: {home}"]
    return asked(linked(text), f"fewest moves until {aim}", "\n" + "\n".join(f"    {line}" for line in body))
