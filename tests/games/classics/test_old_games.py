"""Old games in step with judges of their own, and hands at whist against every line of play."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.scores import standings
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.studies.verified_plan import proved_answer
from tests.games.classics.old_games import RANKS, SEATS, Dots, Gomoku, Hex, Kalah, Morris, tricks_of_first
from tests.perft import perft
from tests.rules.playing import shipped

JUDGES: dict[str, Any] = {
    "nine_mens_morris": Morris(),
    "kalah": Kalah(),
    "dots_and_boxes": Dots(),
    "gomoku": Gomoku(),
    "hex": Hex(),
}

GAMES = {"nine_mens_morris": 6, "kalah": 20, "dots_and_boxes": 20, "gomoku": 1, "hex": 8}
"""How many games of each."""


@pytest.mark.parametrize("name", JUDGES)
def test_random_games(name: str) -> None:
    """The same moves at every choice, and the same scores at the end."""
    engine, rng = Engine.of(shipped(f"classics.{name}"), 2), random.Random(name)
    decided = 0
    for _ in range(GAMES[name]):
        state, here = engine.start(), JUDGES[name]
        while not engine.over(state):
            texts = {format_move(engine, state, move): move for move in engine.legal(state)}
            known = here.moves()
            assert texts.keys() == known.keys()
            text = rng.choice(sorted(texts))
            state, here = engine.apply(state, texts[text]), known[text]
        assert not here.moves()
        assert [standing.scores.popitem()[1] for standing in standings(engine, state)] == list(here.scores)
        decided += here.scores[0] != here.scores[1]
    assert decided


@pytest.mark.parametrize(("name", "depth"), [("nine_mens_morris", 3), ("kalah", 7), ("dots_and_boxes", 4)])
def test_lines_of_play(name: str, depth: int) -> None:
    @cache
    def lines(here: Any, depth: int) -> int:
        return 1 if depth == 0 else sum(lines(after, depth - 1) for after in here.moves().values())

    engine = Engine.of(shipped(f"classics.{name}"), 2)
    assert perft(engine, engine.start(0), depth) == lines(JUDGES[name], depth)


HAND = """
puzzle dealt:
    "A deal."
    rules classics.whist
    players 2
{hands}
    {trump}leads: {leads}
    plays: {leads}
    won: rest
    start: turn of {player}
    ask: maximise tricks of 1 until end against best play
"""


@pytest.mark.parametrize("seed", range(6))
def test_hands_at_whist(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    suits = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
    cards = rng.sample([suit + rank for suit in suits for rank in RANKS], 16)
    hands = {seat: cards[4 * at : 4 * at + 4] for at, seat in enumerate(SEATS)}
    leads, trump = rng.choice(SEATS), rng.choice(("", *suits))
    text = HAND.format(
        hands="\n".join(f"    hand {seat}: {', '.join(held)}" for seat, held in hands.items()),
        trump=f"trump: {suits[trump]}\n    " if trump else "",
        leads=leads,
        player=1 + SEATS.index(leads) % 2,
    )
    path = tmp_path / "dealt.puzzle"
    path.write_text(text, "utf-8")
    position = Catalogue(Project(tmp_path)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=60))
    assert proved_answer(result, position.question) == tricks_of_first(hands, leads, trump)


@pytest.mark.nightly
def test_hex_is_won_from_the_short_diagonal_alone() -> None:
    """`hex_short_diagonal`: the judge's own search."""

    @cache
    def wins(here: Hex) -> bool:
        """Who is to move wins; there is no draw."""
        moves = here.moves()
        return any(not wins(after) for after in moves.values()) if moves else here.joined(here.player)

    assert {cell for cell, after in Hex().moves().items() if not wins(after)} == {"d1", "c2", "b3", "a4"}


@pytest.mark.nightly
def test_kalah_with_three_seeds_is_won() -> None:
    """`kalah_four_three`: the judge's own search, by who has more seeds."""

    @cache
    def wins(here: Kalah) -> bool:
        """The first player gets more seeds than the second."""
        if not (moves := here.moves()):
            return here.scores[0] > here.scores[1]
        outcomes = (wins(after) for after in moves.values())
        return any(outcomes) if here.player == 0 else all(outcomes)

    assert wins(Kalah())
