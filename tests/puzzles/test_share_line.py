"""Lines to share: they read back to the same puzzle, damage is found where it is, and other rules are noticed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.catalogue import is_share_line
from rulewright.puzzles.share_line import (
    BLOCK,
    PREFIX,
    is_old_share_line,
    read_share_line,
    read_shared,
    rules_digest,
    write_share_line,
)
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import Project
from tests.puzzles.positions import CATALOGUE, PROJECT, SEA, at_sea_text

SHIPPED = [puzzle.path for puzzle in CATALOGUE.puzzles]
LINE = write_share_line(
    parse_puzzle(at_sea_text("tokens 1: 4\ndraw: ew, ew\nask: maximise score until end"), "here"), b"1234567890" * 2
)
OLD = "rw1:n4okhHNWRXz_KUnmg1L5ealWhYB1K_nmpekpIduUApVDcYcgFI5pbklyTmWCmYcCGcjdPXAAp"
"""A line as it was first written, with a digest of 64 bits, for a puzzle of these rules."""

LONE = """\
module lone:
    "Stones are counted."

state:
    total: 0..9 = 0

action add:
    effect add: total += 1

flow:
    repeat:
        choose add or stop

score stones: total
"""

SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def digest_of(names: str) -> bytes:
    return rules_digest(PROJECT.modules_of(names))


@pytest.mark.parametrize("path", SHIPPED[::6], ids=lambda path: path.stem)
def test_a_shipped_puzzle_reads_back_without_its_answer_and_plans(path: Path) -> None:
    puzzle = parse_puzzle(path.read_text(), str(path))
    line = write_share_line(puzzle, digest_of("+".join(name for name, _ in puzzle.rules)))
    assert is_share_line(line) and line.isascii() and not set(line) & set(" +/=%?#&\n")
    assert read_shared(line, PROJECT) == evolve(puzzle, answer=None, plans=())


def positions(name: str, number: int, seed: int) -> None:
    """So many positions of random games go through a line."""
    from rulewright.rules.play.engine import Engine

    game, digest = PROJECT.load(name), digest_of(name)
    engine = Engine.of(game, game.players.low)
    chance = random.Random(f"{name} {seed}")
    state = engine.start(chance.randrange(10**6))
    for _ in range(number):
        text = write_position(engine, state, "here", game.roots)
        shared = read_share_line(write_share_line(parse_puzzle(text, "here"), digest))
        assert shared.text == text
        assert shared.digest == digest[:20]
        moves = [] if engine.over(state) else engine.legal(state)
        state = engine.apply(state, chance.choice(moves)) if moves else engine.start(chance.randrange(10**6))


@pytest.mark.parametrize("name", [SEA, "penguin_pirates", "classics.sokoban_pushes"])
def test_positions_of_random_games_read_back(name: str) -> None:
    positions(name, 12, 1)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_positions_read_back(seed: int) -> None:
    for name in (SEA, "penguin_pirates", "classics.peg_solitaire", "classics.tsuro", "beacon_patrol.windmills"):
        positions(name, 200, seed)


@given(st.integers(len(PREFIX), len(LINE) - 1), st.sampled_from(SYMBOLS))
def test_another_symbol_is_found_in_its_block(place: int, symbol: str) -> None:
    damaged = LINE[:place] + symbol + LINE[place + 1 :]
    if damaged == LINE:
        return
    with pytest.raises(RulesError) as caught:
        read_share_line(damaged)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "RW356"
    assert diagnostic.span is not None
    assert diagnostic.span.column <= place + 1 < diagnostic.span.end_column <= diagnostic.span.column + BLOCK + 1


@given(st.integers(0, len(LINE)), st.text(max_size=40), st.integers(0, len(LINE)))
def test_what_is_cut_or_pasted_is_refused_or_the_same(start: int, pasted: str, end: int) -> None:
    damaged = LINE[:start] + pasted + LINE[end:]
    if damaged == LINE or not is_share_line(damaged):
        return
    with pytest.raises(RulesError) as caught:
        read_share_line(damaged)
    assert {diagnostic.code for diagnostic in caught.value.diagnostics} <= {"RW356", "RW357"}


def test_a_cut_line_is_refused_wherever_it_is_cut() -> None:
    for end in range(len(PREFIX), len(LINE)):
        with pytest.raises(RulesError, match="RW356"):
            read_share_line(LINE[:end])


def test_a_line_of_another_form_is_refused() -> None:
    with pytest.raises(RulesError, match="RW357"):
        read_share_line("rw3:AAAA")


def test_a_text_that_would_fill_memory_is_not_unpacked() -> None:
    puzzle = parse_puzzle(at_sea_text("tokens 1: 4"), "here")
    large = evolve(puzzle, text="a" * 2_000_000)
    with pytest.raises(RulesError, match="RW050"):
        read_share_line(write_share_line(large, b"1234567890" * 2))


def test_other_rules_are_noticed(tmp_path: Path) -> None:
    rules = tmp_path / "mine.rules"
    rules.write_text(f'module mine:\n    "Mine."\n    extends {SEA}\n\nchange allowance: tokens[1] = 5\n')
    project = Project(tmp_path)
    puzzle = parse_puzzle(at_sea_text("tokens 1: 4").replace(f"rules {SEA}", "rules mine"), "here")
    line = write_share_line(puzzle, rules_digest(project.modules_of("mine")))
    assert read_shared(line, project) == puzzle
    rules.write_text(rules.read_text().replace("= 5", "= 5  # a remark"))
    assert read_shared(line, Project(tmp_path)) == puzzle
    rules.write_text(rules.read_text().replace("= 5", "= 6"))
    with pytest.raises(RulesError, match="RW358"):
        read_shared(line, Project(tmp_path))


def test_the_digest_has_160_bits_and_a_longer_one_is_cut(tmp_path: Path) -> None:
    (tmp_path / "lone.rules").write_text(LONE)
    project = Project(tmp_path)
    digest = rules_digest(project.modules_of("lone"))
    puzzle = read_shared(OLD, project)
    assert read_share_line(write_share_line(puzzle, digest)).digest == digest[:20]
    for place in range(20):  # every byte counts
        other = bytes(byte ^ (at == place) for at, byte in enumerate(digest))
        with pytest.raises(RulesError, match="RW358"):
            read_shared(write_share_line(puzzle, other), project)


def test_a_line_of_the_first_form_is_read_and_its_short_digest_checked(tmp_path: Path) -> None:
    (tmp_path / "lone.rules").write_text(LONE)
    puzzle = read_shared(OLD, Project(tmp_path))
    assert puzzle.name == "one"
    assert len(read_share_line(OLD).digest) == 8
    assert is_old_share_line(OLD) and not is_old_share_line(LINE)
    (tmp_path / "lone.rules").write_text(LONE.replace("+= 1", "+= 2"))
    with pytest.raises(RulesError, match="RW358"):
        read_shared(OLD, Project(tmp_path))
