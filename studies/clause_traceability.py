"""Traceability of a module: rulebook clauses to the rules that cite them, rules to the puzzles and games that cover them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within
from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree import modules as tree
from rulewright.grammar.tree import statements
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, replay_saved_game
from rulewright.rules.clauses.citations import Citations, Entry, catalogues_for
from rulewright.rules.clauses.clause_text import Clause, clauses_of
from rulewright.rules.linking.project import SHIPPED, Combination, Project
from rulewright.rules.merging.edit_conflicts import Place
from rulewright.rules.merging.rulebook import ItemKind, Key
from rulewright.rules.model.state import State
from rulewright.rules.play.coverage import ClauseKey, Coverage, CoverageEngine
from rulewright.rules.play.move_notation import parse_move

from .evidence import Evidence, EvidenceFinder
from .known_gaps import Analysis, known_gaps

# Rule coverage --------------------------------------------------------------------------------------------------------
# The clauses of the rules that a puzzle or a saved game exercises.


MOST_LINES = 1000
"""The most lines of play of a length that are followed. The reference engine, which counts what is covered, takes 29 ms for a
line of draughts: 7,361 of them took 212 s of processor time."""


def coverage_of(evidence: Evidence, catalogue: Catalogue) -> Coverage:
    """The coverage of a puzzle or a saved game. Raises `RulesError` if it cannot be played."""
    match evidence.content:
        case Puzzle() as puzzle:
            return _puzzle(puzzle, evidence, catalogue)
        case play:
            return _play(play, catalogue)


def _puzzle(puzzle: Puzzle, evidence: Evidence, catalogue: Catalogue) -> Coverage:
    """The coverage of the position, of its successors, and of its plans up to their first illegal action."""
    position = catalogue.set_up(puzzle, evidence.path)
    observer = CoverageEngine(position.engine)
    counts = puzzle.positions.counts if puzzle.positions else ()
    plies = max(1, sum(count <= MOST_LINES for count in counts) - 1)
    observer.look(position.state)
    _cover_successors(observer, position.state, plies)
    for plan in puzzle.plans:
        _follow(observer, position.state, plan.actions, observer.look)
    return observer.shown


def _cover_successors(observer: CoverageEngine, state: State, plies: int) -> None:
    """Cover the successors of a position to a depth in plies."""
    for move in observer.engine.legal(state) if plies else ():
        following = observer.act(state, move)
        observer.glance(following)
        _cover_successors(observer, following, plies - 1)


def _play(play: SavedGame, catalogue: Catalogue) -> Coverage:
    engine, state = begin_saved_game(play, catalogue)
    replay_saved_game(play, engine, state)
    observer = CoverageEngine(engine)
    if not play.begun:
        observer.start(play.seed)
    _follow(observer, state, [action.text for action in play.actions], observer.glance)
    return observer.shown


def _follow(observer: CoverageEngine, state: State, actions: Sequence[str], look: Callable[[State], None]) -> None:
    """Cover successive actions, up to the first illegal one."""
    look(state)
    for text in actions:
        try:
            move = parse_move(observer.engine, state, text)
        except RulesError:
            return
        state = observer.act(state, move)
        look(state)


# Traceability of a module ---------------------------------------------------------------------------------------------


NOT_CARRIED, CITES_NOTHING, NEVER_FAILED, NEVER_APPLIED = "not_carried", "cites_nothing", "never_failed", "never_applied"
KINDS = {
    NOT_CARRIED: "clauses of the rulebook that no rule cites",
    CITES_NOTHING: "rules that cite nothing",
    NEVER_FAILED: "requirements that never failed",
    NEVER_APPLIED: "exceptions that never applied",
}
"""The kinds of gaps, with their headings."""


@frozen
class Gap:
    """A gap; `reason` is empty if none is known. `clause` is None for a rulebook clause that no rule cites."""

    kind: str
    name: str
    clause: Clause | None = None
    entry: Entry | None = None
    reason: str = ""


@frozen
class Row:
    """An entry of the catalogue with the rules that cite it and the evidence that covers one of them."""

    entry: Entry
    clauses: tuple[Clause, ...]
    shown_by: tuple[str, ...]


@define
class Trace:
    """The traces of one module. `found` are its puzzles and saved games with their coverage."""

    module: str
    project: Project
    found: Sequence[tuple[Evidence, Coverage]] = field(repr=False)

    @cached_property
    def path(self) -> Path:
        return self.project.texts.find(self.module)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Every clause of the module and the modules it extends, after its changes."""
        return clauses_of(self._combination.book, self._combination.family)

    @cached_property
    def _combination(self) -> Combination:
        return self.project.combine(self.path)

    @cached_property
    def own(self) -> tuple[Clause, ...]:
        """The clauses that the module changed last, and all clauses of items it declares."""
        heads = {clause.place.key for clause in self.clauses if not clause.place.path and clause.module == self.module}
        based = {Key(ItemKind.ACTION, name) for name, action in self._combination.book.actions.items() if action.base}
        own = (c for c in self.clauses if c.place.key not in based)
        return tuple(c for c in own if c.module == self.module or c.place.key in heads)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The entries of the rulebook catalogues beside and above the module."""
        return catalogues_for(self.path, SHIPPED if is_within(self.path, SHIPPED) else self.project.folder)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The catalogue entries that the module has to implement."""
        return tuple(self._row(entry) for entry in self.entries.values() if self.module in entry.modules)

    @cached_property
    def known(self) -> Mapping[str, str]:
        """The known gaps with their reasons."""
        return known_gaps(self.project, self.module, Analysis.TRACEABILITY)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """All gaps, with and without a reason."""
        return tuple(self._gaps())

    @property
    def unexplained(self) -> tuple[Gap, ...]:
        return tuple(gap for gap in self.gaps if not gap.reason)

    @property
    def outdated(self) -> tuple[str, ...]:
        """The known gaps that no longer exist."""
        return tuple(sorted(set(self.known) - {gap.name for gap in self.gaps}))

    @cached_property
    def shown(self) -> Coverage:
        """The coverage of all evidence together."""
        return reduce(or_, (shown for _, shown in self.found), Coverage())

    def _row(self, entry: Entry) -> Row:
        """The row of an entry. Any play covers what a module cites as a whole."""
        citing = tuple(clause for clause in self.clauses if clause.cite == entry.name)
        if any(module.header.cite == entry.name for module in self._combination.family.modules):
            return Row(entry, citing, tuple(evidence.name for evidence, _ in self.found))
        return Row(entry, citing, self.shown_by(*citing))

    def shown_by(self, *clauses: Clause) -> tuple[str, ...]:
        """The names of the puzzles and saved games that cover one of some clauses."""
        said = {said for clause in clauses for said in self._coverage_keys(clause)}
        return tuple(evidence.name for evidence, shown in self.found if said & shown.all)

    def _coverage_keys(self, clause: Clause) -> set[ClauseKey]:
        """The keys of a clause in coverage; a procedure or `whenever` is covered by any of its statements."""
        if clause.place.key.kind in (ItemKind.RANK, ItemKind.WINNER):
            return {(clause.place.key.kind.value, "")}
        if clause.place.key.kind is ItemKind.PHASE:
            return {(f"phase {clause.place.key.name}", "")}
        if clause.place.key.kind in (ItemKind.PROCEDURE, ItemKind.WHENEVER) and not clause.place.path:
            return {coverage_key(other) for other in self.clauses if other.place.key == clause.place.key}
        return {coverage_key(clause)}

    def _gaps(self) -> Iterator[Gap]:
        modules = frozenset(module.header.name for module in self._combination.family.modules)
        cited = {clause.cite for clause in self.clauses} | {module.header.cite for module in self._combination.family.modules}
        citations = Citations(self.entries, frozenset(cited), modules)
        for row in self.rows:
            if not citations.carry(row.entry.name):
                yield self._gap(NOT_CARRIED, row.entry.name, entry=row.entry)
        if self.rows:
            yield from (self._gap(CITES_NOTHING, clause.name, clause) for clause in self.own if self._cites_nothing(clause))
        failed, applied = (
            [clause for clause in self.own if isinstance(clause.part, kind)] for kind in (tree.Requirement, tree.Case)
        )
        yield from (self._gap(NEVER_FAILED, c.name, c) for c in failed if coverage_key(c) not in self.shown.failed)
        yield from (self._gap(NEVER_APPLIED, c.name, c) for c in applied if coverage_key(c) not in self.shown.applied)

    def _gap(self, kind: str, name: str, clause: Clause | None = None, entry: Entry | None = None) -> Gap:
        return Gap(kind, name, clause, entry, self.known.get(name, ""))

    @cached_property
    def _heads(self) -> Mapping[Place, Clause]:
        return {clause.place: clause for clause in self.clauses}

    def _cites_nothing(self, clause: Clause) -> bool:
        """Whether neither a clause that can cite the rulebook nor its item does so."""
        if clause.cite or not isinstance(clause.part, CITING):
            return False
        head = self._heads.get(Place(clause.place.key))
        return head is None or not head.cite


CITING = (
    tree.Define | tree.Action | tree.Procedure | tree.Whenever | tree.Phase | tree.Rule | tree.Score | tree.Rank | tree.Winner
    | tree.Invariant | tree.Pattern | tree.Pieces | tree.Case | tree.Requirement | tree.Effect | statements.Labelled
)  # fmt: skip
"""The nodes that can cite a clause of a rulebook."""

WITNESSED = (
    tree.Define | tree.Action | tree.Procedure | tree.Whenever | tree.Rule | tree.Score | tree.Rank | tree.Winner
    | tree.Case | tree.Requirement | tree.Effect | statements.Labelled
)  # fmt: skip
"""The nodes that coverage can record; mere declarations have no effect to record."""


def coverage_key(clause: Clause) -> ClauseKey:
    """The key of a clause in coverage."""
    return clause.name.replace("#", ""), clause.module


def traces(modules: Sequence[str], finder: EvidenceFinder, files: Sequence[Path] = ()) -> Iterator[Trace]:
    """The trace of each module. Evidence that cannot be played is left out and added to the finder's faults."""
    shown: dict[Path, Coverage] = {}
    for module in modules:
        found = list(finder.of(module, files))
        for evidence in found:
            if evidence.path not in shown:
                shown[evidence.path] = _shown(evidence, finder)
        yield Trace(module, finder.project, [(evidence, shown[evidence.path]) for evidence in found])


def _shown(evidence: Evidence, finder: EvidenceFinder) -> Coverage:
    try:
        return coverage_of(evidence, finder.catalogue)
    except RulesError as error:
        finder.faults += error.diagnostics
        return Coverage()
