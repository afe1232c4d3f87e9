"""Near misses: illegal actions forbidden by exactly one requirement, for the `refuse:` lines of puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from rulewright.base.diagnostics import RulesError
from rulewright.rules.model.moves import STOP, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move, parse_attempt
from rulewright.rules.play.why_illegal import why_not

MOST_TRIED = 300
"""The maximum number of attempts examined."""


def near_misses(engine: Engine, state: State, most: int) -> tuple[str, ...]:
    """At most `most` illegal actions as texts, each forbidden by one requirement, no two by the same."""
    found: dict[str, str] = {}
    for move in islice(_attempts(engine, state), MOST_TRIED):
        if len(found) == most:
            break
        try:
            text = format_move(engine, state, move)
            attempt = parse_attempt(engine, state, text)
        except RulesError:
            continue
        failures = () if attempt is None else why_not(engine, state, attempt)
        if len(failures) == 1 and failures[0].message:
            found.setdefault(failures[0].requirement, text)
    return tuple(found.values())


def _attempts(engine: Engine, state: State) -> Iterator[Move]:
    """Illegal combinations of an offered action with arguments that occur in legal moves."""
    choice = engine.choice(state)
    if choice is None:
        return
    legal = engine.legal(state)
    actions = list(engine.game.actions.values())
    seen: dict[object, dict[int, None]] = {}
    for move in legal:
        if move != STOP:
            for parameter, value in zip(actions[move[0]].parameters, move[1:], strict=True):
                seen.setdefault(parameter.type, {})[value] = None
    known = set(legal)
    for name in choice.actions:
        action, number = engine.game.actions[name], engine.action_numbers[name]
        for arguments in product(*(seen.get(parameter.type, {}) for parameter in action.parameters)):
            if (number, *arguments) not in known:
                yield number, *arguments
