"""`needs`: what a part of games leaves to others to declare; when that is met, and what is said when it is not."""

from __future__ import annotations

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.grammar.from_text import parse_module
from rulewright.rules.clauses.mutants import mutants
from rulewright.rules.linking.from_modules import link
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.model.game import Game

PART = """
module race:
    "A race, on any course."

needs space course: ring of tiles
needs define goal(c in course): truth
needs define spare(c in course): truth
needs define pace: number
needs state purse of player: 0..9
needs tile runner, fence
needs tiles crowd
needs enum colour
needs procedure set_up
needs action jump

action run(c in course where at(c) = runner, n in 1..9):
    require slow: n <= pace
    require won: not goal(c) and at(c) != fence
    effect pay: purse of player -= 1

define bright = some one in colour: (count t in crowd where t != fence) = 3

flow:
    set_up
    for player in players:
        repeat until bright: choose run, jump, or stop
"""
COURSE = """
module course:
    extends race

space course: ring 8 of tiles
define goal(c) = c = origin of course
define spare(c) = c != origin of course
define pace = 3
state:
    purse of player: -1..10 = 5
tiles crowd:
    runner x1
    fence  x2
enum colour: red
procedure set_up:
    put runner at origin of course from box
action jump:
    effect pay: purse of player -= 2
"""


def game_of(*texts: str) -> Game:
    modules = [parse_module(text, str(number)) for number, text in enumerate(texts, 1)]
    return link({module.header.name: module for module in modules}, [modules[-1].header.name])


def errors(*texts: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesError) as error:
        game_of(*texts)
    return error.value.diagnostics


def line_of(text: str, said: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if said in line)


def without(text: str, *lines: str) -> str:
    for line in lines:
        assert f"{line}\n" in text
        text = text.replace(f"{line}\n", "")
    return text


def test_a_module_that_declares_all_is_a_game() -> None:
    assert game_of(PART, COURSE).actions.keys() == {"run", "jump"}


@pytest.mark.parametrize(
    ("lines", "need"),
    [
        (("space course: ring 8 of tiles",), "space course: ring of tiles"),
        (("define goal(c) = c = origin of course",), "define goal(c in course): truth"),
        (("define pace = 3",), "define pace: number"),
        (("state:", "    purse of player: -1..10 = 5"), "state purse of player: 0..9"),
        (("    fence  x2",), "tile fence"),
        (("tiles crowd:", "    runner x1", "    fence  x2"), "tiles crowd"),
        (("enum colour: red",), "enum colour"),
        (("procedure set_up:", "    put runner at origin of course from box"), "procedure set_up"),
        (("action jump:", "    effect pay: purse of player -= 2"), "action jump"),
    ],
)
def test_what_is_missing_is_told_at_the_extends_and_at_the_need(lines: tuple[str, ...], need: str) -> None:
    found = {diagnostic.message: diagnostic for diagnostic in errors(PART, without(COURSE, *lines))}
    unmet = found[f"`race` needs `{need}`, but no module declares it"]
    where, needed = unmet.labels
    assert unmet.code == "RW109"
    assert (where.span.source, where.span.line, where.span.column) == ("2", line_of(COURSE, "extends"), 13)
    assert (needed.span.source, needed.span.line) == ("1", line_of(PART.replace("runner, ", ""), f"needs {need}"))


def test_the_extends_that_leads_to_the_part_is_shown() -> None:
    (unmet,) = errors(PART, without(COURSE, "define pace = 3"), "module cup:\n    extends course\n")
    assert unmet.labels[0].span.source == "3"


def test_a_part_by_itself_is_no_game() -> None:
    found = errors(PART)
    assert {diagnostic.code for diagnostic in found} == {"RW109"}
    assert {diagnostic.labels[0].span.source for diagnostic in found} == {"1"}


PATH = """
module lane:
    "Runners in a lane."

needs space track: square grid of tiles
needs rule free(c in track)
needs pattern hurdle in track: post, bar
needs tile runner

action step_out(p in places(hurdle), c in p.post):
    require free(c)
    effect place: put runner at c from box

flow:
    repeat: choose step_out, or stop
"""
TRACK_RULE = """rule free(c):
    require vacant: not occupied(c) else "somebody stands there"
"""
TRACK = f"""
module track:
    extends lane

space track: square grid 4 x 4 of tiles

{TRACK_RULE}
pattern hurdle in track, turned:
    post bar post

tiles field:
    runner  x2
"""


def test_rules_and_patterns_can_be_needed(tmp_path) -> None:
    assert game_of(PATH, TRACK).actions.keys() == {"step_out"}
    assert load_part(tmp_path, PATH).actions.keys() == {"step_out"}
    assert load_part(tmp_path, PATH.replace("track: square grid of", "track of")).actions.keys() == {"step_out"}
    assert load_part(tmp_path, PATH.replace("square grid", "hex grid")).actions.keys() == {"step_out"}


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        (TRACK_RULE, "define free(c) = not occupied(c)\n", "declare it with `rule`, not with `define`"),
        (TRACK_RULE, TRACK_RULE.replace("(c):", "(c, n):"), "wrong number of parameters: expected 1, found 2"),
        ("post bar post", "post rail post", "draw a cell with the role `bar`"),
        ("hurdle in track,", "hurdle in other,", "draw it in `track`"),
    ],
)  # fmt: skip
def test_rules_and_patterns_that_differ_are_told(old: str, new: str, help: str) -> None:
    found = errors(PATH, TRACK.replace(old, new) + "\nspace other: square grid 4 x 4\n")
    assert ("RW116", help) in [(one.code, one.help) for one in found]


SAIL = """
module sails:
    "Pieces that sail, whatever they are."

needs space sea: square grid
needs pieces ships of player in sea: hull, bow
needs tile boat

action sail(p in pieces(ships) where owner(p) = player, way in directions(sea)):
    require room: step(p, way) is not none and every c in cells(step(p, way)): not covered(c) or piece_at(c) = p
    require afloat: some c in p.bow: step(c, way) in sea
    require no_boat: kind(p) != boat or size(p.hull) > 0
    effect go: slide p to step(p, way)

flow:
    for player in players:
        choose sail or stop
"""
SHIPS = """
module ships:
    extends sails

players 2
space sea: square grid 4 x 4

pieces ships of player in sea, turned:
    boat  x1    hull bow
"""


PATTERN = "tiles b:\n    boat x1\n\npattern ships in sea, turned:\n"


def test_pieces_can_be_needed(tmp_path) -> None:
    assert game_of(SAIL, SHIPS).actions.keys() == {"sail"}
    assert load_part(tmp_path, SAIL).actions.keys() == {"sail"}
    assert load_part(tmp_path, SAIL.replace("square grid", "hex grid")).actions.keys() == {"sail"}
    assert [found.code for found in errors(SAIL, SHIPS[: SHIPS.index("pieces")])] == ["RW109", "RW109"]


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("in sea, turned", "in bay, turned", "declare them in `sea`"),
        ("ships of player in", "ships in", "write `pieces ships of player in sea`"),
        ("hull bow", "hull hull", "draw a cell with the role `bow`"),
        ("pieces ships of player in sea, turned:\n    boat  x1 ", PATTERN, "declare it with `pieces`, not with `pattern`"),
    ],
)  # fmt: skip
def test_pieces_that_differ_are_told(old: str, new: str, help: str) -> None:
    found = errors(SAIL, SHIPS.replace(old, new) + "\nspace bay: square grid 4 x 4\n")
    assert ("RW116", help) in [(one.code, one.help) for one in found]


def test_a_flow_can_be_needed(tmp_path) -> None:
    part = 'module words:\n    "Words."\n\nneeds flow\n'
    assert "mine" in load_part(tmp_path, part + "\ndefine mine(p in players) = p = player\n").definitions
    assert load_part(tmp_path, part + "\nstate:\n    player: 0..9\n").flow == ()
    assert load_part(tmp_path, part + "\nstate:\n    moved: truth, for this turn\n").variables["moved"].scope == "turn"
    assert [diagnostic.code for diagnostic in errors(part)] == ["RW109"]
    assert game_of(part, "module game:\n    extends words\n\nflow:\n    choose stop\n").roots == ("game",)


@pytest.mark.parametrize(
    ("old", "new", "help"),
    [
        ("space course: ring 8 of tiles", "space course: square grid 3 x 3 of tiles", "make it a ring"),
        ("space course: ring 8 of tiles", "space course: ring 8", "add `of tiles` after its shape"),
        ("define goal(c) = c", "define goal = origin of course", "wrong number of parameters: expected 1, found 0"),
        ("spare(c) = c != origin of course", "spare(c) = c = 1", "`c` must be a cell of course, not a number"),
        ("define pace = 3", "define pace = yes", "its value must be a number, not a truth value"),
        ("define pace = 3", "table pace by players:\n    players: n\n    1: 1", "declare it with `define`, not with `table`"),
        ("purse of player: -1..10 = 5", "purse of player: 1..10 = 5", "write `purse of player: 0..9`"),
        ("purse of player: -1..10 = 5", "purse: 0..10 = 5", "write `purse of player: 0..9`"),
        ("action jump:\n    effect pay: purse of player -= 2", "score jump: 1", "declare it with `action`, not with `score`"),
    ],
)
def test_what_is_declared_otherwise_is_told_at_both_places(old: str, new: str, help: str) -> None:
    (unfit,) = errors(PART, COURSE.replace(old, new))
    assert (unfit.code, unfit.help) == ("RW116", help)
    assert [label.span.source for label in unfit.labels] == ["2", "1"]


def test_a_partition_meets_the_need_of_a_definition() -> None:
    game_of(PART.replace("pace: number", "pace(c in course): number").replace("<= pace", "<= pace(c)"),
            COURSE.replace("define pace = 3", "partition pace of c in course: 3"))  # fmt: skip


# Parts by themselves ---------------------------------------------------------------------------------------------------


def load_part(tmp_path, *texts: str) -> Game:
    for text in texts:
        name = parse_module(text, "").header.name
        (tmp_path / f"{name}.rules").write_text(text.lstrip(), "utf-8")
    return Project(tmp_path).load_part(name)


def test_a_part_is_linked_with_stand_ins(tmp_path) -> None:
    assert load_part(tmp_path, PART).actions.keys() == {"run", "jump"}


@pytest.mark.parametrize(
    "type", ["truth", "number", "0..9", "player", "tile", "colour", "cell of course", "direction of course", "set of tiles"]
)
def test_a_definition_of_every_type_can_be_needed(type: str, tmp_path) -> None:
    assert load_part(tmp_path, PART.replace("pace: number", f"more: {type}").replace("<= pace", "<= 2"))


def test_what_is_wrong_in_a_part_is_found(tmp_path) -> None:
    with pytest.raises(RulesError) as error:
        load_part(tmp_path, PART.replace("n <= pace", "pace"))
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == ["RW200"]


def test_an_unknown_type_is_told_at_the_need(tmp_path) -> None:
    with pytest.raises(RulesError) as error:
        load_part(tmp_path, PART.replace("needs define pace: number", "needs define pace: color"))
    assert {(d.code, d.span.line) for d in error.value.diagnostics if d.span} == {("RW125", line_of(PART.lstrip(), "pace:"))}


def test_a_part_that_extends_a_part_says_what_it_leaves_to_others(tmp_path) -> None:
    relay = "module relay:\n    extends race\n"
    with pytest.raises(RulesError) as error:
        load_part(tmp_path, PART, relay)
    assert {diagnostic.code for diagnostic in error.value.diagnostics} == {"RW109"}
    needs = "\n".join(line for line in PART.splitlines() if line.startswith("needs"))
    assert load_part(tmp_path, PART, f"{relay}\n{needs}\n")


SHIPPED_PARTS = [
    *("classics.jumping", "classics.sliding_tiles", "beacon_patrol.tiles", "penguin_pirates.bearings"),
    *("castles_by_the_sea.words", "castles_by_the_sea.storms"),
]


@pytest.mark.parametrize("name", SHIPPED_PARTS)
def test_the_parts_that_ship(name: str) -> None:
    with pytest.raises(RulesError):
        Project(SHIPPED).load(name)
    assert Project(SHIPPED).load_part(name)


def test_a_fault_in_what_is_needed_is_no_fault_of_the_game() -> None:
    assert not any("need" in mutant.change.lower() for mutant in mutants(parse_module(PART, "1")))
