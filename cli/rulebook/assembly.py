"""Assembles a rulebook: from modules, the catalogues of the clauses they cite, and positions of their puzzles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from rulewright.api.start import Start, start_of_game, start_of_puzzle
from rulewright.base.diagnostics import RulesError
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.clauses.citations import Entry, catalogues_for
from rulewright.rules.linking.project import SHIPPED, Combination
from rulewright.rules.model.game import Game
from rulewright.web.questions import titled

from .chapters import chapters_of
from .examples import Examples
from .page import RulebookPage
from .tiles import tile_pictures

MOST_PUZZLES = 8
"""The maximum number of puzzles from which examples are drawn, the easiest first."""


def rulebook_of(game: Combination, base: Combination, catalogue: Catalogue) -> RulebookPage:
    """The rulebook of a game; what it has beyond `base` is marked. Raises `RulesError` as linking does."""
    linked, examples = game.linked, Examples()
    examples.collect(_starts(linked, game, catalogue))
    known = {module.header.name for module in base.family.modules}
    variants = [module.header.name for module in game.family.modules if module.header.name not in known]
    games = {root.rpartition(".")[0] for root in base.roots} & known
    named = [f"{titled(game)}: " for game in games if len(games) == 1] + [" and ".join(map(titled, base.roots))]
    title = " with ".join(["".join(named), *map(titled, variants)])
    return RulebookPage(
        title, game, base, chapters_of(game, base), entries_of(game), examples, *tile_pictures(linked), variants
    )


def entries_of(game: Combination) -> Mapping[str, Entry]:
    """The clauses of the printed rulebooks that the modules of a game can cite."""
    found: dict[str, Entry] = {}
    for module in game.family.modules:
        path = Path(module.header.span.source)
        found |= catalogues_for(path, SHIPPED if path.is_relative_to(SHIPPED) else path.parent)
    names = {module.header.name for module in game.family.modules}
    return {name: entry for name, entry in found.items() if names.intersection(entry.modules)}


def _starts(linked: Game, game: Combination, catalogue: Catalogue) -> Iterator[Start]:
    """The positions of the easiest puzzles of a game under these rules, then the game after its set-up."""
    names = {module.header.name for module in game.family.modules}
    own = [puzzle for puzzle in catalogue.puzzles if puzzle.rules and names.issuperset(puzzle.rules)]
    for puzzle in sorted(own, key=lambda one: (one.grade or 99, one.name))[:MOST_PUZZLES]:
        more = "+".join(root for root in game.roots if root not in puzzle.rules)
        try:
            yield start_of_puzzle(catalogue.position(puzzle.path, variant=more), None)
        except RulesError:
            continue  # a puzzle of the game that has no sense under the variant
    try:
        yield start_of_game(linked, None, 1)
    except RulesError:
        return  # the game needs a position that only a puzzle gives
