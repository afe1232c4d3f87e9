"""When engines disagree nothing is answered: exit 3, and one file that holds what is needed to see it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.cli.main import run
from rulewright.solver.cpsat.process.co_solver import CoSolver
from rulewright.solver.result import Result, Status
from rulewright.studies import verified_plan


def test_a_bound_below_a_plan_is_a_disagreement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A child that bounds too low, as a wrong CP-SAT would."""

    def too_low(self: CoSolver, best: int | None) -> bool:
        self.bound = -1
        return False

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(CoSolver, "settled", too_low)
    assert run(["solve", "overboard"]) == 3
    told = capsys.readouterr().err
    assert "overboard.disagreement.json" in told
    bundle = json.loads((tmp_path / "overboard.disagreement.json").read_text(encoding="utf-8"))
    assert "CP-SAT proves the bound -1" in bundle["disagreement"]
    assert bundle["position"].startswith("puzzle overboard:")
    assert "module beacon_patrol:" in bundle["modules"]["beacon_patrol"]


def test_a_plan_that_does_not_stand_up_is_never_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Result(Status.OPTIMAL, 99, 99, ((-1,),), 1, 0.0, "search")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verified_plan, "answer", lambda *arguments: wrong)
    assert run(["solve", "overboard"]) == 3
    shown = capsys.readouterr()
    assert "99" not in shown.out
    assert (tmp_path / "overboard.disagreement.json").exists()
