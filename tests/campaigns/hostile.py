"""Rules that read well and ask for the impossible: too large, too long, too deep, without end."""

from __future__ import annotations

from attrs import frozen


@frozen
class Hostile:
    """`outcome` is the code of the refusal, or `played` where it is harmless."""

    text: str
    outcome: str


HEAD = 'module rogue:\n    "Nothing good."\n\n'
FLOW = "\nflow:\n    turn:\n        repeat: choose go, or stop\n"
GO = "\naction go(to in 1..2):\n    require always: yes\n"
NUMBER = "state:\n    q: 0..9\n"
TILES = "terrain water\ntiles base:\n    open x{count}\n"
MOVES = "\naction go(to in {domain}):\n    require always: yes\n"


def chain(first: str, further: str, length: int) -> str:
    """Definitions `d0`, `d1`, …, each written with the one before it as `{d}`."""
    lines = [f"define d0{first}\n", *(f"define d{n}{further.format(d=f'd{n - 1}')}\n" for n in range(1, length))]
    return "".join(lines)


def doing(statement: str) -> str:
    """An action with one effect."""
    return f"{NUMBER}action go:\n    effect act: {statement}\n{FLOW}"


def requiring(condition: str, state: str = NUMBER) -> str:
    """An action with one requirement."""
    return f"{state}action go:\n    require it: {condition}\n{FLOW}"


def space(shape: str) -> str:
    """A space, and a move to any of its cells."""
    return f"space s: {shape}\n" + MOVES.format(domain="s") + FLOW


def tiles(count: int, shape: str) -> str:
    """A board without bounds and so many tiles."""
    return TILES.format(count=count) + f"space s: {shape} of tiles\n{GO}{FLOW}"


def scored(value: str, more: str = "") -> str:
    """A score."""
    return f"{more}score points: {value}\n{GO}{FLOW}"


_PROCEDURES = "procedure p0:\n    q := 1\n"
_LOOPS = "".join(" " * (4 + 2 * n) + f"for z{n} in 0..1:\n" for n in range(25))
_FLAGS = "space s: square grid 64 x 64\nstate:\n    on of s: truth\n"

HOSTILE: dict[str, Hostile] = {
    name: Hostile(HEAD + text, outcome)
    for name, text, outcome in (
        ("board_of_a_billion", space("square grid 999999999 x 999999999"), "RW055"),
        ("widest_board", space("square grid 64 x 64, 8 neighbours, wrapped"), "played"),
        ("empty_board", space("square grid 0 x 5"), "RW251"),
        ("wide_hexagon", space("hex grid radius 999999999"), "RW055"),
        ("widest_hexagon", space("hex grid radius 36"), "played"),
        ("hexagon_of_12481", space("hex grid radius 64"), "RW055"),
        ("cube_of_64", space("cube grid 64x64x64"), "RW055"),
        ("ring_of_a_billion", space("ring 999999999"), "RW055"),
        ("ring_of_none", space("ring 0"), "RW251"),
        ("no_players", f"players 0..0\n{GO}{FLOW}", "RW133"),
        ("backward_players", f"players 5..2\n{GO}{FLOW}", "RW133"),
        ("a_billion_players", f"players 1..999999999\nstate:\n    a of player: 0..3\n{GO}{FLOW}", "RW133"),
        ("a_billion_tiles", tiles(999999999, "square grid"), "RW134"),
        ("a_thousand_tiles", tiles(1000, "square grid"), "played"),
        ("a_thousand_hexes", tiles(1000, "hex grid"), "played"),
        ("a_thousand_cubes", tiles(1000, "cube grid"), "played"),
        ("a_billion_moves", MOVES.format(domain="1..999999999") + FLOW, "RW059"),
        ("twelve_parameters", f"action go({', '.join(f'p{n} in 0..9' for n in range(12))}):\n{FLOW}", "RW059"),
        ("a_long_sum", scored("sum n for n in 0..999999999"), "RW059"),
        ("nested_sums", scored("sum (sum (sum a * b * c for a in 0..999) for b in 0..999) for c in 0..999"), "RW059"),
        ("nested_cells", requiring("every a in s: every b in s: every c in s: on of a or on of b or on of c", _FLAGS), "RW059"),
        ("wide_range_is_cheap", requiring("q in 0..999999999 and size(0..999999999) > q"), "played"),
        ("doubling", scored("d39", NUMBER + chain(" = q", " = {d} + {d}", 40)), "RW059"),
        ("doubling_arguments", scored("d39(1)", NUMBER + chain("(c) = c + q", "(c) = {d}(c + 1) + {d}(c + 2)", 40)), "RW059"),
        ("doubling_conditions", requiring("d39", NUMBER + chain(" = q = 1", " = {d} and {d}", 40)), "RW059"),
        ("squares_of_squares", scored("d9(999999999)", chain("(c) = c * c", "(c) = {d}(c) * {d}(c)", 12)), "RW059"),
        ("cube_of_a_number", "state:\n    q: 0..999999999\naction go:\n    effect act: q := q * q * q\n" + FLOW, "played"),
        ("nothing_divided", scored("1 div 0 + 1 mod q", NUMBER), "played"),
        ("definitions_in_a_row", scored("d299", NUMBER + chain(" = q", " = {d} + q", 300)), "RW252"),
        (
            "procedures_doubling",
            _PROCEDURES
            + "".join(f"procedure p{n}:\n    do p{n - 1}\n    do p{n - 1}\n" for n in range(1, 40))
            + f"{NUMBER}{GO}\nflow:\n    p39\n    repeat: choose go, or stop\n",
            "RW252",
        ),
        (
            "procedures_in_a_row",
            _PROCEDURES
            + "".join(f"procedure p{n}:\n    do p{n - 1}\n" for n in range(1, 300))
            + f"{NUMBER}{GO}\nflow:\n    p299\n    repeat: choose go, or stop\n",
            "RW252",
        ),
        (
            "actions_like_each_other",
            f"{NUMBER}action go:\n    effect e: q := 1\n"
            + "".join(f"action a{n}:\n    like {f'a{n - 1}' if n else 'go'}:\n        drop e\n" for n in range(200))
            + FLOW,
            "RW105",
        ),
        ("loops_in_loops", f"{NUMBER}procedure p:\n{_LOOPS}{' ' * 60}q := 1\n{GO}{FLOW}", "RW059"),
        ("a_long_loop", doing("for z in 1..999999999: q := 1"), "RW059"),
        ("a_long_flow", f"{GO}\nflow:\n    for z in 1..999999999:\n        repeat: choose go, or stop\n", "RW252"),
        (
            "a_flow_without_end",
            f"{NUMBER}procedure p:\n    q := 1\n{GO}\nflow:\n    repeat until q = 2:\n        p\n    choose go\n",
            "RW364",
        ),
        ("many_brackets", requiring("+".join(["q"] * 800) + " > 0"), "RW252"),
        (
            "words_of_python",
            "state:\n    lambda: 0..9\n    None: 0..9\n    s: 0..9\n    t: 0..9\n    m: 0..3\n"
            "action go(class in 0..9, s in 0..3, t in 0..2, p0 in 0..2, v1 in 0..1):\n"
            f"    require import: class > s and t >= 0 and p0 >= v1\n    effect e: lambda := class\n{FLOW}",
            "played",
        ),
    )
}
"""By name: the text, and what becomes of it."""
