"""Resolves what changes a set that is state: `add c to explored`, `remove c from explored`, `clear explored`."""

from __future__ import annotations

from rulewright.base.diagnostics import Label, suggest
from rulewright.grammar.tree import expressions, statements
from rulewright.rules.linking.functions.call import TRUTH, ArgumentResolver
from rulewright.rules.linking.symbol_table import Locals
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Storage, Variable

from .sets import ELEMENT, element_of, held, owner_type, place_of

SetStatement = statements.AddElement | statements.RemoveElement | statements.Clear


def resolve_set_effect(resolver: ArgumentResolver, node: SetStatement, name: str, locals: Locals) -> effects.Effect | None:
    """An element that a set has or has not from here on, or none at all. Reports RW203 and RW208."""
    variable = _set_named(resolver, node.target)
    if variable is None:
        return None
    owner = _owner(resolver, variable, node.target, locals)
    match node:
        case statements.AddElement(element) | statements.RemoveElement(element):
            which = resolver.term(element, locals, element_of(variable))
            return _said(node, variable, owner, which, isinstance(node, statements.AddElement))
        case statements.Clear():
            binder = held(variable, owner, node.span)
            each = terms.Local(ELEMENT, binder.type, span=node.span)
            effect = _said(node, variable, owner, each, False)
            clause = effects.EffectClause(name, effect, resolver.symbols.module(node.span), span=node.span)
            return effects.ForEach(binder, (clause,), span=node.span)


def _said(
    node: SetStatement, variable: Variable, owner: terms.Term | None, element: terms.Term, inside: bool
) -> effects.Assign:
    place = effects.Location(variable.name, (place_of(variable, owner, element, node.target.span),), span=node.target.span)
    return effects.Assign(place, statements.Assignment.SET, terms.Constant(int(inside), TRUTH, span=node.span), span=node.span)


def _set_named(resolver: ArgumentResolver, target: expressions.Name | expressions.Subscript) -> Variable | None:
    """The set that is changed. Reports RW208 for what is no set of state."""
    symbols, name = resolver.symbols, target.text if isinstance(target, expressions.Name) else target.name
    variable = symbols.variables.get(name)
    if variable is None:
        known = [other.name for other in symbols.variables.values() if other.is_set]
        help = suggest(name, known, f"declare it: `{name}: set of cells of …`")
        symbols.sink.error("RW208", f"there is no state variable `{name}`", target.span, help=help)
        return None
    if not variable.is_set:
        is_zone = variable.storage is not Storage.VALUE
        help = "say `move`, `put`, `take` or `deal`" if is_zone else f"write `{name} := …`, or declare it a `set of` something"
        label = Label(variable.span, "declared here")
        symbols.sink.error("RW208", f"`{name}` is no set that elements are added to", target.span, label, help=help)
        return None
    return variable


def _owner(
    resolver: ArgumentResolver, variable: Variable, target: expressions.Name | expressions.Subscript, locals: Locals
) -> terms.Term | None:
    """Whose set it is. Reports RW203."""
    wanted = owner_type(variable)
    if wanted is None:
        if isinstance(target, expressions.Subscript):
            help = f"write `{variable.name}`"
            resolver.symbols.sink.error("RW203", f"`{variable.name}` is one set, without an index", target.span, help=help)
        return None
    if isinstance(target, expressions.Subscript):
        return resolver.term(target.index, locals, wanted)
    help = f"write `{variable.name} of …`"
    resolver.symbols.sink.error("RW203", f"`{variable.name}` needs an index", target.span, help=help)
    return resolver.stand_in(target.span)
