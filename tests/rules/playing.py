"""What the tests of the rules share: games linked from the library and from text, and play in both readings at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.modules import Module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.semantics.play_errors import PlayError

MODULES = Path(__file__).parent / "modules"

Result = TypeVar("Result")
Policy = Callable[[random.Random, list[Move]], Move]


LIBRARY = Project(SHIPPED)
"""The modules that ship; each is read when it is first needed."""


def linked(*texts: str, roots: tuple[str, ...] = ()) -> Game:
    """The game of modules given as text, with what they extend from the library; the last text is the root by default."""
    own = [parse_module(text, f"text {number}") for number, text in enumerate(texts, 1)]
    known, shipped = {module.header.name: module for module in own}, LIBRARY.modules()
    wanted = list(roots) or [own[-1].header.name]
    found: dict[str, Module] = {}
    pending = list(wanted)
    while pending:
        name = pending.pop()
        if name not in found and (name in known or name in shipped):
            found[name] = known[name] if name in known else LIBRARY.parse(shipped[name])
            pending += [extended for extended, _ in found[name].header.extends]
    return link(found, wanted)


@cache
def shipped(*roots: str) -> Game:
    return linked(roots=roots)


@cache
def engine_of(players: int, *roots: str) -> Engine:
    return Engine.of(shipped(*(roots or ("beacon_patrol",))), players)


def variant(changes: str, *, extends: str = "beacon_patrol", name: str = "variant") -> str:
    """The text of a module that changes another."""
    return f"module {name}:\n    extends {extends}\n\n{changes}\n"


def own_module(name: str) -> Game:
    """A game of `modules/`."""
    return linked((MODULES / f"{name}.rules").read_text(encoding="utf-8"))


def any_move(rng: random.Random, moves: list[Move]) -> Move:
    return rng.choice(moves)


def lively(rng: random.Random, moves: list[Move]) -> Move:
    """Seldom stops, and mostly does what comes first in the list of choices: boards grow."""
    first = [move for move in moves if move[0] == moves[0][0]]
    return rng.choice(first if rng.random() < 0.6 else moves)


def play_in_step(
    engine: Engine, seed: int, policy: Policy = any_move, limit: int = 10_000
) -> Iterator[tuple[State, list[Move]]]:
    """A game in both readings, which must agree on every start, list of moves, successor and score.

    Both may stop on the same fault of the rules instead.
    """
    reference, rng = ReferenceEngine(engine), random.Random(seed)
    state = same(engine.start, reference.start, seed)
    for _ in range(limit):
        if state is None:
            return
        moves, score = same(engine.legal, reference.legal, state), same(engine.score, reference.score, state)
        if moves is None or score is None:
            return
        yield state, moves
        if engine.over(state):
            return
        state = same(engine.apply, reference.apply, state, policy(rng, moves))


def same(compiled: Callable[..., Result], reference: Callable[..., Result], *arguments: object) -> Result | None:
    """What both readings say, None when both stop on the same fault."""
    one, fault = outcome(compiled, *arguments)
    other, other_fault = outcome(reference, *arguments)
    assert fault == other_fault
    assert one == other
    return one


def outcome(read: Callable[..., Result], *arguments: object) -> tuple[Result | None, str]:
    try:
        return read(*arguments), ""
    except PlayError as error:
        return None, error.summary


def playout(engine: Engine, seed: int, policy: Policy = any_move) -> Iterator[State]:
    """The states of a game of the compiled reading alone."""
    rng, state = random.Random(seed), engine.start(seed)
    while not engine.over(state):
        yield state
        state = engine.apply(state, policy(rng, engine.legal(state)))
    yield state
