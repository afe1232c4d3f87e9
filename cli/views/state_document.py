"""A state for scripts: standings, the course of a game, the history of a value; loaded where a document is made."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.cli.documents.common import Origin
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.positions import Course, PlayerStanding, Standings, Written
from rulewright.puzzles.plan_replay import Ply
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.history import Entry, entry_in_words
from rulewright.rules.play.scores import standings
from rulewright.rules.play.visibility import Viewer


def standings_of(engine: Engine, state: State) -> Standings:
    """`standings`, a list for scripts; empty for games without players' scores and a winner."""
    found = [document_of(PlayerStanding, one, **({"rank": one.rank} if one.rank else {})) for one in standings(engine, state)]
    return {"standings": found} if found else {}


def course_of(engine: Engine, state: State, plies: Sequence[Ply]) -> Course:
    """The plies of a game that led to a state, and the state's result, for scripts."""
    score = engine.score(state)
    result = {"over": engine.over(state), "score": score, "rank": engine.rank(score) or None}
    return document_of(Course, **result, **standings_of(engine, state), actions=plies)


def change_of(engine: Engine, state: State, viewer: Viewer, entry: Entry) -> Written:
    """A change for scripts; `state` is the last one."""
    return {**entry_in_words(engine, state, viewer, entry), **document_of(Origin, entry.write)}
