"""Nine men's morris, Kalah, dots and boxes, gomoku, Hex and hands at whist, by rules that know nothing of Rulewright.

A position offers its moves by their texts. `scores` are those of both players, of a game that is over `moves` is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from attrs import evolve, frozen

SQUARES = ("a7 d7 g7 g4 g1 d1 a1 a4", "b6 d6 f6 f4 f2 d2 b2 b4", "c5 d5 e5 e4 e3 d3 c3 c4")
SPOKES = ("d7 d6 d5", "g4 f4 e4", "d1 d2 d3", "a4 b4 c4")
POINTS = " ".join(SQUARES).split()
LINES = [line.split() for line in SPOKES] + [
    [(names := square.split())[at % 8] for at in (start, start + 1, start + 2)] for square in SQUARES for start in (0, 2, 4, 6)
]
NEXT = {
    point: {other for line in LINES for other in line if point in line and abs(line.index(point) - line.index(other)) == 1}
    for point in POINTS
}


@frozen
class Morris:
    men: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    hands: tuple[int, int] = (9, 9)
    player: int = 0
    closed: bool = False
    quiet: int = 0

    def in_mill(self, point: str, who: int) -> bool:
        return any(point in line and self.men[who] >= set(line) for line in LINES)

    def few(self, who: int) -> bool:
        return self.hands[who] + len(self.men[who]) < 3

    def steps(self, who: int) -> list[tuple[str, str]]:
        free, own = set(POINTS) - self.men[0] - self.men[1], self.men[who]
        return [(a, b) for a in own for b in (free if len(own) == 3 else free & NEXT[a])]

    def passed(self) -> Morris:
        return evolve(self, player=1 - self.player, closed=False)

    def put(self, lifted: str | None, to: str) -> Morris:
        who = self.player
        own = self.men[who] - {lifted} | {to}
        men = (own, self.men[1]) if who == 0 else (self.men[0], own)
        hands = tuple(self.hands[p] - (p == who and lifted is None) for p in (0, 1))
        after = evolve(self, men=men, hands=hands)
        closed = after.in_mill(to, who)
        after = evolve(after, closed=closed, quiet=0 if closed or lifted is None else self.quiet + 1)
        return after if closed else after.passed()

    def taken(self, point: str) -> Morris:
        left = self.men[1 - self.player] - {point}
        return evolve(self, men=(self.men[0], left) if self.player == 0 else (left, self.men[1])).passed()

    def moves(self) -> dict[str, Morris]:
        foe = 1 - self.player
        if self.closed:
            loose = [point for point in self.men[foe] if not self.in_mill(point, foe)] or self.men[foe]
            return {f"x{point}": self.taken(point) for point in loose}
        if self.few(0) or self.few(1) or self.quiet == 100:
            return {}
        if self.hands[self.player]:
            return {to: self.put(None, to) for to in set(POINTS) - self.men[0] - self.men[1]}
        return {f"{a}-{b}": self.put(a, b) for a, b in self.steps(self.player)}

    @property
    def scores(self) -> tuple[int, int]:
        lost = [self.few(who) for who in (0, 1)]
        if not any(lost) and not self.moves() and self.quiet < 100:
            lost[self.player] = True
        return int(lost[1]), int(lost[0])


@frozen
class Kalah:
    """Pits go round: the first player's four houses, the store, the second's houses, the store."""

    pits: tuple[int, ...] = (3, 3, 3, 3, 0, 3, 3, 3, 3, 0)
    player: int = 0

    def moves(self) -> dict[str, Kalah]:
        if not any(self.pits[:4]) or not any(self.pits[5:9]):
            return {}
        first = 5 * self.player
        return {self.name(at): self.sown(at) for at in range(first, first + 4) if self.pits[at]}

    def name(self, at: int) -> str:
        return f"sow ({at},1)" if at < 4 else f"sow ({8 - at},0)"

    def sown(self, start: int) -> Kalah:
        pits, store, foes, at = list(self.pits), 5 * self.player + 4, 9 - 5 * self.player, start
        hand, pits[start] = pits[start], 0
        while hand:
            at = (at + 1) % 10
            if at != foes:
                pits[at] += 1
                hand -= 1
        if pits[at] == 1 and at // 5 == self.player and at != store and pits[8 - at]:
            pits[store] += 1 + pits[8 - at]
            pits[at] = pits[8 - at] = 0
        if not any(pits[:4]) or not any(pits[5:9]):
            pits = [0, 0, 0, 0, sum(pits[:5]), 0, 0, 0, 0, sum(pits[5:])]
        return Kalah(tuple(pits), self.player if at == store else 1 - self.player)

    @property
    def scores(self) -> tuple[int, int]:
        return self.pits[4], self.pits[9]


ALL_LINES = frozenset(
    f"{x}_{y}-{x + dx}_{y + dy}" for x in range(3) for y in range(3) for dx, dy in ((1, 0), (0, 1)) if x + dx < 3 and y + dy < 3
)
BOXES = [
    frozenset((f"{x}_{y}-{x + 1}_{y}", f"{x}_{y + 1}-{x + 1}_{y + 1}", f"{x}_{y}-{x}_{y + 1}", f"{x + 1}_{y}-{x + 1}_{y + 1}"))
    for x in range(2)
    for y in range(2)
]


@frozen
class Dots:
    drawn: frozenset[str] = frozenset()
    scores: tuple[int, int] = (0, 0)
    player: int = 0

    def moves(self) -> dict[str, Dots]:
        return {line: self.with_line(line) for line in ALL_LINES - self.drawn}

    def with_line(self, line: str) -> Dots:
        drawn = self.drawn | {line}
        won = sum(box <= drawn and line in box for box in BOXES)
        a, b = self.scores
        return Dots(drawn, (a, b + won) if self.player else (a + won, b), self.player if won else 1 - self.player)


COLUMNS = "ABCDEFGHJKLMNOP"


@frozen
class Gomoku:
    stones: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]] = (frozenset(), frozenset())
    player: int = 0

    def five(self, who: int) -> bool:
        ways, own = ((1, 0), (0, 1), (1, 1), (1, -1)), self.stones[who]
        return any(all((x + n * dx, y + n * dy) in own for n in range(5)) for x, y in own for dx, dy in ways)

    def moves(self) -> dict[str, Gomoku]:
        if self.five(0) or self.five(1):
            return {}
        cells = {(x, y) for x in range(15) for y in range(15)} - self.stones[0] - self.stones[1]
        return {f"{COLUMNS[x]}{15 - y}": self.after((x, y)) for x, y in cells}

    def after(self, cell: tuple[int, int]) -> Gomoku:
        black, white = self.stones
        return Gomoku((black, white | {cell}) if self.player else (black | {cell}, white), 1 - self.player)

    @property
    def scores(self) -> tuple[int, int]:
        return int(self.five(0)), int(self.five(1))


@frozen
class Hex:
    """Stones by (q, r), on four by four."""

    stones: tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]] = (frozenset(), frozenset())
    player: int = 0

    def joined(self, who: int) -> bool:
        reached = {cell for cell in self.stones[who] if cell[1 - who] == 0}
        front = list(reached)
        while front:
            q, r = front.pop()
            near = {(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)}
            front += (new := (near & self.stones[who]) - reached)
            reached |= new
        return any(cell[1 - who] == 3 for cell in reached)

    def moves(self) -> dict[str, Hex]:
        if self.joined(0) or self.joined(1):
            return {}
        cells = {(q, r) for q in range(4) for r in range(4)} - self.stones[0] - self.stones[1]
        return {f"{'abcd'[q]}{r + 1}": self.after((q, r)) for q, r in cells}

    def after(self, cell: tuple[int, int]) -> Hex:
        red, blue = self.stones
        return Hex((red, blue | {cell}) if self.player else (red | {cell}, blue), 1 - self.player)

    @property
    def scores(self) -> tuple[int, int]:
        return int(self.joined(0)), int(self.joined(1))


SEATS = ("south", "west", "north", "east")
RANKS = "23456789TJQKA"


def tricks_of_first(hands: Mapping[str, Iterable[str]], leads: str, trump: str) -> int:
    """The most tricks of South and North against every defence."""

    @cache
    def most(hands: tuple[frozenset[str], ...], table: tuple[str, ...], at: int) -> int:
        if len(table) == 4:
            lead = (at - 4) % 4
            best = max(range(4), key=lambda n: (table[n][0] == trump, table[n][0] == table[0][0], RANKS.index(table[n][1])))
            winner = (lead + best) % 4
            return (winner % 2 == 0) + most(hands, (), winner)
        if not hands[at]:
            return 0
        cards = {card for card in hands[at] if table and card[0] == table[0][0]} or hands[at]
        values = [most((*hands[:at], hands[at] - {card}, *hands[at + 1 :]), (*table, card), (at + 1) % 4) for card in cards]
        return max(values) if at % 2 == 0 else min(values)

    return most(tuple(frozenset(hands[seat]) for seat in SEATS), (), SEATS.index(leads))
