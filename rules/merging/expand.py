"""Writes out what is short for something else, before names are resolved: rules, scores that rules read, pieces, phases,
`once per turn`, and runs with arguments."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import define, evolve
from rulewright.grammar.printing.print_statements import print_statement
from rulewright.grammar.tree import expressions, modules, statements
from rulewright.grammar.tree.traversal import nodes_in

from .flow_edits import Body, statements_of, with_bodies
from .records import expand_records
from .rulebook import ItemKind, Rulebook, Trait


def expand_rules(book: Rulebook, _: Sink) -> None:
    """Give every rule a definition of its name."""
    for name, rule in book.rules.items():
        conditions = tuple(requirement.condition for requirement in rule.requirements)
        whole: expressions.Expression = expressions.TruthLiteral(True, span=rule.span)
        if conditions:
            whole = expressions.And(conditions, span=rule.span)
        book.defines[name] = modules.Define(
            name, rule.parameters, whole, text=rule.text, cite=rule.cite, requirements=rule.requirements, span=rule.span
        )


MOST_PHASES = 1_000
"""Most runs of phases, each of which is expanded."""


def expand_pieces(book: Rulebook, _: Sink) -> None:
    """Give every set of pieces a tile set of its kinds."""
    for name, pieces in book.pieces.items():
        lines = tuple(modules.TileLine(line.name, line.count, span=line.span) for line in pieces.lines)
        book.tiles[name] = modules.Tiles(name, lines, span=pieces.span)


def expand_phases(book: Rulebook, sink: Sink) -> None:
    """Replace each run of a phase by a point. Reports RW150 (given values), RW151 (a cycle) and RW252 (too large)."""
    if book.flow is not None:
        book.flow = evolve(book.flow, body=_Phases(book, sink).over(book.flow.body, ()))


@define
class _Phases:
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


def expand_once(book: Rulebook, sink: Sink) -> None:
    """Turn `once per turn` into a state variable for this turn, a requirement and an effect. Reports RW105."""
    for name, action in list(book.actions.items()):
        if not action.once or action.base or book.flow is None:
            continue
        points = {node.name for node in statements_of(book.flow.body) if isinstance(node, statements.Point)}
        if action.once not in points:
            message = f"invalid `once per {action.once}` in `{name}`: the flow has no `{action.once}`"
            sink.error("RW105", message, action.span, help=suggest(action.once, points, "name a point of the flow, or a phase"))
            continue
        flag, span = f"{name}_done", action.span
        fresh, done = expressions.Not(expressions.Name(flag, span=span), span=span), expressions.TruthLiteral(True, span=span)
        book.state[flag] = modules.StateLine(flag, "", modules.TruthType(span=span), scope=action.once, span=span)
        message = f"`{name}` has already been done in this {action.once}"
        book.actions[name] = evolve(
            action,
            requirements=(*action.requirements, modules.Requirement("once", fresh, message, span=span)),
            effects=(*action.effects, modules.Effect(_assign(flag, done), span=span)),
        )


def _assign(name: str, value: expressions.Expression) -> statements.Labelled:
    target = expressions.Name(name, span=value.span)
    return statements.Labelled(
        "once", statements.Assign(target, statements.Assignment.SET, value, span=value.span), span=value.span
    )


def expand_runs(book: Rulebook, _: Sink) -> None:
    """Add a procedure without parameters for every run in the flow that gives values, or omits those that it takes."""

    def over(body: Body) -> Body:
        return tuple(run(node) if isinstance(node, statements.Run) else with_bodies(node, over) for node in body)

    def run(node: statements.Run) -> statements.Run:
        known = book.procedures.get(node.procedure)
        if not node.arguments and (known is None or not known.parameters):
            return node
        do = statements.Do(node.procedure, node.arguments, span=node.span)
        name = print_statement(do)
        book.procedures[name] = modules.Procedure(name, (statements.Labelled("", do, span=node.span),), span=node.span)
        return statements.Run(name, span=node.span)

    if book.flow is not None:
        book.flow = evolve(book.flow, body=over(book.flow.body))


_PLAYER = "player"

ALL = "score"
"""The name of the sum of all scores."""


def score_definition(score: str) -> str:
    """The name of the definition of a player's score; no text can contain it."""
    return f"{score} of player"


def total_definition(score: str) -> str:
    """The name of the definition of a score's contribution to the game's score; no text can contain it."""
    return f"score {score}"


def expand_scores(book: Rulebook, _: Sink) -> None:
    """Add a definition for every score that definitions, actions, procedures or the flow read.

    A name that also denotes something else, or that is bound anywhere, does not count as a score.
    """
    own = ((name, score) for name, score in book.scores.items() if score.index == _PLAYER)
    of_player = {name: score for name, score in own if name not in book.state}
    if not book.scores:
        return
    named = {name: _total(score) for name, score in book.scores.items()}
    named.setdefault(ALL, _sum_of([*named.values()]))
    for name in _otherwise_called(book):
        named.pop(name, None)
    # A score that is read becomes a definition too, and may read further scores.
    pending: list[object] = [book.defines, book.actions, book.procedures, book.whenevers, book.flow, book.patterns]
    names, owned = names_in(book.invariants)[0], list[str]()  # invariants resolve the scores of players themselves
    while True:
        found = [_defined(book, of_player.pop(name), score_definition(name)) for name in owned if name in of_player]
        found += [_defined(book, named.pop(name), total_definition(name)) for name in names if name in named]
        pending += found
        if not pending:
            return
        names, owned = names_in(pending.pop())


def _defined(book: Rulebook, score: modules.Score, name: str) -> expressions.Expression:
    everyone = expressions.Name("players", span=score.span)
    parameters = (modules.Parameter(_PLAYER, everyone, span=score.span),) if score.index else ()
    book.defines[name] = modules.Define(name, parameters, score.value, cite=score.cite, span=score.span)
    return score.value


def _total(score: modules.Score) -> modules.Score:
    """A score's contribution to the game's score; a per-player score is summed."""
    if score.index != _PLAYER:
        return score
    span = score.span
    of_one = expressions.Subscript(score.name, expressions.Name(_PLAYER, span=span), span=span)
    everyone = expressions.Binder(_PLAYER, expressions.Name("players", span=span), span=span)
    total = expressions.Sum(of_one, everyone, span=span)
    return modules.Score(score.name, total, cite=score.cite, span=span)


def _sum_of(scores: list[modules.Score]) -> modules.Score:
    """The score of the game."""
    first, *others = scores
    rest = tuple((expressions.Operator.PLUS, other.value) for other in others)
    return modules.Score(
        ALL, expressions.Arithmetic(first.value, rest, span=first.span) if rest else first.value, span=first.span
    )


def _otherwise_called(book: Rulebook) -> set[str]:
    """The names of other things than scores, and those that are bound anywhere."""
    found = {name for kind in ItemKind.all_that(Trait.CALLED) for name in book.named[kind]} | {word for _, word in book.members}
    found |= {line.name for tiles in book.tiles.values() for line in tiles.lines}
    found |= {line.name for pieces in book.pieces.values() for line in pieces.lines}
    for node in nodes_in([*book.named.values(), book.flow]):
        match node:
            case (
                expressions.Binder(name) | expressions.Let(name) | statements.Let(name) | modules.Parameter(name)
                | statements.Each(name) | expressions.Closure(origin=name)
            ):  # fmt: skip
                found.add(name)
    return found


def names_in(items: object) -> tuple[list[str], list[str]]:
    """Every name that stands alone, and every name before `of`."""
    nodes = nodes_in(items)
    alone = {node.text: None for node in nodes if isinstance(node, expressions.Name)}
    owned = {node.name: None for node in nodes if isinstance(node, expressions.Subscript)}
    return [*alone], [*owned]


PASSES: tuple[Callable[[Rulebook, Sink], None], ...] = (
    *(expand_rules, expand_scores, expand_pieces, expand_phases, expand_once, expand_records, expand_runs),
)
"""In this order: a later one may read what an earlier one has written."""
