"""Every document of `--json` is as its schema says: no field is missing, of another type, or not described."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from rulewright.cli.app import _name, app
from rulewright.cli.documents.document import Of, document_of
from rulewright.cli.documents.schemas import documents, schema_of
from rulewright.solver.result import Status
from tests.cli.test_contract import ILLEGAL, PLAY

TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "null": (type(None),),
    "array": (list,), "object": (dict,),
}  # fmt: skip


def flaws(value: Any, schema: dict[str, Any], parts: dict[str, Any], at: str = "") -> Iterator[str]:
    """Where a value differs from a schema, of the kinds that ours are made of; a field without a description is a flaw, too."""
    if "$ref" in schema:
        yield from flaws(value, parts[schema["$ref"].rpartition("/")[2]], parts, at)
    elif "anyOf" in schema:
        if all(list(flaws(value, one, parts, at)) for one in schema["anyOf"]):
            yield f"{at}: {value!r} is none of {schema['anyOf']}"
    elif "const" in schema:
        if value != schema["const"]:
            yield f"{at}: {value!r} is not {schema['const']!r}"
    elif "type" in schema:
        if not isinstance(value, TYPES[schema["type"]]) or (isinstance(value, bool) and schema["type"] != "boolean"):
            yield f"{at}: {value!r} is no {schema['type']}"
        elif schema["type"] == "array":
            for number, one in enumerate(value):
                yield from flaws(one, schema["items"], parts, f"{at}[{number}]")
        elif schema["type"] == "object":
            fields = schema.get("properties", {})
            yield from (f"{at}.{name} is missing" for name in schema.get("required", ()) if name not in value)
            for name, one in value.items():
                if (described := fields.get(name, schema.get("additionalProperties"))) is None:
                    yield f"{at}.{name} is not described"
                else:
                    yield from flaws(one, described, parts, f"{at}.{name}")


SHOALS = ("shoals", "--games", "20", "--seed", "1")
SOKOBAN = ("--as", "classics.sokoban")
CALLS = {
    "errors": [("check", "nothing"), ("solve", "narrows", "--frobnicate"), ("check", "broken.rules"), ("check", "clash.rules")],
    "show": [("show", name) for name in ("narrows", "shoals", "hanoi_seven", "lights_three", "market_two_days")],
    "show_folder": [("show", "deep")],
    "score": [("score", "narrows"), ("score", "overboard"), ("score", "noughts_draw"), ("score", "all_of_them")],
    "actions": [("actions", "narrows")],
    "rulebook": [("rulebook", "classics.pig", "-o", "pig.html")],
    "site": [("site", ".", "--only", "narrows", "--no-studio", "--no-play", "-o", "the_site")],
    "why": [("actions", "narrows", "--why", "lay bay north"), ("actions", "overboard", "--why", "place buoy north")],
    "import": [("import", "levels.xsb", *SOKOBAN), ("import", "levels.xsb", *SOKOBAN, "-o", "levels")],
    "export": [("export", "sokoban_first_room")],
    "perft": [("perft", "shoals", "2"), ("perft", "narrows", "2", "--turns"), ("perft", "classics.pig", "3")],
    "play": [("play", "narrows"), ("play", "noughts_draw")],
    "replay": [("replay", "saved.play")],
    "replay_refused": [("replay", "bad.play")],
    "history": [("replay", "saved.play", "--history", "hand of 1")],
    "share": [("share", "narrows")],
    "page": [("page", "narrows", "-o", "page.html")],
    "share_text": [("share", "LINE", "--text")],
    "solve": [
        ("solve", "narrows"), ("solve", "narrows_counted"), ("solve", "narrows", "--all", "3", "--unique", "--why"),
        ("solve", "pig_turn"), ("solve", "noughts_draw"), ("solve", "narrows", "--time", "0"), ("solve", "wrong_answer"),
        ("solve", "lights_three", "--second-opinion"), ("solve", "too_far"), ("solve", "morphy", "--all", "2", "--unique"),
    ],
    "solve_folder": [("solve", "."), ("solve", "deep")],
    "solve_many": [("solve", "--many", "narrows.puzzle"), ("solve", "--many", "narrows.puzzle")],
    "make": [("make", "shoals", "--tiles", "2..4", "--count", "1", "--gap", "0", "--unique", "nothing", "--workers", "1")],
    "check": [("check", "shoals", "narrows"), ("check", "house.tide", "--all")],
    "list": [("list", "--all")],
    "tree": [("tree", "worth", "--of", "bright")],
    "diff": [("diff", "shoals", "bright")],
    "diff_effects": [("diff", "shoals", "bright", "--on", "narrows", "--on", "mute", "--workers", "1")],
    "review": [("review",)],
    "trace": [("trace", "combs"), ("trace", "beacon_patrol", "--on", "overboard")],
    "mutate": [("mutate", "bright", "--workers", "1", "--sample", "3")],
    "core": [("core", "narrows"), ("core", "shoals")],
    "core_file": [("core", "narrows", "-o", "narrows.json")],
    "fmt": [("fmt", "shoals.rules")],
    "explain": [("explain", "RW012")],
    "codes": [("explain", "--list")],
    "new": [("new", "mine", "--of", "shoals")],
    "simulate": [("simulate", *SHOALS), ("simulate", "classics.noughts_and_crosses", "--games", "5")],
    "simulate_against": [("simulate", *SHOALS, "--against", "bright")],
    "simulate_luck": [("simulate", *SHOALS, "--luck")],
    "simulate_luck_against": [("simulate", *SHOALS, "--luck", "--against", "bright")],
    "simulate_sweep": [("simulate", *SHOALS, "--sweep", "change worth: replace lamp: {2, 4} when at(c) has lamp")],
}  # fmt: skip
"""Calls that print each document, by the name of its schema."""


@pytest.fixture
def files(broken: Path, call) -> Path:
    """What the calls name besides the project."""
    (broken / "saved.play").write_text(PLAY)
    (broken / "bad.play").write_text(ILLEGAL)
    (broken / "levels.xsb").write_text("#####\n#@$.#\n#####\n")
    (broken / "deep").mkdir()
    (broken / "deep" / "own.puzzle").write_text((broken / "narrows.puzzle").read_text().replace("narrows:", "own:"))
    return broken


@pytest.mark.parametrize("name", CALLS)
def test_documents_are_as_their_schema_says(name: str, call, files: Path) -> None:
    schema = schema_of(documents()[f"rulewright/{name}/1"])
    for arguments in CALLS[name]:
        line = call("share", "narrows").out.strip() if "LINE" in arguments else ""
        done = call(*(line if one == "LINE" else one for one in arguments), "--json")
        for text in done.out.splitlines():
            assert list(flaws(json.loads(text), schema, schema["$defs"])) == [], arguments
        assert done.out.count("\n") == 1, (arguments, done)


def test_every_document_is_called_for() -> None:
    assert {f"rulewright/{name}/1" for name in CALLS} | {"rulewright/studio/1"} == set(documents())
    commands = {_name(command) for command in app.registered_commands} - {"lsp", "studio"}
    assert commands == {arguments[0] for calls in CALLS.values() for arguments in calls}


@pytest.mark.parametrize(
    ("value", "flaw"),
    [
        ({"schema": "rulewright/actions/1", "legal": ["a"]}, []),
        ({"schema": "rulewright/actions/2", "legal": ["a"]}, [".schema: 'rulewright/actions/2' is not 'rulewright/actions/1'"]),
        ({"schema": "rulewright/actions/1", "legal": [1]}, [".legal[0]: 1 is no string"]),
        ({"schema": "rulewright/actions/1"}, [".legal is missing"]),
        ({"schema": "rulewright/actions/1", "legal": [], "more": 1}, [".more is not described"]),
    ],
)
def test_flaws_are_found(value: dict[str, Any], flaw: list[str]) -> None:
    schema = schema_of(documents()["rulewright/actions/1"])
    assert list(flaws(value, schema, schema["$defs"])) == flaw


class Part(TypedDict):
    """A part of a document."""

    word: Annotated[str | None, Of("inner.text")]


class Whole(Part):
    """A document."""

    status: str
    path: str
    parts: list[Part]
    counts: dict[str, int]
    value: int | str | None
    more: NotRequired[int]
    schema: Literal["rulewright/whole/1"]


def test_a_document_is_read_off_by_the_types_of_its_fields(tmp_path: Path) -> None:
    part = SimpleNamespace(inner=SimpleNamespace(text="a"))
    about = SimpleNamespace(
        inner=SimpleNamespace(text=""), status=Status.OPTIMAL, path=tmp_path / "a", parts=(part,), value=Fraction(1, 2), more=2
    )
    found = document_of(Whole, about, counts={Status.UNKNOWN: 3})
    assert found == {
        "schema": "rulewright/whole/1", "word": None, "status": "optimal", "path": str(tmp_path / "a"),
        "parts": [{"word": "a"}], "counts": {"unknown": 3}, "value": "1/2",
    }  # fmt: skip
    assert next(iter(found)) == "schema"
    assert document_of(Whole, about, counts={}, more=4, value=0)["value"] == 0
    assert document_of(Part, SimpleNamespace(inner=None)) == document_of(Part, None) == {"word": None}


def test_a_field_without_a_source_is_an_error() -> None:
    with pytest.raises(AttributeError, match="inner"):
        document_of(Part)


@pytest.mark.nightly
@pytest.mark.parametrize("command", ["show", "score"])
def test_documents_of_many_puzzles_are_as_their_schema_says(command: str, call) -> None:
    schema = schema_of(documents()[f"rulewright/{command}/1"])
    for puzzle in call("list", "--json").json["puzzles"][::9]:
        done = call(command, puzzle["file"], "--json")
        assert list(flaws(done.json, schema, schema["$defs"])) == [], puzzle["name"]
