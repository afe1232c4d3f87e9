"""Formats and parses moves in the players' notation: `place esw_light north`, `sail (3,1)`, `stop`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import TypeVar

from rulewright.base.diagnostics import Diagnostic, Label, RulesError, did_you_mean
from rulewright.base.records import frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.instance import is_optional, without_none
from rulewright.rules.model.state import STOP, Move, State
from rulewright.rules.spaces.drawing import known_cells
from rulewright.rules.spaces.window import Window

from .engine import Engine, describe_value

STOP_WORD = "stop"
NONE_WORD = "none"

ReadT = TypeVar("ReadT")


@frozen
class Attempt:
    """An action with arguments, legal or not."""

    action: Action
    arguments: tuple[int, ...]


def action_of(engine: Engine, move: Move) -> str:
    """The name of the action of a move."""
    return STOP_WORD if move == STOP else list(engine.game.actions)[move[0]]


def format_move(engine: Engine, state: State, move: Move) -> str:
    """A move in the notation of its action: the other one, where its condition holds.

    A cell next to the starting cell of its domain is written as a direction; a node of a graph always by name.
    """
    if move == STOP:
        return STOP_WORD
    action = list(engine.game.actions.values())[move[0]]
    words: dict[str, str] = {}
    env: dict[str, int] = {}
    for parameter, value in zip(action.parameters, move[1:], strict=True):
        words["{" + parameter.name + "}"] = _write(engine, state, parameter, value, env)
        env[parameter.name] = value
    other = action.other_notation
    parts = other.parts if other is not None and engine.value(other.when, state, env) else action.notation
    return "".join(words.get(part, part) for part in parts)


def written_as_one(moves: Iterable[tuple[str, bool]]) -> list[str]:
    """The moves of a turn as players write them: each text to which those after it are joined that continue it (True)."""
    found: list[str] = []
    for text, continues in moves:
        if found and continues:
            found[-1] += text
        else:
            found.append(text)
    return found


def split_turn(engine: Engine, state: State, text: str) -> tuple[str, str]:
    """The first action of a turn that is written as one, and the rest; the whole text and "" if it is a single action."""
    signs = tuple(action.notation[0] for action in engine.game.actions.values() if action.continues)
    if not signs or engine.over(state):
        return text, ""
    written = [format_move(engine, state, move) for move in engine.legal(state)]
    begun = (one for one in written if text.startswith(one) and text.startswith(signs, len(one)))
    first = text if text in written else max(begun, key=len, default=text)
    return first, text[len(first) :]


def continues_turn(engine: Engine, move: Move) -> bool:
    """Whether a move is written on to the one before it in its turn."""
    return move != STOP and list(engine.game.actions.values())[move[0]].continues


def _anchor(engine: Engine, state: State, parameter: Parameter, env: dict[str, int]) -> tuple[str, int] | None:
    """The space and the cell whose neighbours a parameter ranges over; None for any other domain."""
    domain = neighbours_of(parameter)
    if domain is None:
        return None
    try:
        return domain.space, engine.value(domain.cell, state, env)
    except KeyError:
        return None


def neighbours_of(parameter: Parameter) -> terms.Neighbours | None:
    """The neighbours that a parameter ranges over; None if it ranges over something else."""
    domain = without_none(parameter.domain)
    while isinstance(domain, terms.Those):
        domain = domain.binder.domain
    return domain if isinstance(domain, terms.Neighbours) else None


def _write(engine: Engine, state: State, parameter: Parameter, value: int, env: dict[str, int]) -> str:
    if is_optional(parameter) and value == engine.instance.absent(parameter.type):
        return NONE_WORD
    anchor = _anchor(engine, state, parameter, env)
    if anchor is not None and not engine.instance.windows[anchor[0]].names:
        window = engine.instance.windows[anchor[0]]
        for direction, steps in enumerate(window.steps):
            if steps[anchor[1]] == value and value != window.nowhere:
                return window.words[direction]
    return describe_value(engine, parameter.type, value)


def parse_move(engine: Engine, state: State, text: str, span: Span = NO_SPAN, asking: str = "actions --why") -> Move:
    """Parse a legal move; `asking` is the command that explains why a move is illegal.

    Raises `RulesError`: RW350 (no such action), RW351 (argument), RW352 (not legal).
    """
    attempt = parse_attempt(engine, state, text, span)
    move = move_of(engine, attempt)
    legal = engine.legal(state)
    if move not in legal:
        texts = [format_move(engine, state, m) for m in legal]
        help = did_you_mean(" ".join(text.split()), texts) or f"`{asking}` explains why"
        raise _error("RW352", f"`{text}` is not a legal move here", span, help)
    return move


def move_of(engine: Engine, attempt: Attempt | None) -> Move:
    """The move of an attempt (None: `stop`)."""
    return STOP if attempt is None else (engine.action_numbers[attempt.action.name], *attempt.arguments)


def parse_attempt(engine: Engine, state: State, text: str, span: Span = NO_SPAN) -> Attempt | None:
    """Parse an action and arguments, legal or not; None for `stop`. Of actions written alike, one on offer is chosen."""

    def read(action: Action, given: dict[str, str]) -> Attempt:
        return Attempt(action, _arguments(engine, state, action, given, span))

    return _read_action(engine, state, text, span, read)


def parse_terms(engine: Engine, text: str, span: Span) -> tuple[Action, tuple[terms.Term, ...]] | None:
    """Parse an action and arguments independently of the state; None for `stop`.

    A cell written as a direction is a step from the cell whose neighbours are meant, in terms of the preceding parameters.
    """

    def argument(parameter: Parameter, word: str) -> terms.Term:
        domain = neighbours_of(parameter)
        if isinstance(parameter.type, types.Cell) and domain is not None:
            directions = _direction_words(engine.instance.windows[domain.space])
            if word in directions:
                direction = terms.Constant(directions[word], type=types.Direction(domain.space))
                return terms.Lookup(terms.Step(domain.space), domain.cell, direction, type=parameter.type)
        return terms.Constant(_read(engine, engine.unset, parameter, word, {}, span), type=parameter.type)

    def read(action: Action, given: dict[str, str]) -> tuple[Action, tuple[terms.Term, ...]]:
        return action, tuple(argument(parameter, given[parameter.name]) for parameter in action.parameters)

    return _read_action(engine, engine.unset, text, span, read)


def _read_action(
    engine: Engine, state: State, text: str, span: Span, read: Callable[[Action, dict[str, str]], ReadT]
) -> ReadT | None:
    """Apply `read` to an action and the words for its parameters; None for `stop`. Raises `RulesError` RW350, RW351."""
    words = " ".join(text.replace(", ", ",").split())
    if words == STOP_WORD:
        return None
    problems: list[RulesError] = []
    choice = engine.choice(state)
    offered = () if choice is None else choice.actions
    actions = sorted(engine.game.actions.values(), key=lambda action: action.name not in offered)
    for action, notation in [(each, notation) for each in actions for notation in each.notations]:
        given = re.fullmatch(_pattern(engine, action, notation), words)
        if given is None:
            continue
        try:
            return read(action, given.groupdict())
        except RulesError as error:
            problems.append(error)
    if problems:
        raise problems[0]
    raise _no_such_action(engine, state, text, words.split(), span)


def _pattern(engine: Engine, action: Action, notation: tuple[str, ...]) -> str:
    """The regular expression of an action's notation. Signs between two values may have a blank on either side."""
    forms = {"{" + parameter.name + "}": _form(engine, parameter) for parameter in action.parameters}
    texts = [forms.get(part) or re.escape(part) for part in notation]
    glued = [part != " " and next_part != " " for part, next_part in pairwise(notation)]
    return "".join(text + " ?" * is_glued for text, is_glued in zip(texts, [*glued, False], strict=True))


def _form(engine: Engine, parameter: Parameter) -> str:
    """The regular expression of a value: one word, or of a place the kind, a cell and, if there are several, an orientation."""
    form = r"\S+?"
    match parameter.type:
        case types.Cell(space):
            form = "|".join((r"\([^()]*\)", *map(re.escape, engine.instance.windows[space].names), form))
        case types.Place(name):
            pattern = engine.game.patterns[name]
            ways = "|".join(engine.instance.windows[pattern.space].words)
            kind = r"\S+ " if pattern.kinds else ""
            form = rf"{NONE_WORD}|{kind}\S+(?: (?:mirrored_)?(?:{ways}))?"
    return f"(?P<{parameter.name}>{form})"


def _no_such_action(engine: Engine, state: State, text: str, words: list[str], span: Span) -> RulesError:
    names = {_named(action.notation): action for action in engine.game.actions.values()}
    known = [format_move(engine, state, m) for m in engine.legal(state)]
    if words and words[0] in names:
        form = words[0] + _form_text(names[words[0]].notation[1:])
        example = next((f", such as `{one}`" for one in known if one.split()[0] == words[0]), "")
        return _error("RW350", f"`{text}` does not follow the notation of this action", span, f"write it as `{form}`{example}")
    help = did_you_mean(" ".join(words), known) or did_you_mean(words[0] if words else "", [*names, STOP_WORD])
    return _error("RW350", f"there is no action `{text}`", span, help or f"actions: {', '.join([*names, STOP_WORD])}")


def _named(notation: tuple[str, ...]) -> str:
    """The word that an action begins with; the whole form, as `FROM-TO`, if it begins with a value."""
    return _form_text(notation) if notation[0].startswith("{") else notation[0]


def _form_text(notation: tuple[str, ...]) -> str:
    return "".join(part.strip("{}").upper() if part.startswith("{") else part for part in notation)


def _arguments(engine: Engine, state: State, action: Action, given: dict[str, str], span: Span) -> tuple[int, ...]:
    env: dict[str, int] = {}
    for parameter in action.parameters:
        env[parameter.name] = _read(engine, state, parameter, given[parameter.name], env, span)
    return tuple(env[p.name] for p in action.parameters)


def _read(engine: Engine, state: State, parameter: Parameter, word: str, env: dict[str, int], span: Span) -> int:
    known: dict[str, int]
    if word == NONE_WORD and is_optional(parameter):
        return engine.instance.absent(parameter.type)
    match parameter.type:
        case types.Number():
            if word.lstrip("-").isdigit():
                return int(word)
            known = {}
        case types.Cell(space):
            return _read_cell(engine, state, parameter, space, word, env, span)
        case types.Direction(space):
            known = _direction_words(engine.instance.windows[space])
        case other:
            known = {describe_value(engine, other, v): v for v in engine.instance.domain(other)}
    if word not in known:
        message = f"`{word}` is not {types.describe(parameter.type)}"
        raise _error("RW351", message, span, did_you_mean(word, list(known)))
    return known[word]


def _read_cell(
    engine: Engine, state: State, parameter: Parameter, space: str, word: str, env: dict[str, int], span: Span
) -> int:
    window = engine.instance.windows[space]
    if word.startswith("(") and word.endswith(")"):
        numbers = word[1:-1].split(",")
        if all(n.strip().lstrip("-").isdigit() for n in numbers):
            return window.cell(int(n) for n in numbers)
    if word in window.names:
        return window.names.index(word)
    anchor = _anchor(engine, state, parameter, env)
    directions = _direction_words(window)
    if anchor is not None and word in directions:
        return window.steps[directions[word]][anchor[1]]
    words = [*directions, *window.names] if anchor is not None or window.names else []
    help = known_cells(space, window) or did_you_mean(word, words)
    or_direction = f", or a direction such as `{window.words[0]}`" if anchor is not None and directions else ""
    raise _error("RW351", f"`{word}` is not a cell of {space}", span, help or f"write a cell as `(column,row)`{or_direction}")


def _direction_words(window: Window) -> dict[str, int]:
    """The directions of a space by their words and abbreviations."""
    return {word: number for number, pair in enumerate(zip(window.words, window.directions, strict=True)) for word in pair}


def _error(code: str, message: str, span: Span, help: str) -> RulesError:
    labels = (Label(span),) if span is not NO_SPAN else ()
    return RulesError((Diagnostic(code, message, labels, help),))
