"""Programs that a site needs: what they say when they fail, and that they do not take forever."""

from __future__ import annotations

import sys

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.cli.site import runtime


def test_a_program_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RulesError, match=r"not fetched\s+.*no such package"):
        runtime._run([sys.executable, "-c", "raise SystemExit('no such package')"], "not fetched")
    monkeypatch.setattr(runtime, "MOST_SECONDS", 0.01)
    with pytest.raises(RulesError, match=r"not fetched\s+.*took more than"):
        runtime._run([sys.executable, "-c", "import time; time.sleep(60)"], "not fetched")
