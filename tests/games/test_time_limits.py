"""docs/time_limits.md: what it names exists, and a puzzle of each row fails if the end of the limit is left out."""

from __future__ import annotations

import re
from functools import cache

import pytest
from attrs import frozen

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.clauses.citations import read_catalogue
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.solver.result import Status
from rulewright.studies.verdicts import check_verdicts
from tests.paths import ROOT
from tests.rules.playing import linked
from tests.solver.asking import searched

CATALOGUE = Catalogue(Project(SHIPPED))
ROW = re.compile(r"^\| (.+) \| `([\w.]+)` \| (.+) \| (.+) \|$", re.MULTILINE)
UNENDED = {"never", "`once per turn`"}
SECONDS = 20.0

AT_THE_END = "procedure forget:\n    last: {}\nchange flow:\n    after turn: forget"

FORGOTTEN = {
    "bp.turn_end.removed": "change end_turn:\n    last: move all discarded to draw",
    "cs.cards.permanent": "change room:\n    drop open",
    "cs.gather.store": AT_THE_END.format("move all mat of player to supply"),
    "cs.faq.tower": "change room:\n    drop walls",
    "cs.castle_cards.two": AT_THE_END.format("move all completed of player to discarded"),
    "cs.solo.six": AT_THE_END.format("move all completed of player to discarded"),
    "cs.challenges.good_boy": AT_THE_END.format("bitten := no"),
    "pp.plan.event": "change reveal_event:\n    last: do resolve_event",
    "pp.move.unspent": "change close_round:\n    last: speed := 0",
    "pp.move.rescue": "change close_round:\n    last: rescued := no",
    "pp.pirates.leave": "change close_round:\n    last: if pirates = gone: pirates := hunting",
}
"""Of what never ends, by clause: rules that end it."""

IN_THE_FLOW = {"ss.turn.own_turn", "pp.plan.silence", "pp.captain.passes"}
"""What never ends since the flow is so: no state keeps it, and tests play it."""


@frozen
class Limit:
    phrase: str
    clause: str
    ended_by: str
    shown_by: tuple[str, ...]

    @property
    def puzzles(self) -> tuple[str, ...]:
        return tuple(name for name in self.shown_by if not name.endswith(".py"))


@cache
def limits() -> tuple[Limit, ...]:
    rows = ROW.findall((ROOT / "docs/time_limits.md").read_text("utf-8"))
    return tuple(Limit(phrase, clause, end, tuple(re.findall(r"`([\w.]+)`", shown))) for phrase, clause, end, shown in rows)


def ended() -> dict[str, tuple[str, ...]]:
    """The puzzles that show the end, by the statement that is the end."""
    found: dict[str, tuple[str, ...]] = {}
    for limit in limits():
        if limit.ended_by not in UNENDED:
            end = limit.ended_by.strip("`")
            found[end] = tuple(dict.fromkeys((*found.get(end, ()), *limit.puzzles)))
    return found


def is_noticed(name: str, change: str, *instead: str) -> bool:
    """Whether a puzzle fails under changed rules: its position, its lines, its answer, or the rules while it is searched.

    The texts `instead` take the places of modules that ship.
    """
    puzzle = CATALOGUE.read(name)
    game = linked(*instead, f"module fault:\n    extends {', '.join(module for module, _ in puzzle.rules)}\n\n{change}\n")
    try:
        position = set_up_position(puzzle, game)
        check_verdicts(position)
        if position.question is None or puzzle.answer is None:
            return False
        result = searched(position.asked, position.state, position.question, SECONDS)
    except RulesError:
        return True
    if result.status not in (Status.OPTIMAL, Status.IMPOSSIBLE):
        return False  # not proved in time
    expected = int(puzzle.answer is Verdict.YES) if isinstance(puzzle.answer, Verdict) else puzzle.answer
    return (0 if result.status is Status.IMPOSSIBLE else result.score) != expected


def test_what_the_table_names_exists() -> None:
    clauses = {entry.name for path in SHIPPED.glob("*/clauses/*.md") for entry in read_catalogue(path)}
    puzzles, tests = {entry.name for entry in CATALOGUE.puzzles}, {path.name for path in (ROOT / "tests/games").rglob("*.py")}
    assert len(limits()) >= 45
    for limit in limits():
        assert limit.clause in clauses, limit
        assert limit.shown_by and set(limit.shown_by) <= puzzles | tests, limit
        if limit.ended_by not in UNENDED:
            path, _, name = limit.ended_by.strip("`").partition(": ")
            text = (SHIPPED / path).read_text("utf-8")
            if "." not in name:
                assert lasting_on(text, name) != text, limit
                continue
            item, label = name.split(".")
            assert re.search(rf"^(change|procedure) {item}\b", text, re.MULTILINE) and f"    {label}:" in text, limit


def test_what_never_ends_is_shown_to_last() -> None:
    """By a puzzle that fails where the rules end it, or by tests of the flow."""
    lasting = {limit.clause: limit for limit in limits() if limit.ended_by == "never"}
    assert lasting.keys() == FORGOTTEN.keys() | IN_THE_FLOW
    assert all(name.endswith(".py") for clause in IN_THE_FLOW for name in lasting[clause].shown_by)


@pytest.mark.parametrize("clause", FORGOTTEN)
def test_a_puzzle_notices_an_end_of_what_never_ends(clause: str) -> None:
    """Planted in each game: a statement that ends what lasts. The first puzzle of a row shows it."""
    (puzzles,) = (limit.puzzles for limit in limits() if limit.clause == clause and limit.ended_by == "never")
    assert puzzles, clause
    assert is_noticed(puzzles[0], FORGOTTEN[clause]), (clause, puzzles[0])


@pytest.mark.parametrize("end", ended())
def test_a_puzzle_notices_that_an_end_is_left_out(end: str) -> None:
    """Planted in each game: the statement that ends a limit is dropped, or the scope of a variable."""
    path, _, item = end.partition(": ")
    item, _, label = item.partition(".")
    puzzles = ended()[end]
    assert puzzles, end
    for name in puzzles:
        if label:
            assert is_noticed(name, f"change {item}:\n    drop {label}"), (end, name)
        else:
            assert is_noticed(name, "", lasting_on((SHIPPED / path).read_text("utf-8"), item)), (end, name)


def lasting_on(text: str, variable: str) -> str:
    """The text of a module in which a variable lasts for longer than its scope."""
    return re.sub(rf"^(    {variable}\b[^\n]*), for this \w+", r"\1", text, flags=re.MULTILINE)
