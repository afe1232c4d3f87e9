"""`rulewright studio` where it cannot start. What it serves is tested in tests/studio."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Call


def test_a_folder_that_is_not_there(call: Callable[..., Call], folder: Path) -> None:
    found = call("studio", "nowhere")
    assert (found.status, found.out) == (2, "")
    assert "there is no folder `nowhere`" in found.err


def test_a_port_that_is_taken(call: Callable[..., Call], folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = call("studio", ".", "--port", str(taken.getsockname()[1]))
    assert found.status == 2 and "is unavailable: address already in use" in found.err


def test_without_its_packages(call: Callable[..., Call], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr("rulewright.cli.executors.find_spec", lambda name: None if name == "starlette" else known(name))
    found = call("studio", ".")
    assert (
        found.status == 2
        and "the studio needs starlette" in found.err
        and 'pip install "pygls<3,>=2" "starlette>=0.45"' in found.err
    )
