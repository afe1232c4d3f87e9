"""Requests about the reach of a change, as the protocol's call hierarchy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from .addresses import uri_of
from .editor_server import EditorServer, Located
from .navigation import symbol_kind

if TYPE_CHECKING:
    from rulewright.editor.features.call_hierarchy import ReachedItem


def register(server: EditorServer) -> None:
    """Register these requests."""

    @server.feature(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(ls: EditorServer, params: types.CallHierarchyPrepareParams) -> list[types.CallHierarchyItem] | None:
        from rulewright.editor.features.call_hierarchy import item_at

        at = ls.located(params)
        item = item_at(at.index, at.path, at.line, at.column) if at is not None else None
        return None if item is None else [_shown(ls, item)]

    @server.feature(types.CALL_HIERARCHY_INCOMING_CALLS)
    def incoming(ls: EditorServer, params: types.CallHierarchyIncomingCallsParams) -> list[types.CallHierarchyIncomingCall]:
        from rulewright.editor.features.call_hierarchy import reached_from

        at, item = _again(ls, params.item)
        return [
            types.CallHierarchyIncomingCall(_shown(ls, user), [ls.places(user.path).range(span) for span in spans])
            for user, spans in (reached_from(at.index, item).items() if at is not None and item is not None else ())
        ]

    @server.feature(types.CALL_HIERARCHY_OUTGOING_CALLS)
    def outgoing(ls: EditorServer, params: types.CallHierarchyOutgoingCallsParams) -> list[types.CallHierarchyOutgoingCall]:
        from rulewright.editor.features.call_hierarchy import reached_by

        at, item = _again(ls, params.item)
        return [
            types.CallHierarchyOutgoingCall(_shown(ls, used), [ls.places(item.path).range(span) for span in spans])
            for used, spans in (reached_by(at.index, item).items() if at is not None and item is not None else ())
            if item is not None
        ]


def _again(ls: EditorServer, item: types.CallHierarchyItem) -> tuple[Located | None, ReachedItem | None]:
    """The current version of an item shown before; None if it no longer exists."""
    from rulewright.editor.features.call_hierarchy import item_at

    path, start = ls.file_of(item.uri), item.selection_range.start
    at = None if path is None else ls.located_in(path, start.line, start.character)
    return at, None if at is None else item_at(at.index, at.path, at.line, at.column)


def _shown(ls: EditorServer, item: ReachedItem) -> types.CallHierarchyItem:
    places = ls.places(item.path)
    kind, name = symbol_kind(item.kind), item.path.name
    return types.CallHierarchyItem(
        item.name, kind, uri_of(item.path), places.range(item.whole), places.range(item.span), detail=name
    )
