"""Runs tasks on a Dask cluster (extra `cluster`) whose workers have the same Rulewright installed.

The text of a job is a task that all items depend on: the cluster sends it to each worker once, and again if that worker died.
Each thread of a worker passes its items to a child process, as is done on one machine.
"""

from __future__ import annotations

import asyncio
import hashlib
import pickle
import sys
import threading
import time
from concurrent.futures import CancelledError
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from rulewright.base.records import define, field, frozen

from .executor import DIED, Executor, Failed, Job, Session, WorkersLost
from .processes import InChildren

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS, WITHOUT_WORKERS_SECONDS = 5.0, 60.0
"""Most seconds to wait for the scheduler, and for a worker once all are gone."""

CHECK_SECONDS = 5.0
"""Seconds between checks whether there are workers."""


START_ONE = "start one by `dask scheduler` and `dask worker ADDRESS`, with Rulewright installed on each machine"
NAME_CERTIFICATES = (
    "name them in Dask's configuration, such as by DASK_DISTRIBUTED__COMM__TLS__CA_FILE and …__CLIENT__CERT, …__CLIENT__KEY"
)


class ClusterUnusable(Exception):
    """There is no cluster at the address, it has no workers, or they run another version of Rulewright."""

    def __init__(self, message: str, help: str = START_ONE) -> None:
        super().__init__(message)
        self.help = help


@frozen(eq=False)
class Cluster(Executor):
    """The workers of a cluster; each of their threads works on one item at a time."""

    client: Client
    count: int

    @classmethod
    def at(cls, address: str) -> Cluster:
        """The cluster whose scheduler is at an address such as `tcp://host:8786`, or `tls://host:8786` with the certificates of
        Dask's configuration. Its machines are trusted: Dask unpickles here what they send.

        Raises `ClusterUnusable`, and `ImportError` without `distributed`.
        """
        from distributed import Client
        from distributed.security import Security

        try:
            security = Security()
            arguments = security.get_connection_args("client")
            if address.startswith("tls://") and arguments.get("ssl_context") is None:
                raise ClusterUnusable(f"no certificates are known for `{address}`", NAME_CERTIFICATES)
            asyncio.run(_greet(address, arguments))  # a client that finds no scheduler hangs when it is deleted
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False, security=security)
        except (OSError, ValueError) as error:  # a timeout is an `OSError`
            raise ClusterUnusable(f"no scheduler answers at `{address}`: {_first_line(error)}") from error
        try:
            threads = sum(client.nthreads().values())
            if not threads:
                raise ClusterUnusable(f"the cluster at `{address}` has no workers")
            found = client.run(code_digest, on_error="return")
            for worker, digest in found.items():
                if digest != code_digest():
                    what = "no Rulewright" if isinstance(digest, ImportError) else "a different version of Rulewright"
                    raise ClusterUnusable(f"the worker `{worker}` has {what}; install the same version as here")
        except BaseException:
            client.close()
            raise
        return cls(client, threads)

    @property
    def workers(self) -> int:
        return self.count

    def open(self, job: Job[Any, Any, Any]) -> Session:
        return _OnCluster(self.client, job)

    def close(self) -> None:
        self.client.close()


async def _greet(address: str, arguments: dict[str, Any]) -> None:
    """Connect to a scheduler. Raises `OSError` if none answers, and `ValueError` for an invalid address."""
    from distributed.comm.core import connect

    comm = await connect(address, timeout=CONNECT_SECONDS, **arguments)
    await comm.close()


@define(eq=False)
class _OnCluster(Session):
    """Items as tasks of the cluster."""

    client: Client
    job: Job[Any, Any, Any]
    text: Future[Any] = field(init=False)
    waiting: dict[Future[Any], tuple[int, Any]] = field(factory=dict)
    ended: SimpleQueue[Future[Any]] = field(factory=SimpleQueue)

    def __attrs_post_init__(self) -> None:
        content = pickle.dumps(self.job.to_send)
        self.text = self.client.submit(bytes, content, key=f"rulewright-job-{hashlib.sha256(content).hexdigest()}")

    def submit(self, number: int, item: Any) -> None:
        future = self.client.submit(_work, self.text, item, pure=False)
        self.waiting[future] = number, item
        future.add_done_callback(self.ended.put)

    def collect(self) -> list[tuple[int, Any]]:
        alone_since = None
        while True:
            try:
                return self._results(self._ended())
            except Empty:
                now = time.monotonic()
                alone_since = None if self._has_workers() else alone_since or now
                if alone_since is not None and now - alone_since > WITHOUT_WORKERS_SECONDS:
                    raise WorkersLost("the cluster has no workers left") from None

    def _has_workers(self) -> bool:
        try:
            return bool(self.client.nthreads())
        except OSError as error:
            raise WorkersLost(f"lost the connection to the cluster: {_first_line(error)}") from error

    def _ended(self) -> list[Future[Any]]:
        """The tasks that ended, at least one. Raises `Empty` after `CHECK_SECONDS`."""
        found = [self.ended.get(timeout=CHECK_SECONDS)]
        while not self.ended.empty():
            found.append(self.ended.get())
        return found

    def _results(self, ended: list[Future[Any]]) -> list[tuple[int, Any]]:
        """The results of ended tasks; fetching them together is many times faster."""
        done = [future for future in ended if future.status == "finished"]
        failed = [future for future in ended if future.status != "finished"]
        try:
            results = self.client.gather(done)
        except (CancelledError, OSError) as error:
            raise WorkersLost(f"the cluster dropped the task: {_first_line(error)}") from error
        found = [(self.waiting.pop(future)[0], result) for future, result in zip(done, results, strict=True)]
        return found + [self._failure(future) for future in failed]

    def _failure(self, future: Future[Any]) -> tuple[int, Any]:
        from distributed import KilledWorker

        number, item = self.waiting.pop(future)
        try:
            return number, future.result()
        except KilledWorker:
            return number, self.job.give_up(item, DIED)
        except CancelledError as error:
            raise WorkersLost(f"the cluster dropped the task: {_first_line(error)}") from error
        except Exception as error:
            return number, Failed(error)

    def close(self) -> None:
        """Drop queued items; running ones end by themselves, within their limits."""
        self.client.cancel(list(self.waiting), force=True)
        self.waiting.clear()


_opened = threading.local()
"""The open job of a worker's thread: its text, and the child process that works on its items."""


def _work(text: bytes, item: Any) -> Any:
    """Run an item in a child of a cluster worker, which enforces the job's limits; `Failed` if it fails."""
    if getattr(_opened, "text", None) != text:
        if hasattr(_opened, "children"):
            _opened.children.close()
        _opened.children = InChildren(pickle.loads(text), 1)
        _opened.text = text
    _opened.children.submit(0, item)
    ((_, result),) = _opened.children.collect()
    return result


@cache
def code_digest() -> str:
    """The checksum of the code and the shipped rules: equal checksums imply equal results."""
    digest = hashlib.sha256()
    for room in sorted(entry.name for entry in iter_modules(sys.modules["rulewright"].__path__) if entry.ispkg):
        (root,) = import_module(f"rulewright.{room}").__path__
        for path in sorted(Path(root).rglob("*")):
            if path.suffix in {".py", ".lark", ".rules", ".puzzle", ".play", ".json"} and path.is_file():
                name = f"{room}/{path.relative_to(root).as_posix()}"
                digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _first_line(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
