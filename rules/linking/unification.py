"""Unification (Robinson 1965): unknown types and spaces are variables, which unification binds."""

from __future__ import annotations

from rulewright.base.records import define, evolve
from rulewright.rules.model.types import Cell, Direction, Region, SetOf, Type, describe


@define(eq=False)
class TypeVariable:
    """A type not known yet, or the type that it was bound to."""

    binding: PartialType | None = None


@define(eq=False)
class PartialSet:
    """A set whose element type is not known yet."""

    element: PartialType


class SpaceVariable(str):
    """A space not known yet. It takes the place of a space's name, as an empty name with an identity."""

    __slots__ = ("binding",)

    def __init__(self) -> None:
        self.binding: str | None = None

    __eq__ = object.__eq__
    __hash__ = object.__hash__


PartialType = Type | TypeVariable | PartialSet


def prune(type: PartialType) -> PartialType:
    """What is known of a type so far, with bound variables replaced by their bindings."""
    while isinstance(type, TypeVariable) and type.binding is not None:
        type = type.binding
    match type:
        case Cell(SpaceVariable() as space) | Direction(SpaceVariable() as space) | Region(SpaceVariable() as space):
            return evolve(type, space=_prune_space(space))
        case PartialSet(element) | SetOf(element):
            known = prune(element)
            return type if known is element or isinstance(known, TypeVariable | PartialSet) else SetOf(known)
        case _:
            return type


def _prune_space(space: str) -> str:
    while isinstance(space, SpaceVariable) and space.binding is not None:
        space = space.binding
    return space


def unify(one: PartialType, other: PartialType) -> bool:
    """Make two types equal by binding their variables; False if that is impossible.

    The space `""` in a cell, direction or region unifies with any space.
    """
    one, other = prune(one), prune(other)
    if one is other or one == other:
        return True
    if isinstance(one, TypeVariable):
        one.binding = other
        return True
    if isinstance(other, TypeVariable):
        other.binding = one
        return True
    match one, other:
        case ((PartialSet(mine) | SetOf(mine)), (PartialSet(theirs) | SetOf(theirs))):
            return unify(mine, theirs)
        case (Cell(mine), Cell(theirs)) | (Direction(mine), Direction(theirs)) | (Region(mine), Region(theirs)):
            return _unify_spaces(mine, theirs)
        case _:
            return False


def _unify_spaces(one: str, other: str) -> bool:
    if isinstance(one, SpaceVariable) and (other or isinstance(other, SpaceVariable)):
        one.binding = other
    elif isinstance(other, SpaceVariable) and one:
        other.binding = one
    else:
        return one == other or not one or not other
    return True


def ground(type: PartialType, default: Type) -> Type:
    """The inferred type, or `default` if there is none; a cell of an unknown space becomes one of any space."""
    match prune(type):
        case TypeVariable():
            return default
        case PartialSet(element) | SetOf(element):
            return SetOf(ground(element, default))
        case (Cell(SpaceVariable()) | Direction(SpaceVariable()) | Region(SpaceVariable())) as known:
            return evolve(known, space="")
        case known:
            return known


def is_open_cell(type: PartialType) -> bool:
    """Whether a type is known to be a cell, but not of which space."""
    known = prune(type)
    return isinstance(known, Cell) and isinstance(known.space, SpaceVariable)


def describe_partial(type: PartialType) -> str:
    """The name of a type in messages."""
    match prune(type):
        case TypeVariable():
            return "something"
        case PartialSet():
            return "a set"
        case known:
            return describe(known)


def as_type(type: PartialType) -> Type:
    """A type for a term. During inference it may be partial: the terms of that pass are discarded."""
    return prune(type)  # type: ignore[return-value]
