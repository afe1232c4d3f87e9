"""Node classes against the classes that attrs makes by itself of the same text."""

from __future__ import annotations

import copy
import pickle
import weakref
from functools import cached_property
from typing import Any

import attrs
import pytest

from rulewright.base.records import NOTHING, Field, define, evolve, field, frozen
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
        assert isinstance(a, Field)
        default = attrs.Factory(a.factory) if a.factory else attrs.NOTHING if a.preset is NOTHING else a.preset
        fields[a.name] = attrs.field(default=default, kw_only=a.kw_only, eq=a.eq_key or a.eq, repr=a.repr)
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
    names: tuple[tuple[str, Span], ...] = field(default=(), eq=names_without_spans)


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
    for same in (
        copy.deepcopy(pair),
        pickle.loads(pickle.dumps(pair)),
        attrs.evolve(pair, span=THERE),
        evolve(pair, span=THERE),
    ):
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


@define
class Counter:
    """One of each kind of attribute."""

    start: int
    _step: int = 1
    seen: list[int] = field(factory=list)
    total: int = field()
    names: dict[str, int] = field(factory=dict, init=False)
    made: int = field(default=7, init=False)
    later: int = field(init=False, repr=False)
    wide: bool = field(default=False, kw_only=True)
    parts: set[int] = field(factory=set, kw_only=True, repr=False)

    @total.default
    def _both(self) -> int:
        return self.start + self._step

    def __attrs_post_init__(self) -> None:
        self.seen.append(self.total)


def test_arguments_defaults_and_factories_are_those_of_attrs() -> None:
    one, other = Counter(3), Counter(3, step=2, parts={1})
    assert (one.start, one._step, one.total, one.seen, one.names, one.made, one.wide) == (3, 1, 4, [4], {}, 7, False)
    assert (other.total, other.parts, Counter(1, 1, [5], 9).seen) == (5, {1}, [5, 9])
    assert one.names is not other.names
    assert not hasattr(one, "later")
    assert repr(other).startswith("Counter(start=3, _step=2, ")
    with pytest.raises(TypeError, match=r"Counter.__init__\(\) missing 1 required positional argument: 'start'"):
        Counter()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes from 2 to 5 positional"):
        Counter(1, 1, [], 1, True)  # type: ignore[misc]
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_an_attribute_without_a_default_comes_before_those_that_have_one() -> None:
    with pytest.raises(TypeError, match="without a default"):

        @frozen
        class Wrong:
            one: int = 1
            two: int  # type: ignore[misc]


@frozen(cache_hash=True)
class Word:
    letters: str

    @cached_property
    def length(self) -> int:
        return len(self.letters)

    def named(self) -> str:
        return f"word {self.letters}"


@frozen(cache_hash=True)
class Twice(Word):
    times: int = 2

    @cached_property
    def whole(self) -> str:
        return self.letters * self.times

    def named(self) -> str:
        return f"twice {super().named()}"


def test_cached_properties_and_super_work_with_slots_and_inheritance() -> None:
    word = Twice("ab")
    assert (word.whole, word.length, word.whole, word.named()) == ("abab", 2, "abab", "twice word ab")
    assert not hasattr(word, "__dict__")
    assert weakref.ref(word)() is word
    with pytest.raises(AttributeError, match="no attribute 'width'"):
        word.width  # type: ignore[attr-defined]  # noqa: B018


def test_pickles_hold_neither_hashes_nor_cached_properties() -> None:
    word = Twice("ab")
    plain = pickle.dumps(word)
    assert hash(word) == hash(Twice("ab"))
    assert word.whole == "abab"
    assert pickle.dumps(word) == plain
    assert pickle.loads(plain) == word
