"""The page of a solution clicked through in headless Chromium, where there is one with its driver."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from rulewright.cli.main import run

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"right": "\ue014", "left": "\ue012", "end": "\ue010", "home": "\ue011"}
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver")


@frozen
class Browser:
    """A session of the WebDriver protocol (W3C 2018)."""

    address: str

    def ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def find(self, selector: str) -> str:
        found: str = self.ask("POST", "/element", using="css selector", value=selector)[ELEMENT]
        return found

    def click(self, selector: str) -> None:
        self.ask("POST", f"/element/{self.find(selector)}/click")

    def press(self, key: str) -> None:
        actions = [{"type": kind, "value": KEYS[key]} for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def value(self, script: str) -> Any:
        return self.ask("POST", "/execute/sync", script=f"return {script}", args=[])

    @property
    def status(self) -> str:
        found: str = self.value("document.getElementById('status').textContent")
        return found


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    driver = subprocess.Popen([str(DRIVER), f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    server = Browser(f"http://127.0.0.1:{port}")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage"]
    options += ["--disable-background-networking", f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1100,800"]
    wanted = {"goog:chromeOptions": {"args": options, "binary": CHROMIUM}, "goog:loggingPrefs": {"browser": "ALL"}}
    try:
        for _ in range(100):
            try:
                session = server.ask("POST", "/session", capabilities={"alwaysMatch": wanted})["sessionId"]
                break
            except OSError:
                time.sleep(0.1)
        opened = Browser(f"{server.address}/session/{session}")
        yield opened
        opened.ask("DELETE", "")
    finally:
        driver.kill()
        driver.wait()


def test_the_plan_is_stepped_through(browser: Browser, tmp_path: Path):
    page = tmp_path / "overboard.html"
    assert run(("solve", "overboard", "--html", str(page))) == 0
    assert page.stat().st_size < 1_000_000
    browser.ask("POST", "/url", url=page.as_uri())
    assert browser.status == "step 0 of 19, score 3"
    browser.press("right")
    assert browser.status == "step 0 of 19, score 3", "the plan is hidden at first"
    browser.click("#hint")
    assert browser.status.startswith("step 1 of 19")
    assert browser.value("document.querySelectorAll('#plan li:not([hidden])').length") == 1
    assert browser.value("document.getElementById('answer').hidden") is True
    browser.click("#all")
    browser.press("end")
    assert browser.status == "step 19 of 19, score 7: stop"
    browser.press("left")
    browser.click("#back")
    assert browser.status.startswith("step 17 of 19")
    browser.press("home")
    assert browser.status.startswith("step 0 of 19")
    browser.click("#action-7")
    assert browser.status.startswith("step 7 of 19")
    assert browser.value("document.querySelectorAll('section:not([hidden])').length") == 1
    assert "optimal" in browser.value("document.getElementById('answer').textContent")
    assert browser.ask("POST", "/se/log", type="browser") == []
    assert browser.value("performance.getEntriesByType('resource').length") == 0


def test_the_page_fits_a_narrow_window(browser: Browser, tmp_path: Path):
    page = tmp_path / "overboard.html"
    assert run(("solve", "overboard", "--html", str(page))) == 0
    browser.ask(
        "POST",
        "/goog/cdp/execute",
        cmd="Emulation.setDeviceMetricsOverride",
        params={"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True},
    )
    browser.ask("POST", "/url", url=page.as_uri())
    assert browser.value("document.documentElement.scrollWidth") <= 360
    nodes = browser.ask("POST", "/goog/cdp/execute", cmd="Accessibility.getFullAXTree", params={})["nodes"]
    seen = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}
    assert {("button", "Hint"), ("button", "Step forward"), ("slider", "Step"), ("heading", "overboard")} <= seen
    assert any(role == "status" for role, _ in seen)
    assert any(role == "group" and name.startswith("overboard") for role, name in seen)
    assert any(role in ("image", "img") and name == "(3,1) open, ship of 1" for role, name in seen)


def test_a_page_tells_what_may_be_done_with_a_thing(browser: Browser, tmp_path: Path):
    page = tmp_path / "overboard.html"
    assert run(("show", "overboard", "--html", str(page))) == 0
    browser.ask("POST", "/url", url=page.as_uri())
    told = "document.getElementById('about').innerText"
    titled = "Array.from(document.querySelectorAll('section [data-thing]')).find(thing => thing.textContent.trim() === '{}')"
    browser.ask("POST", "/execute/sync", script=titled.format("(3,0)") + ".id = 'north'", args=[])
    origin = {ELEMENT: browser.find("#north")}
    move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": origin}
    browser.ask("POST", "/actions", actions=[{"type": "pointer", "id": "mouse", "actions": [move]}])
    north = browser.value(told)
    assert north.startswith("(3,0)\n") and "place es_house north" in north and "a ship cannot sail over land" in north
    browser.ask("POST", "/execute/sync", script="document.querySelector('[data-thing^=tile]').focus()", args=[])
    hand = browser.value(told)
    assert hand.startswith("es_house\n") and "keep es_house" in hand
    assert browser.value("document.querySelectorAll('#about li.may').length") >= 1
    assert browser.ask("POST", "/se/log", type="browser") == []
    assert browser.value("performance.getEntriesByType('resource').length") == 0
