"""A picture of why an action is illegal: the cells and tiles involved carry the numbers of the reasons listed below."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulewright.rules.model import types
from rulewright.rules.play.engine import State
from rulewright.rules.play.why_illegal import Failure

from .position_picture import picture
from .scene import Scene
from .svg import Element
from .things import thing_name


def refusal_picture(scene: Scene, state: State, action: str, failures: Sequence[Failure]) -> Element:
    """The picture of a state in which an action, given as text, fails for these reasons."""
    verdict = f"`{action}` is not legal" if failures else f"`{action}` is legal"
    caption = (verdict, *(f"{number} {_reason(failure)}" for number, failure in enumerate(failures, 1)))
    return picture(evolve(scene, marked=labels_of(failures), caption=caption), state)


def labels_of(failures: Sequence[Failure]) -> dict[str, str]:
    """The numbers of the reasons, from 1, that each cell and tile is involved in, by its name."""
    marked: dict[str, list[str]] = {}
    for number, failure in enumerate(failures, 1):
        for type, value in failure.things:
            if isinstance(type, types.Cell | types.Tile):
                marked.setdefault(thing_name(type, value), []).append(str(number))
    return {name: ",".join(numbers) for name, numbers in marked.items()}


def _reason(failure: Failure) -> str:
    """The failed requirement with its message and its clause."""
    clause = f", {failure.cite}" if failure.cite else ""
    return f"{failure.message} ({failure.requirement}{clause})"
