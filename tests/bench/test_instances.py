"""The positions that are measured: of their class, the same everywhere, and as their text says."""

from __future__ import annotations

import pytest
from instances import BOARD, CLASSES, Class, instance
from syrupy.assertion import SnapshotAssertion

from tests.games.beacon_patrol.oracle import base_game as judge


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.name)
def test_a_position_is_of_its_class(kind: Class) -> None:
    for seed in (1, 2):
        one = instance(kind, seed)
        there = judge.parse_puzzle(one.text)
        assert len(there.hands[0]) == 3 and sum(map(len, (*there.hands, there.draw))) == kind.coming
        assert (len(there.board) == 1) if kind.begin else (len(there.board) in BOARD)
        assert there.tokens == (4,) and there.dealt == (True,) and not there.discarded
        here = one.position()
        assert here.engine.score(here.state) == judge.score(there)
        assert len(here.engine.legal(here.state)) == len(judge.legal(there))


def test_positions_differ() -> None:
    assert len({instance(CLASSES[0], seed).text for seed in range(1, 9)}) == 8


def test_a_position_is_the_same_everywhere(snapshot: SnapshotAssertion) -> None:
    assert instance(Class(9), 1).text == snapshot
