"""Whether a puzzle uses something: without it, the answer is proved to be another."""

from __future__ import annotations

from attrs import evolve

from rulewright.base.diagnostics import Diagnostic, RulesError, did_you_mean
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game, TileKind, TileRegion

from .commission import Commission
from .move_values import MoveValues

MARKER = "marker"


def is_used(name: str, position: Position, optimum: int, project: Project, commission: Commission) -> bool:
    """Whether the value of a position is another without an action, a marker or a clause. Raises `Unproved`.

    A position that the changed rules do not allow is no evidence.
    """
    game = without(name, position.engine.game, project)
    try:
        other = set_up_position(evolve(position.puzzle, allow_impossible=True), game)
    except RulesError:
        return False
    return MoveValues.of(other, commission).optimum != optimum


def without(name: str, game: Game, project: Project) -> Game:
    """A game in which an action is never legal, a marker stands on no tile, or a clause is dropped. Raises `RulesError`."""
    markers = game.enumerations[MARKER]
    if name in game.actions:
        return project.changed(game, f'change action {name}:\n    require withheld: no else "it is withheld"\n')
    if name in markers:
        return evolve(game, tiles=tuple(_unmarked(kind, markers.index(name)) for kind in game.tiles))
    item, _, label = name.partition(".")
    if not label:
        known = [*game.actions, *markers]
        help = did_you_mean(name, known) or "name an action, a marker, or a clause as `tree` does: `ITEM.LABEL`"
        raise RulesError((Diagnostic("usage", f"the rules have no action or marker `{name}`", help=help),))
    return project.changed(game, f"change {item}:\n    drop {label}\n")


def _unmarked(kind: TileKind, marker: int) -> TileKind:
    def bare(region: TileRegion) -> TileRegion:
        return evolve(region, markers=tuple((other, count) for other, count in region.markers if other != marker))

    return evolve(kind, regions=tuple(map(bare, kind.regions)))
