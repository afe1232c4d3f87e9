"""Unification of types: what is not yet known is a hole."""

from __future__ import annotations

from ..grammar.classes import define
from .types import Cell, Direction, SetOf, Type, describe


@define(eq=False)
class Hole:
    """A type that is not known yet, or has been found; it may be known to be a `cell` of some space."""

    found: Open | None = None
    cell: bool = False


@define(eq=False)
class OpenSet:
    """A set whose elements' type may not be known yet."""

    element: Open


Open = Type | Hole | OpenSet


def prune(type: Open) -> Open:
    """What is known of a type so far."""
    while isinstance(type, Hole) and type.found is not None:
        type = type.found
    if isinstance(type, OpenSet):
        element = prune(type.element)
        if not isinstance(element, Hole | OpenSet):
            return SetOf(element)
    return type


def unify(one: Open, other: Open) -> bool:
    """Make two types one; False when they cannot be. A cell or direction of no named space goes with any.

    That it is a cell of some space does not settle a type: which space it is may still be told.
    """
    one, other = prune(one), prune(other)
    if one is other or one == other:
        return True
    match one, other:
        case (Hole() as hole, Cell("")) | (Cell(""), Hole() as hole):
            hole.cell = True
            return True
        case _:
            pass
    if isinstance(one, Hole):
        one.found = other
        if isinstance(other, Hole):
            other.cell = other.cell or one.cell
        return True
    if isinstance(other, Hole):
        other.found = one
        return True
    if isinstance(one, OpenSet | SetOf) and isinstance(other, OpenSet | SetOf):
        return unify(one.element, other.element)
    match one, other:
        case (Cell(a), Cell(b)) | (Direction(a), Direction(b)):
            return a == "" or b == ""
        case _:
            return False


def settle(type: Open, otherwise: Type) -> Type:
    """The type found, or `otherwise` where nothing was."""
    known = prune(type)
    if isinstance(known, Hole):
        return Cell("") if known.cell else otherwise
    if isinstance(known, OpenSet):
        return SetOf(settle(known.element, otherwise))
    return known


def is_open_cell(type: Open) -> bool:
    """Whether a type is a cell of a space that nothing has told yet."""
    known = prune(type)
    return isinstance(known, Hole) and known.cell


def say(type: Open) -> str:
    """The name of a type in messages."""
    known = prune(type)
    if isinstance(known, Hole):
        return "something"
    if isinstance(known, OpenSet):
        return "a set"
    return describe(known)
