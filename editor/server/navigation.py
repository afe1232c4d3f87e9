"""Requests about names: declarations, uses, information, the outline of a text, and the reach of a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from rulewright.editor.features.outline import MODIFIERS, TYPES

from .convert import TextPlaces, uri_of
from .editor_server import EditorServer, Located

if TYPE_CHECKING:
    from rulewright.editor.features.call_hierarchy import ReachedItem
    from rulewright.editor.features.outline import OutlineEntry
    from rulewright.editor.project.name_index import Place

LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


def register(server: EditorServer) -> None:
    """Register these requests."""
    _register_places(server)
    _register_texts(server)
    _register_hierarchy(server)

    @server.request(types.TEXT_DOCUMENT_HOVER)
    def hover_over(ls: EditorServer, at: Located, params: types.HoverParams) -> types.Hover | None:
        from rulewright.editor.features.hover import hover, page_of_code

        found = hover(at.index, at.path, at.line, at.column)
        if found is not None:
            return types.Hover(_markdown(found.text), at.places.range(found.span))
        codes = dict.fromkeys(one.code for one in ls.diagnostics_at(at))
        pages = [page for code in codes if (page := page_of_code(code))]
        return types.Hover(_markdown("\n\n---\n\n".join(pages))) if pages else None

    @server.request(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(ls: EditorServer, at: Located, params: types.PrepareRenameParams) -> types.Range | None:
        from rulewright.editor.features.rename import renamed_span

        span = renamed_span(at.index, at.path, at.line, at.column)
        return None if span is None else at.places.range(span)

    @server.request(types.TEXT_DOCUMENT_RENAME, options=types.RenameOptions(prepare_provider=True))
    def rename_all(ls: EditorServer, at: Located, params: types.RenameParams) -> types.WorkspaceEdit | None:
        from rulewright.editor.features.rename import CannotRename, rename

        try:
            return ls.workspace_edit(rename(at.index, at.path, at.line, at.column, params.new_name))
        except CannotRename as error:
            raise ls.refusal(str(error)) from error


def _register_places(server: EditorServer) -> None:
    @server.request(types.TEXT_DOCUMENT_DEFINITION, [])
    def definition(ls: EditorServer, at: Located, params: types.DefinitionParams) -> list[types.Location]:
        found = at.index.at(at.path, at.line, at.column)
        return _locations(ls, found[1].declarations) if found is not None else []

    @server.request(types.TEXT_DOCUMENT_REFERENCES, [])
    def references(ls: EditorServer, at: Located, params: types.ReferenceParams) -> list[types.Location]:
        from rulewright.editor.features.rename import uses_at

        return _locations(ls, uses_at(at.index, at.path, at.line, at.column, params.context.include_declaration))

    @server.request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, [])
    def highlights(ls: EditorServer, at: Located, params: types.DocumentHighlightParams) -> list[types.DocumentHighlight]:
        found = at.index.at(at.path, at.line, at.column)
        here = at.index.uses_in(at.path, found[1]) if found is not None else ()
        return [types.DocumentHighlight(at.places.range(place.occurrence.span)) for place in here]

    @server.feature(types.WORKSPACE_SYMBOL)
    def symbols_of_project(ls: EditorServer, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        from rulewright.editor.features.outline import items_named

        found: list[types.SymbolInformation] = []
        for index in ls.indexes():
            for place, kind in items_named(index, params.query):
                if location := ls.location(place.occurrence.span):
                    found.append(types.SymbolInformation(location, place.occurrence.name, types.SymbolKind[kind.symbol]))
        return found


def _register_texts(server: EditorServer) -> None:
    @server.request(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, [])
    def symbols(ls: EditorServer, at: Located, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        from rulewright.editor.features.outline import outline_of

        entries = outline_of(at.workspace.reading(at.path), at.index.names(at.path))
        return [_entry(entry, at.places) for entry in entries]

    @server.request(types.TEXT_DOCUMENT_FOLDING_RANGE, [])
    def folding(ls: EditorServer, at: Located, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
        from rulewright.editor.features.outline import folds

        comment = types.FoldingRangeKind.Comment
        return [
            types.FoldingRange(first - 1, last - 1, kind=comment if is_comment else None)
            for first, last, is_comment in folds(at.workspace.reading(at.path))
        ]

    @server.request(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, types.SemanticTokens([]), LEGEND)
    def tokens(ls: EditorServer, at: Located, params: types.SemanticTokensParams) -> types.SemanticTokens:
        return types.SemanticTokens(_encoded(at))

    @server.request(types.TEXT_DOCUMENT_INLAY_HINT, [])
    def hints(ls: EditorServer, at: Located, params: types.InlayHintParams) -> list[types.InlayHint]:
        from rulewright.editor.features.outline import inlay_hints

        found = inlay_hints(at.index, at.path, params.range.start.line + 1, params.range.end.line + 1)
        kind = types.InlayHintKind.Type
        return [types.InlayHint(at.places.position(hint.line, hint.column), hint.text, kind) for hint in found]


def _register_hierarchy(server: EditorServer) -> None:
    """Register the requests about the reach of a change, as the protocol's call hierarchy."""

    @server.request(types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY)
    def prepare(
        ls: EditorServer, at: Located, params: types.CallHierarchyPrepareParams
    ) -> list[types.CallHierarchyItem] | None:
        from rulewright.editor.features.call_hierarchy import item_at

        item = item_at(at.index, at.path, at.line, at.column)
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


def _markdown(text: str) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def _locations(ls: EditorServer, places: Sequence[Place]) -> list[types.Location]:
    return [location for place in places if (location := ls.location(place.occurrence.span)) is not None]


def _entry(entry: OutlineEntry, places: TextPlaces) -> types.DocumentSymbol:
    inside = [_entry(one, places) for one in entry.inside]
    whole, name = places.range(entry.whole), places.range(entry.span)
    return types.DocumentSymbol(entry.name, types.SymbolKind[entry.kind.symbol], whole, name, entry.kind.value, children=inside)


def _encoded(at: Located) -> list[int]:
    """Tokens in protocol encoding: each by its distance from the one before."""
    from rulewright.editor.features.outline import tokens_of

    data: list[int] = []
    line = character = 0
    for token in tokens_of(at.index, at.path):
        place = at.places.range(token.span)
        start = place.start
        flags = sum(1 << MODIFIERS.index(modifier) for modifier in token.modifiers)
        character = 0 if start.line != line else character
        data += [start.line - line, start.character - character]
        data += [place.end.character - start.character, TYPES.index(token.type), flags]
        line, character = start.line, start.character
    return data


def _again(ls: EditorServer, item: types.CallHierarchyItem) -> tuple[Located | None, ReachedItem | None]:
    """The current version of an item shown before; None if it no longer exists."""
    from rulewright.editor.features.call_hierarchy import item_at

    start = item.selection_range.start
    at = ls.located_at(item.uri, start.line, start.character)
    return at, None if at is None else item_at(at.index, at.path, at.line, at.column)


def _shown(ls: EditorServer, item: ReachedItem) -> types.CallHierarchyItem:
    places = ls.places(item.path)
    kind, name = types.SymbolKind[item.kind.symbol], item.path.name
    return types.CallHierarchyItem(
        item.name, kind, uri_of(item.path), places.range(item.whole), places.range(item.span), detail=name
    )
