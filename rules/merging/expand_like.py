"""Expands `like`: an action inherits the clauses of another, as they are after the edits of all modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import attrs

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define, field
from rulewright.grammar.tree import modules

from .bind_parameter import bind_parameter
from .item_edits import EditError, edit_action
from .item_kinds import ItemKind, Key
from .rulebook import Rulebook

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
    edited = reduce(edit_action, edits, attrs.evolve(model, name=action.name))
    parameters = edited.parameters
    if action.parameters:
        known = {p.name for p in (*before.parameters, *action.parameters)}
        parameters = (*action.parameters, *(p for p in edited.parameters if p.name not in known))
    return attrs.evolve(
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
            return attrs.evolve(effect, labelled=attrs.evolve(effect.labelled, label=label))
        case modules.Replace(label, modules.Requirement() as requirement) if label in gone:
            return requirement
        case _:
            return edit
