"""What lasts for a turn, kept by hand from the moves of a game, and what of it the engine remembers otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import define, field

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from tests.games.castles_by_the_sea.beach import Coordinate, get, point

ALERTS = {"calm": 0, "one_alert": 1, "two_alerts": 2, "three_alerts": 3}
IN_PLAY = 3
"""How many hazards a game has."""

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


@define
class Diary:
    """One turn. `pending` is the hazard that strikes when the witches have fled."""

    here: Engine
    turn: tuple[int, int] = (-1, -1)
    fresh: set[Coordinate] = field(factory=set)
    hushed: set[Coordinate] = field(factory=set)
    struck: set[int] = field(factory=set)
    moved: set[int] = field(factory=set)
    flipped: set[int] = field(factory=set)
    shielded: set[int] = field(factory=set)
    has_placed: bool = False
    has_played_a_card: bool = False
    pending: int | None = None
    alarms: Counter[int] = field(factory=Counter)
    is_alarm_lost: bool = False

    def note(self, name: str, move: Move, state: State, after: State) -> None:
        """A move, from a state to the one after it."""
        here, shore = self.here, self.here.instance.windows["shore"].coordinates
        self._begin(state)
        if name == "build":
            self.fresh.add(shore[move[1]])
        elif name.startswith("place_"):
            self._note_piece(name.removeprefix("place_"), move, state)
        elif name in ("flip", "raise_alarm"):
            card = here.game.tiles[get(here, state, "deck", move[1])[0] - 1].name
            shown = (here.game.tiles[tile - 1].name for tile in get(here, state, "shown", move[1]))
            self.pending = move[1] if ALERTS[card] + sum(map(ALERTS.__getitem__, shown)) >= 3 else None
            if name == "flip":
                self.flipped.add(move[1])
        elif name == "move_hazard":
            self.moved.add(move[1])
        elif name in ("declare", "declare_study", "discard_castle_card"):
            self.has_played_a_card = True
        choice = here.choice(after)
        if self.pending is not None and (choice is None or "flee" not in choice.actions):
            self.struck.add(self.pending)
            self.pending = None
        if "alarms" in here.layout.columns:
            self._note_alarms(name, state, after)
        self._begin(after)

    def _note_alarms(self, name: str, state: State, after: State) -> None:
        """A fallen ranger's alarm, which its player raises in the same step, if some hazard has not struck in this turn."""
        here = self.here
        for player in range(1, here.instance.players + 1):
            fallen = self._rangers_fallen(after, player) - self._rangers_fallen(state, player)
            self.alarms[player] += max(fallen, 0)  # fewer, where they return at the beginning of a turn
        if name == "raise_alarm":
            self.alarms[here.player(state)] -= 1
        choice = here.choice(after)
        is_heard = choice is not None and not {"raise_alarm", "flee"}.isdisjoint(choice.actions)
        may_strike = here.instance.players > 1 and len(self.struck) < IN_PLAY  # alone, hazards strike without a flip
        self.is_alarm_lost = not is_heard and may_strike and self.alarms.total() > 0
        if not is_heard:
            self.alarms.clear()

    def _rangers_fallen(self, state: State, player: int) -> int:
        ranger: int = self.here.game.tile_number("ranger")
        return sum(kind == ranger for kind in get(self.here, state, "fallen", player))

    def _begin(self, state: State) -> None:
        """All is over when another turn begins."""
        turn = (get(self.here, state, "sun"), get(self.here, state, "player"))
        if turn != self.turn:
            self.turn, self.has_placed, self.has_played_a_card, self.pending = turn, False, False, None
            for kept in (self.fresh, self.hushed, self.struck, self.moved, self.flipped, self.shielded):
                kept.clear()

    def _note_piece(self, kind: str, move: Move, state: State) -> None:
        here, shore = self.here, self.here.instance.windows["shore"].coordinates
        self.has_placed = True
        if kind == "prince":
            self.shielded.add(here.player(state))
        if kind in ("monument", "aqueduct", "bridge"):
            place = here.game.patterns["structures"].places[move[1]]
            cells = {shore[cell] for role in place.cells for cell in role}
            lies_east = len({x for x, _, _ in cells}) > 1
            lie = get(here, state, "structures_lie"), get(here, state, "figures_lie")
            for x, y, level in cells:
                for east, south in SIDES:
                    cell = (x + east, y + south, level)
                    is_face = (south != 0) if lies_east else (east != 0)
                    if cell in cells or cell not in shore or (kind == "bridge" and not is_face):
                        continue
                    at = shore.index(cell)
                    is_vacant = not get(here, state, "shore")[at] and all(
                        lying[at] == len(here.game.patterns[pieces].places)
                        for lying, pieces in zip(lie, ("structures", "figures"), strict=True)
                    )
                    if kind != "aqueduct" or is_vacant:
                        self.hushed.add(cell)

    def faults(self, state: State) -> Iterator[str]:
        """What the engine remembers of this turn that is not so, or forgot."""
        here, shore = self.here, self.here.instance.windows["shore"].coordinates
        if here.over(state):
            return
        for name, own in (("fresh", self.fresh), ("hushed", self.hushed)):
            if {cell for cell, is_in in zip(shore, get(here, state, name), strict=False) if is_in} != own:
                yield f"{name} is not what this turn has made it"
        hazards = range(len(here.game.enumerations["hazard"]))
        told = [("struck", self.struck)] if here.instance.players > 1 else []
        if point(here, state) in ("moving", "flipping"):
            told += [("moved", self.moved), ("flipped", self.flipped)]
        for name, kept in told:
            if {hazard for hazard in hazards if get(here, state, name, hazard)} != kept:
                yield f"{name} is not what this turn has made it"
        if "shield" in here.layout.columns:
            players = range(1, here.instance.players + 1)
            if {player for player in players if get(here, state, "shield", player)} != self.shielded:
                yield "shield is not what this turn has made it"
        if "alarms" in here.layout.columns:
            players = range(1, here.instance.players + 1)
            if any(get(here, state, "alarms", player) != self.alarms[player] for player in players):
                yield "alarms is not what this step has made it"
            if self.is_alarm_lost:
                yield "an alarm is lost, though a hazard has not struck in this turn"
        for name, was in (("placed_any", self.has_placed), ("card_done", self.has_played_a_card)):
            if name in here.layout.columns and bool(get(here, state, name)) != was:
                yield f"{name} is not what this turn has made it"
