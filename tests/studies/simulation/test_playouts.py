"""Playouts without the commands: who plays is said where it is not machine code for want of a compiler."""

from __future__ import annotations

import pytest

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.play.engine import Engine
from rulewright.solver.playouts.policies import RANDOM, Seats
from rulewright.studies.simulation import playouts
from rulewright.subset import program


def played(remarks: list[str]) -> tuple[dict[int, int], int]:
    """The scores of twelve games, and how many there are."""
    project = Project(SHIPPED)
    game = project.load("classics.peg_solitaire")
    simulation = playouts.Simulation(Seats(RANDOM), 12, 1, 1000)
    runner = playouts.Playouts(playouts.Simulator(simulation, Engine.of(game, 1), None), playouts.Resources(1, 2048))
    tally = playouts.Tally()
    for part in playouts.run_simulation(runner):
        tally.add(part)
    remarks += runner.remarks
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
