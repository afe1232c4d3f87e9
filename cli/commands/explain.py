"""`rulewright explain`: the meaning of an error code."""

from __future__ import annotations

from rulewright.base.diagnostics import usage_error
from rulewright.base.styled_text import Style, Styled
from rulewright.cli.documents.rules import Codes, Explain
from rulewright.cli.views.output import Exit, Output
from rulewright.grammar.explain import explanation, titles


def explain_code(code: str, output: Output) -> int:
    """Print the page of a code in any spelling: `RW012`, `rw12`, `12`."""
    number = code.upper().removeprefix("RW")
    wanted = f"RW{number:0>3}"
    if wanted not in titles():
        raise usage_error(f"there is no code `{code}`", "`rulewright explain --list` shows all codes")
    found = explanation(wanted)
    output.document(Explain, found, code=wanted)
    output.line(Styled(f"{wanted}: {found.title}", Style.STRONG))
    output.line()
    for text in found.page.rstrip().split("\n"):
        output.line(Styled(text, Style.FAINT if text.startswith("```") else Style.PLAIN))
    return Exit.YES


def list_codes(output: Output) -> int:
    """Print every code with its title."""
    output.document(Codes, codes=[{"code": code, "title": title} for code, title in titles().items()])
    for code, title in titles().items():
        output.line(Styled(code, Style.NOTE), f"  {title}")
    return Exit.YES
