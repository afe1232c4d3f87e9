"""Expands `like`: an action inherits the clauses of another, as they are after the edits of all modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import attrs

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define, evolve, field
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree import expressions, modules, statements

from .expand import names_in
from .item_edits import EditError, edit_action
from .rulebook import ItemKind, Key, Rulebook

# Fixes a parameter of an action ---------------------------------------------------------------------------------------
# `like place with piece = tower`. The value replaces the parameter wherever it is used.


def bind_parameter(action: modules.Action, binding: modules.Binding, book: Rulebook) -> modules.Action:
    """The action without a parameter. A requirement named after the parameter checks that the value is in its domain, unless an
    optional parameter is fixed at none.

    A tile still leaves the zone that the parameter ranged over. Raises `EditError`.
    """
    names = [parameter.name for parameter in action.parameters]
    if binding.parameter not in names:
        message = f"`{action.name}` has no parameter `{binding.parameter}`"
        raise EditError(message, binding.span, suggest(binding.parameter, names))
    at = names.index(binding.parameter)
    parameter = action.parameters[at]
    source = None if parameter.domain is None else _zone(parameter.domain, book)
    none = _none_of(parameter, binding)
    value = _Substitution(binding if none is None else evolve(binding, value=none), source)
    others = tuple(value.of(other) for other in action.parameters[at + 1 :])
    required = (_in_domain(parameter, binding, value),) if parameter.domain is not None and none is None else ()
    return evolve(
        action,
        parameters=(*action.parameters[:at], *others),
        requirements=(*required, *(value.of(requirement) for requirement in action.requirements)),
        effects=tuple(value.of(effect) for effect in action.effects),
    )


def _none_of(parameter: modules.Parameter, binding: modules.Binding) -> expressions.Expression | None:
    """The expression for none if a parameter is fixed at none, else None. Raises `EditError` if it may not be none."""
    if parameter.domain is None or binding.value != expressions.Name("none", span=binding.span):
        return None
    if not parameter.optional:
        help = f"declare the parameter as `{parameter.name} in … or none`"
        raise EditError(f"`{parameter.name}` cannot be none", binding.span, help)
    return expressions.Subscript("none", parameter.domain, span=binding.span)


def _in_domain(parameter: modules.Parameter, binding: modules.Binding, value: _Substitution) -> modules.Requirement:
    assert parameter.domain is not None
    condition: expressions.Expression = expressions.Membership(binding.value, parameter.domain, span=binding.span)
    if parameter.where is not None:
        condition = expressions.And((condition, value.of(parameter.where)), span=binding.span)
    message = f"`{print_expression(binding.value)}` is not in the domain of `{parameter.name}`"
    return modules.Requirement(parameter.name, condition, message, span=binding.span)


def _zone(domain: expressions.Expression, book: Rulebook) -> expressions.Expression | None:
    """The zone that a domain ranges over, as written; None for any other domain."""
    match domain:
        case expressions.Those(binder):
            return _zone(binder.domain, book)
        case expressions.Name("box"):
            return domain
        case expressions.Name(name) | expressions.Subscript(name):
            line = book.state.get(name)
            return domain if line is not None and isinstance(line.type, modules.ZoneType) else None
        case _:
            return None


@attrs.frozen
class _Substitution:
    """Substitutes a value for the name of a parameter. Raises `EditError` if that would change the meaning of the value."""

    binding: modules.Binding
    source: expressions.Expression | None

    def of(self, node: Any) -> Any:
        name = self.binding.parameter
        match node:
            case expressions.Name(text) if text == name:
                return self.binding.value
            case expressions.Subscript(text, index) if text == name:
                first, rest = self.binding.value, self.of(index)
                if isinstance(first, expressions.Name):
                    return expressions.Subscript(first.text, rest, span=node.span)
                return expressions.Paired(first, rest, span=node.span)
            case statements.Put(source=None) | statements.Move(source=None) if self._is_moved(node):
                return self._parts(evolve(node, source=self.source))
            case tuple():
                return tuple(self.of(part) for part in node)
            case _ if not attrs.has(type(node)):
                return node
            case _:
                return self._parts(node)

    def _is_moved(self, node: statements.Put | statements.Move) -> bool:
        return isinstance(node.piece, expressions.Name) and node.piece.text == self.binding.parameter

    def _parts(self, node: Any) -> Any:
        self._check_binders(node)
        fields = (a.name for a in attrs.fields(type(node)) if a.name not in ("span", "text", "cite", "message"))
        new = {name: self.of(getattr(node, name)) for name in fields}
        return evolve(node, **{name: value for name, value in new.items() if value is not getattr(node, name)})

    def _check_binders(self, node: Any) -> None:
        """Refuse inner binders of the parameter's name, or of a name that occurs in the value."""
        match node:
            case expressions.Binder(clash) | expressions.Closure(origin=clash) | expressions.Let(clash) | statements.Let(clash):
                pass
            case _:
                return
        alone, owned = names_in(self.binding.value)
        if clash in (self.binding.parameter, *alone, *owned):
            message = f"`{clash}` already has another meaning inside the action"
            raise EditError(message, self.binding.span, "rename one of them")


# Expands `like` -------------------------------------------------------------------------------------------------------


DEEPEST_LIKE = 16
"""Longest chain of actions like each other."""


def expand_likes(book: Rulebook, changes: Mapping[str, Sequence[modules.Edit]], sink: Sink) -> None:
    """Apply the edits of all actions, and expand those that are like another. Reports RW105."""
    writer = _Writer(book, changes, sink)
    for name in book.actions:
        writer.build(name, ())
    book.actions = {name: writer.done[name] for name in book.actions if name in writer.done}


@define
class _Writer:
    """`plain` are the expanded actions before their edits, `done` those after."""

    book: Rulebook
    changes: Mapping[str, Sequence[modules.Edit]]
    sink: Sink
    plain: dict[str, modules.Action] = field(factory=dict)
    done: dict[str, modules.Action] = field(factory=dict)
    chain: dict[str, int] = field(factory=dict)
    refused: set[str] = field(factory=set)

    def build(self, name: str, path: tuple[str, ...]) -> modules.Action | None:
        """An action, expanded and edited; None after an error."""
        if name in self.done or name in self.refused:
            return self.done.get(name)
        action = self.book.actions[name]
        try:
            if action.like is not None:
                model = self._model(action.like, name, path)
                if model is None:
                    self.refused.add(name)
                    return None
                action = _expand(action, action.like, self._bound(model, action.like), self.plain[action.like.action])
            self.plain[name] = action
            self.done[name] = reduce(edit_action, self.changes.get(name, ()), action)
        except EditError as error:
            self.sink.error("RW105", error.message, error.span, *error.labels, help=error.help)
            self.refused.add(name)
            return None
        return self.done[name]

    def _bound(self, model: modules.Action, like: modules.Like) -> modules.Action:
        """The model without the parameters that are fixed."""
        for binding in like.bindings:
            model = bind_parameter(model, binding, self.book)
        return model

    def _model(self, like: modules.Like, name: str, path: tuple[str, ...]) -> modules.Action | None:
        model = like.action
        if max(len(path), self.chain.get(model, 0)) >= DEEPEST_LIKE:
            raise EditError(f"the chain of `like` is longer than {DEEPEST_LIKE}", like.span, "write out its clauses")
        if model in (*path, name):
            raise EditError(f"`{name}` is declared like itself", like.span, "name another action")
        if model not in self.book.actions:
            dropped = self.book.dropped.get(Key(ItemKind.ACTION, model))
            labels = () if dropped is None else (Label(dropped, "dropped here"),)
            help = suggest(model, set(self.book.actions)) if dropped is None else f"drop or rewrite `{name}` too"
            raise EditError(f"there is no action `{model}`", like.span, help, labels)
        found = self.build(model, (*path, name))
        self.chain[name] = self.chain.get(model, 0) + 1
        return found


def _expand(action: modules.Action, like: modules.Like, model: modules.Action, before: modules.Action) -> modules.Action:
    """The model's clauses, edited, then the action's own.

    `before` is the model before other modules edited it: what they dropped need not be dropped again, and a parameter that they
    added is added here too.
    """
    gone = _labels(before) - _labels(model)
    edits = [kept for edit in like.edits if (kept := _without_model(edit, gone)) is not None]
    edited = reduce(edit_action, edits, evolve(model, name=action.name))
    parameters = edited.parameters
    if action.parameters:
        known = {p.name for p in (*before.parameters, *action.parameters)}
        parameters = (*action.parameters, *(p for p in edited.parameters if p.name not in known))
    return evolve(
        action,
        like=None,
        parameters=parameters,
        requirements=(*edited.requirements, *action.requirements),
        effects=(*edited.effects, *action.effects),
        once=action.once or edited.once,
        cite=action.cite or model.cite,
    )


def _labels(action: modules.Action) -> set[str]:
    return {r.label for r in action.requirements} | {e.labelled.label for e in action.effects}


def _without_model(edit: modules.Edit, gone: set[str]) -> modules.Edit | None:
    """Adapt an edit to a model that lacks its clause: a drop is void, and a replacement becomes an addition."""
    match edit:
        case modules.Drop(label) if label in gone:
            return None
        case modules.Replace(label, modules.Effect() as effect) if label in gone:
            return evolve(effect, labelled=evolve(effect.labelled, label=label))
        case modules.Replace(label, modules.Requirement() as requirement) if label in gone:
            return requirement
        case _:
            return edit
