"""Estimates in certificates: tables of the search that the checker proves, and none where it cannot."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import evolve

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.certificates import parts
from rulewright.solver.certificates.certificate import Certificate
from rulewright.solver.certificates.claims import Claim, Claimed
from rulewright.solver.shortest.estimates.distance_tables import Distances, DistanceTables
from tests.checker.certificates import checked_bytes
from tests.rules.playing import linked
from tests.solver.certificates.test_parts import certified

WALK = """
module walk:
    "Tokens walk along a strip, one step at a time, to the cell that has their number."

space strip: square grid 4 x 1 of tiles
tiles tokens:
    one    x1
    two    x1
    three  x1

terrain plain
players 1

action step(here in strip, way in directions(strip)):
    require token: occupied(here)
    require room: step(here, way) in strip and not occupied(step(here, way))
    effect go: slide here to step(here, way)

flow:
    repeat:
        turn:
            choose step
"""


def checked(rules: str, setting: str) -> tuple[Certificate, int]:
    """The certificate of the answer to a puzzle's question, which is checked, and that answer."""
    game = linked(rules)
    position = set_up_position(parse_puzzle(f"puzzle p:\n    rules {game.roots[0]}\n\n    {setting}\n", "p"), game)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question)
    certificate = certified(position, Claim(Claimed.OPTIMAL, result.score), result.plan)
    assert checked_bytes(certificate.content).states == certificate.states and result.score is not None
    return certificate, result.score


def written(row: str, ask: str) -> tuple[dict[str, Any], int]:
    """The header of the certificate of an answer, which is checked, and the number of its states."""
    certificate, _ = checked(WALK, f"strip:\n        {row}\n\n    ask: {ask}")
    header: dict[str, Any] = json.loads(gzip.decompress(certificate.content).split(b"\n")[0])
    return header, certificate.states


@pytest.fixture(autouse=True)
def _even_for_few_states(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(parts, "FEW", 0)
    yield


GOAL = "fewest moves until at((2,0)) = one and at((3,0)) = two"


def test_distances_of_tiles() -> None:
    """Two tokens walk two steps each: whatever a move leads to is plainly too far for a plan of three."""
    header, states = written("one two . .", GOAL)
    assert header["claim"]["value"] == 4
    assert header["estimates"] == [{"most": 1, "tables": {"strip": [[0, 2, 3, 0], [0, 1, 2, 0], [0, 0, 1, 0], [0, 1, 0, 0]]}}]
    assert states == 1


def test_tables_that_say_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker takes no table that is wrong; without one, all states within the least number of moves have a line."""
    find = DistanceTables.find

    def too_far(tables: DistanceTables) -> Distances:
        found = find(tables)
        farther = [evolve(one, distances={thing: 2 * far for thing, far in one.distances.items()}) for one in found.tables]
        return evolve(found, tables=tuple(farther))

    monkeypatch.setattr(DistanceTables, "find", too_far)
    header, states = written("one two . .", GOAL)
    assert header["estimates"] == [] and states > 1


SHELF = """
module shelf:
    "Tiles are laid on a shelf, or thrown away; each that stands between two others counts, a crown twice."

space shelf: square grid 6 x 1 of tiles
tiles things:
    book   x4
    crown  x2

terrain plain
players 1

state:
    hand: set of tiles
    bin:  set of tiles

action lay(tile in hand, to in shelf):
    require vacant: not occupied(to)
    effect lay: put tile at to from hand

action discard(tile in hand):
    effect throw: move tile to bin from hand

flow:
    repeat until empty(hand):
        turn:
            choose lay, discard

score between:
    sum (if at(c) = crown then 2 else 1) for c in shelf where occupied(c) and occupied(step(c, E)) and occupied(step(c, W))
"""


def shelved(row: str, hand: str) -> tuple[Certificate, int]:
    """The certificate of the best score, which is checked, and that score."""
    return checked(SHELF, f"shelf:\n        {row}\n\n    hand: {hand}\n    ask: maximise score until end")


def test_tiles_that_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """With them, a sixth of the states or fewer have a line."""
    short, score = shelved(". book . . . .", "book, book, crown, crown")
    monkeypatch.setattr(parts, "FEW", 1 << 20)
    whole, same = shelved(". book . . . .", "book, book, crown, crown")
    assert score == same and b'"board": "shelf"' in gzip.decompress(short.content)
    assert 6 * short.states < whole.states
