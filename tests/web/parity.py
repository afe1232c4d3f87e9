"""What the page's engine tells of games against what Python's does: columns, legal moves, words, scores, reasons."""

from __future__ import annotations

import json
import random
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulewright.api.start import Start
from rulewright.pictures.scene import thing_name
from rulewright.rules.model import types
from rulewright.rules.model.state import HEADER_WIDTH, Move, State
from rulewright.rules.play.engine import Engine, describe_cell, describe_turn
from rulewright.rules.play.move_notation import Attempt, format_move
from rulewright.rules.play.scores import ScoreItem, score_items
from rulewright.rules.play.why_illegal import Failure, why_not
from rulewright.web.game_module import game_module

PARTS = ("columns", "legal", "turn", "texts", "score", "items", "reasons")
REPLAY = Path(__file__).with_name("replay.mjs")


MOST_TRIES = 200


def differences(
    start: Start, games: int, seed: int, most: int = 60, refused: int = 1, every: int = 1, least: int = 0
) -> list[str]:
    """Plays random games in both, of `most` moves; of every n-th state all is told, with so many attempts, of which some are
    refused, of the others columns and legal moves. At the first state there are more, until at least so many are refused. The
    first lines that differ."""
    chance = random.Random(seed)
    played = [_game(start, chance, most, refused, every, least) for _ in range(games)]
    packed = game_module(start).text
    ours = [sha256("".join(line + "\n" for line in lines).encode()).hexdigest() for _, lines in played]
    theirs = _replayed(packed, [one for one, _ in played], only=False)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if one != other:
            lines = _replayed(packed, [played[number][0]], only=True)
            pairs = enumerate(zip(played[number][1], lines, strict=True))
            return [f"game {number}, state {at}: {_first(this, that)}" for at, (this, that) in pairs if this != that][:1]
    return []


def _first(ours: str, theirs: str) -> str:
    """The first parts of what is told that differ."""
    parts = zip(
        ("columns", "turn", "legal", "texts", "score", "items", "reasons"), json.loads(ours), json.loads(theirs), strict=True
    )
    return next((f"{name}\n{this}\n{that}" for name, this, that in parts if this != that), "the texts")


def _replayed(packed: str, games: list[dict[str, Any]], only: bool) -> list[str]:
    given = json.dumps({"packed": packed, "games": games, "only": only})
    done = subprocess.run(["node", REPLAY], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _game(
    start: Start, chance: random.Random, most: int, refused: int, every: int, least: int
) -> tuple[dict[str, Any], list[str]]:
    """A random game: what Node is to play, and what is to be told of each state."""
    engine, state = start.engine, start.state
    moves: list[Move] = []
    attempts: list[list[Move] | None] = []
    lines: list[str] = []
    while True:
        legal = [] if engine.over(state) else engine.legal(state)
        is_told = len(moves) % every == 0
        tried = [_attempt(engine, legal, chance) for _ in range(refused)] if is_told else []
        while not moves and sum(move not in legal for move in tried) < least and len(tried) < MOST_TRIES:
            tried.append(_attempt(engine, legal, chance))
        attempts.append(tried if is_told else None)
        lines.append(_told(engine, state, legal, attempts[-1]))
        if not legal or len(moves) == most:
            return {"moves": moves, "attempts": attempts}, lines
        moves.append(chance.choice(legal))
        state = engine.apply(state, moves[-1])


def _attempt(engine: Engine, legal: list[Move], chance: random.Random) -> Move:
    """An attempt that may be legal or not: arguments are taken from domains, or from legal moves."""
    actions = list(engine.game.actions.values())
    number = chance.randrange(len(actions))
    like = [move for move in legal if move[0] == number]
    values = list(chance.choice(like)[1:]) if like and chance.random() < 0.7 else []
    for at, parameter in enumerate(actions[number].parameters):
        domain = engine.instance.domain(parameter.type) or range(4)
        if at >= len(values):
            values.append(chance.choice(domain))
        elif chance.random() < 0.5:
            values[at] = chance.choice(domain)
    return (number, *values)


def _told(engine: Engine, state: State, legal: list[Move], attempts: list[Move] | None) -> str:
    columns = [list(column) if isinstance(column, bytes | tuple) else column for column in state[HEADER_WIDTH:]]
    if attempts is None:
        return json.dumps([columns, legal], separators=(",", ":"))
    texts = [format_move(engine, state, move) for move in legal]
    reasons = [_reasons(engine, state, move) for move in attempts]
    found = [columns, legal, describe_turn(engine, state), texts, engine.score(state), _items(engine, state), reasons]
    return json.dumps(found, separators=(",", ":"), ensure_ascii=False)


def _reasons(engine: Engine, state: State, move: Move) -> list[dict[str, Any]]:
    action = list(engine.game.actions.values())[move[0]]
    failures = why_not(engine, state, Attempt(action, tuple(move[1:])))
    return [
        {"name": one.requirement, "message": one.message, "module": one.module, "cite": one.cite, "things": _names(one)}
        for one in failures
    ]


def _names(failure: Failure) -> list[str]:
    """The things that a failure is about."""
    things = [(type, value) for type, value in failure.things if isinstance(type, types.Cell | types.Tile)]
    return sorted({thing_name(type, value) for type, value in things})


def _items(engine: Engine, state: State) -> list[dict[str, Any]]:
    def cell(item: ScoreItem) -> str:
        return describe_cell(engine.instance.windows[item.space], item.cell) if item.space else ""

    items = score_items(engine, state)
    return [{"points": item.points, "cell": cell(item), "tile": item.tile, "rule": item.case or item.rule} for item in items]
