"""Requests that help write or change a text: completion, signatures, formatting, quick fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from rulewright.base.diagnostics import RulesError
from rulewright.editor.texts.symbols import NameKind

from .commands import EXPLAIN
from .convert import diagnostic_of
from .editor_server import EditorServer, Located

if TYPE_CHECKING:
    from rulewright.editor.features.completion import Completion
    from rulewright.editor.features.quick_fixes import QuickFix

COMPLETION_KINDS = {kind.value: kind.completion for kind in NameKind} | {
    "keyword": "Keyword",
    "snippet": "Snippet",
    "function": "Function",
}

MOST_COMPLETIONS = 30
"""The maximum number of completions shown at once."""


def register(server: EditorServer) -> None:
    """Register these requests."""

    @server.request(types.TEXT_DOCUMENT_COMPLETION, [], types.CompletionOptions([".", " "], resolve_provider=True))
    def complete(ls: EditorServer, at: Located, params: types.CompletionParams) -> types.CompletionList:
        """The likeliest. If there are more, the editor asks again with the next letter."""
        from rulewright.editor.features.completion import completions

        found = completions(at.index, at.path, at.offset)
        items = [_item(completion, at, number) for number, completion in enumerate(found[:MOST_COMPLETIONS])]
        return types.CompletionList(len(found) > MOST_COMPLETIONS, items)

    @server.feature(types.COMPLETION_ITEM_RESOLVE)
    def resolve(ls: EditorServer, item: types.CompletionItem) -> types.CompletionItem:
        """The documentation of one completion, when the user selects it."""
        from rulewright.editor.features.completion import completions, documentation

        if (at := ls.located_again(item.data)) is not None:
            for completion in completions(at.index, at.path, at.offset):
                if completion.label == item.label and (text := documentation(at.index, completion)):
                    item.documentation = types.MarkupContent(types.MarkupKind.Markdown, text)
                    break
        return item

    @server.request(types.TEXT_DOCUMENT_SIGNATURE_HELP, options=types.SignatureHelpOptions(["(", ","]))
    def signatures(ls: EditorServer, at: Located, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        from rulewright.editor.features.signature_help import signature_help

        found = signature_help(at.index, at.path, at.offset)
        if found is None:
            return None
        shown = [
            types.SignatureInformation(
                one.label, one.about or None, [types.ParameterInformation(parameter) for parameter in one.parameters]
            )
            for one in found.signatures
        ]
        return types.SignatureHelp(shown, 0, found.active)

    @server.request(types.TEXT_DOCUMENT_FORMATTING)
    def format_document(ls: EditorServer, at: Located, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
        return _formatted(at)

    @server.request(types.TEXT_DOCUMENT_ON_TYPE_FORMATTING, options=types.DocumentOnTypeFormattingOptions("\n"))
    def format_on_type(
        ls: EditorServer, at: Located, params: types.DocumentOnTypeFormattingParams
    ) -> list[types.TextEdit] | None:
        from rulewright.editor.features.on_type_formatting import format_above

        return [at.places.edit(span, new) for span, new in format_above(at.workspace, at.path, at.line)]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION)
    async def code_actions(ls: EditorServer, params: types.CodeActionParams) -> list[types.CodeAction]:
        """Quick fixes for the latest text; waits for a check in progress."""
        from rulewright.editor.features.quick_fixes import quick_fixes

        if (at := ls.located_at(params.text_document.uri)) is None:
            return []
        await ls.queue_of(at.path).checked(at.path)
        if (at := ls.located_at(params.text_document.uri)) is None:
            return []
        first, last = params.range.start.line + 1, params.range.end.line + 1
        known = ls.queue_of(at.path).published.get(at.path, ())
        return [_action(ls, at, fix) for fix in quick_fixes(at.index, at.path, known, first, last)]


def _item(completion: Completion, at: Located, number: int) -> types.CompletionItem:
    return types.CompletionItem(
        completion.label,
        kind=types.CompletionItemKind[COMPLETION_KINDS.get(completion.kind, "EnumMember")],
        detail=completion.detail or None,
        sort_text=f"{number:02}",
        insert_text=completion.text or None,
        insert_text_format=types.InsertTextFormat.Snippet if completion.is_snippet else None,
        data=at.as_data if completion.declared_at is not None or completion.kind == "function" else None,
    )


def _formatted(at: Located) -> list[types.TextEdit] | None:
    """The edit that formats a text; None if it cannot be read, since its layout is then unknown."""
    from rulewright.grammar.formatter import FormattingError, format_text

    text = at.workspace.text(at.path)
    try:
        formatted = format_text(text, str(at.path), at.workspace.limits)
    except (RulesError, FormattingError):
        return None
    return [] if formatted == text else [at.places.rewritten(formatted)]


def _action(ls: EditorServer, at: Located, fix: QuickFix) -> types.CodeAction:
    about = [diagnostic_of(fix.about, at.places, ())] if fix.about is not None else None
    if fix.explains:
        command = types.Command(fix.title, EXPLAIN, arguments=[fix.explains])
        return types.CodeAction(fix.title, types.CodeActionKind.QuickFix, about, command=command)
    edit = ls.workspace_edit(fix.edits)
    return types.CodeAction(fix.title, types.CodeActionKind.QuickFix, about, fix.is_preferred or None, edit=edit)
