"""The page of a solution clicked through in headless Chromium, where there is one with its driver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.cli.main import run
from tests.browser import ELEMENT, Browser, headless_browser, needs_browser

pytestmark = needs_browser


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with headless_browser(tmp_path / "profile") as opened:
        yield opened


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
    browser.resize(360, 740, mobile=True)
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
