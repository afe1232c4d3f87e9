"""A page tells of each thing what may be done with it, or why not, and gives no other player's hand away."""

from __future__ import annotations

from attrs import evolve

from rulewright.cli.names import named
from rulewright.pictures.pages.position import notes
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.rules.play.visibility import Viewer


def told(name: str, thing: str, viewer: Viewer | None = None) -> list[tuple[str, list[str]]]:
    start = named(name).start(None, 1)
    scene = Scene(start.engine, viewer or start.viewer, start.title, PictureOptions(things=True))
    found = notes(scene, [(start.state, (picture(scene, start.state),))])
    listed = [found["notes"][number] for number in found["stages"][0].get(thing, ())]
    return [(action, [found["reasons"][reason] for reason in why]) for action, why in listed]


def test_a_legal_move_needs_no_reason():
    assert ("press (0,0)", []) in told("classics.lights_out", "board 0")


def test_a_reason_names_requirement_clause_and_place():
    window = named("overboard").start(None, 1).engine.instance.windows["sea"]
    found = dict(told("overboard", f"sea {window.cell((2, 1))}"))
    assert found["sail west"] == []
    (taken, *_) = found["place nsw_house west"]
    assert taken.startswith("there is a tile there already (place.") and ".rules:" in taken and "bp.place" in taken


def test_who_looks_on_is_told_nothing():
    start = named("all_hands").start(None, 1)
    other = evolve(start.viewer, player=1 + start.engine.player(start.state) % 4)
    scene = Scene(start.engine, other, start.title, PictureOptions(things=True))
    assert notes(scene, [(start.state, (picture(scene, start.state),))])["notes"] == []
