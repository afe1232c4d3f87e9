"""`rulewright studio` and `lsp`: the servers of a page and of an editor."""

from __future__ import annotations

import sys
from pathlib import Path

from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.input_files import display_path
from rulewright.base.styled_text import Style, Styled, escape
from rulewright.cli.documents.rules import Studio
from rulewright.cli.executors import require_extra
from rulewright.cli.views.output import Output


def open_studio(folder: Path, port: int, browser: bool, output: Output) -> None:
    """Serve the page of a folder until an interrupt."""
    require_extra("the studio", "studio", "starlette", "uvicorn", "websockets", "pygls")
    if not folder.is_dir():
        raise file_error(f"there is no folder `{display_path(folder)}`", "create it first, or choose another")
    from rulewright.studio.server.address import listen
    from rulewright.studio.server.studio_app import serve

    root = folder.resolve()
    try:
        listening, address = listen(root, port)
    except OSError as error:
        raise usage_error(f"port {port} is unavailable: {(error.strerror or str(error)).lower()}", "choose another") from None
    output.document(Studio, address, folder=str(root))
    output.line(Styled("studio", Style.STRONG), f" of {escape(display_path(folder))}: open this page in a browser")
    output.line(f"  {address.url}")
    output.line(Styled("the address is a key: whoever has it can write the files of the folder; Ctrl+C ends", Style.FAINT))
    sys.stdout.flush()
    if browser:
        import webbrowser

        webbrowser.open(address.url)
    serve(root, listening, address)


# `rulewright lsp`: the language server --------------------------------------------------------------------------------


def serve() -> None:
    """Serve an editor over standard input and output until it disconnects."""
    require_extra("the language server", "editor", "pygls")
    from rulewright.editor.server.language_server import serve as serve_editor

    serve_editor()
