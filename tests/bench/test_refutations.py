"""The reader of refutations by cutting planes: it takes a proof, and none with a step that does not follow."""

from __future__ import annotations

import pytest
from refutations import Constraint, Proof, WrongProof, read_constraint

PIGEONS = """
+1 x1 +1 x2 >= 1 ;
+1 x3 +1 x4 >= 1 ;
+1 x5 +1 x6 >= 1 ;
+1 ~x1 +1 ~x3 +1 ~x5 >= 2 ;
-1 x2 -1 x4 -1 x6 >= -1 ;
"""
"""Three pigeons, two holes."""

STEPS = """pseudo-Boolean proof version 1.1
rup >= 0 ;
l 1
l 2
l 3
l 4
l 5
rup +1 ~x1 +1 ~x3 >= 1 ;
pol 2 3 + 4 +
pol 8 5 + 6 +
c 9
"""


def checked(steps: str) -> int:
    return Proof([read_constraint(line.split()) for line in PIGEONS.split("\n") if line]).check(steps.splitlines())


def test_a_proof() -> None:
    assert checked(STEPS) == 11


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("c 9", ""),
        ("c 9", "c 8"),
        ("pol 8 5 + 6 +", "pol 8 5 +"),
        ("pol 8 5 + 6 +", "pol 8 5 + 4 +"),
        ("rup +1 ~x1 +1 ~x3 >= 1 ;", "rup >= 1 ;"),
        ("rup +1 ~x1", "red +1 ~x1"),
        ("l 5", "l 4"),
    ],
)
def test_a_step_that_does_not_follow(old: str, new: str) -> None:
    assert old in STEPS
    with pytest.raises(WrongProof):
        checked(STEPS.replace(old, new))


def test_the_rules_of_cutting_planes() -> None:
    one = read_constraint(["+3", "x1", "-2", "x2", "+5", "x3", ">=", "2", ";"])
    assert one == Constraint({1: 3, -2: 2, 3: 5}, 4)
    assert one.saturated() == Constraint({1: 3, -2: 2, 3: 4}, 4)
    assert one.divided(3) == Constraint({1: 1, -2: 1, 3: 2}, 2)
    assert one.weakened(3) == Constraint({1: 3, -2: 2}, -1)
    assert one.times(2).divided(2) == one
    assert one + one.negated == Constraint({}, 1)
