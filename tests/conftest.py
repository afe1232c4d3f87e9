"""Machine code made by tests is kept in a folder of its own, so that no test depends on what somebody's cache holds. Asserts of
what tests share are told like their own; pytest must know of it before anybody imports that."""

import gc
import logging
import os
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, settings

OWN = Path(tempfile.gettempdir()) / f"rulewright-tests-{getattr(os, 'getuid', lambda: 0)()}"
os.environ["RULEWRIGHT_CACHE"] = str(OWN)
os.environ["XDG_CONFIG_HOME"] = str(OWN / "configuration")  # of the key that signs it

# Bytecode is kept where Python keeps it (git ignores it), though the environment may want none: child processes would compile
# all they import. In a folder of its own, what installed packages bring would be compiled again: 15 s of two idle processors.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ["tests.tiers"]
pytest.register_assert_rewrite("tests.rules.playing", "tests.games.classics.tables")


settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # nothing fails because the machine is busy

LIBRARIES = {"rulewright.rules.linking.project": "MODULES", "rulewright.puzzles.catalogue": "PUZZLES"}
"""The modules that say which folder ships, and their kinds of text."""


def pytest_collection_finish() -> None:
    """What is collected stays to the end: to look for garbage among ten thousand items took a fifth of all time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def derived_anew() -> Iterator[None]:
    """In this process whatever is derived of questions is derived anew: no planted fault is hidden by what was kept, or kept
    itself."""
    from rulewright.solver.inquiry import Inquiry

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Inquiry, "kept", lambda inquiry, what, make: make())
        yield


@pytest.fixture
def no_library(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No module or puzzle ships, so that what is suggested for a name depends on the folder alone."""
    from rulewright.base.named_texts import TextKind

    whole: dict[object, object] = {}
    with monkeypatch.context() as patched:
        for module, kind in [(import_module(name), kind) for name, kind in LIBRARIES.items()]:
            empty = tmp_path_factory.mktemp("library")
            for name, value in (("SHIPPED", empty), (kind, evolve(getattr(module, kind), shipped=empty))):
                whole[value] = getattr(module, name)
                patched.setattr(module, name, value)
        yield
    for module in [module for name, module in sys.modules.items() if name.startswith("rulewright.")]:  # imported meanwhile
        for name, value in list(vars(module).items()):
            if isinstance(value, Path | TextKind) and value in whole:
                setattr(module, name, whole[value])


@pytest.fixture(scope="session")
def cluster_address() -> Iterator[str]:
    """The address of a cluster of two processes here."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
    ) as cluster:
        yield cluster.scheduler_address
