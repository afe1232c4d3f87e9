"""A crew that plans: what is hidden is imagined anew at every choice, and the next rounds are played out in thought.

It does not look at facedown boards, at the order of decks and events, or at the cards of those who have not chosen yet. It
knows what has been chosen in this round. `python -m tests.games.penguin_pirates.crew PLAYERS [FIRST [GAMES]]` plays games.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from attrs import define

from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from tests.games.penguin_pirates.sailing import engine, get, put

WIDTH, KEPT, ROUNDS = 24, 6, 2
AT_SEA, SAFE, HUNTING = 0, 1, 1


@define
class Crew:
    engine: Engine
    dice: random.Random

    # What is not known ------------------------------------------------------------------------

    def imagined(self, state: State) -> State:
        """The state with everything that nobody can know drawn again from what is left."""
        here = self.engine
        state = self._boards(state)
        forecast = list(get(here, state, "forecast"))
        numbers = dict(here.game.tables["weather"].columns)["number"]
        number = dict(zip(here.game.tables["weather"].keys, numbers, strict=True))
        forecast.sort(key=lambda card: (number[card], self.dice.random()))
        values: dict[str | tuple[str, int], object] = {"forecast": tuple(forecast)}
        for player in range(1, here.instance.players + 1):
            deck, card = get(here, state, "deck", player), get(here, state, "card", player)
            chosen = get(here, state, "plan", player) or player == here.player(state)
            cards = list(deck if chosen else card + deck)
            self.dice.shuffle(cards)
            values["deck", player] = tuple(cards if chosen else cards[len(card) :])
            values["card", player] = card if chosen else tuple(cards[: len(card)])
        spare = list(get(here, state, "spare_deck"))
        self.dice.shuffle(spare)
        return put(here, state, values | {"spare_deck": tuple(spare)})

    def _boards(self, state: State) -> State:
        """Facedown boards change places with those of the same colour."""
        here, backs = self.engine, self.engine.game.tables["backs"]
        colour = dict(zip(backs.keys, dict(backs.columns)["colour"], strict=True))
        places = [n for n in range(len(here.game.enumerations["berth"])) if get(here, state, "place", n)]
        for kind in set(colour.values()):
            mine = [n for n in places if colour[get(here, state, "place", n)[0]] == kind]
            lying = [get(here, state, "place", n) for n in mine]
            self.dice.shuffle(lying)
            state = put(here, state, {("place", n): board for n, board in zip(mine, lying, strict=True)})
        return state

    # What is wanted ---------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> tuple[int, int]:
        return self.engine.game.tile_number("lost_bob"), self.engine.game.tile_number("home")

    def goals(self, state: State) -> tuple[int, int]:
        """Where Bob and home are, as the imagined boards lie."""
        here, window = self.engine, self.engine.instance.windows["sea"]
        faces = here.game.tables["faces"]
        sea = state[here.layout.position("sea", None)]
        found = {kind: cell for cell, kind in enumerate(sea) if kind in self.kinds}
        for number in range(len(here.game.enumerations["berth"])):
            middle = get(here, state, "middle", number)
            for board in get(here, state, "place", number):
                for seat, values in faces.columns:
                    kind = values[faces.keys.index(board)]
                    if kind in self.kinds:
                        way = [d.lower() for d in window.directions].index(seat) if seat != "mid" else None
                        found[kind] = middle if way is None else window.steps[way][middle]
        return found[self.kinds[0]], found[self.kinds[1]]

    def worth(self, state: State, goals: tuple[int, int]) -> float:
        """How good a state looks: near the goal, facing it, with speed and without water."""
        here, window = self.engine, self.engine.instance.windows["sea"]
        fate = get(here, state, "fate")
        if fate != AT_SEA:
            return 1e6 if fate == SAFE else -1e6
        sea, ship, rescued = state[here.layout.position("sea", None)], get(here, state, "ship"), get(here, state, "rescued")
        goal = goals[rescued]
        away, ahead = window.distance(ship, goal), window.steps[get(here, state, "heading")][ship]
        off = 2.0 if ahead == window.size else window.distance(ahead, goal) - away
        unknown, at = 0, ship
        for _ in range(away):
            near = (window.steps[way][at] for way in window.around)
            at = min((c for c in near if c < window.size), key=lambda c: (window.distance(c, goal), not sea[c]))
            unknown += not sea[at]
        value = 3000.0 * rescued - 100 * away - 40 * off - 45 * unknown - 30 * get(here, state, "water")
        value += 12 * min(get(here, state, "sails"), 4) + 15 * min(get(here, state, "speed"), 6) + 6 * get(here, state, "fish")
        if get(here, state, "pirates") == HUNTING:
            value -= 8 * max(0, 8 - window.distance(get(here, state, "pirate"), ship))
        return value

    # What is done -----------------------------------------------------------------------------

    def plan(self, state: State) -> Sequence[Move]:
        """The moves of the best line that a beam finds in an imagined world."""
        here, world = self.engine, self.imagined(state)
        goals = self.goals(world)
        rounds: list[tuple[State, tuple[Move, ...]]] = [(world, ())]
        for _ in range(ROUNDS):
            day, level, ended = get(here, rounds[0][0], "day"), dict(rounds), dict[State, tuple[Move, ...]]()
            while level:
                reached: dict[State, tuple[Move, ...]] = {}
                for before, moves in level.items():
                    for move in here.legal(before):
                        after = here.apply(before, move)
                        still = not here.over(after) and get(here, after, "day") == day
                        (reached if still else ended).setdefault(after, (*moves, move))
                level = dict(sorted(reached.items(), key=lambda item: -self.worth(item[0], goals))[:WIDTH])
            best = sorted(ended.items(), key=lambda item: -self.worth(item[0], goals))[:KEPT]
            rounds = [item for item in best if not here.over(item[0])]
            if here.over(best[0][0]) or not rounds:
                return best[0][1]
        return rounds[0][1]

    def play(self, state: State) -> State:
        """A game to its end. While penguins are placed, each thinks anew; so does the captain when a board is turned."""
        here = self.engine
        while not here.over(state):
            known = state[here.layout.position("sea", None)]
            choice = here.choice(state)
            for move in self.plan(state):
                state = here.apply(state, move)
                if here.over(state) or here.choice(state) != choice:
                    break
                if "planning" in choice.points or state[here.layout.position("sea", None)] != known:  # type: ignore[union-attr]
                    break
        return state


def voyage(players: int, seed: int) -> tuple[str, int]:
    """How a game of a crew ends, and in which round."""
    here = engine(players)
    last = Crew(here, random.Random(seed)).play(here.start(seed))
    return here.game.enumerations["fate"][get(here, last, "fate")], get(here, last, "day")


def main() -> None:
    players, first, games = (*map(int, sys.argv[1:]), *(4, 0, 10)[len(sys.argv) - 1 :])
    began, ends = time.process_time(), Counter[str]()
    for seed in range(first, first + games):
        fate, day = voyage(players, seed)
        ends[fate] += 1
        print(seed, fate, day, flush=True)
    print(dict(ends), f"{time.process_time() - began:.0f} s")


if __name__ == "__main__":
    main()
