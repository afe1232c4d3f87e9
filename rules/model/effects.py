"""Effects: statements with every name resolved. They happen in the order written."""

from __future__ import annotations

from rulewright.base.records import frozen
from rulewright.base.spans import Span, span_field
from rulewright.grammar.tree.statements import Assignment

from .terms import Binder, Term


@frozen
class Location:
    """A variable at an index: what an effect changes."""

    variable: str
    index: tuple[Term, ...] = ()
    span: Span = span_field()


@frozen
class Put:
    """One tile leaves a zone (or comes from nowhere when `source` is None) and stands on a cell."""

    piece: Term
    space: str
    cell: Term
    source: Location
    span: Span = span_field()


@frozen
class Take:
    """The tile on a cell goes to a zone."""

    space: str
    cell: Term
    target: Location
    span: Span = span_field()


@frozen
class Slide:
    """The tile on a cell goes to another cell of the space."""

    space: str
    cell: Term
    target: Term
    span: Span = span_field()


@frozen
class Move:
    """One tile goes from a zone to a zone."""

    piece: Term
    source: Location
    target: Location
    span: Span = span_field()


@frozen
class MoveAll:
    source: Location
    target: Location
    span: Span = span_field()


@frozen
class Deal:
    """The top tiles of a pile go to a zone, as many as there are."""

    number: Term
    source: Location
    target: Location
    span: Span = span_field()


@frozen
class Shuffle:
    zone: Location
    span: Span = span_field()


@frozen
class Assign:
    target: Location
    assignment: Assignment
    value: Term
    span: Span = span_field()


@frozen
class Stop:
    """Leave the repetition in which the action was chosen."""

    span: Span = span_field()


@frozen
class Finish:
    """End the game."""

    span: Span = span_field()


@frozen
class ForEach:
    binder: Binder
    body: tuple[EffectClause, ...]
    span: Span = span_field()


@frozen
class When:
    condition: Term
    body: tuple[EffectClause, ...]
    otherwise: tuple[EffectClause, ...]
    span: Span = span_field()


Effect = Put | Take | Slide | Move | MoveAll | Deal | Shuffle | Assign | Stop | Finish | ForEach | When


@frozen
class EffectClause:
    """A named effect; `module` is the one that last said it."""

    name: str
    effect: Effect
    module: str = ""
    cite: str = ""
    span: Span = span_field()
