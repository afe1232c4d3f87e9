"""Records the games of this folder anew: `python -m tests.games.recorded.record`. Read the difference before committing it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rulewright.base.spans import NO_SPAN
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, recorded_actions, write_saved_game
from rulewright.rules.linking.project import Project
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move

FOLDER = Path(__file__).parent
MOST = 400


@frozen
class Recording:
    """A game to record: from a set-up (`rules`, `players`, `seed`) or from a puzzle; `plan` is the game, else it is random."""

    name: str
    text: str
    rules: str = ""
    players: int = 1
    seed: int = 0
    begun: str = ""
    plan: tuple[str, ...] = ()


WAYS = {"n": "north", "e": "east", "s": "south", "w": "west"}

ROBOTS = {"r": "red", "g": "green"}

PLANS = {
    "peg_cross": ("jump (3,2) east", "jump (3,4) north", "jump (2,2) east", "jump (5,2) west", "jump (3,1) south"),
    "lights_three": ("press (1,1)", "press (3,1)", "press (2,2)"),
    "slide_six": tuple(f"slide {WAYS[way]}" for way in "enwswn"),
    "fifteen_ten": tuple(f"slide {WAYS[way]}" for way in "esssenwnwn"),
    "ricochet_two": tuple(
        f"{ROBOTS[robot]} {WAYS[way]}"
        for robot, way in zip(
            "rrrrggggrrrrrggggggrrrrrrggggggrrrrrr",
            "wseneswnwswnesenwnesenwnesenwnesenwne",
            strict=True,
        )
    ),
    "sokoban_first_room": ("move north", "move east", "push east", "move south", "move west", "move south", "push east"),
}
"""Best plays of puzzles that ship, found by `rulewright solve`."""

RECORDINGS = (
    Recording("alone", "A whole game alone.", "beacon_patrol", 1, 11),
    Recording("two_captains", "A whole game of two, with swaps.", "beacon_patrol", 2, 4),
    Recording("three_captains", "A whole game of three.", "beacon_patrol", 3, 5),
    Recording("four_captains", "A whole game of four.", "beacon_patrol", 4, 8),
    Recording("pegs_from_the_start", "A random game: men jump until none can.", "classics.peg_solitaire", seed=3),
    Recording("pegs_in_europe", "A random game on the larger board.", "classics.european_solitaire", seed=1),
    Recording("pegs_in_a_triangle", "A random game on fifteen holes.", "classics.triangle_solitaire", seed=2),
    Recording("pegs_cross", "The cross of six men.", begun="peg_cross", plan=PLANS["peg_cross"]),
    Recording("lights", "Three presses that put out all lights.", begun="lights_three", plan=PLANS["lights_three"]),
    Recording("eight_tiles", "Six slides that put the tiles in order.", begun="slide_six", plan=PLANS["slide_six"]),
    Recording("fifteen_tiles", "Ten slides that put the tiles in order.", begun="fifteen_ten", plan=PLANS["fifteen_ten"]),
    Recording("robots", "Two robots go round each other for 37 moves.", begun="ricochet_two", plan=PLANS["ricochet_two"]),
    Recording("stones", "A random game of Go, with captures.", "classics.go", 2, 28),
    Recording("stalls", "Three days at the market.", "classics.market", 2, 26),
    Recording("builders", "A random game of Santorini.", "classics.santorini", 2, 1),
    Recording("followers", "A random game with followers.", "classics.carcassonne_followers", 2, 36),
    Recording("paths", "A random game of Tsuro for two.", "classics.tsuro", 2, 29),
    Recording("warehouse", "The first room.", begun="sokoban_first_room", plan=PLANS["sokoban_first_room"]),
)


def begin(recording: Recording) -> SavedGame:
    rules = tuple((name, NO_SPAN) for name in recording.rules.split(" + ") if name)
    players = recording.players if rules else None
    return SavedGame(recording.name, rules, players, recording.seed, recording.begun, text=recording.text)


def lively(rng: random.Random, moves: Sequence[Move]) -> Move:
    """Mostly the kind of action that is listed first; seldom the end of the turn."""
    kinds = sorted({move[0] for move in moves if move != STOP})
    if not kinds or (STOP in moves and rng.random() < 0.05):
        return STOP if STOP in moves else rng.choice(moves)
    kind = kinds[0] if rng.random() < 0.7 else rng.choice(kinds)
    return rng.choice([move for move in moves if move[0] == kind])


def at_random(engine: Engine, state: State, seed: int) -> list[str]:
    rng, texts = random.Random(seed), []
    while not engine.over(state) and len(texts) < MOST:
        move = lively(rng, engine.legal(state))
        texts.append(format_move(engine, state, move))
        state = engine.apply(state, move)
    return texts


def main() -> None:
    catalogue = Catalogue(Project(FOLDER))
    for recording in RECORDINGS:
        play = begin(recording)
        engine, state = begin_saved_game(play, catalogue)
        texts = recording.plan or at_random(engine, state, recording.seed)
        actions = recorded_actions(replay(engine, state, texts))
        finished = SavedGame(play.name, play.rules, play.players, play.seed, play.begun, actions, play.text)
        (FOLDER / f"{recording.name}.play").write_text(write_saved_game(finished), "utf-8")


if __name__ == "__main__":
    main()
