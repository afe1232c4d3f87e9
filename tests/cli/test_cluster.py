"""Commands on a cluster print what they print here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rulewright.workers import cluster

from .conftest import Call


def timeless(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "games_per_second"}


@pytest.mark.parametrize(
    "command",
    [
        ["diff", "shoals", "many", "--on", "narrows", "--on", "mute", "--json"],
        ["mutate", "bright", "--on", "narrows.puzzle", "--time", "0", "--json"],
        ["simulate", "shoals", "--players", "2", "--policy", "greedy", "--games", "40", "--json"],
        ["simulate", "narrows", "--games", "40", "--json"],
        ["simulate", "narrows", "--against", "bright", "--games", "40", "--json"],
        ["simulate", "shoals", "--sweep", "change worth: replace lamp: {2, 4} when at(c) has lamp", "--games", "20", "--json"],
    ],
)
def test_the_same_on_a_cluster(command: list[str], cluster_address: str, call: Callable[..., Call]) -> None:
    here = call(*command, "--workers", "1")
    there = call(*command, "--cluster", cluster_address)
    assert (there.status, timeless(there.json)) == (here.status, timeless(here.json))


def test_many_puzzles_on_a_cluster(cluster_address: str, call: Callable[..., Call]) -> None:
    def told(*options: str) -> set[tuple[str, ...]]:
        lines = call("solve", "--many", "narrows", "too_far", "--again", "--json", *options).out.splitlines()
        timeless = [json.loads(line) | {"seconds": 0, "allowed_mib": 0} for line in lines]
        return {tuple(map(str, document.values())) for document in timeless}

    assert told("--cluster", cluster_address) == told("--workers", "1")


def test_a_cluster_that_cannot_be_reached_is_an_error_of_use(
    call: Callable[..., Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    answer = call("mutate", "shoals", "--cluster", "tcp://127.0.0.1:9", "--json")
    assert answer.status == 2
    (error,) = answer.json["errors"]
    assert (error["code"], error["message"][:44]) == ("usage", "no scheduler answers at `tcp://127.0.0.1:9`:")
    assert "dask scheduler" in error["hint"]
