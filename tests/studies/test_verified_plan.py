"""A plan of the solver is believed only if its text can be replayed, ends where it should, and is worth what was said."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies import verified_plan
from rulewright.studies.verified_plan import verified_steps
from tests.studies.making.orchard import orchard, standing


@pytest.mark.parametrize("fault", ["illegal", "unfinished", "worth less", "another move in its text"])
def test_a_wrong_plan_is_not_believed(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    position = standing(orchard(tmp_path))
    question, numbers = position.question, position.engine.action_numbers
    assert question is not None
    result = answer(position.asked, position.root, question, Limits(20.0))
    assert [step.value for step in verified_steps(position.asked, position.root, question, result)][-1] == 25
    match fault:
        case "illegal":
            result = evolve(result, plan=(result.plan[0], *result.plan))  # the ladder stands there already
        case "unfinished":
            result = evolve(result, plan=result.plan[:-1])
        case "worth less":
            result = evolve(result, plan=(*result.plan[:-1], (numbers["pick"],)))
        case _:
            monkeypatch.setattr(verified_plan, "format_move", lambda *_: "pick")
    with pytest.raises(AssertionError):
        verified_steps(position.asked, position.root, question, result)
