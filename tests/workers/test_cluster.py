"""Tasks on a cluster: the same results as here, though a worker dies; where there is no cluster, that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.workers import cluster
from rulewright.workers.cluster import Cluster, ClusterUnusable
from rulewright.workers.executor import HardLimits
from tests.workers import deeds

SQUARES = [item * item for item in range(1, 10)]


@pytest.mark.parametrize("deed", [deeds.die_once, deeds.end_the_parent_once])
def test_a_worker_that_dies_is_replaced_and_nothing_is_lost_or_counted_twice(
    deed: object, cluster_address: str, tmp_path: Path
) -> None:
    with Cluster.at(cluster_address) as workers:
        assert workers.workers == 2
        assert list(workers.in_order(deeds.job(deed, tmp_path), range(1, 10))) == SQUARES
        assert (tmp_path / "tried-5").exists()
        assert deeds.openings(tmp_path) <= 3


def test_limits_are_those_of_processes_here(cluster_address: str, tmp_path: Path) -> None:
    job = deeds.job(deeds.take_much, tmp_path, lost=deeds.minus, limits=HardLimits(seconds=4.0, memory_mib=600))
    with Cluster.at(cluster_address) as workers:
        assert list(workers.in_order(job, range(6))) == [0, 1, -2, -3, 16, 25]
    assert len(list(tmp_path.glob("began-*"))) == 6


def test_an_exception_of_the_work_is_one_here(cluster_address: str, tmp_path: Path) -> None:
    with Cluster.at(cluster_address) as workers, pytest.raises(RulesError) as caught:
        list(workers.in_order(deeds.job(deeds.refuse, tmp_path), [7]))
    assert [(found.code, found.labels[0].span.line) for found in caught.value.diagnostics] == [("RW001", 7)]


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:9"])
def test_where_nobody_listens(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.3)
    with pytest.raises(ClusterUnusable, match="no scheduler answers"):
        Cluster.at(address)
