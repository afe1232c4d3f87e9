"""The page of a solution: one file, no network, every text escaped, the plan hidden at first."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

from rulewright.cli.names import named
from rulewright.pictures.pages.solution import Solution, Stage, solution_page
from rulewright.pictures.scene import Scene

HOSTILE = '<script>alert(1)</script>"\x1b[2J\u202e&'


class Reader(HTMLParser):
    """The tags of a page with their attributes, and what stands in its script and style."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, str] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style") and "type" not in self.tags[-1][1]:
            self.raw.setdefault(self.tags[-1][0], data)


def page(text: str) -> str:
    start = named("classics.lights_out").start(None, 1)
    after = start.engine.apply(start.state, start.engine.legal(start.state)[0])
    stages = (Stage("", start.state, "score 0"), Stage(text, after, "score 5", (text,)))
    solution = Solution(text, text, "maximise score until end", f"optimal {text}", (text,), (text,), stages)
    return solution_page(Scene(start.engine, start.viewer, text), solution)


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(page(text))
    return reader


def test_nothing_is_loaded_and_only_the_own_script_runs():
    reader = read("press (0,0)")
    policies = [a["content"] or "" for tag, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1 and policies[0].startswith("default-src 'none'") and "unsafe" not in policies[0]
    for tag in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(reader.raw[tag].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policies[0]
    assert not any({"src", "srcset", "data", "action"} & attributes.keys() for _, attributes in reader.tags)
    names = {a["id"] for _, a in reader.tags if "id" in a}
    assert all((a["href"] or "").removeprefix("#") in names and tag == "use" for tag, a in reader.tags if "href" in a)
    assert not any(name.startswith("on") for _, attributes in reader.tags for name in attributes)


def test_texts_are_no_markup():
    plain, hostile = read("text"), read(HOSTILE)
    assert [tag for tag, _ in plain.tags] == [tag for tag, _ in hostile.tags]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", page(HOSTILE))


def test_the_plan_is_hidden_at_first():
    reader = read("press (0,0)")
    by_name = {attributes["id"]: attributes for _, attributes in reader.tags if "id" in attributes}
    assert "hidden" not in by_name["stage-0"]
    assert all("hidden" in by_name[name] for name in ("stage-1", "action-1", "answer"))
    assert by_name["stage-1"]["data-told"] == "step 1 of 1, score 5: press (0,0)"
