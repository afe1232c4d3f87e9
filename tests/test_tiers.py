"""Which tests run: every slow case has its turn, and the same ones run in every process."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from tests.paths import ROOT
from tests.tiers import DURATIONS, SHARES, SLOW, of_the_tree, share_of_the_commit, shares, slow_cases, waiting_cases


def test_shares_hold_each_case_once_and_cost_about_the_same() -> None:
    cases = {f"test[{number}]": 0.5 + number % 7 for number in range(100)}
    dealt = shares(cases, 40.0)
    assert sorted(case for share in dealt for case in share) == sorted(cases)
    costs = [sum(cases[case] for case in share) for share in dealt]
    assert len(dealt) == round(sum(cases.values()) / 40.0) and max(costs) - min(costs) <= max(cases.values())
    assert shares(dict(reversed(cases.items())), 40.0) == dealt
    assert shares({}, 40.0) == [[]]
    assert shares({"dear": 9.0, "cheap": 1.0}, 40.0) == [["cheap"]]


def test_each_slow_case_has_its_turn_within_fifty_commits() -> None:
    assert max(len(shares(slow_cases(), seconds)) for seconds in SHARES.values()) <= 50
    assert set().union(*shares(slow_cases(), SHARES["ci"])) == slow_cases().keys()
    assert share_of_the_commit() == share_of_the_commit()


def test_tests_of_the_tree_wait_for_no_turn_in_ci() -> None:
    known = of_the_tree()
    assert "tests/test_platforms.py::test_what_some_system_lacks_is_used_in_few_rooms_that_have_another_way" in known
    assert sum(slow_cases()[case] for case in known) < 20
    assert waiting_cases("ci", -1) == slow_cases().keys() - known
    assert waiting_cases("fast", -1) == slow_cases().keys()


def test_durations_are_written_as_the_plugin_writes_them() -> None:
    cases = slow_cases()
    assert DURATIONS.read_text("utf-8") == json.dumps(dict(sorted(cases.items())), indent=0, ensure_ascii=False) + "\n"
    assert all(seconds >= SLOW for seconds in cases.values())


def test_snapshots_of_tests_whose_turn_has_not_come_fail_no_run() -> None:
    command = [sys.executable, "-m", "pytest", "-n", "0", "--share", "-1", "tests/cli/commands/test_trace.py"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    done = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)
    assert "unused" in done.stdout
    assert done.returncode == 0, done.stdout
