"""Every static check of a module: linking, the checks of the whole game, and exceptions that can apply at once.

Overlapping exceptions are sought by playouts first, then by search, which also gives a position that shows the overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from rulewright.base.diagnostics import Diagnostic, RulesError, Sink
from rulewright.base.records import evolve, frozen
from rulewright.rules.model.game import ExpectedWarning, Game
from rulewright.rules.semantics.cost_bounds import estimated_parts
from rulewright.rules.static.borders import sample_instance
from rulewright.rules.static.exception_overlap import CandidateOverlap, OverlapWitness, candidate_overlaps, report_overlaps
from rulewright.rules.static.expectations import Expectations
from rulewright.rules.static.nowhere_distances import check_distances
from rulewright.rules.static.static_checks import check_game, check_set_up

NEED, NO_FLOW = "RW109", "RW130"
SHORT = 600
"""Rules with fewer parts than this are not compiled to check the length of their code. Measured: a part takes 40
characters, in deep nests 320."""

FOUND_IN_PLAY = frozenset({"RW266", "RW267", "RW271"})
"""The codes of warnings that need playouts."""


class OverlapSearch(Enum):
    """Parameters of the search for exceptions that can apply at once."""

    NONE = "none"
    PLAYOUTS = "playouts"
    PLAYOUTS_AND_STATES = "playouts and all states"


@frozen
class RuleFindings:
    """The diagnostics of a game; `positions` are puzzles, as text, in which exceptions overlap.

    `expected` are the warnings left out because the rules expect them.
    """

    diagnostics: tuple[Diagnostic, ...]
    positions: tuple[str, ...] = ()
    expected: tuple[ExpectedWarning, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(diagnostic for diagnostic in self.diagnostics if not diagnostic.warning)


def check_rules(
    load: Callable[[], Game],
    load_part: Callable[[], Game] | None = None,
    search: OverlapSearch = OverlapSearch.PLAYOUTS_AND_STATES,
) -> RuleFindings:
    """Check a game. If only needs are unmet, and `load_part` links the modules as part of a game, only names and types are
    checked.

    Without a search for overlaps, the findings omit all that is found in play (overlaps, distances to nowhere, errors of the
    set-up), expected warnings of these, and the length of compiled code.
    Raises `RulesError` if the rules do not link.
    """
    try:
        game = load()
    except RulesError as error:
        if load_part is None:
            raise
        return _check_part(error, load_part)
    expected = Expectations(game)
    sink = check_game(game, expected)
    if not sink.errors and search is not OverlapSearch.NONE:
        _write_out(game, sink)
        check_set_up(game, sink)
        if not sink.errors:
            check_distances(game, expected, sink)
    undecided = () if sink.errors or search is OverlapSearch.NONE else candidate_overlaps(game)
    found = _overlaps(game, undecided, search) if undecided else []
    report_overlaps(undecided, found, expected, sink)
    if not sink.errors:
        expected.report_unmet(sink, FOUND_IN_PLAY if search is OverlapSearch.NONE else frozenset())
    return RuleFindings(tuple(sink), tuple(map(_as_puzzle, found)), tuple(expected.met))


def _write_out(game: Game, sink: Sink) -> None:
    """Report RW252 if the game's compiled code would be too long. Unless the game is short, only generating it shows the
    length."""
    if estimated_parts(sample_instance(game, game.players.low)) <= SHORT:
        return
    from rulewright.rules.play.engine import Engine

    try:
        Engine.of(game, game.players.low).compile()
    except RulesError as error:
        sink.diagnostics += error.diagnostics


def _check_part(error: RulesError, load_part: Callable[[], Game]) -> RuleFindings:
    """Check part of a game. A missing flow is only a warning."""
    if all(diagnostic.code == NEED for diagnostic in error.diagnostics):
        try:
            load_part()
            return RuleFindings(())
        except RulesError as raised:
            error = raised
    if any(diagnostic.code != NO_FLOW for diagnostic in error.diagnostics):
        raise error
    message = "only a part of a game: it has no `flow`"
    return RuleFindings(tuple(evolve(diagnostic, message=message, warning=True) for diagnostic in error.diagnostics))


def _overlaps(game: Game, undecided: Sequence[CandidateOverlap], search: OverlapSearch) -> list[OverlapWitness]:
    from rulewright.rules.static.overlap_search import search_by_playouts, search_by_states

    found = list(search_by_playouts(game, undecided))
    left = [suspect for suspect in undecided if all(clash.suspect is not suspect for clash in found)]
    if left and search is OverlapSearch.PLAYOUTS_AND_STATES:
        found += search_by_states(game, left)
    return found


def _as_puzzle(clash: OverlapWitness) -> str:
    """The text of a puzzle whose position shows the overlap."""
    from rulewright.puzzles.to_text import write_position

    one, other = clash.suspect.one, clash.suspect.other
    name = f"{one.name}_and_{other.name.rpartition('.')[2]}".replace(".", "_")
    text = f"Here the exceptions `{one.name}` and `{other.name}` both apply."
    return write_position(clash.engine, clash.state, name, clash.engine.game.roots, text=text)
