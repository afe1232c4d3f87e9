"""Effects: statements with every name resolved. They happen in the order written."""

from __future__ import annotations

from ..grammar.classes import frozen
from ..grammar.spans import Span, span_field
from ..grammar.statements import Assignment
from .terms import Bound, Term


@frozen
class Place:
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
    source: Place
    span: Span = span_field()


@frozen
class Take:
    """The tile on a cell goes to a zone."""

    space: str
    cell: Term
    target: Place
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
    source: Place
    target: Place
    span: Span = span_field()


@frozen
class MoveAll:
    source: Place
    target: Place
    span: Span = span_field()


@frozen
class Deal:
    """The top tiles of a pile go to a zone, as many as there are."""

    number: Term
    source: Place
    target: Place
    span: Span = span_field()


@frozen
class Shuffle:
    zone: Place
    span: Span = span_field()


@frozen
class Assign:
    target: Place
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
    bound: Bound
    body: tuple[Clause, ...]
    span: Span = span_field()


@frozen
class When:
    condition: Term
    body: tuple[Clause, ...]
    otherwise: tuple[Clause, ...]
    span: Span = span_field()


Effect = Put | Take | Slide | Move | MoveAll | Deal | Shuffle | Assign | Stop | Finish | ForEach | When


@frozen
class Clause:
    """A named effect; `module` is the one that last said it."""

    name: str
    effect: Effect
    module: str = ""
    cite: str = ""
    span: Span = span_field()
