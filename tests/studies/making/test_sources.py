"""Where positions come from: games of two, plans too long to be found, and what is tried of one game."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.play.engine import Engine, State
from rulewright.studies.making.sources import MOST_TRIED, CandidateSource, Source, turns_counted

PROJECT = Project(SHIPPED)


def engine_of(name: str) -> Engine:
    game = PROJECT.load(name)
    engine = Engine.of(game, game.players.low)
    return turns_counted(engine, engine.start(0))


def test_positions_of_a_game_of_two_are_the_movers_and_come_nearer_to_its_end() -> None:
    engine = engine_of("classics.noughts_and_crosses")
    (board,) = [column.start for column in engine.layout.columns.values() if column.variable.is_board]
    found = [CandidateSource(engine, None, None, mover=2).candidate(1, number) for number in range(8)]
    played = [one for one in found if one is not None and one.source is not Source.SCRAMBLED]
    for candidate in played:
        assert 0 < len(candidate.states) <= MOST_TRIED
        assert all(engine.player(state) == 2 for state in candidate.states)
        vacant = [state[board].count(0) for state in candidate.states]
        assert vacant == sorted(set(vacant), reverse=True)
    assert len({one.states[0][board].count(0) for one in played}) > 1  # not always from the first turn on


def test_where_no_plan_is_found_positions_lie_around_the_goal() -> None:
    engine = engine_of("classics.sliding")
    source = CandidateSource(engine, None, None, None, _nothing, _solved(engine))
    found = [source.candidate(1, number) for number in range(4)]
    for candidate in found:
        assert candidate is not None and candidate.source is Source.RICH_END
        assert all(not engine.over(state) and engine.legal(state) for state in candidate.states)
    nearest = [engine.score(candidate.states[-1]) for candidate in found if candidate is not None]
    assert min(nearest) >= 4  # of eight tiles in place; one is where play starts from
    assert engine.score(engine.start(0)) == 1


def _nothing(state: State) -> Sequence[State]:
    return ()


def _solved(engine: Engine):  # type: ignore[no-untyped-def]
    return lambda state: engine.score(state) == 8
