"""Records the games that ship, `puzzles/library/games`: `python -m tests.games.recorded.games [NAME…]`. Read the difference.

Of some games played at random that is kept which shows most of the clauses of its module.
"""

from __future__ import annotations

import random
import sys

from rulewright.base.spans import NO_SPAN
from rulewright.grammar.tree.modules import Case, Effect, Requirement
from rulewright.puzzles.catalogue import SHIPPED
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.saved_games import SavedGame, recorded_actions, write_saved_game
from rulewright.rules.linking.project import SHIPPED as MODULES
from rulewright.rules.linking.project import Project
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.coverage import ClauseKey, CoverageEngine
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.studies.clause_traceability import Trace, coverage_key

FOLDER = SHIPPED / "games"
SEEDS, MOST, STOPPING, GREED = 8, 400, 0.05, 0.5

SEA, SHIPS, HOUSE = "beacon_patrol", "beacon_patrol.ships", "house"
GAMES = {
    SEA: (1, 2, 3, 4),
    f"{SEA}.german": (1, 2),
    f"{SEA}.piers": (1, 2),
    f"{SEA}.windmills": (1, 2),
    f"{SEA}.windmills + {SEA}.piers": (3,),
    SHIPS: (1,),
    f"{SHIPS}.coast_guard": (1, 2),
    f"{SHIPS}.construction": (1, 2),
    f"{SHIPS}.ferry": (1, 2),
    f"{SHIPS}.hovercraft": (1, 2),
    f"{SHIPS}.pilot_boat": (1, 2),
    f"{SHIPS}.research": (1, 2),
    f"{SHIPS}.submarine": (1, 2),
    f"{SHIPS}.coast_guard + {SHIPS}.research + {SHIPS}.submarine": (3,),
    f"{SHIPS}.construction + {SHIPS}.ferry + {SHIPS}.hovercraft + {SHIPS}.pilot_boat": (4,),
    f"{HOUSE}.diagonal_exploring": (1,),
    f"{HOUSE}.diagonal_sailing": (1,),
    f"{HOUSE}.five_tokens": (1,),
    f"{HOUSE}.fog": (2,),
    f"{HOUSE}.homecoming": (2,),
    f"{HOUSE}.leading_lights": (1,),
    f"{HOUSE}.longer_keep": (1,),
    f"{HOUSE}.rotating": (1,),
    f"{HOUSE}.round_sea": (1,),
    f"{HOUSE}.storm": (1,),
    f"{HOUSE}.tide": (1,),
    f"{HOUSE}.towing": (2,),
    "classics.european_solitaire": (1,),
    "classics.peg_solitaire": (1,),
    "classics.triangle_solitaire": (1,),
}
"""The modules, and for how many players."""


def choose(engine: Engine, state: State, rng: random.Random) -> Move:
    """Half of the time what is worth most at once; else each kind of action as often as any other."""
    moves = engine.legal(state)
    acting = [move for move in moves if move != STOP]
    if not acting or (len(acting) < len(moves) and rng.random() < STOPPING):
        return STOP
    if rng.random() < GREED:
        worth = [engine.score(engine.apply(state, move)) for move in acting]
        return rng.choice([move for move, points in zip(acting, worth, strict=True) if points == max(worth)])
    kind = rng.choice(sorted({move[0] for move in acting}))
    return rng.choice([move for move in acting if move[0] == kind])


def game(engine: Engine, seed: int) -> tuple[list[str], CoverageEngine]:
    """A game, and what it shows."""
    observer, rng, texts = CoverageEngine(engine), random.Random(seed), []
    state = observer.start(seed)
    observer.look(state)
    while not engine.over(state) and len(texts) < MOST:
        move = choose(engine, state, rng)
        texts.append(format_move(engine, state, move))
        state = observer.act(state, move)
        observer.look(state)
    return texts, observer


def wanted(rules: str, project: Project) -> set[ClauseKey]:
    """What the clauses of modules are called that a game may show."""
    clauses = [clause for name in rules.split(" + ") for clause in Trace(name, project, ()).own]
    return {coverage_key(clause) for clause in clauses if isinstance(clause.part, Requirement | Case | Effect)}


def recorded(rules: str, players: int, project: Project, missing: set[ClauseKey]) -> SavedGame:
    """The game that shows most of what is missing yet."""
    engine = Engine.of(project.load(rules.replace(" ", "")), players)
    games = {seed: game(engine, seed) for seed in range(1, SEEDS + 1)}
    seed = max(games, key=lambda seed: len(games[seed][1].shown.all & missing))
    texts, observer = games[seed]
    missing -= observer.shown.all
    short = [name.removeprefix(f"{SEA}.").removeprefix("ships.").replace(".", "_") for name in rules.split(" + ")]
    steps = recorded_actions(replay(engine, engine.start(seed), texts))
    names = tuple((name, NO_SPAN) for name in rules.split(" + "))
    return SavedGame(f"{'_and_'.join(short)}_{players}", names, players, seed, actions=steps, text="A game played at random.")


def main(asked: list[str]) -> None:
    project = Project(MODULES)
    FOLDER.mkdir(exist_ok=True)
    for rules in asked or GAMES:
        missing = wanted(rules, project)
        for players in GAMES[rules]:
            play = recorded(rules, players, project, missing)
            (FOLDER / f"{play.name}.play").write_text(write_saved_game(play), "utf-8")
        print(rules, "not shown:", ", ".join(sorted(name for name, _ in missing)) or "nothing", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
