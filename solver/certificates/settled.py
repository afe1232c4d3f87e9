"""States whose value can no longer change, since no tile is left that could come to what it reads. The core shows which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulewright.rules.model.state import State, StateLayout

Document = Mapping[str, Any]
"""The document of a core."""


def settled_values(core: Document, layout: StateLayout) -> Callable[[State], bool]:
    """A test whether the value that the question asks for is the same at any end of play."""
    zones = _sources(core)
    if zones is None:
        return lambda state: False
    columns = [layout.columns[name] for name in zones]
    whole = [column.start for column in columns if column.over_cells]
    single = [column.start + at for column in columns if not column.over_cells for at in range(column.count)]
    return lambda state: not any(state[at] for at in single) and not any(any(state[at]) for at in whole)


def _sources(core: Document) -> Sequence[str] | None:
    """The zones from which, by several moves, tiles may come to what the value reads; None if it changes otherwise."""
    is_zone = {variable["name"]: variable["storage"] != "value" for variable in core["variables"]}
    changes = list(
        _changes([action["effects"] for action in core["actions"]] + [node[1] for node in core["flow"] if node[0] == "run"])
    )
    found = list(dict.fromkeys(_read(core["question"]["values"], core["definitions"], set())))
    for name in found:
        for places in changes:
            if name in places and not is_zone[places[0]]:
                return None
            if name in places and places[0] not in found:
                found.append(places[0])
    return [name for name in found if is_zone[name]]


def _changes(effects: Any) -> Iterator[tuple[str, ...]]:
    """The variables that each effect changes; that from which a tile comes first."""
    match effects:
        case ["write" | "shuffle", [str(name), *_], *_]:
            yield (name,)
        case ["transfer", source, target, _] | ["deal", _, source, target]:
            yield source[0], target[0]
        case list():
            for inner in effects:
                yield from _changes(inner)


def _read(term: Any, definitions: Document, seen: set[str]) -> Iterator[str]:
    """The variables that a term reads."""
    match term:
        case ["read" | "zone", str(name), index]:
            yield name
            yield from _read(index, definitions, seen)
        case ["call", str(name), *arguments]:
            yield from _read(arguments, definitions, seen)
            if name not in seen:
                seen.add(name)
                yield from _read(definitions[name]["body"], definitions, seen)
        case list():
            for inner in term:
                yield from _read(inner, definitions, seen)
