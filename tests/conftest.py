"""Machine code made by tests is kept in a folder of its own, so that no test depends on what somebody's cache holds. Asserts of
what tests share are told like their own; pytest must know of it before anybody imports that."""

import logging
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

OWN = Path(tempfile.gettempdir()) / f"rulewright-tests-{getattr(os, 'getuid', lambda: 0)()}"
os.environ["RULEWRIGHT_CACHE"] = str(OWN)
os.environ["XDG_CONFIG_HOME"] = str(OWN / "configuration")  # of the key that signs it

pytest_plugins = ["tests.tiers"]
pytest.register_assert_rewrite("tests.rules.playing", "tests.games.classics.tables")


@pytest.fixture
def no_library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No module or puzzle ships, so that what is suggested for a name depends on the folder alone."""
    empty = tmp_path_factory.mktemp("library")
    for where in ("rulewright.rules.linking.project", "rulewright.puzzles.catalogue"):
        monkeypatch.setattr(f"{where}.SHIPPED", empty)


@pytest.fixture(scope="session")
def cluster_address() -> Iterator[str]:
    """The address of a cluster of two processes here."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:
        yield cluster.scheduler_address
