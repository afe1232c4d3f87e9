"""The number of lines and positions from five fixed positions: as recorded, in the engine and in the independent judge."""

from __future__ import annotations

import pytest

from tests.games.beacon_patrol.oracle import base_game as oracle
from tests.games.beacon_patrol.perft import POSITIONS, Count, counts
from tests.games.beacon_patrol.states import comparable, state_of
from tests.rules.playing import engine_of


def by_engine(name: str, depth: int) -> tuple[Count, ...]:
    judged = oracle.parse_puzzle(POSITIONS[name][0])
    engine = engine_of(judged.players)
    return counts(
        state_of(engine, judged),
        lambda state: [engine.apply(state, move) for move in engine.legal(state)],
        lambda state: comparable(engine, state),
        depth,
    )


def by_judge(name: str, depth: int) -> tuple[Count, ...]:
    return counts(
        oracle.parse_puzzle(POSITIONS[name][0]),
        lambda state: [oracle.successor(state, action) for action in oracle.legal(state)],
        oracle.State.key,
        depth,
    )


@pytest.mark.parametrize("name", POSITIONS)
def test_the_engine_counts(name: str) -> None:
    assert by_engine(name, 4) == POSITIONS[name][1][:4]


@pytest.mark.parametrize("name", POSITIONS)
def test_the_judge_counts(name: str) -> None:
    assert by_judge(name, 3) == POSITIONS[name][1][:3]


@pytest.mark.campaign
@pytest.mark.parametrize("name", POSITIONS)
def test_deeper(name: str) -> None:
    assert by_engine(name, 5) == POSITIONS[name][1]
    assert by_judge(name, 4) == POSITIONS[name][1][:4]
