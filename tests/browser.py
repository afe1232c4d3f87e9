"""A session of headless Chromium, where there is one with its driver, as tests of pages use it."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015", "home": "\ue011", "end": "\ue010"}
KEYS |= {"enter": "\ue007", "escape": "\ue00c", "tab": "\ue004", "f6": "\ue036"}
CONTROL, SHIFT, RELEASED = "\ue009", "\ue008", "\ue000"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

needs_browser = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver")

PATIENCE = 120.0
"""Seconds for what a page shows only after some work; a loaded machine is slow."""

NOT_YET = {"no such element", "stale element reference", "element not interactable", "element click intercepted"}
"""Errors of what is not there yet, or is drawn anew at this moment."""


@frozen
class Browser:
    """A session of the WebDriver protocol (W3C 2018)."""

    address: str

    def ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self.ask("POST", "/url", url=url)

    def find(self, selector: str) -> str:
        found: str = self.ask("POST", "/element", using="css selector", value=selector)[ELEMENT]
        return found

    def once_there(self, act: Callable[[], None]) -> None:
        """Do something with an element, waited for where it is not there yet."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return act()
            except urllib.error.HTTPError as error:
                reason = json.load(error)["value"]
                if reason["error"] not in NOT_YET or time.monotonic() > deadline:
                    raise AssertionError(reason["message"]) from error
            time.sleep(0.05)

    def click(self, selector: str) -> None:
        self.once_there(lambda: self.ask("POST", f"/element/{self.find(selector)}/click"))

    def point(self, selector: str) -> None:
        """Move the pointer onto an element, from the corner of the window."""
        away = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0}

        def move() -> None:
            onto = {**away, "origin": {ELEMENT: self.find(selector)}}
            self.ask("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "actions": [away, onto]}])

        self.once_there(move)

    def point_until(self, selector: str, script: str) -> None:
        """Point at an element until a script is true: what is drawn anew under a pointer at rest does not notice it."""
        for pause in range(1, 12):
            self.point(selector)
            deadline = time.monotonic() + pause
            while time.monotonic() < deadline:
                if self.value(script):
                    return
                time.sleep(0.05)
        raise AssertionError(script)

    def type(self, selector: str, text: str) -> None:
        """Type into an element."""
        self.once_there(lambda: self.ask("POST", f"/element/{self.find(selector)}/value", text=text))

    def press(self, key: str, *held: str) -> None:
        """Press a key, with others held, such as CONTROL, in what has the focus."""
        down = [{"type": "keyDown", "value": one} for one in (*held, KEYS.get(key, key))]
        up = [{"type": "keyUp", "value": one["value"]} for one in reversed(down)]
        self.ask("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": [*down, *up]}])

    def settle(self) -> None:
        """Wait until what the page shows is on the screen."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 20))))")

    def value(self, script: str) -> Any:
        return self.ask("POST", "/execute/sync", script=f"return {script}", args=[])

    def wait_for(self, script: str) -> Any:
        """The value of a script once there is one."""
        deadline = time.monotonic() + PATIENCE
        while not (found := self.value(script)):
            assert time.monotonic() < deadline, script
            time.sleep(0.05)
        return found

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile}
        self.ask("POST", "/goog/cdp/execute", cmd="Emulation.setDeviceMetricsOverride", params=metrics)

    def prefer(self, scheme: str) -> None:
        """Pages are shown as on a system that is `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.ask("POST", "/goog/cdp/execute", cmd="Emulation.setEmulatedMedia", params={"features": features})

    def picture(self, path: Path) -> None:
        """Save what the window shows."""
        path.write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    @property
    def status(self) -> str:
        found: str = self.value("document.getElementById('status').textContent")
        return found


@contextmanager
def headless_browser(profile: Path) -> Iterator[Browser]:
    """A browser with an empty profile, ended at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    driver = subprocess.Popen([str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = Browser(f"http://127.0.0.1:{port}")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"]
    options += ["--disable-background-networking", f"--user-data-dir={profile}", "--window-size=1280,900"]
    wanted = {"goog:chromeOptions": {"args": options, "binary": CHROMIUM}, "goog:loggingPrefs": {"browser": "ALL"}}
    try:
        for _ in range(100):
            try:
                session = server.ask("POST", "/session", capabilities={"alwaysMatch": wanted})["sessionId"]
                break
            except OSError:
                time.sleep(0.1)
        opened = Browser(f"{server.address}/session/{session}")
        try:
            yield opened
        finally:
            opened.ask("DELETE", "")  # else the browser outlives its driver
    finally:
        driver.kill()
        driver.wait()
