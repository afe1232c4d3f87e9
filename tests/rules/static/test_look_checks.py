"""A look of what is never drawn is a warning at its place."""

from __future__ import annotations

from rulewright.grammar.from_text import parse_module
from rulewright.rules.linking.from_modules import link
from rulewright.rules.static.static_checks import check_game

TEXT = """module marsh:
    "A marsh."

terrain grass, water
marker reed
players 2
enum depth: shallow, deep
enum mood: glad
space moor: square grid 2 x 2 of tiles
space rim: ring 8
tiles wet:
    pool  x1  water N (reed)

state:
    depth_of of moor: depth
    boat of player:   cell of moor
    rain:             truth
    hours:            0..12
    years:            0..99
    feeling:          mood
    fear of moor:     truth, face down
    heap:             pile of tiles, face up
    shelf of player:  set of tiles

define deep_here(c in moor) = depth_of of c = deep
define dreaded(c in moor) = fear of c
define deepest(c in moor) = count d in moor where depth_of of d = deep

{looks}

flow:
    turn:
        choose stop

score tally: 1
"""


def warned(*looks: str, code: str = "RW280") -> list[tuple[str, int, str]]:
    module = parse_module(TEXT.format(looks="\n".join(f"look {look}" for look in looks)), "marsh.rules")
    found = check_game(link({"marsh": module}, ("marsh",)))
    return [(one.code, one.span.line, one.help) for one in found.diagnostics if one.code == code and one.span]


def solo(looks: str) -> list[tuple[str, str]]:
    """Source and message of each warning about looks in a variant for one player."""
    base = parse_module(TEXT.format(looks="look player 2: red"), "marsh.rules")
    variant = f'module solo:\n    "Alone."\n    extends marsh\n\nplayers 1\n\n{looks}\n'
    found = check_game(link({"marsh": base, "solo": parse_module(variant, "solo.rules")}, ("solo",)))
    return [(one.span.source, one.message) for one in found.diagnostics if one.code == "RW280" and one.span]


def test_a_variant_answers_only_for_its_own_looks():
    assert solo("") == []
    assert solo("look player 3: red") == [("solo.rules", "`player 3` is never drawn")]
    assert solo("change look player 2: green") == [("solo.rules", "`player 2` is never drawn")]


def test_what_is_drawn_may_have_a_look():
    drawn = ("grass", "reed", "pool", "wet", "shallow", "boat", "rain", "glad", "player 2", "deep_here")
    assert warned(*(f"{name}: red" for name in drawn)) == []


def test_every_value_of_the_state_may_have_a_label_and_be_hidden():
    assert warned('depth_of: label "depth", hidden', "feeling: hidden", "rain: shown, blue") == []
    assert [code for code, _, _ in warned('raid: label "raid"', "rade: hidden")] == ["RW280"] * 2


def test_a_score_may_have_a_label():
    assert warned('tally: label "points"') == []
    assert [code for code, _, _ in warned("tally: red")] == ["RW280"]


def test_only_values_of_the_state_can_be_hidden():
    first = 1 + TEXT[: TEXT.index("{looks}")].count("\n")
    found = warned("pool: hidden", "reed: shown", "deep_here: hidden", "boat: hidden", code="RW281")
    assert [line - first for _, line, _ in found] == [0, 1, 2]


def test_words_for_spaces_are_for_some_shapes_only():
    assert [help for *_, help in warned("moor: isometric", code="RW281")] == ["delete the word: it is for cube grids"]
    assert [help for *_, help in warned("pool: points", code="RW281")] == ["delete the word: it is for spaces"]
    for word in ("points", "thirds", "chequered", "framed"):
        assert warned(f"moor: {word}", code="RW281") == []


def test_what_is_not_drawn_has_none():
    first = 1 + TEXT[: TEXT.index("{looks}")].count("\n")
    found = warned("raid: red", "depth_of: red", "player 3: red", "rede: red", "dreaded: red", "deepest: red")
    assert [(code, line - first) for code, line, _ in found] == [("RW280", at) for at in range(6)]
    assert "did you mean `reed`?" in found[3][2]


def test_words_for_where_a_thing_stands_are_for_some_things_only():
    right = ("boat: exit", "deep_here: exit", "fear: exit", "heap: stack", "shelf: below", "rim: around moor", "hours: track")
    assert warned(*right, code="RW281") == []
    wrong = (
        "pool: exit",
        "grass: storeys",
        "rain: stack",
        "fear: track",
        "years: track",
        "moor: below",
        "rim: around rim",
        "boat: around moor",
    )
    assert len(warned(*wrong, code="RW281")) == len(wrong)
