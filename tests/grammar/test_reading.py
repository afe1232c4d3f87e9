"""Our reading of lines against Lark's own parser: the same trees, and the same lines refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree, UnexpectedInput

import rulewright
from rulewright.grammar import assembling, reading
from rulewright.grammar.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.syntax import Kind, build, parse

FOLDER = Path(rulewright.__file__).parent
FILES = sorted([*FOLDER.glob("rules/library/**/*.rules"), *FOLDER.glob("puzzles/library/**/*.puzzle")])
CHANGES = 4
"""How often each line is damaged."""

Line = tuple[str, Kind]


@pytest.fixture(scope="module")
def lark() -> Lark:
    return build()


@pytest.fixture(scope="module")
def lines() -> list[Line]:
    """Every line that is read of what ships."""
    found: dict[Line, None] = {}

    def noting(text: str, kind: Kind) -> Any:
        found[text, kind] = None
        return parse(text, kind)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembling, "parse", noting)
        for path in FILES:
            read = parse_module if path.suffix == ".rules" else parse_puzzle
            try:
                read(path.read_text("utf-8"), str(path))
            except RulesError as error:  # pragma: no cover
                pytest.fail(str(error))
    return list(found)


def shape(tree: Any) -> Any:
    """A tree of either as tuples."""
    match tree:
        case Tree():
            return (tree.data, tree.meta.start_pos, tree.meta.end_pos, *map(shape, tree.children))
        case Token():
            return tree.type, tree.start_pos, tree.end_pos, str(tree)
        case reading.Tree():
            return (tree.rule, tree.start, tree.end, *map(shape, tree.children))
        case reading.Leaf():
            return tree.kind, tree.start, tree.end, tree.text
        case _:
            return tree


def by_lark(lark: Lark, text: str, kind: Kind) -> Any:
    try:
        return shape(lark.parse(text, start=kind.value))
    except UnexpectedInput:
        return None


def ours(text: str, kind: Kind) -> Any:
    trees = parse(text, kind)
    return None if trees is None else shape(trees[-1])


def damaged(text: str, chance: random.Random) -> str:
    """The text with a stretch taken out, doubled, or moved."""
    at, to = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    other = chance.randrange(len(text) + 1)
    match chance.randrange(3):
        case 0:
            return text[:at] + text[to:]
        case 1:
            return text[:at] + 2 * text[at:to] + text[to:]
        case _:
            return text[:other] + " " + text[at:to] + " " + text[other:]


def test_lines_are_read_as_by_lark(lark: Lark, lines: list[Line]) -> None:
    assert len(lines) > 2000
    for text, kind in lines:
        assert ours(text, kind) == by_lark(lark, text, kind) != None, text  # noqa: E711


def test_damaged_lines_are_read_or_refused_as_by_lark(lark: Lark, lines: list[Line]) -> None:
    chance = random.Random(1)
    refused = 0
    for text, kind in chance.sample(lines, 800):
        for _ in range(CHANGES):
            changed, other = damaged(text, chance), chance.choice((kind, chance.choice(list(Kind))))
            found = by_lark(lark, changed, other)
            refused += found is None
            assert ours(changed, other) == found, changed
    assert 100 < refused < 800 * CHANGES - 100


@pytest.mark.parametrize("text", ["", " ", "x", "(", ")", "a = = b", "x x x", "é", "((((a))))", "{}", "f()", "- - a"])
def test_small_texts_are_read_as_by_lark(lark: Lark, text: str) -> None:
    for kind in Kind:
        assert ours(text, kind) == by_lark(lark, text, kind)


def test_children_come_before_parents() -> None:
    trees = parse("(a + b) * -c = 3 or not x in {1, f(2)}", Kind.EXPRESSION)
    assert trees
    seen: list[reading.Tree] = []
    for tree in trees:
        assert all(any(child is one for one in seen) for child in tree.children if isinstance(child, reading.Tree))
        seen.append(tree)
