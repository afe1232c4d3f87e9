"""Tasks on a cluster: the same results as here, though a worker dies; where there is no cluster, that is said."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


# Over TLS -------------------------------------------------------------------------------------------------------------


def certificate(folder: Path, name: str) -> tuple[str, str]:
    """The files of a certificate that signs itself, and of its key."""
    folder.mkdir(exist_ok=True)
    files = str(folder / f"{name}.crt"), str(folder / f"{name}.key")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    subprocess.run([*command, "-subj", f"/CN={name}", "-out", files[0], "-keyout", files[1]], check=True, capture_output=True)
    return files


def client_of(own: tuple[str, str], authority: str) -> dict[str, str]:
    """Dask's settings of a client with a certificate."""
    names = "ca-file", "client.cert", "client.key"
    return {f"distributed.comm.tls.{name}": file for name, file in zip(names, (authority, *own), strict=True)}


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, tuple[str, str]]]:
    """The address of a cluster of one process that speaks TLS only, and its certificate with the key."""
    distributed = pytest.importorskip("distributed")
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificates")
    own = certificate(tmp_path_factory.mktemp("tls"), "cluster")
    roles = "scheduler", "worker", "client"
    files = {f"tls_{role}_{kind}": file for role in roles for kind, file in zip(("cert", "key"), own, strict=True)}
    security = distributed.Security(tls_ca_file=own[0], require_encryption=True, **files)
    options: dict[str, Any] = {"dashboard_address": None, "silence_logs": logging.CRITICAL, "security": security}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, protocol="tls://", **options) as cluster:
        yield cluster.scheduler_address, own


def test_over_tls_with_the_certificates_of_dask(tls: tuple[str, tuple[str, str]], tmp_path: Path) -> None:
    import dask

    address, own = tls
    assert address.startswith("tls://")
    with dask.config.set(client_of(own, own[0])), Cluster.at(address) as workers:
        assert list(workers.in_order(deeds.job(deeds.square, tmp_path), range(1, 10))) == SQUARES


def test_over_tls_a_stranger_is_refused(
    tls: tuple[str, tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dask

    address, own = tls
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1.0)
    stranger = certificate(tmp_path, "stranger")
    with dask.config.set(client_of(own, stranger[0])), pytest.raises(ClusterUnusable, match="no scheduler answers"):
        Cluster.at(address)  # the client does not know the cluster's certificate
    with dask.config.set(client_of(stranger, own[0])), pytest.raises(ClusterUnusable, match="no scheduler answers"):
        Cluster.at(address)  # nor the cluster the client's
    with pytest.raises(ClusterUnusable, match="no scheduler answers"):
        Cluster.at(address.replace("tls://", "tcp://"))


def test_over_tls_certificates_are_needed() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ClusterUnusable, match="no certificates are known for `tls:") as caught:
        Cluster.at("tls://127.0.0.1:9")
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in caught.value.help


def test_the_variables_for_certificates_are_those_of_dask() -> None:
    config = pytest.importorskip("dask.config")
    names = "CA_FILE", "CLIENT__CERT", "CLIENT__KEY"
    found = config.collect_env({f"DASK_DISTRIBUTED__COMM__TLS__{name}": name for name in names})
    settings = ("ca-file", "CA_FILE"), ("client.cert", "CLIENT__CERT"), ("client.key", "CLIENT__KEY")
    for setting, name in settings:
        assert config.get(f"distributed.comm.tls.{setting}", config=found) == name
