"""Tables of chess endings with a king and one man against a king, made without the rules of the library.

Cells count from 0 (a8) to 63 (h1), row by row. A position is the cells of White's king, of the man and of Black's king, and
whether White is to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Ending = tuple[int, int, int, bool]

LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
RAYS = {"R": LINES, "B": DIAGONALS, "Q": (*LINES, *DIAGONALS), "N": ()}


def at(cell: int, column: int, row: int) -> int | None:
    """The cell so many columns and rows away; None outside of the board."""
    x, y = cell % 8 + column, cell // 8 + row
    return 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else None


@cache
def around(cell: int) -> frozenset[int]:
    found = (at(cell, column, row) for column, row in (*LINES, *DIAGONALS))
    return frozenset(other for other in found if other is not None)


@cache
def seen(man: str, cell: int, blocker: int, other: int) -> frozenset[int]:
    """What a man attacks, or where it goes but for a pawn; cells of two other men end its lines."""
    found: set[int] = set()
    if man == "P":
        return frozenset(one for one in (at(cell, -1, -1), at(cell, 1, -1)) if one is not None)
    if man == "N":
        jumps = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
        return frozenset(one for one in (at(cell, *jump) for jump in jumps) if one is not None)
    for column, row in RAYS[man]:
        here = at(cell, column, row)
        while here is not None:
            found.add(here)
            if here in (blocker, other):
                break
            here = at(here, column, row)
    return frozenset(found)


def is_legal(man: str, ending: Ending) -> bool:
    """Whether the men stand apart, and the side that has moved is not in check."""
    king, cell, foe, is_white = ending
    if len({king, cell, foe}) < 3 or foe in around(king) or (man == "P" and cell // 8 in (0, 7)):
        return False
    return not (is_white and foe in seen(man, cell, king, -1))


def moves(man: str, ending: Ending) -> Iterator[tuple[str, Ending]]:
    """The positions after each move, with the man that stands there then; `""` where Black has taken it."""
    king, cell, foe, is_white = ending
    if not is_white:
        hit = seen(man, cell, king, -1)
        for to in around(foe) - around(king) - {king}:
            if to == cell:
                yield "", (king, -1, to, True)
            elif to not in hit:
                yield man, (king, cell, to, True)
        return
    for to in around(king) - around(foe) - {cell, foe}:
        yield man, (to, cell, foe, False)
    if man != "P":
        for to in seen(man, cell, king, foe) - {king, foe}:
            yield man, (king, to, foe, False)
        return
    step = cell - 8
    if step in (king, foe):
        return
    if step // 8 == 0:
        for new in "QRBN":
            yield new, (king, step, foe, False)
        return
    yield man, (king, step, foe, False)
    if cell // 8 == 6 and step - 8 not in (king, foe):
        yield man, (king, step - 8, foe, False)


@cache
def table(man: str) -> dict[Ending, int]:
    """The number of moves of both sides to mate, of every position that White wins."""
    if man in "BN":
        return {}
    cells = range(64)
    positions = [(king, cell, foe, white) for king in cells for cell in cells for foe in cells for white in (True, False)]
    found: dict[Ending, int] = {}
    after: dict[Ending, list[tuple[str, Ending]]] = {}
    before: dict[Ending, list[Ending]] = {}
    for ending in positions:
        if not is_legal(man, ending):
            continue
        after[ending] = list(moves(man, ending))
        king, cell, foe, is_white = ending
        if not after[ending] and not is_white and foe in seen(man, cell, king, -1):
            found[ending] = 0
        for new, other in after[ending]:
            if new == man:
                before.setdefault(other, []).append(ending)
    promoted = {
        ending: [table(new)[other] for new, other in ways if new not in ("", man) and other in table(new)]
        for ending, ways in after.items()
        if ending[3]
    }
    level, last = 0, list(found)
    while last or level < 120:
        level += 1
        new_ones = {ending for ending, best in promoted.items() if ending not in found and best and min(best) + 1 == level}
        for reached in last:
            for ending in before.get(reached, ()):
                if ending in found:
                    continue
                if ending[3] or all(new == man and other in found for new, other in after[ending]):
                    new_ones.add(ending)
        last = list(new_ones)
        found |= dict.fromkeys(last, level)
    return found
