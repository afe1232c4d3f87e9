"""Classes of nodes: `attrs.frozen`, made sooner.

For each class attrs writes the text of its comparison, hash and text and has Python compile it. There are hundreds of kinds of
nodes, and that was an eighth of a short command; here the three are closures over the names of the attributes.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen
else:

    def frozen(cls: type | None = None, *, cache_hash: bool = False) -> Any:
        """As `attrs.frozen`: slots, and equality and hash by the attributes that take part in them.

        To keep the hash in the node is left to attrs.
        """
        if cls is None:
            return lambda cls: attrs.frozen(cls, cache_hash=cache_hash)
        made = attrs.frozen(cls, eq=False, repr=False)
        key, salt = _key([a for a in made.__attrs_attrs__ if a.eq]), hash(made.__qualname__)

        def __eq__(self: Any, other: object) -> bool:
            return key(self) == key(other) if other.__class__ is made else NotImplemented

        def __hash__(self: Any) -> int:
            return salt ^ hash(key(self))

        made.__eq__, made.__hash__, made.__repr__ = __eq__, __hash__, _text
        return made


__all__ = ["frozen"]


def _key(attributes: list[Any]) -> Callable[[Any], object]:
    """What is compared of a node, by the attributes of its class that take part."""
    if any(a.eq_key for a in attributes):
        parts = [(attrgetter(a.name), a.eq_key or _itself) for a in attributes]
        return lambda node: tuple(part_of(read(node)) for read, part_of in parts)
    return attrgetter(*(a.name for a in attributes)) if attributes else _nothing


def _itself(value: object) -> object:
    return value


def _nothing(node: object) -> tuple[()]:
    return ()


def _text(node: Any) -> str:
    shown = ", ".join(f"{a.name}={getattr(node, a.name)!r}" for a in node.__attrs_attrs__ if a.repr)
    return f"{type(node).__qualname__}({shown})"
