"""Damaged certificates: none is accepted for a false claim; a changed claim, digest, position or length never."""

from __future__ import annotations

import gzip
import json
import random
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from rulewright.checker.rulewright_check import Refused, Unreadable
from tests.checker.beside import finished
from tests.checker.certificates import GAMES, Lines, Writer, checked, checked_bytes, packed

Damage = Callable[[random.Random, Lines, Lines], Lines | bytes]
"""Damages a certificate; the second one is of another game."""


@cache
def written(name: str) -> tuple[str, ...]:
    return tuple(Writer(GAMES[name]).write())


def move_label(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    place = dice.randrange(2, max(3, len(lines)))
    return [*lines[:place], dice.choice((*lines[2:], str(dice.randrange(-9, 30)), "1/2", ".", "")), *lines[place + 1 :]]


def move_word(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    place = dice.randrange(2, max(3, len(lines)))
    line = "".join(lines[place : place + 1]).split(" ")[0]
    return [*lines[:place], f"{line} {dice.randrange(4)}", *lines[place + 1 :]]


def leave_out(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    place = dice.randrange(2, max(3, len(lines)))
    return [*lines[:place], *lines[place + 1 :]]


def leave_out_and_say_so(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    header = json.loads(lines[0])
    for part in header["parts"][:1]:
        part["states"] -= 1
    return [json.dumps(header), *leave_out(dice, lines, other)[1:]]


def borrow_lines(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    place = dice.randrange(2, max(3, len(lines)))
    length = dice.randrange(1, 9)
    return [*lines[:place], *other[place : place + length], *lines[place + length :]]


def reorder(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    return [*lines[:2], *dice.sample(lines[2:], len(lines) - 2)]


def claim_otherwise(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    """Another value, number or status."""
    header = json.loads(lines[0])
    claim = header["claim"]
    if isinstance(claim["count"], int) and dice.random() < 0.5:
        claim["count"] += dice.choice((-1, 1))
    elif isinstance(claim["value"], int):
        claim["value"] += dice.choice((-2, -1, 1, 2))
    elif claim["value"] is not None:
        claim["value"] = dice.randrange(9)
    else:
        claim["status"] = dice.choice(sorted({"optimal", "reached", "not reached", "impossible"} - {claim["status"]}))
    return [json.dumps(header), *lines[1:]]


def claim_and_label_otherwise(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    """Another value, with the label of state 0 that would prove it."""
    changed = claim_otherwise(dice, lines, other)
    value, count = (json.loads(changed[0])["claim"][name] for name in ("value", "count"))
    return [*changed[:2], str(count if value is None else value), *changed[3:]]


def change_estimate(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    """An entry of a table, its divisor or a number of tiles moved, another board, or an estimate where there was none."""
    header = json.loads(lines[0])
    entries = [dice.choice((dice.randrange(-2, 9), number)) for number in range(21)]
    tiles = {"most": dice.randrange(4), "board": dice.choice(("board", "board", "hand", "heap", "score"))}
    given = dice.choice(({"most": dice.randrange(1, 4), "tables": {"heap": [entries]}}, tiles))
    for estimate in header["estimates"]:
        if "tables" in estimate:
            estimate["tables"]["heap"][0][dice.randrange(21)] += dice.choice((-1, 1, 9))
        given = {**estimate, "most": tiles["most"]} if dice.random() < 0.3 else estimate if "tables" in estimate else tiles
    return [json.dumps({**header, "estimates": [given]}), *lines[1:]]


def change_digest(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    place = dice.randrange(2)
    document = json.loads(lines[place])
    document["core" if place == 0 else "digest"] = f"{dice.getrandbits(256):064x}"
    return [json.dumps(document) if number == place else line for number, line in enumerate(lines)]


def change_position(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    """Another position, mostly with the digest that it has."""
    core = json.loads(lines[1])
    numbers = [values for values in core["start"]["values"].values() if type(values[0]) is int]
    dice.choice(numbers)[0] += dice.choice((-1, 1))
    header = json.loads(lines[0])
    if dice.random() < 0.8:
        core = finished(core)
        header["core"] = core["digest"]
    return [json.dumps(header), json.dumps(core), *lines[2:]]


def change_rules(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    """A number of the core moved, with the digest that it has then."""
    core: dict[str, Any] = json.loads(lines[1])
    core["actions"][0]["parameters"] = json.loads(json.dumps(core["actions"][0]["parameters"]).replace("3", "2"))
    core["most"] += dice.randrange(1, 9)
    core = finished(core)
    header = {**json.loads(lines[0]), "core": core["digest"]}
    return [json.dumps(header), json.dumps(core), *lines[2:]]


def borrow_core(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    return [lines[0], other[1], *lines[2:]]


def truncate(dice: random.Random, lines: Lines, other: Lines) -> Lines:
    return lines[: dice.randrange(len(lines))]


def truncate_bytes(dice: random.Random, lines: Lines, other: Lines) -> bytes:
    whole = packed(lines)
    return whole[: dice.randrange(len(whole))]


def change_byte(dice: random.Random, lines: Lines, other: Lines) -> Lines | bytes:
    """A byte of the file. Its first ten, a time and a system, prove nothing, nor do bits that only fill up a byte."""
    whole = bytearray(packed(lines))
    whole[dice.randrange(10, len(whole))] ^= 1 << dice.randrange(8)
    with suppress(OSError, EOFError, zlib.error):
        if gzip.decompress(whole) == gzip.decompress(packed(lines)):
            return lines
    return bytes(whole)


HARMLESS_OR_REFUSED: tuple[Damage, ...] = (
    *(move_label, move_word, leave_out_and_say_so, borrow_lines, reorder),
    change_estimate,
)
"""A label may move and prove as much; then the claim is the same, and true."""

ALWAYS_REFUSED: tuple[Damage, ...] = (
    *(leave_out, claim_otherwise, claim_and_label_otherwise, change_digest, change_position, change_rules, borrow_core),
    *(truncate, truncate_bytes, change_byte),
)


def is_accepted(name: str, damaged: Lines | bytes) -> bool:
    """Whether the checker accepts it, of a user who has the core; what it says then must be what is true."""
    try:
        said = checked_bytes(damaged if isinstance(damaged, bytes) else packed(damaged), GAMES[name])
    except (Refused, Unreadable):
        return False
    assert said.claim == checked(list(written(name))).claim
    return True


def damage(seed: int) -> None:
    dice = random.Random(seed)
    kind = dice.choice((*HARMLESS_OR_REFUSED, *ALWAYS_REFUSED))
    name, foreign = dice.sample(sorted(GAMES), 2)
    lines, other = list(written(name)), list(written(foreign))
    damaged = kind(dice, list(lines), other)
    if damaged != lines and is_accepted(name, damaged):
        has_no_part = len(lines) == 2
        assert kind in HARMLESS_OR_REFUSED or (has_no_part and kind is leave_out), f"seed {seed}: {kind.__name__} of {name}"


@pytest.mark.parametrize("start", range(0, 300, 30))
def test_damage(start: int) -> None:
    for seed in range(start, start + 30):
        damage(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("start", range(1000, 11000, 500))
def test_much_damage(start: int) -> None:
    for seed in range(start, start + 500):
        damage(seed)


def test_some_damage_is_harmless() -> None:
    """Labels that are better than needed may move: otherwise these tests would show less than they seem to."""
    lines = list(written("maximise"))
    assert is_accepted("maximise", [*lines[:-1], str(int(lines[-1]) + 0)])
    worst = min(range(3, len(lines)), key=lambda place: int(lines[place]))
    assert is_accepted("maximise", [*lines[:worst], str(int(lines[worst]) + 1), *lines[worst + 1 :]])
