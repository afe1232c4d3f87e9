"""Texts stand out in both palettes, whatever they stand on."""

from __future__ import annotations

import pytest

from rulewright.grammar.tree.looks import Colour
from rulewright.pictures.look import DARK, LIGHT, Palette, by_hash, contrast


@pytest.mark.parametrize("palette", [LIGHT, DARK])
def test_texts_stand_out(palette: Palette):
    assert contrast(palette.ink, palette.paper) >= 4.5
    assert contrast(palette.faint, palette.paper) >= 4.5
    for colour in Colour:
        background = palette.of(colour)
        assert contrast(palette.on(background), background) >= 4.5


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_a_name_has_one_colour():
    assert by_hash("bend") is by_hash("bend")
    assert len({by_hash(f"tile_{number}") for number in range(50)}) > 4
