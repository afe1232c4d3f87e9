"""Documents from strangers: refused in a sentence, whatever they hold; nothing of theirs is run, and memory is bounded."""

from __future__ import annotations

import copy
import gzip
import json
import random
from typing import Any

import pytest

from rulewright.checker.rulewright_check import Fault, Game, Refused, Unreadable
from tests.checker.beside import finished
from tests.checker.certificates import GAMES, HEAP, Writer, checked, checked_bytes, heap_game, packed, plus

CODE = "heap]; raise SystemExit(5)  #\n\"'{heap}"
"""A name that would be noticed if it got into generated code."""

ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 1 << 70, "heap", "", CODE, [], {}, [[]], ["read"], ["read", "heap", None], ["fault"]),
    *(
        ["call", "over"],
        ["local", 0],
        ["list", 1, 2],
        ["name", 0, ["list", 1, 2], True],
        {"name": "x"},
        ["over"],
        [0, 0],
        ["end", True],
    ),
    *(
        ["join", ["list", 1], ["list", 2]],
        ["interval", 0, 1 << 40],
        ["shuffle", ["heap", None, False]],
        ["apply", "turn", "x", 1, 2],
    ),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every part of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, one in inner for place in places(one, (*path, key)))]


def mutant(document: Any, dice: random.Random) -> Any:
    """A document with something else in one or two places."""
    changed = copy.deepcopy(document)
    for _ in range(dice.randrange(1, 3)):
        *way, last = dice.choice(places(changed)[1:])
        inner = changed
        for key in way:
            inner = inner[key]
        match dice.randrange(4), inner:
            case 0, _:
                del inner[last]
            case 1, list():
                inner.insert(last, copy.deepcopy(dice.choice(ODD)))
            case _:
                inner[last] = copy.deepcopy(dice.choice(ODD))
    return changed


def read_mutants(seed: int, count: int) -> int:
    """Read and check mutants of headers and cores: only the checker's own exceptions may come; the number refused."""
    dice, refused = random.Random(seed), 0
    for _ in range(count):
        header, core, *lines = Writer(GAMES[dice.choice(sorted(GAMES))]).write() if dice.random() < 0.05 else LINES
        changed = json.loads(core), json.loads(header)
        changed = (mutant(changed[0], dice), changed[1]) if dice.random() < 0.8 else (changed[0], mutant(changed[1], dice))
        if isinstance(changed[0], dict) and isinstance(changed[1], dict):
            try:
                whole = finished(changed[0])
            except (TypeError, AttributeError):
                whole = changed[0]
            changed = whole, {**changed[1], "core": whole.get("digest")}
        try:
            checked([json.dumps(changed[1]), json.dumps(changed[0]), *lines])
        except (Refused, Unreadable):
            refused += 1
    return refused


LINES = Writer(GAMES["in expectation"]).write()


@pytest.mark.parametrize("seed", range(4))
def test_mutants_of_documents(seed: int) -> None:
    assert read_mutants(seed, 40) > 10


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_mutants_of_documents(seed: int) -> None:
    assert read_mutants(seed, 500) > 200


def test_names_never_become_code() -> None:
    text = json.dumps(GAMES["maximise"])
    for name in ("heap", "score", "take", "amount", "die", "odd"):
        text = text.replace(f'"{name}"', json.dumps(CODE + name))
    core = finished(json.loads(text))
    lines = Writer(GAMES["maximise"]).write()
    header = {**json.loads(lines[0]), "core": core["digest"]}
    assert checked([json.dumps(header), json.dumps(core), *lines[2:]]).claim == "the greatest value at the end is 12"


def nested(term: Any, times: int) -> Any:
    for _ in range(times):
        term = ["not", ["and", term, 1]]
    return term


def doubled(times: int, word: str) -> Any:
    """A value that doubles again and again."""
    term: Any = (
        ["join", ["local", times - 1], ["local", times - 1]]
        if word == "join"
        else ["arithmetic", "*", *[["local", times - 1]] * 2]
    )
    for number in reversed(range(1, times)):
        inner = ["join", *[["local", number - 1]] * 2] if word == "join" else ["arithmetic", "*", *[["local", number - 1]] * 2]
        term = ["let", number, inner, term]
    return ["let", 0, ["list", 1, 2] if word == "join" else 3, term]


@pytest.mark.parametrize(
    "value",
    [
        nested(0, 30),
        nested(0, 300),
        doubled(60, "*"),
        ["fold", "sum", 0, doubled(60, "join"), 1, 0],
        ["fold", "sum", 0, ["interval", 0, plus(HEAP, 1 << 60)], 1, 0],
        ["fold", "sum", 0, ["closure", 0, HEAP, ["list", plus(["local", 0], 1)]], 1, 0],
        ["call", "again"],
    ],
    ids=["deep", "deeper", "product", "join", "interval", "closure", "recursion"],
)
def test_what_grows_without_end_is_refused(value: Any) -> None:
    core = heap_game(values=[value])
    core["definitions"]["again"] = {"parameters": 0, "body": ["call", "again"]}
    try:
        core = finished(core)
        assert Game(core).value(Game(core).start) in (0, 1)
    except (Unreadable, Fault) as refusal:
        assert len(str(refusal)) < 300
    except RecursionError:
        with pytest.raises(Unreadable, match="nested too deeply"):
            checked([LINES[0], json.dumps(core), *LINES[2:]])


def test_what_is_nested_deeply_is_refused_or_right() -> None:
    """Python limits how deep an expression is nested, so a deep term becomes several functions."""
    deep: Any = 1
    for number in reversed(range(100)):
        deep = ["fold", "sum", number, ["list", 1], deep, 0]
    game = Game(finished(heap_game(values=[deep])))
    assert game.value(game.start) == 1
    loops: Any = []
    for number in reversed(range(1, 30)):
        loops = [["for", number, ["list", 1], loops]]
    core = heap_game()
    core["actions"][0]["effects"] = loops
    with pytest.raises(Unreadable, match="nested too deeply"):
        Game(finished(core))


def test_json_that_is_deep_or_says_a_thing_twice() -> None:
    lines = LINES
    for text in ("[" * 100_000, '{"schema": 1, "schema": 1}', "1.5", "NaN", "9" * 5000, '"\\ud800"', "{}", "null"):
        for damaged in ([text, *lines[1:]], [lines[0], text, *lines[2:]]):
            with pytest.raises((Unreadable, Refused)):
                checked(damaged)


def test_a_line_without_end_is_not_kept() -> None:
    content = packed(LINES[:2])
    with pytest.raises(Unreadable, match="has more than 4096 bytes"):
        checked_bytes(content + gzip.compress(b"1" * 10_000_000))


def test_a_message_has_no_characters_that_a_terminal_obeys() -> None:
    with pytest.raises(Unreadable) as caught:
        checked([json.dumps({**json.loads(LINES[0]), "schema": "\x1b[2J\u202e"}), *LINES[1:]])
    assert str(caught.value).isascii()
    assert "\x1b" not in str(caught.value)
