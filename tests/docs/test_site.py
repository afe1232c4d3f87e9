"""The manual is built without a network from the pages, strictly, and loads nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from tests.browser import headless_browser, needs_browser
from tests.docs.pages import DOCS

LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}


class Loads(HTMLParser):
    """What a page loads when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        kinds = dict(attributes).get("rel") or ""
        if "canonical" not in kinds:
            self.found += [value or "" for name, value in attributes if (tag, name) in LOADED]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program that builds the site, building into a folder of the test."""
    pytest.importorskip("material")
    spec = importlib.util.spec_from_file_location("build_site", DOCS / "build_site.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "build_site", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PAGES", tmp_path / "pages")
    monkeypatch.setattr(module, "SITE", tmp_path / "site")
    return module


def test_the_site_is_built_strictly_and_loads_nothing_from_elsewhere(site: ModuleType):
    site.write_pages()
    assert site.build() == 0
    pages = [*site.SITE.rglob("*.html")]
    made = {"index.html", *(f"{page.stem}.html" for page in DOCS.glob("*.md"))}
    assert made <= {page.name for page in pages}
    for page in pages:
        reader = Loads()
        reader.feed(page.read_text("utf-8"))
        assert "```" not in page.read_text("utf-8"), page.name
        assert [one for one in reader.found if re.match(r"(?:[a-z]+:)?//", one)] == [], page.name
    security = (site.SITE / "security.html").read_text("utf-8")  # whose own text has no link to a page
    assert [page.stem for page in DOCS.glob("*.md") if f'href="{page.stem}.html"' not in security] == []
    assert not re.search(r"url\((?:https?:)?//", "".join(css.read_text("utf-8") for css in site.SITE.rglob("*.css")))


@pytest.mark.nightly
@needs_browser
def test_pages_and_pictures_follow_the_system_also_when_it_changes(site: ModuleType, tmp_path: Path):
    site.write_pages()
    assert site.build() == 0
    brightness = (
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((all, one) => all + +one, 0)"
    )
    with headless_browser(tmp_path / "profile") as browser:
        shades = []
        for scheme in ("light", "dark", "light"):
            browser.prefer(scheme)
            browser.open((site.SITE / "pictures.html").as_uri())
            shades.append(browser.value(brightness) > 380)
    assert shades == [True, False, True]


@pytest.mark.nightly
@needs_browser
def test_a_picture_wider_than_a_telephone_scrolls_in_its_own_box(site: ModuleType, tmp_path: Path):
    site.write_pages()
    assert site.build() == 0
    pictures = "[...document.querySelectorAll('article img')]"
    with headless_browser(tmp_path / "profile") as browser:
        browser.resize(360, 800)
        for page in ("pictures.html", "tutorial.html"):
            browser.open((site.SITE / page).as_uri())
            browser.wait_for(f"{pictures}.every(one => one.complete)")
            window = browser.value("innerWidth")
            widths = browser.value(f"{pictures}.map(one => [one.width, one.naturalWidth, one.parentElement.clientWidth])")
            assert widths and all(shown == natural for shown, natural, _ in widths), page
            assert any(natural > window for _, natural, _ in widths), page
            assert all(box <= window for *_, box in widths), page
            assert browser.value("document.documentElement.scrollWidth") <= window, page
