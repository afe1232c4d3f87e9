"""Chooses the executor from the options of a command: local processes, or a cluster."""

from __future__ import annotations

from rulewright.base.diagnostics import usage_error
from rulewright.workers.executor import Executor
from rulewright.workers.processes import Processes

from .extras import missing_extra


def executor_of(workers: int, cluster: str) -> Executor:
    """The workers of a cluster or, without an address, `workers` local processes. Raises `RulesError`."""
    return cluster_at(cluster) if cluster else Processes(workers)


def cluster_at(address: str) -> Executor:
    """The workers of a cluster. Raises `RulesError` if it cannot be reached or used."""
    from rulewright.workers.cluster import Cluster, ClusterUnusable

    try:
        return Cluster.at(address)
    except ImportError:
        raise missing_extra("a cluster", "cluster", "distributed", otherwise=" here and on the cluster") from None
    except ClusterUnusable as error:
        raise usage_error(str(error), error.help) from None
