"""Reports diagnostics: on standard error for people, in the JSON document for scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.render_diagnostics import render
from rulewright.cli.documents.common import Errors
from rulewright.cli.limits import limits_of_call

from .output import Output


def report(diagnostics: Sequence[Diagnostic], output: Output) -> None:
    """Report the errors that stopped a run: rendered on standard error, or as the JSON document."""
    output.document(Errors, errors=[one for one in diagnostics if not one.warning])
    say_diagnostics(diagnostics, output)


def say_diagnostics(diagnostics: Iterable[Diagnostic], output: Output) -> None:
    """Render diagnostics on standard error, unless a JSON document lists them."""
    if not output.as_json:
        for diagnostic in diagnostics:
            for parts in render(diagnostic, limits_of_call()):
                output.say(*parts)
