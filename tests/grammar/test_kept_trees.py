"""Trees that are kept: the same as those read from the text, spans too; read anew when text, name, limits or grammar differ."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from attrs import evolve

from rulewright.base import cache
from rulewright.base.diagnostics import RulesError
from rulewright.base.limits import DEFAULT_LIMITS
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar import from_text, kept_trees
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.kept_trees import kept_module, kept_puzzle
from tests.grammar.shipped import SHIPPED

TEXT = 'module sample:\n    "a sample"\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / kept_trees.FOLDER


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that were really parsed."""
    sources: list[str] = []

    def counting(text: str, source: str, limits: object) -> object:
        sources.append(source)
        return parse_module(text, source, DEFAULT_LIMITS)

    monkeypatch.setattr(from_text, "parse_module", counting)
    return sources


def spans_of(tree: object) -> list[Span]:
    """In the order of the attributes: equality ignores them."""
    found: list[Span] = []
    left: list[object] = [tree]
    while left:
        match left.pop():
            case Span() as span:
                found.append(span)
            case tuple() | list() as several:
                left.extend(several)
            case node:
                left.extend(getattr(node, a.name) for a in getattr(node, "__attrs_attrs__", ()))
    return found


@pytest.mark.parametrize("path", SHIPPED[::24], ids=lambda path: path.name)
def test_a_kept_tree_is_the_tree(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    is_puzzle = path.suffix == ".puzzle"
    kept, parse = (kept_puzzle, parse_puzzle) if is_puzzle else (kept_module, parse_module)
    first, again, expected = (read(text, path.name, DEFAULT_LIMITS) for read in (kept, kept, parse))
    assert again is not first
    assert first == again == expected and repr(again) == repr(expected)
    assert spans_of(again) == spans_of(expected) and len(spans_of(again)) > 3


def test_the_library_fits_twice() -> None:
    """Studies read all of it in turn: a smaller cache would evict each tree before it is read again."""
    assert 2 * len(SHIPPED) <= kept_trees.MOST_TREES


def test_the_span_of_nothing_stays_itself() -> None:
    span = Span("a file", 1, 2, 3, 4)
    there = pickle.loads(pickle.dumps((NO_SPAN, span)))
    assert there[0] is NO_SPAN and there[1] == span


def test_what_differs_is_read_anew(parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        kept_module(TEXT, "a", DEFAULT_LIMITS)
    assert parsed == ["a"]
    kept_module(TEXT, "b", DEFAULT_LIMITS)
    kept_module(TEXT + "\n", "a", DEFAULT_LIMITS)
    kept_module(TEXT, "a", evolve(DEFAULT_LIMITS, file_bytes=1000))
    monkeypatch.setattr(cache, "_seen_program", lambda *_: "another")
    cache._opened_in.cache_clear()
    kept_module(TEXT, "a", DEFAULT_LIMITS)
    cache._opened_in.cache_clear()
    assert parsed == ["a", "b", "a", "a", "a"]


def test_a_fault_is_told_each_time(folder: Path) -> None:
    for _ in range(2):
        with pytest.raises(RulesError) as told:
            kept_module("module sample:\n    nonsense\n", "a", DEFAULT_LIMITS)
        assert [diagnostic.code for diagnostic in told.value.diagnostics]
    assert not folder.exists()


def test_a_damaged_tree_is_read_anew(folder: Path, parsed: list[str]) -> None:
    tree = kept_module(TEXT, "a", DEFAULT_LIMITS)
    (path,) = folder.iterdir()
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert kept_module(TEXT, "a", DEFAULT_LIMITS) == tree
    assert parsed == ["a", "a"]


def test_without_a_cache_nothing_is_kept(folder: Path, parsed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    for _ in range(2):
        kept_module(TEXT, "a", DEFAULT_LIMITS)
    assert parsed == ["a", "a"] and not folder.exists()
