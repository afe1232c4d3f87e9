"""What is told of how models ended."""

from __future__ import annotations

from rulewright.solver.cpsat.process.job import ModelKind, Report, WorkerStatus, told

ELSEWHERE = Report(status=WorkerStatus.UNSUPPORTED, message="turns, in line 9 of walk.rules")
ALIKE = Report(status=WorkerStatus.UNSUPPORTED, message="turns, in line 3 of walk.rules")


def test_models_that_end_alike_share_a_remark_and_stand_in_the_order_in_which_they_are_tried() -> None:
    endings = {ModelKind.UNROLLED: ALIKE, ModelKind.STATES: ELSEWHERE, ModelKind.ROUNDS: ALIKE}
    assert told(endings) == (
        "CP-SAT, plans as rounds, whole plays: unsupported: turns, in line 3 of walk.rules",
        "CP-SAT, all states listed: unsupported: turns, in line 9 of walk.rules",
    )


def test_nothing_is_told_of_a_model_that_ends_without_a_message() -> None:
    endings = {
        ModelKind.STATES: Report(status=WorkerStatus.UNKNOWN),
        ModelKind.UNROLLED: Report(status=WorkerStatus.DIED, message="E"),
    }
    assert told(endings) == ("CP-SAT, whole plays: died: E",)
