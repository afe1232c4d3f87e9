"""Expands phases: where the flow runs a phase by name, a point of that name replaces it."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Label, Sink
from rulewright.base.records import define
from rulewright.grammar.tree import statements

from .flow_edits import Body, with_bodies
from .rulebook import Rulebook

MOST_PHASES = 1_000
"""Most runs of phases, each of which is expanded."""


def write_out_phases(book: Rulebook, sink: Sink) -> None:
    """Replace each run of a phase by a point. Reports RW150 (given values), RW151 (a cycle) and RW252 (too large)."""
    if book.flow is not None:
        book.flow = evolve(book.flow, body=_Writer(book, sink).over(book.flow.body, ()))


@define
class _Writer:
    book: Rulebook
    sink: Sink
    written: int = 0

    def over(self, body: Body, above: tuple[str, ...]) -> Body:
        """A body with its runs of phases expanded; `above` are the enclosing phases."""

        def inside(body: Body) -> Body:
            return self.over(body, above)

        return tuple(self._run(n, above) if isinstance(n, statements.Run) else with_bodies(n, inside) for n in body)

    def _run(self, run: statements.Run, above: tuple[str, ...]) -> statements.FlowStatement:
        phase = self.book.phases.get(run.procedure)
        if phase is None:
            return run
        self.written += 1
        if run.arguments:
            declared = Label(phase.span, "declared here")
            help = "use a state variable instead"
            self.sink.error("RW150", f"the phase `{phase.name}` takes no arguments", run.span, declared, help=help)
        elif phase.name in above:
            cycle = " -> ".join(f"`{name}`" for name in (*above[above.index(phase.name) :], phase.name))
            help = "use `repeat` to run it again"
            self.sink.error("RW151", f"the phase `{phase.name}` runs itself: {cycle}", run.span, help=help)
            self.sink.stop()
        elif self.written > MOST_PHASES:
            message = "the phases grow too large when they are expanded"
            self.sink.error("RW252", message, run.span, help="reduce the number of times that phases run each other")
            self.sink.stop()
        return statements.Point(phase.name, self.over(phase.body, (*above, phase.name)), span=run.span)
