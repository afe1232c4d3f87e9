"""What the ledger records: the answer to a puzzle, digests of a game in play, instructions of a kernel."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from attrs import frozen
from llvm_instructions import PUZZLES, Counting, programs

from rulewright.base.diagnostics import RulesError
from rulewright.base.hash_keys import HashKey
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Action
from rulewright.rules.model.state import State
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.move_notation import Attempt
from rulewright.rules.play.why_illegal import why_not
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.best.problem import Problem
from rulewright.solver.result import Limits, Status
from rulewright.studies.alternative_plans import alternative_plans

Entry = dict[str, Any]

LIMITS = Limits(seconds=10.0, workers=1, memory_mib=768, hash_key=HashKey(bytes(32)))
"""In seconds of the work clock: a million states. The key makes searches the same to the last state."""

STATES, EXPLAINED, ATTEMPTS = 2000, 50, 4
"""States of a game in play; states in which illegal actions are explained, and how many actions in each."""

MOST_GAMES, MOST_MOVES = 400, 300
"""Games played for those states, and moves of each: small games have fewer states."""


@cache
def catalogue() -> Catalogue:
    return Catalogue(Project(Path(__file__).parent))


def answer_to(puzzle: str) -> Entry:
    """Status, value, bound, that of the root before any search, number of best plans if the question asks for it, moves of the
    plan, and states searched."""
    position = catalogue().position(puzzle)
    question = position.question
    assert question is not None
    result = answer(position.asked, position.root, question, LIMITS)
    found: Entry = {"status": result.status.value, "value": None if result.value is None else str(result.value)}
    found |= {"bound": result.bound, "root": _root_bound(position), "plan": len(result.plan), "states": result.states}
    if question.counts_plans and result.status is Status.OPTIMAL and not question.in_expectation:
        others = alternative_plans(position.asked, position.root, question, result, 0, LIMITS)
        found["count"] = others.number
    return found


def _root_bound(position: Position) -> int | None:
    """The bound of the root that the rules give; None for questions of another kind, and where there is none."""
    question = position.question
    assert question is not None
    if question.goal is Goal.LEAST or question.in_expectation or question.is_against:
        return None
    return Problem(position.asked, position.root, question).most


# Games in play ---------------------------------------------------------------------------------------------------------


@frozen
class Start:
    """Where games begin."""

    engine: Engine
    state: State


def starts_of(rules: Sequence[str]) -> list[Start]:
    """The positions of the puzzles with exactly these rules, and the set-up for the fewest players."""
    paths = sorted(puzzle.path for puzzle in catalogue().puzzles if puzzle.rules == tuple(rules))
    positions = [catalogue().position(path) for path in paths]
    found = [Start(position.played, position.begun) for position in positions if not position.puzzle.allow_impossible]
    try:
        game = catalogue().project.load("+".join(rules))
        engine = Engine.of(game, game.players.low)
        found.append(Start(engine, engine.start(1)))
    except RulesError:
        pass
    return found


class Digest:
    """A digest of a sequence of values."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=8)

    def add(self, value: object) -> None:
        self.hash.update(repr(value).encode() + b"\n")

    def __str__(self) -> str:
        return self.hash.hexdigest()


def walked(starts: Sequence[Start]) -> Iterator[tuple[Engine, State, int]]:
    """Distinct states of random games from each start in turn, each with a number to choose a move by."""
    seen = set()
    for number in range(MOST_GAMES if starts else 0):
        rng, start = Random(number), starts[number % len(starts)]
        engine, state = start.engine, start.state
        for _ in range(MOST_MOVES):
            choice = rng.getrandbits(30)
            if (number % len(starts), state) not in seen:
                seen.add((number % len(starts), state))
                yield engine, state, choice
            moves = [] if engine.over(state) else engine.legal(state)
            if not moves:
                break
            try:
                state = engine.apply(state, moves[choice % len(moves)])
            except RulesError:
                break


def game_in_play(rules: str) -> Entry:
    """Digests of the legal moves, what a move leads to, and the scores in some states of play; of reasons in fewer."""
    legal, apply, scores, why = Digest(), Digest(), Digest(), Digest()
    states = list(islice(walked(starts_of(rules.split(" + "))), STATES))
    for engine, state, choice in states:
        moves = [] if engine.over(state) else engine.legal(state)
        legal.add(moves)
        apply.add(_outcome(engine.apply, state, moves[choice % len(moves)]) if moves else None)
        scores.add([_outcome(score, state) for score in engine.scores])
    for engine, state, choice in states[:: max(1, len(states) // EXPLAINED)][:EXPLAINED]:
        for attempt in _attempts(engine, state, Random(choice)):
            why.add(_outcome(_reasons, engine, state, attempt))
    return {"states": len(states), "legal": str(legal), "apply": str(apply), "scores": str(scores), "why": str(why)}


def _outcome(call: Callable[..., object], *given: object) -> object:
    """What a call returns, or the codes of the error that it raises."""
    try:
        return call(*given)
    except RulesError as error:
        return [found.code for found in error.diagnostics]


def _reasons(engine: Engine, state: State, attempt: Attempt) -> list[tuple[object, ...]]:
    return [
        (failure.requirement, failure.message, failure.cite, failure.involved, [part.name for part in failure.parts])
        for failure in why_not(engine, state, attempt)
    ]


def _attempts(engine: Engine, state: State, rng: Random) -> Iterator[Attempt]:
    """Actions with arguments of their domains, drawn at random."""
    for _ in range(ATTEMPTS if engine.game.actions else 0):
        action = rng.choice(list(engine.game.actions.values()))
        arguments = _arguments(engine, state, action, rng)
        if arguments is not None:
            yield Attempt(action, arguments)


def _arguments(engine: Engine, state: State, action: Action, rng: Random) -> tuple[int, ...] | None:
    """Arguments of their domains; None if a domain is empty or faulty."""
    env: dict[str, int] = {}
    for parameter in action.parameters:
        try:
            domain = tuple(engine.evaluator(state).value(parameter.domain, env))
        except RulesError:
            return None
        if not domain:
            return None
        env[parameter.name] = rng.choice(domain)
    return tuple(env.values())


# Kernels ---------------------------------------------------------------------------------------------------------------


def kernels_of(puzzle: str) -> Entry:
    """The instructions of each program of a puzzle after optimisation."""
    return {name: sum(functions.values()) for name, functions in programs(puzzle, Counting())}


# Everything ------------------------------------------------------------------------------------------------------------

SECTIONS: dict[str, Callable[[str], Entry]] = {"kernels": kernels_of, "play": game_in_play, "answers": answer_to}


def items(word: str = "") -> list[tuple[str, str]]:
    """What there is to record, section and name, if either contains a word."""
    puzzles = catalogue().puzzles
    rules = {" + ".join(puzzle.rules) for puzzle in puzzles}
    games = sorted(rules | catalogue().modules.keys())
    every = [
        *(("kernels", name) for name in PUZZLES),
        *(("play", name) for name in games),
        *(("answers", puzzle.name) for puzzle in puzzles if puzzle.asks),
    ]
    chosen = [(section, name) for section, name in every if word in f"{section} {name}"]
    return [(section, name) for section, name in chosen if section != "play" or name in rules or _is_whole(name)]


def _is_whole(name: str) -> bool:
    """Whether a module is a game that can be set up."""
    try:
        game = catalogue().project.load(name)
        engine = Engine.of(game, game.players.low)
        return bool(game.actions) and not engine.over(engine.start(1))
    except RulesError:
        return False
