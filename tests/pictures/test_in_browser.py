"""The page of a solution clicked through in headless Chromium, where there is one with its driver."""

from __future__ import annotations

import re
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
    told = browser.value("document.getElementById('answer').innerText")
    assert re.fullmatch(r"The best possible: score 7\.\s+Proved: the search [^()]* \(348 positions in [\d.]+ s\)\.", told)
    assert browser.ask("POST", "/se/log", type="browser") == []
    assert browser.value("performance.getEntriesByType('resource').length") == 0


def test_marks_are_ticks_and_crosses_and_colours_follow_the_system(browser: Browser, tmp_path: Path):
    page, always_dark = tmp_path / "overboard.html", tmp_path / "dark.html"
    assert run(("show", "overboard", "--html", str(page))) == 0
    assert run(("show", "overboard", "--html", str(always_dark), "--dark")) == 0
    paper = "getComputedStyle(document.body).backgroundColor"
    water = "getComputedStyle(document.querySelector('path[fill=\"#a9d3ec\"]')).fill"
    colours = {"light": ["rgb(251, 250, 247)", "rgb(169, 211, 236)"], "dark": ["rgb(20, 24, 31)", "rgb(35, 80, 107)"]}
    for system, expected in colours.items():
        browser.prefer(system)
        browser.open(page.as_uri())
        assert browser.value(f"[{paper}, {water}]") == expected, system
    browser.prefer("light")
    browser.open(always_dark.as_uri())
    assert browser.value(paper) == colours["dark"][0]
    told = "Array.from(document.querySelectorAll('#about li.{}')).map(item => getComputedStyle(item).listStyleType)"
    browser.point("section [data-thing^=tile]")
    marks = browser.wait_for(told.format("may")), browser.wait_for(told.format("not"))
    assert [set(found) for found in marks] == [{'"✓ "'}, {'"✗ "'}]
    assert browser.ask("POST", "/se/log", type="browser") == []


def test_words_are_large_enough_on_a_telephone(browser: Browser, tmp_path: Path):
    page = tmp_path / "overboard.html"
    assert run(("show", "overboard", "--html", str(page))) == 0
    browser.resize(360, 740, mobile=True)
    browser.open(page.as_uri())
    heights = "Array.from(document.querySelectorAll('.board text')).map(word => word.getBoundingClientRect().height)"
    assert min(browser.value(heights)) >= 9


def test_the_page_fits_a_narrow_window(browser: Browser, tmp_path: Path):
    page = tmp_path / "overboard.html"
    assert run(("solve", "overboard", "--html", str(page))) == 0
    browser.resize(360, 740, mobile=True)
    browser.ask("POST", "/url", url=page.as_uri())
    assert browser.value("document.documentElement.scrollWidth") <= 360
    nodes = browser.ask("POST", "/goog/cdp/execute", cmd="Accessibility.getFullAXTree", params={})["nodes"]
    seen = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]}
    assert {("button", "Hint"), ("button", "Step forward"), ("slider", "Step"), ("heading", "Overboard")} <= seen
    assert any(role == "status" for role, _ in seen)
    assert any(role == "group" and name.startswith("overboard") for role, name in seen)
    assert any(role in ("image", "img") and name == "(3,1) open, ship of 1" for role, name in seen)


def test_a_wide_board_scrolls_on_a_telephone_with_the_steps_in_sight(browser: Browser, tmp_path: Path):
    page = tmp_path / "pirates.html"
    assert run(("solve", "fourth_paw", "--html", str(page))) == 0
    browser.resize(360, 740, mobile=True)
    browser.open(page.as_uri())
    board = "document.querySelector('.wide svg')"
    assert browser.value(f"{board}.getBoundingClientRect().width - {board}.getAttribute('width')") == 0
    assert browser.value("document.documentElement.scrollWidth") <= 360
    assert browser.value("document.getElementById('hint').getBoundingClientRect().bottom") <= 740
    browser.value("document.querySelector('.wide').scrollLeft = 42")
    browser.click("#hint")
    assert browser.value("document.querySelector('section:not([hidden]) .wide').scrollLeft") == 42


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
