"""Parts of the variance: known mixtures of skill, luck and choices between equals."""

from __future__ import annotations

import random

import pytest

from rulewright.studies.simulation.luck_and_skill import LuckAndSkill, PolicyScores

GAMES = 400


def mixture(skill: float, luck: float, choice: float) -> LuckAndSkill:
    """Scores that are a sum of what policy, chance and choices give, three policies a step apart."""
    chance = random.Random(3)
    deals, others = ([chance.gauss(0, 1000) for _ in range(GAMES)] for _ in range(2))
    policies = []
    for number in range(3):
        own = [chance.gauss(0, 1000) for _ in range(GAMES)]
        scores, again = (
            tuple(int(1000 * skill * number + luck * deal + choice * one) for deal, one in zip(row, own, strict=True))
            for row in (deals, others)
        )
        policies.append(PolicyScores(f"policy {number}", scores, again))
    return LuckAndSkill.of(policies)


@pytest.mark.parametrize("parts", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (2.0, 0.5, 1.0)])
def test_parts_of_a_sum(parts: tuple[float, float, float]) -> None:
    skill, luck, choice = parts
    total = 2 / 3 * skill**2 + luck**2 + choice**2
    found = mixture(*parts)
    assert found.skill == pytest.approx(2 / 3 * skill**2 / total, abs=0.07)
    assert found.luck == pytest.approx(luck**2 / total, abs=0.07)
    assert found.skill_interval is not None and found.luck_interval is not None
    assert found.luck_interval.low <= found.luck <= found.luck_interval.high
    assert (luck == 0) == (found.luck == 0)


def test_equal_scores_hold_neither() -> None:
    found = LuckAndSkill.of([PolicyScores(name, (3,) * 20, (3,) * 20) for name in "ab"])
    assert (found.skill, found.luck) == (None, None)
