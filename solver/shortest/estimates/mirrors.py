"""Mirrored patterns: databases read once more, for other factors (Culberson and Schaeffer 1998).

A map of the cells may take each factor to a factor, the goals of the one to those of the other, and what each label does to
all factors to what some label does. Then the distances of a pattern are also those of the factors that its own are taken to,
at the images of their places. So each sum of patterns has a mirrored one, with the same tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rulewright.rules.analysis.space_maps import Automorphism, candidates
from rulewright.rules.play.engine import Engine

from .factors import Factor, Sum
from .partial_state import Slot, Thing

Image = Callable[[Slot], Slot]


Places = tuple[tuple[Thing, ...], ...]
"""The places of some factors."""


def mirrored(patterns: Sum, engine: Engine) -> Sequence[Places]:
    """For each pattern of a sum, the places of the factors that the first map takes its own to, in the order of their images;
    empty if no map takes the parts of the sum to other parts."""
    factors = list({id(factor): factor for pattern in patterns for factor in pattern.factors}.values())
    if any(pattern.paid for pattern in patterns) or not all(map(_is_carried, factors)):
        return ()
    parts = {frozenset(map(id, pattern.kept)) for pattern in patterns}
    for image in _images(engine):
        partners = _partners(factors, image)
        if partners and {frozenset(id(partners[id(factor)]) for factor in pattern.kept) for pattern in patterns} != parts:
            return [tuple(_images_of(factor, partners[id(factor)], image) for factor in pattern.kept) for pattern in patterns]
    return ()


def _images_of(factor: Factor, partner: Factor, image: Image) -> tuple[Thing, ...]:
    return tuple((image(slot), partner.places[0][1]) for slot, _ in factor.places)


def _images(engine: Engine) -> Iterator[Image]:
    """Maps of the slots by those of the spaces."""

    def by(map: Automorphism) -> Image:
        def image(slot: Slot) -> Slot:
            index = engine.layout.columns[slot[0]].variable.index
            return slot if index is None else (slot[0], map.image(engine.instance, index, slot[1]))

        return image

    return map(by, candidates(engine.instance))


def _is_carried(factor: Factor) -> bool:
    """Whether the places of a factor are slots with the same value."""
    return len({value for _, value in factor.places}) == 1


def _partners(factors: Sequence[Factor], image: Image) -> Mapping[int, Factor]:
    """The factor that a map takes each to, by its identity; empty if one has none or several, or if labels have no images."""

    def same(slot: Slot) -> Slot:
        return slot

    found = {}
    for factor in factors:
        fitting = [one for one in factors if _reach(one, same) == _reach(factor, image)]
        if len(fitting) != 1:
            return {}
        found[id(factor)] = fitting[0]
    labels = frozenset[int]().union(*(factor.after for factor in factors))
    images = {tuple(_effect(factor, label, image) for factor in factors) for label in labels}
    effects = {tuple(_effect(found[id(factor)], label, same) for factor in factors) for label in labels}
    return found if images == effects else {}


def _reach(factor: Factor, image: Image) -> tuple[frozenset[Slot], frozenset[Slot]]:
    """The slots and the goals of a factor, mapped."""
    slots = [image(slot) for slot, _ in factor.places]
    return frozenset(slots), frozenset(slots[place] for place in factor.goals)


def _effect(factor: Factor, label: int, image: Image) -> frozenset[tuple[Slot, Slot]]:
    """From which slot a label takes a factor to which, both mapped."""
    slots = [image(slot) for slot, _ in factor.places]
    return frozenset((slots[place], slots[later]) for place, later in factor.function(label).items())
