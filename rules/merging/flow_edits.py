"""Edits of the flow: actions in its choices, procedures beside its points, points replaced or dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from rulewright.base.diagnostics import suggest
from rulewright.base.records import define, evolve
from rulewright.grammar.tree import modules, statements

from .item_edits import EditError

Flow = statements.FlowStatement
Body = tuple[Flow, ...]
Rewrite = Callable[[Flow, bool], Sequence[Flow] | None]
"""Replaces a statement; None to keep it and descend. The flag tells whether the statement is inside the point."""

NO_POINT = "only named points and procedures can be changed; `drop flow` and declare another one"
FLOW = "use `add` or `drop` with an action and a point, `before` or `after`, or `replace` or `drop` with a point"


def edit_flow(flow: modules.Flow, edits: Sequence[modules.Edit]) -> modules.Flow:
    """Apply edits to the flow in order. Raises `EditError` for an edit without a target."""
    for edit in edits:
        point, rewrite = _rewriting(edit)
        walk = _Walk(point, rewrite)
        body = walk.over(flow.body)
        if not walk.found:
            raise _missing(edit, point, flow.body)
        flow = evolve(flow, body=body)
    return flow


def edit_phase(phase: modules.Phase, edits: Sequence[modules.Edit]) -> modules.Phase:
    """Apply edits to a phase, which counts as a point of its own name. Raises `EditError`."""
    whole = statements.Point(phase.name, phase.body, span=phase.span)
    edited = edit_flow(modules.Flow((whole,), span=phase.span), edits).body
    match edited:
        case (statements.Point(phase.name, body),):
            return evolve(phase, body=body)
        case _:
            raise EditError(
                f"`{phase.name}` cannot be dropped by a change to itself", edits[-1].span, f"use `drop phase {phase.name}`"
            )


@define
class _Walk:
    """A rewriting traversal of a flow; `found` tells whether anything was rewritten."""

    point: str
    rewrite: Rewrite
    found: bool = False

    def over(self, body: Body, inside: bool = False) -> Body:
        """The rewritten body."""
        new: list[Flow] = []
        for statement in body:
            instead = self.rewrite(statement, inside)
            if instead is None:
                here = inside or _is_point(statement, self.point)
                new.append(with_bodies(statement, partial(self.over, inside=here)))
            else:
                self.found = True
                new += instead
        return tuple(new)


def with_bodies(statement: Flow, rewrite: Callable[[Body], Body]) -> Flow:
    """A statement with its inner bodies rewritten."""
    match statement:
        case statements.Branch(_, body, otherwise):
            return evolve(statement, body=rewrite(body), otherwise=rewrite(otherwise))
        case statements.Repeat() | statements.Each() | statements.Point():
            return evolve(statement, body=rewrite(statement.body))
        case statements.Run() | statements.Choose():
            return statement


def _is_point(statement: Flow, name: str) -> bool:
    return isinstance(statement, statements.Point) and statement.name == name


def _rewriting(edit: modules.Edit) -> tuple[str, Rewrite]:
    """The point that an edit names, and its rewriting."""
    match edit:
        case modules.AddChoice(action, point):

            def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
                if not isinstance(here, statements.Choose) or not inside:
                    return None
                return [evolve(here, actions=(*here.actions, action), span=edit.span)]

        case modules.DropChoice(action, point):

            def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
                if not isinstance(here, statements.Choose) or not inside or action not in here.actions:
                    return None
                return [evolve(_without(here, {action}), span=edit.span)]

        case modules.Insert(before, point) | modules.InsertFlow(before, point):
            more: Body = (
                edit.body if isinstance(edit, modules.InsertFlow) else (statements.Run(edit.procedure, span=edit.span),)
            )

            def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
                match here:
                    case statements.Point(name, body) if name == point:
                        return [evolve(here, body=(*more, *body) if before else (*body, *more))]
                    case statements.Run(name) if name == point:
                        return [*more, here] if before else [here, *more]
                    case _:
                        return None

        case modules.ReplacePoint(point, body):

            def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
                return [statements.Point(point, body, span=edit.span)] if _is_point(here, point) else None

        case modules.Drop(point):

            def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
                named = isinstance(here, statements.Run) and here.procedure == point
                return [] if named or _is_point(here, point) else None

        case _:
            raise EditError("this line is not allowed in a change to the flow", edit.span, FLOW)
    return point, rewrite


def _missing(edit: modules.Edit, point: str, body: Body) -> EditError:
    names = set(_names(body))
    if point in names and isinstance(edit, modules.AddChoice):
        return EditError(f"`{point}` contains no choice", edit.span, "name a point that contains a choice")
    if point in names and isinstance(edit, modules.DropChoice):
        message = f"`{edit.action}` is not offered in `{point}`"
        return EditError(message, edit.span, suggest(edit.action, _offered(body)))
    return EditError(f"the flow has no `{point}`", edit.span, suggest(point, names) or NO_POINT)


def without_actions(body: Body, dropped: set[str]) -> Body:
    """The flow with some actions removed from its choices. Raises `EditError` if a choice would be left empty."""

    def rewrite(here: Flow, inside: bool) -> Sequence[Flow] | None:
        return [_without(here, dropped)] if isinstance(here, statements.Choose) else None

    return _Walk("", rewrite).over(body)


def _without(choose: statements.Choose, dropped: set[str]) -> statements.Choose:
    left = tuple(action for action in choose.actions if action not in dropped)
    if choose.actions and not left and not choose.stop:
        raise EditError(
            "this change leaves nothing to choose here", choose.span, "drop or replace the point that contains the choice"
        )
    return evolve(choose, actions=left)


def statements_of(body: Body) -> Iterator[Flow]:
    """Every statement of a flow, outermost first."""
    for statement in body:
        yield statement
        if isinstance(statement, statements.Repeat | statements.Each | statements.Branch | statements.Point):
            yield from statements_of(statement.body)
        if isinstance(statement, statements.Branch):
            yield from statements_of(statement.otherwise)


def _names(body: Body) -> Iterator[str]:
    for statement in statements_of(body):
        match statement:
            case statements.Point(name) | statements.Run(name):
                yield name


def _offered(body: Body) -> set[str]:
    return {
        action for statement in statements_of(body) if isinstance(statement, statements.Choose) for action in statement.actions
    }
