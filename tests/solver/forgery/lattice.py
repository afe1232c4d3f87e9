"""Short vectors of a lattice, in whole numbers throughout (Lenstra, Lenstra and Lovász 1982; Cohen 1993, algorithm 2.6.7)."""

from __future__ import annotations

from collections.abc import Sequence

Vector = list[int]


def dot(one: Vector, other: Vector) -> int:
    return sum(a * b for a, b in zip(one, other, strict=True))


def reduced(rows: Sequence[Vector]) -> list[Vector]:
    """A reduced basis of the lattice that linearly independent rows span; its first vector is short."""
    basis = [list(row) for row in rows]
    size = len(basis)
    grams = [1] + [0] * size
    factors = [[0] * size for _ in range(size)]

    def orthogonalise(at: int) -> None:
        for column in range(at + 1):
            value = dot(basis[at], basis[column])
            for before in range(column):
                value = (grams[before + 1] * value - factors[at][before] * factors[column][before]) // grams[before]
            if column < at:
                factors[at][column] = value
            else:
                grams[at + 1] = value

    def shorten(at: int, by: int) -> None:
        if 2 * abs(factors[at][by]) <= grams[by + 1]:
            return
        times = (2 * factors[at][by] + grams[by + 1]) // (2 * grams[by + 1])
        basis[at] = [a - times * b for a, b in zip(basis[at], basis[by], strict=True)]
        factors[at][by] -= times * grams[by + 1]
        for column in range(by):
            factors[at][column] -= times * factors[by][column]

    orthogonalise(0)
    done, at = 0, 1
    while at < size:
        if at > done:
            done = at
            orthogonalise(at)
        shorten(at, at - 1)
        own = factors[at][at - 1]
        if 4 * (grams[at + 1] * grams[at - 1] + own * own) < 3 * grams[at] * grams[at]:
            basis[at - 1], basis[at] = basis[at], basis[at - 1]
            for column in range(at - 1):
                factors[at - 1][column], factors[at][column] = factors[at][column], factors[at - 1][column]
            between = (grams[at - 1] * grams[at + 1] + own * own) // grams[at]
            for row in range(at + 1, done + 1):
                later = factors[row][at]
                factors[row][at] = (grams[at + 1] * factors[row][at - 1] - own * later) // grams[at]
                factors[row][at - 1] = (between * later + own * factors[row][at]) // grams[at + 1]
            grams[at] = between
            at = max(at - 1, 1)
        else:
            for by in range(at - 2, -1, -1):
                shorten(at, by)
            at += 1
    return basis


def vanishing(words: Sequence[Sequence[int]], bits: Sequence[int]) -> Vector:
    """Small whole numbers, not all 0, with which each of the rows of words sums up to 0 modulo a power of two."""
    count, weight = len(words[0]), 1 << 40
    rows = []
    for at in range(count):
        sums = [weight * (row[at] % (1 << most)) for row, most in zip(words, bits, strict=True)]
        rows.append([int(at == other) for other in range(count)] + sums)
    for number, most in enumerate(bits):
        rows.append([0] * count + [weight * (1 << most) * int(number == other) for other in range(len(bits))])
    return next(row[:count] for row in reduced(rows) if not any(row[count:]) and any(row))
