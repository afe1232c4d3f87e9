"""Node classes against the classes that attrs makes by itself of the same text."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span, names_without_spans
from rulewright.grammar.tree import declarations, expressions, modules, puzzles, statements
from rulewright.rules.model import effects, game, terms, types

SOURCES = (declarations, expressions, modules, puzzles, statements, effects, game, terms, types)
KINDS = [
    kind
    for source in SOURCES
    for kind in vars(source).values()
    if isinstance(kind, type) and attrs.has(kind) and kind.__module__ == source.__name__
]
HERE, THERE = Span("a", 1, 1, 1, 2), Span("a", 2, 1, 2, 2)


def twin(kind: type) -> type:
    """The same class, made by attrs alone."""
    fields = {}
    for a in attrs.fields(kind):
        fields[a.name] = attrs.field(default=a.default, kw_only=a.kw_only, eq=a.eq_key or a.eq, repr=a.repr)
    return attrs.make_class(kind.__name__, fields, frozen=True, slots=True)


def filled(kind: Any, changed: str = "") -> Any:
    """A node with something in each attribute, in one of them something else."""
    values = {a.name: (((a.name, HERE),) if a.eq_key else a.name) for a in attrs.fields(kind)}
    if changed:
        values[changed] = ((f"not {changed}", HERE),)
    return kind(**values)


def respanned(kind: Any) -> Any:
    """The same node from elsewhere."""
    return kind(**{a.name: (((a.name, THERE),) if a.eq_key else a.name) for a in attrs.fields(kind)})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_a_node_is_compared_as_attrs_does(kind: type) -> None:
    other = twin(kind)
    assert filled(kind) == filled(kind) == respanned(kind)
    assert hash(filled(kind)) == hash(filled(kind)) == hash(respanned(kind))
    assert filled(kind) != filled(other)
    for a in attrs.fields(kind):
        one = filled(kind, changed=a.name)
        assert (one == filled(kind)) == (filled(other, changed=a.name) == filled(other)) == (not a.eq)
    assert repr(filled(kind)) == repr(filled(other))


@frozen
class Pair(Located):
    one: Any
    names: tuple[tuple[str, Span], ...] = attrs.field(default=(), eq=names_without_spans)


@frozen
class Triple(Pair):
    more: int = 0


@frozen
class Nothing:
    pass


def test_a_node_is_frozen_and_can_be_copied() -> None:
    pair = Pair(Nothing(), (("a", HERE),), span=HERE)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        pair.one = 2  # type: ignore[misc]
    assert not hasattr(pair, "__dict__")
    for same in (copy.deepcopy(pair), pickle.loads(pickle.dumps(pair)), attrs.evolve(pair, span=THERE)):
        assert same == pair
        assert hash(same) == hash(pair)
    match pair:
        case Pair(Nothing(), names):
            assert names == (("a", HERE),)
        case _:
            pytest.fail("the pattern does not match")


def test_a_kind_of_node_is_not_another() -> None:
    assert Triple(1) != Pair(1)
    assert Triple(1, more=2) != Triple(1)
    assert Nothing() == Nothing() != Pair(None)
    assert len({Nothing(), Nothing(), Pair(1), Pair(1), Triple(1)}) == 3
