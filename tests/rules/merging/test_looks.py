"""Looks are changed like any clause: by modules that extend, and not by two at once."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.looks import Appearance, Colour, Drawing, Showing
from rulewright.rules.linking.from_modules import link

MARSH = """module marsh:
    "A marsh."

marker reed
look reed: tree, green

flow:
    turn:
        choose stop
"""


def appearance_after(*variants: str) -> Appearance:
    texts = [MARSH, *(f'module v{at}:\n    "V."\n    extends marsh\n\n{text}\n' for at, text in enumerate(variants))]
    modules = [parse_module(text, "example") for text in texts]
    roots = [module.header.name for module in modules[1:]] or ["marsh"]
    return link({module.header.name: module for module in modules}, roots).looks["reed"].appearance


def test_what_is_said_takes_the_place_of_what_was():
    assert appearance_after() == Appearance(Colour.GREEN, Drawing.TREE)
    assert appearance_after("change look reed: brown") == Appearance(Colour.BROWN, Drawing.TREE)
    assert appearance_after('change look reed: glyph "R"') == Appearance(Colour.GREEN, glyph="R")
    labelled = Appearance(Colour.GREEN, Drawing.TREE, label="tall reed", showing=Showing.HIDDEN)
    assert appearance_after('change look reed: label "tall reed", hidden') == labelled


@pytest.mark.parametrize(
    ("variants", "code"),
    [
        (("change look reed: brown", "change look reed: red"), "RW104"),
        (("look reed: brown",), "RW102"),
        (("change look rede: brown",), "RW103"),
        (("change reed:\n    replace value: 3",), "RW105"),
    ],
)
def test_what_contradicts_is_an_error(variants: tuple[str, ...], code: str):
    with pytest.raises(RulesError) as caught:
        appearance_after(*variants)
    assert [one.code for one in caught.value.diagnostics] == [code]


def test_a_change_of_clauses_is_of_what_a_look_is_of() -> None:
    """A definition and its look have one name; only the definition has clauses."""
    texts = [
        MARSH + "\nspace fen: square grid 3 x 3 of tiles\n\nlook wet: blue\n\ndefine wet(c in fen):\n    = no\n",
        'module v:\n    "V."\n    extends marsh\n\nchange wet:\n    replace value: occupied(c)\n',
    ]
    marsh, variant = (parse_module(text, "example") for text in texts)
    plain = link({"marsh": marsh}, ["marsh"]).definitions["wet"]
    assert link({"marsh": marsh, "v": variant}, ["v"]).definitions["wet"].value != plain.value
