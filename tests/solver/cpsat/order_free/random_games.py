"""Random small games of one choice, most of which have actions whose order is free, and questions about them."""

from __future__ import annotations

import random

REQUIREMENTS = (
    "not flag of to",
    "not flag of to",
    "not occupied(to)",
    "every c in around(to): not flag of c",
    "every c in around(to): not occupied(c)",
    "every c in board where column(c) = column(to): not occupied(c)",
    "acts < {most}",
    "acts < {most}",
    "weight + load(to) <= {most}",
    "weight <= {few}",
    "not lit of to",
    "some c in around(to): flag of c",
    "not flag of step(to, E)",
    "not flag of step(to, E) and not flag of step(to, W)",
    "column(to) > 0 or not flag of step(to, E)",
    "shade of to < 2",
    "not lit of to or not flag of to",
    "weight + acts <= {most}",
)
MOTIFS = (
    ("not flag of to and (every c in around(to): not flag of c)", "flag of to := yes"),
    ("not flag of to and (every c in board where column(c) = column(to): not flag of c)", "flag of to := yes"),
    ("every c in board where row(c) = row(to): not occupied(c)", "put stone at to from box"),
    ("not flag of to", "flag of to := yes"),
    ("weight + load(to) <= {most}", "weight += load(to)"),
    ("not occupied(to)", "put pebble at to from box"),
    ("not occupied(to) and stone in box", "put stone at to from box"),
)
"""Requirements with effects that keep the order free."""

NEARLY = (
    ("not flag of to and not flag of step(to, E)", "flag of to := yes"),
    ("not flag of to and (flag of step(to, W) or column(to) = 0)", "flag of to := yes"),
    ("weight <= {most}", "weight += load(to)"),
    ("not occupied(to) and not flag of to", "put pebble at to from box"),
    ("shade of to = column(to)", "shade of to := 2"),
    ("not lit of to or column(to) = 0", "lit of to := not lit of to"),
)
"""The same, that do not."""

EFFECTS = (
    ("lit of to := not lit of to",),
    ("lit of to := not lit of to", "for c in around(to): lit of c := not lit of c"),
    ("flag of to := yes",),
    ("for c in around(to): flag of c := yes",),
    ("shade of to := (shade of to + 1) mod 3",),
    ("for c in around(to): shade of c := (shade of c + 1 + column(to)) mod 3",),
    ("weight += load(to)",),
    ("weight += 1",),
    ("put pebble at to from box",),
    ("if flag of to: weight += 1",),
    ("shade of to := column(to)",),
    ("for c in around(to): shade of c := 2",),
)
CONDITIONS = (
    "every c in board: lit of c",
    "every c in board: not lit of c",
    "acts >= {few}",
    "weight >= {few}",
    "some c in board: flag of c",
    "every c in board: flag of c or lit of c",
    "(sum shade of c for c in board) = {few}",
    "acts >= {few} or (every c in board: lit of c)",
    "(count c in board where occupied(c)) >= 2",
)
VALUES = (
    "count c in board where lit of c",
    "(sum shade of c for c in board) - weight",
    "count c in board where occupied(c)",
    "weight",
    "(count c in board where flag of c) + (if lit of origin of board then 3 else 0)",
    "count c in board where flag of c or occupied(c)",
    "weight + (count c in board where flag of c)",
    "(sum (if at(c) = pebble then 2 else 1) for c in board where occupied(c)) - acts",
)

GAME = """module asked:
    "A random game."

space board: square grid {width} x {height} of tiles

tiles stones:
    stone  x2
    pebble x9

state:
    lit of board:   truth
    flag of board:  truth
    shade of board: 0..2
    acts:           0..9
    weight:         0..40

define load(c):
    = 1 + column(c)

{actions}
procedure set_up:
{start}

flow:
    set_up
    repeat{until}:
        turn:
            choose {choice}

score worth: {value}
"""


def random_game(rng: random.Random) -> tuple[str, str]:
    """The text of a game, and a question about it."""
    numbers = {"most": rng.randrange(2, 5), "few": rng.randrange(1, 4)}

    def one_of(texts: tuple[str, ...]) -> str:
        return rng.choice(texts).format(**numbers)

    width, height = rng.choice(((2, 2), (3, 1), (2, 3), (4, 1)))
    names = ["press", "drop"][: rng.choice((1, 1, 2))]
    actions = "\n".join(_action(rng, name, one_of) for name in names)
    start = [f"    begin_{cell}: lit of step(origin of board, E, {cell}) := yes" for cell in range(width) if rng.random() < 0.4]
    start.append("    none: weight := 0")
    until = f" until {one_of(CONDITIONS)}" if rng.random() < 0.5 else ""
    choice = ", ".join(names) + (", or stop" if rng.random() < 0.2 else "")
    text = GAME.format(
        width=width, height=height, actions=actions, start="\n".join(start), until=until, choice=choice, value=one_of(VALUES)
    )
    ask = rng.choice(
        (
            "maximise score until end",
            "minimise score until end",
            "maximise score for 2 turns",
            f"reach score >= {rng.randrange(1, 5)} until end",
            f"fewest moves until {one_of(CONDITIONS)}",
            f"fewest turns until {one_of(CONDITIONS)}",
            f"least weight until {one_of(CONDITIONS)}",
        )
    )
    return text, ask


def _action(rng: random.Random, name: str, one_of) -> str:  # type: ignore[no-untyped-def]
    lines = [f"action {name}(to in board):", '    "One of the actions."']
    wanted = list(dict.fromkeys(one_of(REQUIREMENTS) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)))))
    counts = rng.random() < 0.8
    if counts:
        wanted.append("acts < 4")
    effects = [line for body in rng.sample(EFFECTS, rng.randrange(3)) for line in body]
    motifs = MOTIFS if rng.random() < 0.75 else NEARLY
    for need, effect in rng.sample(motifs, 2 if not effects else rng.randrange(2)):
        wanted.append(need.format(most=rng.randrange(2, 6)))
        effects.append(effect)
    if counts:
        effects.append("acts += 1")
    if any("put pebble" in effect for effect in effects) and rng.random() < 0.9:
        wanted.append("not occupied(to)")
    lines += [f'    require need_{number}: {text} else "not now"' for number, text in enumerate(wanted)]
    lines += [f"    effect does_{number}: {text}" for number, text in enumerate(effects)]
    return "\n".join(lines) + "\n"
