"""A child process at work, and what it says: plans and bounds as they are found, a status at the end."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
from queue import Empty, Queue
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model.moves import Move

from .job import Task

GRACE = 2.0
"""Seconds beyond its own limit before a child counts as lost."""


@frozen
class Found:
    """A value, and the plan for it where the model has plans. More is better."""

    value: int
    plan: tuple[Move, ...] | None


@frozen
class Bounded:
    """Nothing is worth more."""

    bound: int


@frozen
class Built:
    """The size of the model."""

    variables: int
    clauses: int
    rows: int


@frozen
class Ended:
    """`optimal`, `infeasible`, `feasible`, `unknown`, `model_invalid`, `unsupported`, `too large`, `memory` or `died`."""

    status: str
    message: str = ""


News = Found | Bounded | Built | Ended


@define
class Child:
    """Use it as a context: the process is ended, whatever happens."""

    task: Task
    _process: subprocess.Popen[bytes] | None = None
    _news: Queue[News] = field(factory=Queue)
    ended: Ended | None = None

    def __enter__(self) -> Child:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "rulewright.solver.cpsat.process.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()
        threading.Thread(target=self._send, args=(self._process,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        process = self._process
        assert process is not None
        process.kill()
        process.wait()

    def _send(self, process: subprocess.Popen[bytes]) -> None:
        data = pickle.dumps(self.task)
        assert process.stdin is not None
        try:
            process.stdin.write(len(data).to_bytes(8, "big") + data)
            process.stdin.flush()
        except (BrokenPipeError, OSError):
            pass

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        end = Ended("died")
        assert process.stdout is not None
        try:
            for line in process.stdout:
                said: dict[str, Any] = json.loads(line)
                if "value" in said:
                    plan = said["plan"]
                    self._news.put(Found(said["value"], None if plan is None else tuple(tuple(move) for move in plan)))
                if said.get("bound") is not None:
                    self._news.put(Bounded(said["bound"]))
                if "size" in said:
                    self._news.put(Built(said["size"], said["clauses"], said["rows"]))
                if "status" in said:
                    end = Ended(said["status"], said.get("message", ""))
        except ValueError:
            pass
        self._news.put(end)

    def news(self, seconds: float = 0) -> News | None:
        """What is new, waiting so long at most."""
        if self.ended is not None:
            return None
        try:
            found = self._news.get(timeout=seconds) if seconds > 0 else self._news.get_nowait()
        except Empty:
            return None
        if isinstance(found, Ended):
            self.ended = found
        return found
