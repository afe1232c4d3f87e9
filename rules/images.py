"""Values that hang on one value of few: what they come to is a table, and tests passed before leave less of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import repeat

from attrs import field

from ..grammar.classes import define
from .blocks import Code, Image

FEW = 256
"""The most values that something may have for what hangs on it to be tabulated."""


def image_of(text: str, domain: range) -> Image | None:
    """What may be tabulated over the values of a piece of text; None where they are too many."""
    if len(domain) > FEW or domain.stop > 2 * FEW or domain.start < 0 >= domain.stop:
        return None
    return Image(text, domain, tuple(domain))


def row(image: Image) -> tuple[int, ...]:
    """An image as a tuple to be indexed by the value it is of; what is negative counts from the end."""
    start, values = image.domain.start, image.values
    return (0,) * start + values if start >= 0 else values[-start:] + values[:-start]


def merged(codes: Sequence[Code], function: Callable[..., int]) -> Image | int | None:
    """A function of some codes: its image, its value if all are constants, None where they hang on several values."""
    images = [code.image for code in codes if code.known is None]
    if not images:
        return int(function(*(code.known for code in codes)))
    first = images[0]
    if first is None or any(image is None or image.of != first.of for image in images):
        return None
    columns = [repeat(code.known) if code.image is None else code.image.values for code in codes]
    return Image(first.of, first.domain, tuple(map(int, map(function, *columns))))


@define
class Knowledge:
    """What tests passed so far leave possible: values by the text that has them."""

    possible: dict[str, frozenset[int]] = field(factory=dict)

    def merged(self, codes: Sequence[Code], function: Callable[..., int]) -> Image | int | None:
        """As `merged`, and the value too where the tests passed so far leave but one."""
        image = merged(codes, function)
        if not isinstance(image, Image):
            return image
        only = self.only(image)
        return image if only is None else only

    def only(self, image: Image) -> int | None:
        """The value that the tests passed so far leave, where it is but one."""
        left = self._left(image)
        return next(iter(left), 0) if len(left) <= 1 else None

    def _left(self, image: Image) -> set[int]:
        possible = self.possible.get(image.of)
        if possible is None:
            return set(image.values)
        return {v for k, v in zip(image.domain, image.values, strict=True) if k in possible}

    @contextmanager
    def given(self, code: Code, truth: bool) -> Iterator[None]:
        """Know, while it lasts, that a code is true or false."""
        before = self.possible
        self.possible = dict(before)
        self._learn(code, truth)
        yield
        self.possible = before

    def _learn(self, code: Code, truth: bool) -> None:
        for part in code.parts if code.conjunct == truth else ():
            self._learn(part, truth)
        if code.negated is not None:
            self._learn(code.negated, not truth)
        image = code.image
        if image is not None:
            those = frozenset(k for k, v in zip(image.domain, image.values, strict=True) if bool(v) == truth)
            self.possible[image.of] = self.possible.get(image.of, those) & those
