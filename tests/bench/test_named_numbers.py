"""What gives the named numbers of the product their values: few are tuned, and fewer without a measurement beside them."""

from __future__ import annotations

from pathlib import Path

from named_numbers import TUNED, Number, counts_of, named_in, numbers_of

from tests.paths import ROOT

MOST = {TUNED: 116, "limit": 283, "unmeasured": 68}
"""What there may be of each. A new tuned number needs another to go, or the count to be raised with a reason."""

SAMPLE = '''
BITS = 6
"""Bits of a word."""

FEW, MANY = 3, 1 << 9
"""States. Measured on ten puzzles: half and twice as many change nothing."""

OPEN = 1
CLOSED = 2
"""Codes of marks."""

NONE = -1
WIDE = 2 * MANY

MOST_STATES = 100


class Of:
    SECONDS: float = 0.5
    """For a look."""


class Mark(IntEnum):
    OPEN = 1
'''


def test_the_kind_stands_in_the_text_below() -> None:
    found = [Number(Path("solver/sample.py"), *one) for one in named_in(SAMPLE)]
    kinds = {one.name: one.kind for one in found}
    assert kinds == {
        "BITS": "format",
        "FEW": TUNED,
        "MANY": TUNED,
        "OPEN": "code",
        "CLOSED": "code",
        "NONE": "sentinel",
        "WIDE": "computed",
        "MOST_STATES": "limit",
        "SECONDS": TUNED,
    }
    assert [one.name for one in found if one.is_measured] == ["FEW", "MANY"]
    assert counts_of(found)["unmeasured"] == 1


def test_there_are_no_more_than_there_were() -> None:
    counts = counts_of(list(numbers_of(ROOT)))
    assert {kind: counts[kind] for kind, most in MOST.items() if counts[kind] > most} == {}
