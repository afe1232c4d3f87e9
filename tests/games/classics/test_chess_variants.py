"""Variants of chess against the counts of Fairy-Stockfish (its `tests/perft.sh`), from the beginning and from its positions."""

from __future__ import annotations

import math

import pytest

from rulewright.base.diagnostics import Sink
from rulewright.puzzles.formats.read import read_record, records, with_box
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.alphabets import alphabet_of
from rulewright.rules.linking.project import SHIPPED
from rulewright.rules.play.engine import Engine
from rulewright.solver.perft.count import LineCounter, total
from tests.rules.playing import shipped

BEGINNINGS = {
    "almost": (22, 484, 11_895),
    "amazons": (22, 484, 12_483, 318_185),
    "antichess": (20, 400, 8_067, 153_299),
    "asean": (23, 529, 12_012, 273_026),
    "atomic": (20, 400, 8_902, 197_326),
    "capablanca": (28, 784, 25_228, 805_128),
    "chess960": (20, 400, 8_902, 197_281),
    "coregal": (20, 400, 8_882, 195_896),
    "crazyhouse": (20, 400, 8_902, 197_281),
    "draws": (20, 400, 8_902, 197_281),
    "extinction": (20, 400, 8_902, 197_742),
    "gardner": (7, 53, 506),
    "grasshopper": (28, 782, 22_314, 635_298),
    "hoppel_poppel": (20, 400, 9_034, 202_459),
    "horde": (8, 128, 1_274, 23_310),
    "king_of_the_hill": (20, 400, 8_902, 197_281),
    "kinglet": (20, 400, 8_902, 197_742),
    "knightmate": (18, 324, 6_765, 139_774),
    "los_alamos": (10, 100, 1_212, 14_332, 191_846),
    "makruk": (23, 529, 12_012, 273_026),
    "new_zealand": (20, 400, 8_976, 200_310),
    "nightrider": (24, 576, 15_586, 419_019),
    "pawns_back": (20, 400, 9_222),
    "pawns_sideways": (20, 400, 10_022),
    "pocket_knight": (52, 2_565, 88_617),
    "racing_kings": (21, 421, 11_264, 296_242),
    "shatranj": (16, 256, 4_176, 68_122),
    "sort_of_almost": (22, 440, 10_815),
    "three_check": (20, 400, 8_902),
    "three_kings": (20, 400, 8_942, 199_514),
    "torpedo": (20, 400, 9_194, 209_719),
}
"""Lines of play of 1, 2, … moves: those whose last number the list has, and shorter ones by the same program."""

POSITIONS = (
    ("almost", "8/1k5P/8/8/8/3K4/p7/8 b - -", 2, 140),
    ("antichess", "8/2p5/8/8/8/8/P7/8 w - -", 12, 2_557),
    ("atomic", "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq -", 4, 1_434_825),
    ("atomic", "r4b1r/2kb1N2/p2Bpnp1/8/2Pp3p/1P1PPP2/P5PP/R3K2R b KQ -", 2, 148),
    ("coregal", "2Q5/3Pq2k/6p1/4Bp1p/5P1P/8/8/K7 w - -", 4, 55_970),
    ("crazyhouse", "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R b KQkq -", 3, 58_057),
    ("horde", "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - -", 4, 33_781),
    ("horde", "4k3/7r/8/P7/2p1n2P/3p2P1/1P3P2/PPP1PPP1 w - -", 4, 128_809),
    ("king_of_the_hill", "rnb2b1r/ppp2ppp/3k4/8/1PKp1pn1/3Pq3/PBP1P2P/RN1Q1B1R w - -", 3, 19_003),
    ("racing_kings", "6r1/2K5/5k2/8/3R4/8/8/8 w - -", 4, 86_041),
    ("racing_kings", "4brn1/2K2k2/8/8/8/8/8/8 w - -", 6, 265_932),
    ("sort_of_almost", "8/1k5P/8/8/8/3K4/p7/8 b - -", 2, 139),
    ("torpedo", "rnbqkbnr/1ppppppp/8/6P1/p7/8/PPPPPP1P/RNBQKBNR w KQkq -", 4, 232_819),
)


def counts(name: str, length: int, fen: str = "") -> tuple[int, ...]:
    game, sink = shipped(f"chess.{name}"), Sink()
    alphabet = alphabet_of(game, game.formats["epd"], sink)
    assert alphabet is not None
    if fen:
        (record,) = records(fen, "one", alphabet, sink)
        puzzle = read_record(record, alphabet, game, "one", sink)
        sink.stop()
        assert puzzle is not None
        position = set_up_position(with_box(puzzle, game), game)
        engine, root = position.engine, position.state
    else:
        engine = Engine.of(game, 2)
        root = engine.start()
    return total(list(LineCounter.of(engine, root, length, math.inf).rows()), length)[1:]


@pytest.mark.nightly
@pytest.mark.parametrize("name", BEGINNINGS)
def test_from_the_beginning(name: str) -> None:
    assert counts(name, len(BEGINNINGS[name])) == BEGINNINGS[name]


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "fen", "length", "count"), POSITIONS)
def test_from_a_position(name: str, fen: str, length: int, count: int) -> None:
    assert counts(name, length, fen)[-1] == count


def test_every_variant_is_counted() -> None:
    assert {path.stem for path in (SHIPPED / "chess").glob("*.rules")} == set(BEGINNINGS)
