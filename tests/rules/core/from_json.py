"""Reads the JSON of a core back, as another program would: what it leaves out is lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.core import program, terms
from rulewright.rules.core.program import Core, Place
from rulewright.rules.core.terms import Constant, Term
from rulewright.rules.core.to_json import WORDS
from rulewright.rules.model.game import Storage

KINDS = {word: kind for kind, word in WORDS.items()}


def core_of(found: Mapping[str, Any]) -> Core:
    return Core(
        found["players"],
        {name: program.Space(**{**space, "around": tuple(space["around"])}) for name, space in found["spaces"].items()},
        {name: _map(map) for name, map in found["maps"].items()},
        {name: tuple(map(tuple, rows)) for name, rows in found["rows"].items()},
        tuple(map(_variable, found["variables"])),
        {name: program.Definition(one["parameters"], term_of(one["body"])) for name, one in found["definitions"].items()},
        tuple(map(_action, found["actions"])),
        tuple(map(_node, found["flow"])),
        {name: term_of(term) for name, term in found["scores"].items()},
        found["most"],
    )


def term_of(found: Any) -> Term:
    match found:
        case int(value):
            return Constant(value)
        case ["read" | "zone" as word, variable, index]:
            return KINDS[word](variable, None if index is None else term_of(index))  # type: ignore[no-any-return]
        case ["local", number]:
            return terms.Local(number)
        case ["lookup", name, *keys]:
            return terms.Lookup(name, tuple(map(term_of, keys)))
        case ["row", name, key]:
            return terms.Row(name, term_of(key))
        case ["apply", function, space, *arguments]:
            return terms.Apply(terms.Function(function), space, tuple(map(term_of, arguments)))
        case ["compare", operator, left, right]:
            return terms.Compare(Comparison(operator), term_of(left), term_of(right))
        case ["arithmetic", operator, left, right]:
            return terms.Arithmetic(Operator(operator), term_of(left), term_of(right))
        case ["call", name, *arguments]:
            return terms.Call(name, tuple(map(term_of, arguments)))
        case ["and" | "or" | "list" as word, *parts]:
            return KINDS[word](tuple(map(term_of, parts)))  # type: ignore[no-any-return]
        case ["top", pile, bool(bottom)]:
            return terms.Top(term_of(pile), bottom)
        case ["let" | "filter" | "image" | "closure" as word, local, domain, body]:
            return KINDS[word](local, term_of(domain), term_of(body))  # type: ignore[no-any-return]
        case ["fold", kind, local, domain, body, empty]:
            return terms.Fold(local, term_of(domain), term_of(body), terms.Kind(kind), empty)
        case ["not" | "choice" | "fault" | "in" | "interval" | "join" as word, *parts]:
            return KINDS[word](*map(term_of, parts))  # type: ignore[no-any-return]
    raise AssertionError(found)


def _effects(found: list[Any]) -> tuple[program.Effect, ...]:
    return tuple(map(_effect, found))


def _effect(found: list[Any]) -> program.Effect:
    match found:
        case ["write", place, value]:
            return program.Write(_place(place), term_of(value))
        case ["transfer", source, target, tile]:
            return program.Transfer(_place(source), _place(target), term_of(tile))
        case ["deal", number, source, target]:
            return program.Deal(term_of(number), _place(source), _place(target))
        case ["shuffle", place]:
            return program.Shuffle(_place(place))
        case ["name", local, value, drawn]:
            return program.Name(local, term_of(value), drawn)
        case ["if", condition, then, otherwise]:
            return program.If(term_of(condition), _effects(then), _effects(otherwise))
        case ["for", local, domain, body]:
            return program.For(local, term_of(domain), _effects(body))
        case ["end", game]:
            return program.End(game)
    raise AssertionError(found)


def _place(found: list[Any]) -> Place:
    variable, index, bottom = found
    return Place(variable, None if index is None else term_of(index), bottom)


def _node(found: list[Any]) -> program.Node:
    match found:
        case ["run", effects, following]:
            return program.Run(_effects(effects), following)
        case ["test", condition, then, otherwise]:
            return program.Test(term_of(condition), then, otherwise)
        case ["choose", number, actions, stop, player, resume, leave]:
            return program.Choose(number, tuple(actions), stop, term_of(player), resume, leave)
        case ["over"]:
            return program.Over()
    raise AssertionError(found)


def _map(found: Mapping[str, Any]) -> program.Map:
    rows = found["entries"] if found["keys"] == 2 else [found["entries"]]
    return program.Map(tuple(map(tuple, rows)), found["none"], found["keys"])


def _variable(found: Mapping[str, Any]) -> program.Variable:
    index, (least, greatest) = found["index"], found["values"]
    known = None if index is None else range(index[0], index[1] + 1)
    return program.Variable(found["name"], Storage(found["storage"]), known, range(least, greatest + 1), found["none"])


def _action(found: Mapping[str, Any]) -> program.Action:
    parameters = tuple(
        program.Parameter(one["name"], term_of(one["domain"]), None if one["where"] is None else term_of(one["where"]))
        for one in found["parameters"]
    )
    before, after = (
        tuple(program.Requirement(one["name"], term_of(one["condition"])) for one in found[name])
        for name in ("requirements", "afterwards")
    )
    return program.Action(found["name"], parameters, before, _effects(found["effects"]), after)
