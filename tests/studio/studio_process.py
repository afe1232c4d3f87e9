"""A studio as its own process, and a page's web socket to it, as tests use them."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from attrs import define, field, frozen
from websockets.sync.client import ClientConnection, connect

PATIENCE = 180.0
"""Seconds for an answer: a busy machine is no failure."""


@frozen
class Studio:
    """A studio that runs, and the address of its page."""

    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        assert port is not None
        return port

    @property
    def token(self) -> str:
        return urlsplit(self.url).path.strip("/")

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        """The answer to a request; names of headers have `_` for `-`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        return connection.getresponse()

    def socket(self, name: str = "page", token: str | None = None, **options: Any) -> ClientConnection:
        """A web socket, as the page opens it unless `options` say otherwise."""
        address = f"ws://127.0.0.1:{self.port}/{self.token if token is None else token}/{name}"
        return connect(address, **{"origin": self.origin, "max_size": 1 << 26, "proxy": None, **options})

    @contextmanager
    def page(self) -> Iterator[Page]:
        """A page that is open."""
        with self.socket() as socket:
            yield Page(socket)

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@define
class Page:
    """What a page asks, and what it hears meanwhile."""

    socket: ClientConnection
    events: list[dict[str, Any]] = field(factory=list)
    number: int = 0

    def begin(self, do: str, **request: Any) -> int:
        """Send a request; its number."""
        self.number += 1
        self.socket.send(json.dumps({"do": do, "id": self.number, **request}))
        return self.number

    def answer(self, number: int) -> dict[str, Any]:
        """What comes back to a request: `done` or `refused`, and `all` that was said of it before."""
        progress = []
        while True:
            said = json.loads(self.socket.recv(timeout=PATIENCE))
            if "event" in said:
                self.events.append(said)
            elif said["id"] == number and "progress" not in said:
                return {**said, "all": progress}
            elif said["id"] == number:
                progress.append(said["progress"])

    def ask(self, do: str, **request: Any) -> dict[str, Any]:
        return self.answer(self.begin(do, **request))

    def done(self, do: str, **request: Any) -> Any:
        """The answer to a request that is granted."""
        said = self.ask(do, **request)
        assert "done" in said, said
        return said["done"]

    def refused(self, do: str, **request: Any) -> str:
        """Why a request is refused."""
        said = self.ask(do, **request)
        assert "refused" in said, said
        message: str = said["refused"]["message"]
        return message


@contextmanager
def running_studio(folder: Path, *arguments: str) -> Iterator[Studio]:
    """A studio of a folder, ended at the end."""
    command = [sys.executable, "-m", "rulewright", "studio", str(folder), "--json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stdout is not None
    try:
        yield Studio(process, json.loads(process.stdout.readline())["url"])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
