"""Rules within the limits that ask for as much work as these allow, drawn by seeds.

Each part of a bomb is near a limit now and then: parameters (`moves`), quantifiers over cells (`steps`), effects over all
cells, closures, flows without choices (`flow`), and every kind of question. Long programs (`written`) are bombs of their own.
"""

from __future__ import annotations

import random

from attrs import frozen


@frozen
class Bomb:
    """The text of the rules, and of a puzzle that asks about them."""

    rules: str
    puzzle: str


SPACES = (
    "square grid {side} x {side}",
    "square grid {side} x {side}, 8 neighbours",
    "square grid {side} x {side}, 8 neighbours, wrapped",
    "ring {cells}",
    "hex grid radius {radius}",
)

FORM = """module bomb:
    "As much work as the rules may ask for."

players 1..2

space field: {space}

state:
    here:           cell of field = origin of field
    on of field:    truth
    tall of field:  0..9
    n:              0..9
    big:            0..999999
    spent of player: 0..99

define near(a in field, b in field) = b in around(a) or tall of a = tall of b
define weight(a in field) = {weight}
define spread(a in field) = closure of a under x to y in around(x) where {spread}

{actions}
procedure churn:
    {churn}

procedure set_up:
    first: on of here := yes

flow:
    set_up
    {flow}

score points: {score}
"""


def bomb(seed: int) -> Bomb:
    """The bomb of a seed; `check` may still refuse it."""
    rng = random.Random(seed)
    side = rng.choice((2, 3, 4, 5, 6, 8, 12, 20, 40, 64))
    radius = rng.choice((1, 2, 4, 8, 16, 30))
    space = rng.choice(SPACES).format(side=side, cells=side * side, radius=radius)
    cells = 3 * radius * (radius + 1) + 1 if "hex" in space else side * side
    around, actions = "around(y)", rng.choice((1, 1, 2, 3))
    text = FORM.format(
        space=space,
        weight=_number(rng, ("a",), cells, 1),
        spread=rng.choice((f"on of y or some z in {around}: on of z", "tall of y >= n", "yes", "not on of y", "y != here")),
        actions="\n".join(_action(rng, number, cells) for number in range(actions)),
        churn="\n    ".join(f"act{number}: {_effect(rng, (), cells, 1)}" for number in range(rng.choice((1, 2, 4)))),
        flow=_flow(rng, actions),
        score=_number(rng, (), cells, 2),
    )
    return Bomb(text, _puzzle(rng))


def _puzzle(rng: random.Random) -> str:
    goal = _goal(rng)
    ask = rng.choice((
        "maximise score until end", "maximise score until end", "maximise big for 3 turns", "minimise big + n for 2 turns",
        f"fewest moves until {goal}", f"fewest moves until {goal}", f"fewest turns until {goal}", f"reach {goal} until end",
        "count best until end", f"count fewest moves until {goal}", "maximise score until end against best play",
        "maximise n for 4 turns against best play", "maximise score until end in expectation",
        "maximise n for 2 turns in expectation",
    ))  # fmt: skip
    return (
        f'puzzle bomb_asked:\n    "What comes of it?"\n    rules bomb\n    players {rng.choice((1, 1, 2))}\n\n    ask: {ask}\n'
    )


def _goal(rng: random.Random) -> str:
    return rng.choice(
        ("n = 9", "big >= 999", "every c in field: on of c", "(count c in field where on of c) >= 5", "here = nowhere")
    )


def _action(rng: random.Random, number: int, cells: int) -> str:
    room, parameters = rng.choice((10, 100, 1000, 20_000, 400_000)), []
    while len(parameters) < 6:
        kinds = [("field", cells), ("around(here)", 8), (f"1..{min(room, rng.choice((2, 9, 60, 999)))}", 0), ("players", 2)]
        domain, size = rng.choice(kinds)
        size = size or int(domain[3:])
        if size > room or (parameters and rng.random() < 0.15):
            break
        room //= max(size, 1)
        parameters.append((f"p{number}{len(parameters)}", domain, domain in ("field", "around(here)")))
    names = ", ".join(f"{name} in {domain}" for name, domain, _ in parameters)
    placed = [name for name, _, is_cell in parameters if is_cell] or ["here"]
    lines = [f"action go{number}{f'({names})' if names else ''}:"]
    lines += [
        f"    require must{n}: {_truth(rng, placed, cells, rng.choice((0, 1, 1, 2)))}" for n in range(rng.choice((0, 1, 2)))
    ]
    lines += [
        f"    effect do{n}: {_effect(rng, placed, cells, rng.choice((0, 0, 1, 2)))}" for n in range(rng.choice((1, 2, 3)))
    ]
    return "\n".join(lines) + "\n"


def _bound(rng: random.Random) -> str:
    return f"b{rng.randrange(10**6)}"


def _truth(rng: random.Random, cells: list[str] | tuple[str, ...], size: int, depth: int) -> str:
    known = [*cells, "here"]
    if depth == 0:
        one, other = rng.choice(known), rng.choice(known)
        return rng.choice((
            f"not on of {one}", f"tall of {one} > tall of {other}", f"near({one}, {other})", f"distance({one}, {other}) > 1",
            f"big mod 7 != {rng.randrange(7)}", f"n < {rng.randint(1, 9)}", f"{one} != {other}",
        ))  # fmt: skip
    name = _bound(rng)
    inner = _truth(rng, (*cells, name), size, depth - 1)
    return rng.choice((
        f"(every {name} in field: {inner} or on of {name})", f"(some {name} in field where not on of {name}: {inner})",
        f"({_number(rng, cells, size, depth)} > {rng.randrange(20)})", f"(some {name} in spread({rng.choice(known)}): {inner})",
        f"({_truth(rng, cells, size, depth - 1)} or {_truth(rng, cells, size, depth - 1)})",
    ))  # fmt: skip


def _number(rng: random.Random, cells: list[str] | tuple[str, ...], size: int, depth: int) -> str:
    known = [*cells, "here"]
    if depth == 0:
        return rng.choice(("n", "big mod 10", f"tall of {rng.choice(known)}", f"distance({rng.choice(known)}, here)"))
    name = _bound(rng)
    inner = _number(rng, (*cells, name), size, depth - 1)
    where = _truth(rng, (*cells, name), size, depth - 1)
    return rng.choice((
        f"(sum {inner} for {name} in field)", f"(count {name} in field where {where})", f"size(spread({rng.choice(known)}))",
        f"(sum {inner} for {name} in spread(here) where {where})", f"(count {name} in around(here) where {where})",
        f"(sum ({_number(rng, cells, size, depth - 1)}) * {name} mod 3 for {name} in 1..{rng.choice((3, 99, 2000))})",
    ))  # fmt: skip


def _effect(rng: random.Random, cells: list[str] | tuple[str, ...], size: int, depth: int) -> str:
    known = [*cells, "here"]
    cell = rng.choice(known)
    if depth == 0:
        return rng.choice((
            f"on of {cell} := yes", f"here := {cell}", f"tall of {cell} := (tall of {cell} + 1) mod 10", "n := (n + 3) mod 10",
            "big := (big * 31 + n + 7) mod 999983", "roll n", "do churn", f"on of {cell} := not on of {cell}",
        )) if cells else rng.choice((
            "big := (big * 31 + n + 7) mod 999983", "n := (n + 3) mod 10", f"tall of {cell} := (tall of {cell} + 1) mod 10",
        ))  # fmt: skip
    name = _bound(rng)
    if rng.random() < 0.6:
        inner = f"tall of {name} := (tall of {name} + {_number(rng, (*cells, name), size, depth - 1)}) mod 10"
        return f"for {name} in field where {_truth(rng, (*cells, name), size, depth - 1)}: {inner}"
    return rng.choice((
        f"for {name} in 1..{rng.choice((9, 999, 20000))}: big := (big * 31 + {name} + n) mod 999983",
        f"n := {_number(rng, cells, size, depth)} mod 10",
        f"big := (big + {_number(rng, cells, size, depth)}) mod 999983",
    ))  # fmt: skip


def _flow(rng: random.Random, actions: int) -> str:
    choose = f"choose {', '.join(f'go{number}' for number in range(actions))}" + (", or stop" if rng.random() < 0.6 else "")
    body = rng.choice(
        (
            choose,
            f"churn\n            {choose}",
            f"repeat until big mod {rng.choice((5, 97, 49999))} = 0:\n                churn\n            {choose}",
        )
    )
    times = rng.choice((2, 5, 20, 500))
    head = rng.choice(("repeat:", "repeat until n = 9:", f"for z in 1..{times}:", f"for z in 1..{times}:"))
    return f"{head}\n        turn:\n            {body}"


LONG = """module long:
    "A long program."

space field: square grid 8 x 8, 8 neighbours

state:
    tall of field: 0..9
    on of field:   truth

{actions}
flow:
    repeat:
        turn:
            choose {names}, or stop

score points: sum tall of c for c in field
"""

LONG_ACTION = """action go{number}(a in field, b in around(a)):
    require must:
        tall of a > {part} and (some c in around(b): on of c and tall of c > tall of a)
        or (sum tall of d for d in around(a) where on of d) = {number}
    effect rise: tall of a := (tall of b + {number}) mod 10
    effect all:  for c in around(a) where tall of c > {part}: tall of c := (tall of c + {number}) mod 10
"""


def long_program(seed: int) -> str:
    """Rules of many actions: the program that is written of them has up to millions of characters."""
    numbers = range(random.Random(seed).choice((5, 10, 20, 40, 80, 120)))
    actions = "\n".join(LONG_ACTION.format(number=number, part=number % 7) for number in numbers)
    return LONG.format(actions=actions, names=", ".join(f"go{number}" for number in numbers))
