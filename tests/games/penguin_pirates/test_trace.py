"""Every clause of the rulebook has its rule and every rule is at work somewhere, or there is a reason why not."""

from __future__ import annotations

import pytest

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.clause_traceability import traces
from rulewright.studies.evidence import EvidenceFinder

MODULES = [name for name in Project(SHIPPED).modules() if name.partition(".")[0] == "penguin_pirates"]


@pytest.mark.campaign
@pytest.mark.parametrize("module", MODULES)
def test_nothing_is_wanting_without_a_reason(module: str) -> None:
    (trace,) = traces([module], EvidenceFinder(Project(SHIPPED)))
    assert [gap.name for gap in trace.unexplained] == [] and not trace.outdated
