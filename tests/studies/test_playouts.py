"""Playouts without the commands: who plays is said where it is not machine code for want of a compiler."""

from __future__ import annotations

import pytest

from rulewright.rules.play.engine import Engine
from rulewright.solver.search.playout_policies import RANDOM, Seats
from rulewright.studies import playouts
from rulewright.subset import program
from tests.rules.playing import shipped


def played(remarks: list[str]) -> tuple[dict[int, int], int]:
    """The scores of twelve games, and how many there are."""
    simulator = playouts.Simulator(
        playouts.Simulation(Seats(RANDOM), 12, 1, 1000), Engine.of(shipped("classics.peg_solitaire"), 1), None
    )
    tally = playouts.Tally()
    for part in playouts.run_simulation(simulator, lambda: simulator, playouts.Resources(1, 2048), remarks):
        tally.add(part)
    return dict(tally.scores), tally.games


def test_a_missing_compiler_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    remarks: list[str] = []
    by_python = played(remarks)
    assert (by_python[1], remarks) == (12, [])  # few games are not worth a compiler

    def without(*_: object) -> object:
        raise ImportError

    monkeypatch.setattr(playouts, "FIRST_SECONDS", 0)
    monkeypatch.setattr(playouts, "LONG_SECONDS", 0)
    monkeypatch.setattr(program, "as_machine_code_by", lambda deadline: without)
    assert played(remarks) == by_python
    assert remarks == [playouts.NO_COMPILER]
