"""The core as JSON: docs/core.md describes it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, get_args

from attrs import fields

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import POINT, SEED, State, StateLayout
from rulewright.rules.model.terms import Term

from . import program, terms
from .interpreter import node_of_choice, stored
from .program import Action, Core, Definition, Map, Parameter, Place, Requirement, Space, Variable, parts_of

WORDS: dict[type, str] = {kind: kind.__name__.lower() for kind in get_args(terms.Term | program.Effect | program.Node)}
del WORDS[terms.Constant]
WORDS |= {terms.Listed: "list", terms.Joined: "join"}
"""The first word of each node; a constant has none."""

VALUES, UNTIL = "values", "until"
"""What the terms of a question are for."""


def asked_terms(question: Question | None) -> dict[str, tuple[Term, ...]]:
    """The terms of a question, to be lowered with its game."""
    if question is None:
        return {}
    return {VALUES: question.values, UNTIL: () if question.until is None else (question.until,)}


def json_of(core: Core) -> dict[str, Any]:
    """The core as a value that JSON can hold."""
    return {
        "players": core.players,
        "spaces": _by_name(core.spaces),
        "maps": _by_name(core.maps),
        "rows": {name: [list(row) for row in rows] for name, rows in sorted(core.rows.items())},
        "variables": node_of(core.variables),
        "definitions": _by_name(core.definitions),
        "actions": node_of(core.actions),
        "flow": node_of(core.flow),
        "scores": {name: node_of(term) for name, term in core.scores.items()},
        "most": core.most,
    }


def start_of(core: Core, layout: StateLayout, state: State, node: int | None = None) -> dict[str, Any]:
    """Where play begins, by default at the choice of a state, and the value of each variable there."""
    values = {
        name: [list(value) if isinstance(value, tuple) else value for value in variable.values(state)]
        for name, variable in stored(core.variables, layout).items()
    }
    return {"node": node_of_choice(core, state[POINT]) if node is None else node, "seed": state[SEED], "values": values}


def question_of(question: Question, core: Core) -> dict[str, Any] | None:
    """A question about the core, whose terms are among the core's; None if it rests on what players may not see."""
    if question.secret_state:
        return None
    cost = "values" if question.until is not None and question.values else "moves" if question.horizon is None else "turns"
    is_counted = question.until is not None or question.own_turns is not None
    return {
        "goal": question.goal.value,
        "values": node_of(core.terms[VALUES]),
        "threshold": question.threshold if question.goal is Goal.REACH else None,
        "until": None if question.until is None else node_of(core.terms[UNTIL][0]),
        "cost": cost if is_counted else None,
        "others": question.others.value,
        "player": question.player,
        "in_expectation": question.in_expectation,
        "counts_plans": question.counts_plans,
        "own_turns": question.own_turns,
    }


def node_of(node: Any) -> Any:
    """A part of a core: a number for a constant, an object for what is declared, else a list of its word and its parts."""
    match node:
        case terms.Constant(value):
            return value
        case Place(variable, index, bottom):
            return [variable, node_of(index), bottom]
        case tuple():
            return [node_of(part) for part in node]
        case Enum():
            return node.value
        case None | bool() | int() | str():
            return node
        case range():
            return [node.start, node.stop - 1]
        case Map(rows, none, keys):
            entries = [list(row) for row in rows]
            return {"keys": keys, "entries": entries if keys == 2 else entries[0], "none": none}
        case Space() | Variable() | Definition() | Parameter() | Requirement() | Action():
            return {each.name: node_of(getattr(node, each.name)) for each in fields(type(node)) if each.eq}
        case terms.Fold(local, domain, body, kind, empty):
            return ["fold", kind.value, local, node_of(domain), node_of(body), empty]
        case terms.And() | terms.Or() | terms.Listed() | terms.Lookup() | terms.Apply() | terms.Call():
            *parts, last = map(node_of, parts_of(node))
            return [WORDS[type(node)], *parts, *last]
        case _:
            return [WORDS[type(node)], *map(node_of, parts_of(node))]


def _by_name(parts: Mapping[str, Space | Map | Definition]) -> dict[str, Any]:
    return {name: node_of(part) for name, part in sorted(parts.items())}
