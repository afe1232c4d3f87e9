"""Reports diagnostics: on standard error for people, in the JSON document for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.input_files import display_path
from rulewright.base.render_diagnostics import render
from rulewright.cli.limits import limits_of_call

from .output import Output

if TYPE_CHECKING:
    from rulewright.cli.documents.common import Errors, Fault


def report(diagnostics: Sequence[Diagnostic], output: Output) -> None:
    """Report the errors that stopped a run: rendered on standard error, or as the JSON document."""
    faults = diagnostics_as_json(d for d in diagnostics if not d.warning)
    document: Errors = {"schema": "rulewright/errors/1", "errors": faults}
    output.document(document)
    say_diagnostics(diagnostics, output)


def say_diagnostics(diagnostics: Iterable[Diagnostic], output: Output) -> None:
    """Render diagnostics on standard error, unless a JSON document lists them."""
    if not output.as_json:
        for diagnostic in diagnostics:
            for parts in render(diagnostic, limits_of_call()):
                output.say(*parts)


def diagnostics_as_json(diagnostics: Iterable[Diagnostic]) -> list[Fault]:
    """Diagnostics for scripts; an unknown place or hint is null."""
    return [_as_json(diagnostic) for diagnostic in diagnostics]


def _as_json(diagnostic: Diagnostic) -> Fault:
    span = diagnostic.span if diagnostic.span is not None and diagnostic.span.line > 0 else None
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "file": display_path(span.source) if span else None,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "hint": diagnostic.help or None,
    }
