"""A topological order of modules by `extends`, independent of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import frozen
from rulewright.grammar.tree.modules import Module


@frozen
class Family:
    """Modules in linking order (each after all that it extends), with the transitive closure of `extends`."""

    modules: tuple[Module, ...]
    ancestors: Mapping[str, frozenset[str]]
    limits: Limits = DEFAULT_LIMITS

    def related(self, one: str, other: str) -> bool:
        """Whether one module extends the other, directly or indirectly."""
        return one in self.ancestors[other] or other in self.ancestors[one]

    def name_of(self, source: str) -> str:
        """The name of the module in a file."""
        return next((m.header.name for m in self.modules if m.header.span.source == source), "")


def order(modules: Mapping[str, Module], sink: Sink) -> Family:
    """Sort modules so that each comes after what it extends, ties by name. Reports RW100 and RW101."""
    extends = {name: [n for n, _ in module.header.extends] for name, module in modules.items()}
    for module in modules.values():
        for name, span in module.header.extends:
            if name not in modules:
                sink.error("RW100", f"there is no module `{name}`", span, help=suggest(name, set(modules)))
    sink.stop()
    ancestors: dict[str, frozenset[str]] = {}
    ordered: list[Module] = []
    waiting = sorted(modules)
    while waiting:
        ready = [n for n in waiting if all(e in ancestors for e in extends[n])]
        if not ready:
            _report_cycle(modules, extends, waiting, sink)
            sink.stop()
        name = ready[0]
        waiting.remove(name)
        ancestors[name] = frozenset(extends[name]).union(*(ancestors[e] for e in extends[name]))
        ordered.append(modules[name])
    return Family(tuple(ordered), ancestors)


def _report_cycle(modules: Mapping[str, Module], extends: Mapping[str, list[str]], waiting: list[str], sink: Sink) -> None:
    path = [waiting[0]]
    while path.count(path[-1]) == 1:
        path.append(next(e for e in extends[path[-1]] if e in waiting))
    cycle = path[path.index(path[-1]) :]
    places = [span for name, other in pairwise(cycle)
              for e, span in modules[name].header.extends if e == other]  # fmt: skip
    sink.error(
        "RW101",
        "these modules extend each other: " + " -> ".join(f"`{n}`" for n in cycle),
        places[0],
        *(Label(span, "and here") for span in places[1:]),
        help="remove one `extends`, or move the shared items to a third module",
    )
