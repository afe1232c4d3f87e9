"""A stage as JSON, for `scene.js`: zeros, empty texts, lists and the like are left out, sprites are SVG."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, get_args

from attrs import fields, has

from ..svg import Element, to_text
from .vocabulary import PanelRule, Rule, Stage

_RULES = (*get_args(Rule), *get_args(PanelRule))
"""The classes that say which rule they are."""


def stage_as_json(stage: Stage) -> Any:
    """The stage as lists, dictionaries, texts and numbers."""
    return _plain(stage)


def _plain(value: Any) -> Any:
    match value:
        case Element():
            return to_text(value)
        case Enum():
            return value.value
        case Mapping():
            return {str(key): _plain(one) for key, one in value.items()}
        case tuple() | list():
            return [_plain(one) for one in value]
        case float() if value.is_integer():
            return int(value)
        case _ if has(type(value)):
            said = {one.name: _plain(found) for one in fields(type(value)) if (found := getattr(value, one.name))}
            return {"is": type(value).__name__, **said} if isinstance(value, _RULES) else said
        case _:
            return value
