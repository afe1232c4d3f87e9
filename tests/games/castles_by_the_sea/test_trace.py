"""Every clause of the rulebook has its rule and every rule is at work in a puzzle, or there is a reason why not."""

from __future__ import annotations

import pytest

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.clause_traceability import traces
from rulewright.studies.evidence import EvidenceFinder


@pytest.mark.campaign
def test_nothing_is_wanting_without_a_reason() -> None:
    project = Project(SHIPPED)
    modules = [name for name in project.modules() if name.partition(".")[0] == "castles_by_the_sea"]
    finder = EvidenceFinder(project)
    found = list(traces(modules, finder))
    assert {trace.module: [gap.name for gap in trace.unexplained] for trace in found if trace.unexplained} == {}
    assert {trace.module: trace.outdated for trace in found if trace.outdated} == {}
    assert finder.faults == []
