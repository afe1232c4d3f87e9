"""Effects: statements with every name resolved. They happen in the order written."""

from __future__ import annotations

from typing import assert_never

from rulewright.base.records import evolve, field, frozen
from rulewright.base.spans import Located, Named, Span
from rulewright.grammar.tree.statements import Assignment

from .terms import Binder, Term


@frozen
class Location(Located):
    """A variable at an index that an effect changes, or a cell of a board; of a pile its upper or its lower end."""

    variable: str
    index: tuple[Term, ...] = ()
    bottom: bool = False


@frozen
class Transfer(Located):
    """Move one tile from a zone or a cell to another; `piece` is None for the tile that lies on a cell."""

    piece: Term | None
    source: Location
    target: Location


@frozen
class Deal(Located):
    """Move `number` tiles from the end of a zone to another, or all if there are fewer; all if it is None."""

    number: Term | None
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
class End(Located):
    """End the game, or else leave the repetition in which the action was chosen."""

    game: bool


@frozen
class ForEach(Located):
    binder: Binder
    body: tuple[EffectClause, ...]


@frozen
class Keep(Named):
    """Bind a name in the body to the present value of a set."""

    value: Term
    body: tuple[EffectClause, ...]


@frozen
class When(Located):
    condition: Term
    body: tuple[EffectClause, ...]
    otherwise: tuple[EffectClause, ...]


Effect = Transfer | Deal | Shuffle | Assign | End | ForEach | Keep | When


@frozen
class Clause(Named):
    """What a module says under a name; `module` is the last one that defined it."""

    module: str = field(default="", kw_only=True)
    cite: str = field(default="", kw_only=True)


@frozen
class EffectClause(Clause):
    """A named effect."""

    effect: Effect

    @classmethod
    def of(cls, name: str, effect: Effect, module: str, cite: str, span: Span) -> EffectClause:
        """A clause; it stands for those inside its effect that have no name."""
        if isinstance(effect, ForEach):
            body = (one if one.name else cls.of(name, one.effect, module, cite, one.span) for one in effect.body)
            effect = evolve(effect, body=tuple(body))
        return cls(name, effect, module=module, cite=cite, span=span)


def places_of(effect: Effect) -> tuple[Location, ...]:
    """The places that an effect changes by itself, without nested effects."""
    match effect:
        case Assign(place) | Shuffle(place):
            return (place,)
        case Transfer(_, source, target) | Deal(_, source, target):
            return source, target
        case End() | ForEach() | Keep() | When():
            return ()
        case _:
            assert_never(effect)


def changed_by(effect: Effect) -> set[str]:
    """The variables, zones and boards that an effect changes by itself."""
    return {place.variable for place in places_of(effect)}


def cell_laid(effect: Effect, *boards: str) -> Term | None:
    """The cell of one of some boards to which an effect brings a tile from a zone; None if it brings none there."""
    match effect:
        case Transfer(piece, _, Location(variable, (cell,))) if piece is not None and variable in boards:
            return cell
        case _:
            return None
