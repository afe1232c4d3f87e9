"""Editions of the language: what is refused, what is rewritten, before a line is parsed."""

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.editions import EDITIONS, Editions, edition_of
from rulewright.grammar.formatter import format_text
from rulewright.grammar.from_text import parse_module, parse_puzzle

LATER = "module a:\n    edition 2\n\nweather board: sun or rain\n"
THREE = Editions((lambda text: text.replace("counter", "marker"), lambda text: text.replace("marker", "token")))


def test_a_later_edition_is_refused_before_its_lines_are_read() -> None:
    with pytest.raises(RulesError) as refused:
        parse_module(LATER, "a.rules")
    assert [(each.code, each.span and each.span.line) for each in refused.value.diagnostics] == [("RW028", 2)]


def test_a_puzzle_of_a_later_edition_is_refused() -> None:
    with pytest.raises(RulesError, match="RW028"):
        parse_puzzle("puzzle a:\n    rules b\n    edition 7\n    weather: rain\n", "a.puzzle")


@pytest.mark.parametrize("text", ["module a:\n    edition 1\n", "module a:\n"])
def test_the_current_edition_is_read(text: str) -> None:
    named = parse_module(text, "a.rules").header.edition
    assert (named and named.number) == (1 if "edition" in text else None)


def test_the_edition_stands_under_the_head_and_nowhere_else() -> None:
    assert edition_of("module a:\n    'x'\n\n# note\n    edition 3  # c\n", "a") is not None
    assert edition_of("module a:\n# edition 3\n    # edition 3\nplayers 1..2\n    edition 3\n", "a") is None


def test_an_earlier_edition_is_rewritten_by_all_migrations_in_order() -> None:
    text = "module a:\n    edition 1  # kept\ncounter red\n"
    assert THREE.migrated(text) == "module a:\n    edition 3  # kept\ntoken red\n"
    assert THREE.migrated(text.replace("1", "2")) == "module a:\n    edition 3  # kept\ncounter red\n"


@pytest.mark.parametrize("number", [0, 3, 4])
def test_other_editions_are_not_rewritten(number: int) -> None:
    text = f"module a:\n    edition {number}\ncounter red\n"
    assert THREE.migrated(text) == text


def test_an_earlier_edition_is_refused_with_the_way_to_rewrite_it() -> None:
    with pytest.raises(RulesError) as refused:
        THREE.require_current("module a:\n    edition 2\n", "a.rules")
    assert "rulewright fmt" in refused.value.diagnostics[0].help


def test_the_formatter_keeps_the_edition() -> None:
    assert format_text("module a:\n  edition   1   # here\n", "a.rules") == "module a:\n    edition 1  # here\n"


def test_the_shipped_version_reads_what_it_writes() -> None:
    EDITIONS.require_current(f"module a:\n    edition {EDITIONS.current}\n", "a.rules")
