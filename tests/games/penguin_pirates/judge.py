"""An independent judge of Penguin Pirates: the rulebook once more, by hand, on axial coordinates and floating-point angles.

It takes from the game what chance and the boards have given, and nothing else. A voyage is a generator: it yields who may do
what, and is sent what was done.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

from attrs import define, field

from rulewright.rules.play.engine import Engine, State
from tests.games.penguin_pirates.sailing import get

WAYS = ("NE", "E", "SE", "SW", "W", "NW")
STEPS = dict(zip(WAYS, ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)), strict=True))
SEATS = {
    "mid": (0, 0),
    "ne": STEPS["NE"],
    "e": STEPS["E"],
    "se": STEPS["SE"],
    "sw": STEPS["SW"],
    "w": STEPS["W"],
    "nw": STEPS["NW"],
}
DOTS = {"swell": "ww", "deep": "www", "gusts": "wy", "reef": "wr", "whirl_r": "r", "whirl_l": "r"}
"""The dots of a hex by colour; of all others one white dot."""

SKULL, MOST_SAILS, MOST_SPEED, MOST_FISH = 6, 6, 12, 10

Hex = tuple[int, int]
Offer = tuple[int, set[str]]


def axial(column: int, row: int) -> Hex:
    return column - row // 2, row


def beyond(here: Hex, way: str) -> Hex:
    return here[0] + STEPS[way][0], here[1] + STEPS[way][1]


def turned(way: str, times: int) -> str:
    return WAYS[(WAYS.index(way) + times) % 6]


def angle(start: Hex, end: Hex) -> float:
    """In degrees, anticlockwise from the east."""
    q, r = end[0] - start[0], end[1] - start[1]
    return math.degrees(math.atan2(-r * math.sqrt(3) / 2, q + r / 2))


def faced(start: Hex, end: Hex, now: str) -> str:
    """Turning bit by bit, right before left, the first of the ways at the least angle."""
    wanted = angle(start, end)
    off = {way: round(abs((angle((0, 0), step) - wanted + 180) % 360 - 180), 6) for way, step in STEPS.items()}
    for times in (0, 1, -1, 2, -2, 3):
        if off[turned(now, times)] == min(off.values()):
            return turned(now, times)
    raise AssertionError("no way is the best")


@define
class Voyage:
    """Everything that the rules speak of, by name."""

    players: int
    boards: dict[str, dict[Hex, str]]  # what lies on each place, hex by hex
    decks: dict[int, list[dict[str, str]]]  # 0: the deck of the fourth penguin
    forecast: list[dict[str, int]]
    ship: Hex
    open: set[str] = field(factory=lambda: {"a1"})
    heading: str = "NE"
    sails: int = 2
    speed: int = 0
    water: int = 0
    fish: int = 8
    rescued: bool = False
    pirate: Hex | None = None
    pirate_heading: str = "NE"
    pirates_gone: bool = False
    waiting: Counter[str] = field(factory=Counter)
    fate: str = "at_sea"

    @classmethod
    def of(cls, engine: Engine, state: State) -> Voyage:
        """The voyage that begins with a state in which the first event has been turned and the first cards are dealt."""
        chart, faces = table(engine, "chart"), table(engine, "faces")
        boards: dict[str, dict[Hex, str]] = {}
        for number, (place, row) in enumerate(chart.items()):
            zone = get(engine, state, "place", number) or (engine.game.tile_number("puerto_rico"),)
            face = faces[kind(engine, zone[0])]
            q, r = axial(row["column"], row["row"])
            boards[place] = {(q + dq, r + dr): face[seat] for seat, (dq, dr) in SEATS.items()}
        cards, weather = table(engine, "allowed"), table(engine, "weather")
        decks = {
            player: [cards[kind(engine, t)] for t in get(engine, state, "card", player) + get(engine, state, "deck", player)]
            for player in range(1, engine.instance.players + 1)
        }
        decks[0] = [cards[kind(engine, t)] for t in get(engine, state, "spare_card", 1) + get(engine, state, "spare_deck")]
        events = [weather[kind(engine, t)] for t in get(engine, state, "today") + get(engine, state, "forecast")]
        pier = next(place for place, hex in boards["a1"].items() if hex == "pier")
        return cls(engine.instance.players, boards, decks, events, pier)

    # The map -----------------------------------------------------------------------------------

    def hex(self, here: Hex) -> str:
        """What is seen there: empty where nothing has been turned up."""
        return next((self.boards[place][here] for place in self.open if here in self.boards[place]), "")

    def on_map(self, here: Hex) -> bool:
        return any(here in board for board in self.boards.values())

    def can_be_turned(self) -> set[str]:
        """Places of facedown boards of which some hex touches a hex that is face up."""
        seen = {beyond(here, way) for place in self.open for here in self.boards[place] for way in WAYS}
        return {place for place, board in self.boards.items() if place not in self.open and seen & set(board)}

    # What happens ------------------------------------------------------------------------------

    def over(self) -> bool:
        """Whether the game has been lost by now."""
        if self.fate == "at_sea" and self.water >= SKULL:
            self.fate = "sunk"
        if self.fate == "at_sea" and self.pirate == self.ship:
            self.fate = "caught"
        return self.fate != "at_sea"

    def take_water(self, amount: int) -> None:
        self.water = max(0, min(SKULL, self.water + amount))

    def net_fish(self, amount: int) -> None:
        self.fish = max(0, min(MOST_FISH, self.fish + amount))

    def sail(self) -> Iterator[str]:
        """Move the ship one hex; a sextant asks for a board."""
        self.ship = beyond(self.ship, self.heading)
        here = self.hex(self.ship)
        dots = DOTS.get(here, "w")
        self.speed -= len(dots)
        self.take_water(dots.count("r") + (dots.count("y") if self.sails >= 5 else 0))
        match here:
            case "kraken":
                self.take_water(1)
            case "bucket":
                self.take_water(-2)
            case "fish":
                self.net_fish(2)
            case "whirl_r" | "whirl_l":
                self.heading = turned(self.heading, 1 if here == "whirl_r" else -1)
            case "lost_bob":
                self.rescued = True
            case "sextant" if not self.over() and self.can_be_turned():
                yield "survey"
        if not self.over() and here == "home" and self.rescued:
            self.fate = "safe"

    def doable(self) -> set[str]:
        """What the captain may do."""
        offer = {word for order, words in DONE_BY.items() for word in words if self.waiting[order] and order != "scouting"}
        if self.waiting["scouting"]:
            offer |= {f"scout {place}" for place in self.can_be_turned()}
        ahead = self.hex(beyond(self.ship, self.heading))
        if ahead and self.speed >= len(DOTS.get(ahead, "w")):
            offer.add("advance")
        return offer

    def do(self, text: str) -> None:
        """Do what a penguin stands for."""
        word, _, place = text.partition(" ")
        order = next(order for order, words in DONE_BY.items() if word in words)
        self.waiting[order] -= 1
        match word:
            case "scout":
                self.open.add(place)
            case "drop_anchor":
                self.sails, self.speed = max(0, self.sails - 1), 0
            case "set_sail":
                self.sails, self.speed = min(MOST_SAILS, self.sails + 1), min(MOST_SPEED, self.speed + 1)
            case "bail":
                self.take_water(-1)
            case "go_fishing":
                self.net_fish(2)
            case "turn_portside" | "turn_starboard":
                self.heading = turned(self.heading, 1 if word == "turn_starboard" else -1)

    def weather(self, event: dict[str, int]) -> None:
        """The upper part of an event, then the pirates."""
        self.take_water(event["water"])
        self.net_fish(event["fishes"])
        self.sails = max(0, min(MOST_SAILS, self.sails + event["sails"]))
        self.speed = max(0, min(MOST_SPEED, self.speed + event["speed"]))
        self.heading = turned(self.heading, event["turn"])
        if self.over():
            return
        if event["pirates"] and self.pirate is None and not self.pirates_gone:
            self.pirate = next(place for place, hex in self.boards["a1"].items() if hex == "pier")
            self.pirate_heading = "NE"
        for _ in range(event["number"]):
            if self.over() or self.pirate is None:
                return
            self.pirate = beyond(self.pirate, self.pirate_heading)
            if not self.on_map(self.pirate):
                self.pirate, self.pirates_gone = None, True
                return
            spin = {"whirl_r": 1, "whirl_l": -1}.get(self.hex(self.pirate), 0)
            self.pirate_heading = turned(self.pirate_heading, spin)
        if not self.over() and self.pirate is not None:
            self.pirate_heading = faced(self.pirate, self.ship, self.pirate_heading)

    # The flow ----------------------------------------------------------------------------------

    def play(self) -> Generator[Offer, str, None]:
        """Yields the player who is to choose and what they may; ends with the game."""
        captain = 1
        while True:
            event = self.forecast.pop(0)
            yield from self.planning(captain)
            if self.over():
                return
            self.speed = min(MOST_SPEED, self.speed + self.sails)
            while offer := self.doable():
                what = yield captain, offer
                if what != "advance":
                    self.do(what)
                    continue
                for _ in self.sail():
                    chosen = yield captain, {f"survey {place}" for place in self.can_be_turned()}
                    self.open.add(chosen.split()[1])
                if self.over():
                    return
            self.waiting.clear()
            self.weather(event)
            if self.over():
                return
            if not self.forecast:
                self.fate = "too_late"
                return
            captain = captain % self.players + 1

    def planning(self, captain: int) -> Generator[Offer, str, None]:
        """Everybody chooses; then it is paid for."""
        price = 0
        for turn in range(4):
            fourth = turn == self.players
            player = captain if fourth else (captain + turn - 1) % self.players + 1
            card = self.decks[0 if fourth else player].pop(0)
            word = "stand in" if fourth else "choose"
            chosen = yield player, {f"{word} {order}" for order, spot in card.items() if spot != "barred"}
            order = chosen.removeprefix(word).strip()
            self.waiting[order] += 1
            price += card[order] == "amber"
        paid = min(price, self.fish)
        self.fish -= paid
        self.take_water(price - paid)


DONE_BY = {
    "scouting": ("scout",),
    "anchor": ("drop_anchor",),
    "full_sail": ("set_sail",),
    "bail_or_fish": ("bail", "go_fishing"),
    "portside": ("turn_portside",),
    "starboard": ("turn_starboard",),
}


def kind(engine: Engine, tile: int) -> str:
    return engine.game.tiles[tile - 1].name


def table(engine: Engine, name: str) -> dict[str, dict[str, Any]]:
    """The rows of a table, by the names of their keys and columns, cells as they are written."""
    from rulewright.rules.model import types
    from rulewright.rules.play.engine import describe_value

    found = engine.game.tables[name]
    rows: dict[str, dict[str, Any]] = {}
    for at, key in enumerate(found.keys):
        row = {
            column: values[at] if type == types.Number() else describe_value(engine, type, values[at])
            for (column, values), type in zip(found.columns, found.types, strict=True)
        }
        rows[describe_value(engine, found.key, key)] = row
    return rows
