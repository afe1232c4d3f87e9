"""Effects: statements with every name resolved. They happen in the order written."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.base.spans import Located, Span
from rulewright.grammar.tree.statements import Assignment

from .terms import Binder, Term


@frozen
class Location(Located):
    """A variable at an index that an effect changes; for a pile, its upper or its lower end."""

    variable: str
    index: tuple[Term, ...] = ()
    bottom: bool = False


@frozen
class Put(Located):
    """Move one tile from a zone (or from nowhere, if `source` is None) to a cell."""

    piece: Term
    space: str
    cell: Term
    source: Location


@frozen
class Take(Located):
    """Move the tile on a cell to a zone."""

    space: str
    cell: Term
    target: Location


@frozen
class Slide(Located):
    """Move the tile on a cell to another cell of the space."""

    space: str
    cell: Term
    target: Term


@frozen
class Move(Located):
    """Move one tile from a zone to a zone."""

    piece: Term
    source: Location
    target: Location


@frozen
class MoveAll(Located):
    source: Location
    target: Location


@frozen
class Deal(Located):
    """Move `number` tiles from the end of a pile to a zone, or all if there are fewer."""

    number: Term
    source: Location
    target: Location


@frozen
class Shuffle(Located):
    zone: Location


@frozen
class Assign(Located):
    target: Location
    assignment: Assignment
    value: Term


@frozen
class Stop(Located):
    """Leave the repetition in which the action was chosen."""


@frozen
class Finish(Located):
    """End the game."""


@frozen
class ForEach(Located):
    binder: Binder
    body: tuple[EffectClause, ...]


@frozen
class Keep(Located):
    """Bind a name in the body to the present value of a set."""

    name: str
    value: Term
    body: tuple[EffectClause, ...]


@frozen
class When(Located):
    condition: Term
    body: tuple[EffectClause, ...]
    otherwise: tuple[EffectClause, ...]


Effect = Put | Take | Slide | Move | MoveAll | Deal | Shuffle | Assign | Stop | Finish | ForEach | Keep | When


@frozen
class EffectClause(Located):
    """A named effect; `module` is the last module that defined it."""

    name: str
    effect: Effect
    module: str = ""
    cite: str = ""

    @classmethod
    def of(cls, name: str, effect: Effect, module: str, cite: str, span: Span) -> EffectClause:
        """A clause; it stands for those inside its effect that have no name."""
        if isinstance(effect, ForEach):
            body = (one if one.name else cls.of(name, one.effect, module, cite, one.span) for one in effect.body)
            effect = evolve(effect, body=tuple(body))
        return cls(name, effect, module, cite, span=span)
