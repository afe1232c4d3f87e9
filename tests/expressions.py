"""Single expressions as trees, which the product reads only inside of modules and puzzles."""

from __future__ import annotations

from rulewright.base.diagnostics import Sink
from rulewright.base.limits import DEFAULT_LIMITS
from rulewright.grammar.parsing.assemble_modules import ModuleAssembler
from rulewright.grammar.parsing.line_kinds import LineKind
from rulewright.grammar.parsing.lines import LogicalLine, read_source
from rulewright.grammar.parsing.read_modules import ModuleBuilder
from rulewright.grammar.tree.expressions import Expression


def parse_expression(text: str, source: str) -> Expression:
    """The tree of an expression. Raises `RulesError`."""
    sink, limits = Sink(), DEFAULT_LIMITS
    code = read_source(text, source, sink, limits, 1)
    sink.stop()
    assert code is not None
    start = len(code.code) - len(code.code.lstrip())
    line = LogicalLine(start, max(start, len(code.code.rstrip())), 0, False)
    found: Expression = ModuleAssembler(code, sink, limits, ModuleBuilder(code, sink, limits)).read(line, LineKind.EXPRESSION)
    sink.stop()
    return found
