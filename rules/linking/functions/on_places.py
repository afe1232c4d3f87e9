"""Functions on places of patterns: all places, their cells, and whether the pattern's condition holds there."""

from __future__ import annotations

from rulewright.rules.linking.unification import prune
from rulewright.rules.model import terms, types

from .call import TRUTH, Builder, Call, Unresolved
from .patterns import no_place, role_of


def places(call: Call) -> terms.Term:
    """All places of a pattern. Reports RW176."""
    help = "declare it: `pattern three in board, turned: …`"
    name = call.named(call.resolver.symbols.patterns, "RW176", "pattern", help)
    return terms.AllMembers(types.SetOf(types.Place(name)), span=call.span)


def holds(call: Call) -> terms.Term:
    """The pattern's condition at a place, applied to the cells of its roles there."""
    place = call.term(0)
    if not isinstance(known := prune(place.type), types.Place):
        no_place(call.resolver.symbols, place.span)
        return terms.Constant(0, TRUTH, span=call.span)
    pattern = call.resolver.symbols.patterns[known.pattern]
    cells = tuple(role_of(pattern, role, place, call.span) for role in pattern.roles)
    return terms.Invoke(pattern.condition, cells, TRUTH, span=call.span)


def aspect(kind: terms.Aspect) -> Builder:
    def build(call: Call) -> terms.Term:
        place = call.term(0)
        if not isinstance(known := prune(place.type), types.Place):
            no_place(call.resolver.symbols, place.span)
            raise Unresolved
        return aspect_of(call, known, place, kind)

    return build


def aspect_of(call: Call, known: types.Place, place: terms.Term, aspect: terms.Aspect) -> terms.Term:
    """An aspect of a place, as a term."""
    space = call.resolver.symbols.patterns[known.pattern].space
    of_aspect: dict[terms.Aspect, types.Type] = {
        terms.Aspect.CELL: types.Cell(space),
        terms.Aspect.FACING: types.Direction(space),
        terms.Aspect.MIRRORED: TRUTH,
    }
    return terms.AspectOf(known.pattern, aspect, place, of_aspect[aspect], span=call.span)
